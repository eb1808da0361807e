// Package streaming serves the streaming API: server-sent events and the WebSocket.
//
// A connection is taken over from the HTTP server, which saves most of its memory. An event that
// looks the same to all its listeners is encoded once for each transport.
//
// https://docs.joinmastodon.org/methods/streaming/
package streaming
