// Package audit serves commands that maintain a store. Requests never use it. It compares each
// record with the records that must agree with it, prints a record, and writes many records at once
// for imports.
//
// It trusts only the data in the engine. From package store it uses only code that both must write
// alike. Each kind of key has its own check. The table recordChecks lists them, and a test compares
// it with the key table.
package audit
