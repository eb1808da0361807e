// Package web is what a browser sees: landing page, set-up, log-in, sign-up, the
// page on which a person lets an app in, and plain pages of people, statuses and
// tags. Every page is complete without JavaScript; there is none.
//
// It knows templates, forms, cookies and status codes. It asks social for
// everything and decides nothing itself: what social does not show to the viewer
// gets the same 404 page as what never existed. It must not know storage or the
// client API.
//
// Invariants: nothing is changed by GET; every POST has passed the check of its
// origin and of the token in its form; a browser is sent away from the
// installation only to a redirect URI that social has validated; whatever
// happens, the answer is a page of HTML with a way out.
package web
