package db

import (
	"context"
	"errors"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// ErrCondition: one of the caller's own conditions does not hold.
var ErrCondition = errors.New("condition does not hold")

// UserPresent is the condition, in the user's shard, that a user exists. An
// account that is being deleted does not.
func UserPresent(id linnet.ID) kv.Cond { return kv.Present{Key: record.UserKey(id)} }

// FeedsUnchanged is the condition that a user's feeds are still of a version.
func FeedsUnchanged(user linnet.ID, version uint64) kv.Cond {
	return kv.VersionIs{Key: record.OwnFeedsKey(user), Version: version}
}

// Surely makes a context durable for the next round of a change that found nothing
// to do, and reports false if it was so already: then that is the answer.
func Surely(ctx *context.Context) (again bool) {
	if kv.IsDurable(*ctx) {
		return false
	}
	*ctx = kv.Durable(*ctx)
	return true
}

// MaxRaces bounds how often a guarded change is tried again because somebody
// else was faster.
const MaxRaces = 16

// TooManyRaces is the error of a change that was given up after MaxRaces, of what
// belongs to id.
func TooManyRaces(what string, id linnet.ID) error {
	return fmt.Errorf("%s %v changed %d times while it was being written: %w", what, id, MaxRaces, kv.ErrUnavailable)
}
