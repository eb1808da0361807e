// Package wire defines the JSON of the client API: one type for each entity of Mastodon, and
// functions that make them of domain values. It knows no requests and calls no services.
//
// An entity that is long and often requested is written as a Document, from JSON that is cached
// with the domain value. Tests compare each Document with the plain type.
//
// https://docs.joinmastodon.org/entities/
package wire
