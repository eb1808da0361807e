// Package bench puts load on a server that speaks the Mastodon client API and
// measures how it answers. It is a client like any other: it knows accounts by
// their tokens and the server by its URL, and nothing of how the server is
// built, so that different servers can be compared.
//
// In an open loop (a rate is given) requests are due by a clock, whether or not
// earlier ones were answered, and their latency counts from the moment when
// they were due: a server that stalls is charged for everybody who would have
// waited. In a closed loop each connection asks again when it was answered;
// that shows how much a server can do, not how long people wait.
//
// The driver shares the machine with the server as often as not, so it drains
// bodies instead of parsing them wherever no check needs their contents. Its
// memory depends on the number of accounts and connections, not on how long it
// runs.
package bench
