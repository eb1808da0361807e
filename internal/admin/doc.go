// Package admin is what commands do beside serving: check a store, fill one
// from files, explain its keys and print its records. It drives the store and
// the acts and reports progress; it knows neither the forms of records, which
// are the store's, nor the command line.
//
// Invariants:
//
//   - A check only reads.
//   - An import that was broken off at any point and is run again ends as if it
//     had not been broken off.
//   - Memory does not grow with the number of records of a kind, except where a
//     function says so.
package admin
