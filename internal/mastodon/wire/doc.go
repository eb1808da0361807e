// Package wire defines the JSON of the client API: one type for each entity of Mastodon, and
// functions that convert domain values to them. It knows no requests and calls no services.
//
// An entity that is long and often requested is written as a document, from JSON that is cached
// with the domain value. Tests compare each document with the plain type.
//
// https://docs.joinmastodon.org/entities/
package wire
