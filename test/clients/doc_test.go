// Package clients_test runs real, unmodified Mastodon clients against the real
// command: it builds cmd/linnet, starts it on the loopback interface with an
// empty store of each kind, makes people with the command line, and lets every
// client log in through the pages and use the API as its users would.
//
// It knows the API only as its clients do, and the pages only as a browser does.
package clients_test
