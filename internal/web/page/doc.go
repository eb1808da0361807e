// Package page serves one request for a page: the session and language of the reader, the submitted
// form, and the layout around the content of the page.
//
// A [Route] names the function that handles a path. The function gets a [Context] with the reader
// and the request, and calls [Context.Render] or [Context.Redirect]. If it returns an error, the
// package renders an error page.
package page
