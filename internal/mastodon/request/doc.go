// Package request runs the handlers of the client API: it authenticates the caller, counts the
// request against rate limits, decodes parameters, and encodes the result or the error.
//
// Invariants: every response is JSON, and success is always 200. A bad parameter never gives a
// 5xx. An object that the caller must not see is answered like a missing one. Only a bearer token
// identifies the caller, never a cookie.
package request
