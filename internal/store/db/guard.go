package db

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// ErrCondition means that one of the caller's own conditions does not hold.
var ErrCondition = errors.New("the condition is not met")

// ErrRace means that the data has changed since it was read. The caller retries the change.
var ErrRace = errors.New("the record has changed since it was read")

// guard is a condition with an error for transactions in which it does not hold.
type guard struct {
	kv.Cond
	err error
}

// Else returns a condition with an error. DB.Txn returns the error if the condition is the first
// one that does not hold. A condition that already has an error keeps it.
func Else(c kv.Cond, err error) kv.Cond {
	if _, ok := c.(guard); ok {
		return c
	}
	return guard{c, err}
}

// AllElse applies Else to each condition.
func AllElse(conds []kv.Cond, err error) []kv.Cond {
	out := make([]kv.Cond, len(conds))
	for i, c := range conds {
		out[i] = Else(c, err)
	}
	return out
}

// bare returns the conditions in the form that engines use.
func bare(conds []kv.Cond) []kv.Cond {
	if !slices.ContainsFunc(conds, func(c kv.Cond) bool { _, ok := c.(guard); return ok }) {
		return conds
	}
	out := slices.Clone(conds)
	for i, c := range out {
		if g, ok := c.(guard); ok {
			out[i] = g.Cond
		}
	}
	return out
}

// UserPresent is the condition, in the user's shard, that a user exists. It doesn't hold for an
// account that is being deleted.
func UserPresent(id linnet.ID) kv.Cond { return kv.Present{Key: record.UserKey(id)} }

// Related is the condition, in the owner's shard, that a relation is active.
func Related(k record.RelationKind, owner, other linnet.ID) kv.Cond {
	return kv.HasMember{Key: k.OwnedKey(owner), Member: other.String()}
}

// Unrelated is the condition, in the owner's shard, that a relation is not active.
func Unrelated(k record.RelationKind, owner, other linnet.ID) kv.Cond {
	return kv.NoMember{Key: k.OwnedKey(owner), Member: other.String()}
}

// RelatedBy is the condition, in the other side's shard, that its copy of a relation exists.
func RelatedBy(k record.RelationKind, owner, other linnet.ID) kv.Cond {
	return kv.HasMember{Key: k.CopyKey(other), Member: owner.String()}
}

// NeverEnded is the condition, in the owner's shard, that a relation was not ended recently. It is
// for relations that begin only once, even if a task runs late or repeatedly.
func NeverEnded(k record.RelationKind, owner, other linnet.ID) kv.Cond {
	return kv.NoMember{Key: record.IDKey(k.Owned+".gone", owner), Member: other.String()}
}

// ListPresent is the condition that a list still exists.
func ListPresent(id linnet.ID) kv.Cond { return kv.Present{Key: record.ListKey(id)} }

// FeedsUnchanged is the condition that a user's feeds still have a version.
func FeedsUnchanged(user linnet.ID, version uint64) kv.Cond {
	return kv.VersionIs{Key: record.OwnFeedsKey(user), Version: version}
}

// RetryDurable makes a context durable for the next attempt of a change that found nothing to do.
// It returns false if the context was durable already, and the result is final.
func RetryDurable(ctx *context.Context) (again bool) {
	if kv.IsDurable(*ctx) {
		return false
	}
	*ctx = kv.Durable(*ctx)
	return true
}

// MaxRaces limits how often a guarded change is retried after concurrent changes.
const MaxRaces = 16

// TooManyRaces returns the error of a change of id's data that failed after MaxRaces attempts.
func TooManyRaces(what string, id linnet.ID) error {
	return fmt.Errorf("%s %v changed %d times while it was being written: %w", what, id, MaxRaces, kv.ErrUnavailable)
}
