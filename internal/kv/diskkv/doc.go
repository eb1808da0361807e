// Package diskkv is the embedded kv engine: one directory, one process.
//
// Values, counters and sets lie in Pebble, an ordered store with a write-ahead
// log. Feeds, meters and the bus live in memory and end with the process, which
// the port allows: a feed that was forgotten is filled again by its reader. Only a
// clean stop leaves the feeds to the next start (warm.go).
//
// The package knows the contract of package kv, how a key is laid out on disk
// (encode.go) and what the disk may do to it. It does not know what the keys
// mean, and no other package imports the storage library.
//
// How a write travels: the shard is locked, what the change depends on is read,
// one batch is built and handed to the log, the lock is released, and only then
// the fsync is awaited, together with all writes that came meanwhile. So a
// later writer may see what is not yet durable; it can acknowledge nothing
// before that, because its own record lies behind in the same log. The two
// exceptions, a transaction that writes nothing since a condition failed and a
// durable read, wait for the last write of their shards. A caller may be gone before
// its write is visible; who keeps what was read then hears of it (kv.Late).
//
// What was deleted goes from the files too, within days: old logs are ended and old
// tables merged (age.go).
//
// Three things end the process on purpose (Options.Fatal): a failed write or
// fsync of the log, a failed write of the manifest, and a broken invariant of
// the store. After any of them nothing more can be acknowledged truthfully.
package diskkv
