// Package audit serves commands that maintain a store. Requests never use it. It compares each
// record with the records that must agree with it, and prints a record.
//
// The audit is a table with a row for each kind of key. A row names the form of the key, the owner
// that must exist, and what the value or each member of the set expects of other records: that a
// record exists, that it refers back, that a set has a member, that a task is queued. One engine
// reads all of these in batches, so the cost and the messages are uniform. A second table lists the
// counters of sets. Rules that no reference expresses are functions in the same rows.
//
// The audit trusts only the data in the engine. From package store it uses only code that both must
// write alike. A test compares the rows with the key table.
package audit
