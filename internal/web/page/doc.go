// Package page serves one request for a page: the session and language of the reader, the form that
// was sent, and the layout around what the page shows.
//
// A [Route] names the function that answers a path. It gets a [Context], which it asks about the
// reader and the request, and ends with [Context.Render] or [Context.Redirect]. It returns an error
// for everything else, from which the package makes an error page.
package page
