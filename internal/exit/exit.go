// Package exit defines errors for the operator. Each has an exit code and says what failed, why, which
// setting is at fault, and what to do.
package exit

import (
	"context"
	"errors"
	"strings"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// The exit codes of all commands.
const (
	OK        = 0
	Failed    = 1
	Usage     = 2  // invalid command line or configuration
	NotFound  = 3  // the named object does not exist, or no server runs
	State     = 4  // refused, for example because an address is in use or the store has a newer format
	Temporary = 75 // the store is unavailable, full or in use
)

// Error is a failure as the operator sees it.
type Error struct {
	Code   int
	What   string // what failed, with the value: "cannot listen on 127.0.0.1:8420"
	Cause  error  // reason; nil if What explains it
	Source string // where the value came from; "" if it is not a setting
	Advice string // remedy, in whole sentences
}

// Error returns one line: what failed: reason (from source). Remedy.
func (f *Error) Error() string {
	var b strings.Builder
	b.WriteString(f.What)
	if f.Cause != nil {
		b.WriteString(": ")
		b.WriteString(strings.TrimSuffix(f.Cause.Error(), "."))
	}
	if f.Source != "" {
		b.WriteString(" (from " + f.Source + ")")
	}
	b.WriteString(".")
	if f.Advice != "" {
		b.WriteString(" " + f.Advice)
	}
	return b.String()
}

// Unwrap returns the cause.
func (f *Error) Unwrap() error { return f.Cause }

// UsageError returns an error in the command line.
func UsageError(what, advice string) *Error {
	return &Error{Code: Usage, What: what, Advice: advice}
}

// CodeOf returns the exit code for the error of a command.
func CodeOf(err error) int {
	var f *Error
	var coded interface{ ExitCode() int }
	switch {
	case errors.As(err, &coded):
		return coded.ExitCode()
	case errors.As(err, &f) && f.Code != OK:
		return f.Code
	case errors.Is(err, kv.ErrUnavailable), errors.Is(err, kv.ErrFull), errors.Is(err, kv.ErrUnknown):
		return Temporary
	case errors.Is(err, context.Canceled):
		return Failed
	}
	switch linnet.KindOf(err) {
	case linnet.Invalid:
		return Usage
	case linnet.NotFound:
		return NotFound
	case linnet.Conflict, linnet.Forbidden, linnet.Gone:
		return State
	case linnet.Unavailable, linnet.Full, linnet.TooMany:
		return Temporary
	}
	return Failed
}
