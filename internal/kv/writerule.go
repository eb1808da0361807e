package kv

import "time"

// WriteRule determines which writes a process may make to an engine that other processes share,
// while the store is being moved.
type WriteRule struct {
	// Err is the error that writes return, usually an ErrUnavailable. Nil allows writes.
	Err error
	// Gap is the least time between two writes of a process.
	Gap time.Duration
	// Brief makes processes read the rule more often, so that they soon notice the next one.
	Brief bool
}
