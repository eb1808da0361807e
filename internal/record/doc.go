// Package record says which record lies where and how it is written down. It owns
// the key table, from which docs/keys.md is generated, and the form of every record:
// what is in it, how it is encoded, and how records of earlier releases are read. It
// is pure: it reads and writes nothing, and knows no clock.
//
// The port sees bytes under keys; package store moves records between it and those
// who act; package audit compares records with one another. None of the two makes a
// key of its own.
//
// Everything of a user lies in the user's shard, everything about a status in its
// author's, so that an act is one transaction there. A field that a release adds
// reads as before where it is absent.
package record
