package core

import (
	"context"
	"errors"
	"syscall"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/store"
)

// StoreError converts errors of the engine that users or operators can act on. It returns other
// errors unchanged.
func StoreError(err error) error {
	var le *linnet.Error
	switch {
	case err == nil || errors.As(err, &le):
		return err
	case store.Full(err), errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT): // also files outside the store
		return &causedError{linnet.Errorf(linnet.Full, "The server's storage is full. You can still read, but not post or change anything. The operator needs to free up space."), err}
	case store.Moving(err):
		e := linnet.Errorf(linnet.Unavailable, "The server's storage is being moved. You can still read, but not post or change anything. Try again in a few seconds.")
		e.RetryAfter, e.Public = 5*time.Second, true
		return &causedError{e, err}
	case store.Unavailable(err):
		e := linnet.Errorf(linnet.Unavailable, "The server's storage isn't responding. Please try again.")
		e.RetryAfter = 5 * time.Second
		return &causedError{e, err}
	}
	return err
}

// RetryDurable calls find, and again with durable reads if it returns NotFound. So a repeated
// deletion is confirmed.
func RetryDurable[T any](ctx context.Context, find func(context.Context) (T, error)) (T, error) {
	v, err := find(ctx)
	if linnet.KindOf(err) == linnet.NotFound {
		return find(store.Durable(ctx))
	}
	return v, err
}

// Shown returns an error that shows e to users and keeps its cause for the log.
func Shown(e *linnet.Error, cause error) error { return &causedError{e, cause} }

// causedError shows an Error to users and keeps its cause for the log.
type causedError struct {
	shown *linnet.Error
	cause error
}

func (j *causedError) Error() string   { return j.shown.Msg + " (" + j.cause.Error() + ")" }
func (j *causedError) Unwrap() []error { return []error{j.shown, j.cause} }
