// Package audit is for commands that look after a store, never for a request: it
// compares each record with those that must agree with it, prints a record for
// people, and writes very many records at once for imports.
//
// It reads what lies in the engine and believes nothing else; of package store it
// uses only what both have to write alike. Each kind of key has a check, a
// function of its own: recordChecks is the table, and a test holds it to the key table.
package audit
