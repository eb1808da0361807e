// Package mastodon is the client API: Mastodon's REST calls, the HTTP half of
// OAuth and the discovery documents, over app.App.
//
// It knows HTTP, JSON and Mastodon's words for things, and it alone does. It
// decides nothing: each handler decodes, makes one call of the storey that owns the act and turns the
// answer into a wire type. It must not know the store, the engines or the pages.
//
// Invariants: every answer, errors included, is JSON; success is always 200;
// what one may not see is answered exactly like what does not exist; a bad
// parameter never gives a 5xx; only a bearer token says who is asking, never a
// cookie.
package mastodon
