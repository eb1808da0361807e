// Package app wires the storeys of the server, each a package of its own, into one App
// over a store, and lets them work. It decides nothing. Its tests try what people do
// through all of them.
package app
