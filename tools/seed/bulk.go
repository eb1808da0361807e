package seed

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"linnet/internal/audit"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/db"
)

// bulk writes very many records, for imports. Each method takes records of any shards, in memory,
// and writes them in guarded transactions of the maximum size, several at a time. After an error it
// can be called again with the same records and writes the missing ones. Until it succeeds, nothing
// else should change them. Methods must not be called concurrently.
type bulk struct {
	s       *store.Store
	db      kv.Store
	workers int
	pause   time.Duration
	waiting func(error) // receives an error before a repetition; must be safe for concurrent use
}

// newBulk returns a writer for a store that drops written records from the store's caches.
func newBulk(s *store.Store, opt Options) *bulk {
	return &bulk{s: s, db: s.Watched(s.Engine()), workers: opt.Workers, pause: opt.Pause, waiting: opt.Retrying}
}

// bulkRaces is the number of attempts while other writers change the same records.
const bulkRaces = 16

// piece is a part of a transaction that is written once: completely while guard holds, and not
// afterwards.
type piece struct {
	guard kv.Cond
	needs []kv.Cond // must hold as well, or the whole is impossible
	ops   []kv.Op
}

func (p piece) shard() uint16 { return kv.KeyOfCond(p.guard).Shard }

// write writes pieces, those of one shard together.
func (b *bulk) write(ctx context.Context, pieces []piece) error {
	shards := map[uint16][]piece{}
	for _, p := range pieces {
		shards[p.shard()] = append(shards[p.shard()], p)
	}
	var packs [][]piece
	for _, ps := range shards {
		packs = append(packs, pack(ps)...)
	}
	return b.parallel(ctx, len(packs), func(ctx context.Context, i int) error { return b.writePack(ctx, packs[i]) })
}

// pack divides pieces of one shard into transactions.
func pack(ps []piece) (packs [][]piece) {
	conds, ops := 0, 0
	for _, p := range ps {
		conds, ops = conds+1+len(p.needs), ops+len(p.ops)
		if len(packs) == 0 || conds > kv.MaxConds || ops > kv.MaxChanges {
			packs = append(packs, nil)
			conds, ops = 1+len(p.needs), len(p.ops)
		}
		last := &packs[len(packs)-1]
		*last = append(*last, p)
	}
	return packs
}

// errNeed means that a condition of a piece does not hold.
var errNeed = errors.New("a required record does not exist")

// writePack writes pieces in one transaction. A piece whose guard does not hold
// was written already, perhaps by the attempt whose answer was lost, and is
// left out of the next attempt.
func (b *bulk) writePack(ctx context.Context, ps []piece) error {
	for len(ps) > 0 {
		var conds []kv.Cond
		var ops []kv.Op
		var of []int // piece of each condition
		for i, p := range ps {
			conds = append(append(conds, p.guard), p.needs...)
			ops = append(ops, p.ops...)
			for range 1 + len(p.needs) {
				of = append(of, i)
			}
		}
		var failed int
		err := b.patient(ctx, func() (err error) {
			failed, err = b.db.Txn(ctx, conds, ops...)
			return err
		})
		switch {
		case err != nil:
			return fmt.Errorf("write many records: %w", err)
		case failed < 0:
			return nil
		case failed > 0 && of[failed] == of[failed-1]:
			return fmt.Errorf("write %v: %w", kv.KeyOfCond(ps[of[failed]].guard), errNeed)
		default:
			ps = slices.Delete(slices.Clone(ps), of[failed], of[failed]+1)
		}
	}
	return nil
}

// apply makes repeatable changes in any order. It retries changes with an unknown outcome.
func (b *bulk) apply(ctx context.Context, ops []kv.Op) error {
	parts := slices.Collect(slices.Chunk(ops, kv.MaxChanges))
	return b.parallel(ctx, len(parts), func(ctx context.Context, i int) error {
		return b.patient(ctx, func() error { return b.db.Apply(ctx, parts[i]...) })
	})
}

// read executes many queries.
func (b *bulk) read(ctx context.Context, qs []kv.Query) error {
	parts := slices.Collect(slices.Chunk(qs, kv.MaxChanges))
	return b.parallel(ctx, len(parts), func(ctx context.Context, i int) error {
		return b.patient(ctx, func() error { return b.db.Read(ctx, parts[i]...) })
	})
}

// patience is the number of retries, at doubling intervals: about half a minute in total.
const patience = 8

// patient makes a repeatable call, and retries while the store is unavailable or the outcome is
// unknown. It returns the last error.
func (b *bulk) patient(ctx context.Context, call func() error) error {
	for try := 0; ; try++ {
		err := call()
		if !store.Unavailable(err) || errors.Is(err, kv.ErrClosed) || ctx.Err() != nil || try == patience {
			return err
		}
		b.waiting(err)
		if err := audit.Sleep(ctx, b.pause<<try); err != nil {
			return err
		}
	}
}

// parallel calls f for 0 to n-1, some at a time, and returns the first error.
func (b *bulk) parallel(ctx context.Context, n int, f func(ctx context.Context, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan int)
	var work sync.WaitGroup
	for range min(b.workers, n) {
		work.Go(func() {
			for i := range next {
				if err := f(ctx, i); err != nil {
					cancel(err)
				}
			}
		})
	}
	for i := 0; i < n && ctx.Err() == nil; i++ {
		next <- i
	}
	close(next)
	work.Wait()
	return context.Cause(ctx)
}

// bulkSide is one side of the relations of ID to distinct Members, with the versions that both
// sides store.
type bulkSide struct {
	ID      linnet.ID
	Members []db.Entry
}

// sideMost is the maximum number of members of a side per transaction, with the counter.
const sideMost = kv.MaxChanges - 1

// edges writes the owners' sides of relations, or with copies the other sides, with their counters.
// The caller must write both.
func (b *bulk) edges(ctx context.Context, kind record.RelationKind, copies bool, sides []bulkSide) error {
	var pieces []piece
	var qs []kv.Query
	for _, side := range sides {
		set, counters, name := kind.OwnedKey(side.ID), record.CountsKey(side.ID), kind.OwnerCounter
		if copies {
			set, name = kind.CopyKey(side.ID), kind.OtherCounter
			if kind.OtherKind != "" {
				counters = record.IDKey(kind.OtherKind, side.ID)
			}
		}
		for part := range slices.Chunk(side.Members, sideMost) {
			p := piece{guard: kv.NoMember{Key: set, Member: part[0].ID.String()}}
			for _, m := range part {
				p.ops = append(p.ops, kv.Add{Key: set, Member: m.ID.String(), Score: m.Score})
			}
			if name != "" {
				p.ops = append(p.ops, kv.Incr{Key: counters, Name: name, By: int64(len(part))})
			}
			pieces = append(pieces, p)
			qs = append(qs, &kv.Scores{Key: set, Members: []string{part[0].ID.String()}})
		}
	}
	if err := b.read(ctx, qs); err != nil {
		return fmt.Errorf("read relations: %w", err)
	}
	left := pieces[:0]
	for i, p := range pieces {
		if !qs[i].(*kv.Scores).Found[0] {
			left = append(left, p)
		}
	}
	return b.write(ctx, left)
}
