package diskkv

import (
	"context"
	"errors"
	"fmt"

	"linnet/internal/kv"
)

// shardLocks has one lock for each shard. The locks are channels, because waiting has a deadline.
// Several locks are taken in ascending order.
type shardLocks [kv.Shards]shardLock

type shardLock struct {
	held chan struct{} // holds one element while locked
	last *commit       // last commit that changed the shard; guarded by the lock
}

func (l *shardLocks) init() {
	none := newCommit()
	close(none.done)
	for i := range l {
		l[i] = shardLock{held: make(chan struct{}, 1), last: none}
	}
}

// lockShard returns an error without the lock when ctx ends or the store fails.
func (e *Engine) lockShard(ctx context.Context, shard uint16) error {
	held := e.shards[shard].held
	select {
	case held <- struct{}{}:
		return nil
	default:
	}
	select {
	case held <- struct{}{}:
		return nil
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return fmt.Errorf("%w: shard %d is busy: %w", kv.ErrUnavailable, shard, ctx.Err())
		}
		return ctx.Err()
	case <-e.failed:
		return fmt.Errorf("%w: the disk failed", kv.ErrUnavailable)
	}
}

// lockShards locks all shards or none. The shards must be distinct and ascending.
func (e *Engine) lockShards(ctx context.Context, shards []uint16) error {
	for i, s := range shards {
		if err := e.lockShard(ctx, s); err != nil {
			e.shards.unlockAll(shards[:i])
			return err
		}
	}
	return nil
}

// last returns the last commit of a locked shard.
func (l *shardLocks) last(shard uint16) *commit { return l[shard].last }

// unlockAll releases locks under which nothing was changed.
func (l *shardLocks) unlockAll(shards []uint16) {
	for _, s := range shards {
		<-l[s].held
	}
}
