// Package diskkv is the embedded kv engine, with one directory and one process.
//
// Values, counters and sets are stored in Pebble, an ordered store with a write-ahead log. Feeds,
// meters and the bus are in memory and end with the process, as the port allows. Readers fill
// missing feeds again. Only a clean stop saves the feeds for the next start (warm.go).
//
// The package knows the contract of package kv, the layout of keys on disk (encode.go) and the
// failures of disks. It does not know the meaning of keys. No other package imports the storage
// library.
//
// A write locks its shard, reads the data that it depends on, builds a batch, appends it to the log
// and releases the lock. Then it waits for the fsync, together with all writes that arrived
// meanwhile. So a later writer may see data that is not durable yet. It cannot be acknowledged
// before that data, because its own record follows in the same log. There are two exceptions, a
// transaction with a failed condition and a durable read, which wait for the last write of their
// shards. If a caller returns before its write is visible, caches are notified of the write
// (kv.Late).
//
// Deleted data disappears from the files within days: old logs are ended and old tables merged
// (age.go).
//
// The process ends (Options.Fatal) after a failed write or fsync of the log, a failed write of the
// manifest, and a broken invariant of the store. After any of them no write can be acknowledged.
package diskkv
