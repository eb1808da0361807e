// Package app connects the services of the server in one App over a store, and starts their
// background work. It makes no decisions. Its tests use all services together.
package app
