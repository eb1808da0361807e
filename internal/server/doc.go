// Package server runs the HTTP server: listeners, TLS certificates, limits, metrics, traces and
// shutdown.
//
// It sends requests to the API and to the pages. It also accepts commands of the operator over a
// socket in the data directory, because only one process can open an embedded store. The caller
// opens the store and executes the commands.
package server
