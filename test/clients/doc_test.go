// Package clients_test runs real, unmodified Mastodon clients against the real command. It builds
// cmd/linnet and starts it on the loopback interface with an empty store of each kind. It creates
// users with the command line. Each client logs in through the pages and uses the API like its
// users would.
//
// It uses the API only through the clients, and the pages like a browser.
package clients_test
