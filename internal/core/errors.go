package core

import (
	"context"
	"errors"
	"syscall"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/store"
)

// StoreError turns the engine's errors into ours where people can do something
// about them; other errors pass.
func StoreError(err error) error {
	var le *linnet.Error
	switch {
	case err == nil || errors.As(err, &le):
		return err
	case store.Full(err), errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT): // what is beside the store, too
		return &joined{linnet.Errorf(linnet.Full, "The server's storage is full. You can still read. The operator needs to free up space."), err}
	case store.Moving(err):
		e := linnet.Errorf(linnet.Unavailable, "The server's storage is being moved. You can still read. Save your changes again in a few seconds.")
		e.RetryAfter, e.Public = 5*time.Second, true
		return &joined{e, err}
	case store.Unavailable(err):
		e := linnet.Errorf(linnet.Unavailable, "The server's storage isn't responding. Please try again.")
		e.RetryAfter = 5 * time.Second
		return &joined{e, err}
	}
	return err
}

// Surely looks for what an act is about, and again, by what is durable, if there is
// no such thing: to whoever sends a deletion again that is a yes.
func Surely[T any](ctx context.Context, find func(context.Context) (T, error)) (T, error) {
	v, err := find(ctx)
	if linnet.KindOf(err) == linnet.NotFound {
		return find(store.Durable(ctx))
	}
	return v, err
}

// Shown shows an error to people in place of its cause, which is kept for the log.
func Shown(e *linnet.Error, cause error) error { return &joined{e, cause} }

// joined shows an Error to people and keeps the cause for the log.
type joined struct {
	shown *linnet.Error
	cause error
}

func (j *joined) Error() string   { return j.shown.Msg + " (" + j.cause.Error() + ")" }
func (j *joined) Unwrap() []error { return []error{j.shown, j.cause} }
