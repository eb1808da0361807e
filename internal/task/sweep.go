package task

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"time"

	"linnet/internal/kv"
)

const (
	kindServers = "servers" // set of servers that run tasks, by heartbeat

	serverGone  = 3 * time.Second // without a sign of life, which comes with each sweep
	sweepOwn    = time.Second
	sweepOthers = 30 * time.Second
	sweepAlone  = time.Minute
	sweepBatch  = 100 // tasks taken from a shard at once
)

// ServersKey is the set of servers that run tasks, by heartbeat.
func ServersKey() kv.Key { return kv.Key{Kind: kindServers} }

// sweepLoop finds tasks whose lease ran out: of a server that died, of an act
// whose server could not run it, of a task put back by an operator.
func (q *Queue) sweepLoop(ctx context.Context) {
	if q.opt.Exclusive {
		q.sweep(ctx, allShards(), true)
		for ctx.Err() == nil {
			sleep(ctx, sweepAlone)
			q.sweep(ctx, allShards(), false)
		}
		return
	}
	var lastOthers time.Time
	var servers []string
	me, err := q.join(ctx)
	for ctx.Err() == nil {
		sleep(ctx, sweepOwn+time.Duration(rand.Int64N(int64(sweepOwn/4))))
		if err != nil { // the store did not answer
			if me, err = q.join(ctx); err != nil {
				continue
			}
		}
		before := servers
		if live, err := q.beat(ctx, me.text); err == nil {
			servers = live
		}
		mine, others := share(me.text, servers)
		if lost(before, servers) { // each takes what lies in its share of the shards
			q.orphans(ctx, mine, unheld(servers))
		}
		q.sweep(ctx, mine, false)
		if time.Since(lastOthers) > sweepOthers {
			lastOthers = time.Now()
			q.sweep(ctx, others, false)
		}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = q.kv.Apply(ctx, kv.Remove{Key: ServersKey(), Member: me.text}) // best effort: it is forgotten soon anyway
}

// lost says whether one of some servers is not among others.
func lost(before, now []string) bool {
	return slices.ContainsFunc(before, func(s string) bool { return !slices.Contains(now, s) })
}

// unheld tells the slots of no server that lives.
func unheld(servers []string) func(int) bool {
	held := map[int]bool{}
	for _, s := range servers {
		held[parseMember(s).slot] = true
	}
	return func(slot int) bool { return !held[slot] }
}

// beat says that this server lives and returns those that do.
func (q *Queue) beat(ctx context.Context, me string) ([]string, error) {
	if err := q.kv.Apply(ctx, kv.Add{Key: ServersKey(), Member: me, Score: q.opt.Now().UnixMilli()}); err != nil {
		return nil, fmt.Errorf("heartbeat: %w", err)
	}
	return q.live(ctx)
}

// live returns the servers that have given a sign of life lately, and forgets the
// others.
func (q *Queue) live(ctx context.Context) ([]string, error) {
	now := q.opt.Now()
	r := &kv.Range{Key: ServersKey(), Desc: true, Limit: kv.MaxRange}
	if err := q.kv.Read(ctx, r); err != nil {
		return nil, fmt.Errorf("read servers: %w", err)
	}
	var live []string
	for _, m := range r.Members {
		if m.Score > now.Add(-serverGone).UnixMilli() {
			live = append(live, m.Member)
		} else if err := q.kv.Apply(ctx, kv.Remove{Key: ServersKey(), Member: m.Member}); err != nil {
			return nil, fmt.Errorf("forget server: %w", err)
		}
	}
	return live, nil
}

// share divides the shards by rendezvous hashing: when a server comes or goes,
// only its own shards change hands.
func share(me string, servers []string) (mine, others []uint16) {
	hashes := make([]uint64, len(servers))
	for i, name := range servers {
		h := fnv.New64a()
		h.Write([]byte(name))
		hashes[i] = h.Sum64()
	}
	for s := range uint16(kv.Shards) {
		best, owner := uint64(0), me
		for i, name := range servers {
			if v := mix(hashes[i] + uint64(s)); v > best || v == best && name > owner {
				best, owner = v, name
			}
		}
		if owner == me {
			mine = append(mine, s)
		} else {
			others = append(others, s)
		}
	}
	return mine, others
}

// mix spreads every bit of x over all bits of the result (the finaliser of
// MurmurHash3). FNV alone leaves the shares as unequal as 1 to 25.
func mix(x uint64) uint64 {
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// sweepRounds bounds how often one sweep goes on to the next batch of a shard.
const sweepRounds = 20

// place is how far a sweep has come in a shard.
type place struct {
	shard uint16
	after *kv.Member // nil: from the beginning
}

// sweep takes due tasks of the given shards; with void every task, whatever its
// lease.
func (q *Queue) sweep(ctx context.Context, shards []uint16, void bool) {
	var below *kv.Member
	if !void {
		below = &kv.Member{Score: q.opt.Now().UnixMilli() + 1}
	}
	q.sweepWhere(ctx, shards, below, func(int64) bool { return true })
}

// sweepWhere takes the tasks of the given shards below a due time whose due time may
// be taken.
func (q *Queue) sweepWhere(ctx context.Context, shards []uint16, below *kv.Member, may func(score int64) bool) {
	places := make([]place, len(shards))
	for i, s := range shards {
		places[i].shard = s
	}
	for range sweepRounds {
		more, err := q.sweepOnce(ctx, places, below, may)
		if err != nil && ctx.Err() == nil {
			q.opt.Log.Debug("sweep of tasks", "err", err)
		}
		if err != nil || len(more) == 0 {
			return
		}
		places = more
	}
}

// sweepOnce takes at most a batch of each shard, and returns where there may be
// more.
func (q *Queue) sweepOnce(ctx context.Context, places []place, below *kv.Member, may func(int64) bool) (more []place, err error) {
	qs := make([]kv.Query, len(places))
	for i, p := range places {
		qs[i] = &kv.Range{Key: DueKey(p.shard), Above: p.after, Below: below, Limit: sweepBatch}
	}
	if err := q.kv.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("read due tasks: %w", err)
	}
	for i, p := range places {
		members := qs[i].(*kv.Range).Members
		for _, m := range members {
			if !may(m.Score) {
				continue
			}
			if err := q.take(ctx, p.shard, m); err != nil && ctx.Err() == nil {
				q.opt.Log.Warn("take task", "id", m.Member, "err", err)
			}
		}
		if len(members) == sweepBatch {
			more = append(more, place{p.shard, &members[sweepBatch-1]})
		}
	}
	return more, nil
}

// take claims a task by moving its due time, if it is still what was read.
func (q *Queue) take(ctx context.Context, shard uint16, m kv.Member) error {
	q.mu.Lock()
	_, own := q.local[m.Member]
	q.mu.Unlock()
	if own {
		return nil
	}
	get := kv.Get{Key: Key(shard, m.Member)}
	if err := q.kv.Read(ctx, &get); err != nil {
		return fmt.Errorf("read: %w", err)
	}
	now := q.opt.Now()
	held := kv.ScoreIs{Key: DueKey(shard), Member: m.Member, Score: m.Score}
	remove := kv.Remove{Key: DueKey(shard), Member: m.Member}
	if get.Version == 0 { // only the entry was left
		_, err := q.kv.Txn(ctx, []kv.Cond{held, kv.Absent(get.Key)}, remove)
		return err
	}
	t, err := decode(shard, m.Member, get)
	if err != nil { // nobody can do it: an operator has to look
		_, aside := q.kv.Txn(ctx, []kv.Cond{held}, remove,
			kv.Add{Key: DeadKey(shard), Member: m.Member, Score: now.UnixMilli()})
		return errors.Join(err, aside)
	}
	t.due = q.lease(now).UnixMilli()
	failed, err := q.kv.Txn(ctx, []kv.Cond{held}, kv.Add{Key: DueKey(shard), Member: m.Member, Score: t.due})
	if err != nil || failed >= 0 {
		return err
	}
	q.Start(t)
	return nil
}

func allShards() []uint16 {
	all := make([]uint16, kv.Shards)
	for i := range all {
		all[i] = uint16(i)
	}
	return all
}

func sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
