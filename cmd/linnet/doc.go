// Command linnet is the server and its tools in one program.
//
// Invariants of this package:
//
//   - It alone reads flags, the environment and files of configuration, makes
//     clocks and loggers, and knows every other package; the wiring is done by
//     hand in serve.go and backend.go.
//   - It decides nothing about people and statuses: every command that touches
//     the store calls social, exactly as the client interface and the pages do.
//   - A command that needs the store of a running server is sent to that server
//     over a socket in the data directory, so two processes never write one
//     embedded store.
//   - Every failure says what failed, the value and where it came from, and
//     what to do; its exit code is one of those in fault.go.
package main
