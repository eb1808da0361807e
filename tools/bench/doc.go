// Package bench puts load on a server with the Mastodon client API and measures its responses. It
// is a normal client with access tokens and a URL, and independent of the server's implementation,
// so that different servers can be compared.
//
// In an open loop, with a rate, requests are due by a clock regardless of earlier responses.
// Latencies count from the due time, so a stall counts for all requests that it delays. In a closed
// loop, each connection makes a new request after each response. That shows the throughput of a
// server, not the delay that users see.
//
// The driver often shares the machine with the server. It discards bodies without parsing them
// unless a check needs them. Its memory depends on the numbers of accounts and connections, not on
// the duration.
package bench
