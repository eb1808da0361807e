// Package web is what a browser sees: timelines, people, threads and the composer
// for those who are logged in, plain pages of people, statuses and tags for
// everybody, and the ways in: landing page, set-up, log-in, sign-up, and the page
// on which a person lets an app in. Every page is complete without JavaScript; a
// script of our own makes open pages follow what happens and saves steps.
//
// What a page needs is read and decided in Go; how it looks stands in the components
// of the *.templ files, from which "make generate" makes Go code: a component ends in
// View if it is a page's own, the others are parts of several. White space between
// elements is kept as one blank, none is where a component stands at the end of its
// line. The style is in assets/css, the script in assets/js, each joined by name.
//
// It knows components, forms, cookies and status codes. It asks social for
// everything: what social does not show to the viewer gets the same 404 page as what
// never existed, and what it refuses stays undone, whatever a page offers. A page
// leaves out what the viewer's role or relation rules out anyway. It must not know
// storage or the client API.
//
// Invariants: nothing is changed by GET; every POST has passed the check of its
// origin and of the token in its form; a browser is sent away from the
// installation only to a redirect URI that social has validated; whatever
// happens, the answer is a page of HTML with a way out.
package web
