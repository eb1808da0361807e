// Package mastodon serves the client API of Mastodon: REST methods, OAuth and discovery documents.
//
// A handler of each resource names the services it uses. It decodes the parameters, calls one
// method of a service, and encodes the result. Package request runs the handlers, package wire has
// the JSON, and the packages oauth, streaming, admin and explore have further handlers.
//
// The package must not know the store, the engines or the pages.
package mastodon
