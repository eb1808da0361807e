// Package cli implements the command line.
//
// Commands are rows of one table, which the parser, the help, the manual page and shell completion
// use. A command that needs the store runs in the server that uses the data directory, or else in
// its own process. Commands decide nothing about users and posts: they call the same services as
// the API and the pages, as the operator.
package cli
