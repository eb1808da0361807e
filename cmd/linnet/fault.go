package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// The exit codes of all commands.
const (
	exitOK        = 0
	exitFailed    = 1
	exitUsage     = 2  // the command line or the configuration is wrong
	exitNotFound  = 3  // what was named does not exist
	exitState     = 4  // refused by the state of things: an address that is taken, a newer format
	exitTemporary = 75 // the store is away, full or in use; try again later
)

// fault is a failure as told to the person at the terminal.
type fault struct {
	code   int
	what   string // what failed, with the value: "cannot listen on 127.0.0.1:8420"
	cause  error  // why; nil if what says it all
	from   string // where the value came from; "" if it is not a setting
	advice string // what to do: whole sentences
}

// Error tells it in one line: what: why (from where). What to do.
func (f *fault) Error() string {
	var b strings.Builder
	b.WriteString(f.what)
	if f.cause != nil {
		b.WriteString(": ")
		b.WriteString(strings.TrimSuffix(f.cause.Error(), "."))
	}
	if f.from != "" {
		b.WriteString(" (from " + f.from + ")")
	}
	b.WriteString(".")
	if f.advice != "" {
		b.WriteString(" " + f.advice)
	}
	return b.String()
}

func (f *fault) Unwrap() error { return f.cause }

// usage is a fault of the command line.
func usage(what, advice string) *fault {
	return &fault{code: exitUsage, what: what, advice: advice}
}

// exitCode chooses the code for an error that a command ended with.
func exitCode(err error) int {
	var f *fault
	var r *remoteExit
	switch {
	case errors.As(err, &r):
		return r.code
	case errors.As(err, &f) && f.code != exitOK:
		return f.code
	case errors.Is(err, kv.ErrUnavailable), errors.Is(err, kv.ErrFull), errors.Is(err, kv.ErrUnknown):
		return exitTemporary
	case errors.Is(err, context.Canceled):
		return exitFailed
	}
	switch linnet.KindOf(err) {
	case linnet.Invalid:
		return exitUsage
	case linnet.NotFound:
		return exitNotFound
	case linnet.Conflict, linnet.Forbidden, linnet.Gone:
		return exitState
	case linnet.Unavailable, linnet.Full, linnet.TooMany:
		return exitTemporary
	}
	return exitFailed
}

// refused is the fault of an act that social refused or could not do. What
// concerns a field is told by the field alone.
func refused(what string, err error) error {
	var e *linnet.Error
	if !errors.As(err, &e) {
		return fmt.Errorf("%s: %w", what, err)
	}
	f := &fault{code: exitCode(err), what: what, cause: err}
	if len(e.Fields) > 0 {
		var parts []string
		for _, field := range e.Fields {
			parts = append(parts, field.Name+" "+field.Msg)
		}
		f.cause = errors.New(strings.Join(parts, "; "))
	}
	if e.Kind == linnet.NotFound {
		f.cause = errors.New("there is none")
	}
	return f
}
