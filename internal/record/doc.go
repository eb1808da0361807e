// Package record defines where records are stored and how they are encoded. It has the key table,
// from which docs/keys.md is generated, and the format of every record, also for earlier releases.
// It does no I/O and has no clock.
//
// The port stores bytes under keys. Package store reads and writes records for the services, and
// package audit checks their consistency. Neither makes keys.
//
// All records of a user are in the user's shard, and all records of a status in its author's, so
// that an action is one transaction there. An absent field that a later release added has the same
// meaning as before.
package record
