// Package admin implements the commands other than serving. They check, move and back up a
// store, explain its keys and print its records. The package uses the store and the services, and
// reports progress. It does not know the format of records or the command line.
//
// Invariants:
//
//   - A check only reads.
//   - Memory does not grow with the number of records of a kind, except where a function says
//     so.
package admin
