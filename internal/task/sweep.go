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
	kindServers = "servers" // sets of servers, by heartbeat

	beatEvery     = time.Second
	serverTimeout = 3 * time.Second  // without a heartbeat
	sweepOthers   = 30 * time.Second // interval for tasks of other servers' shards
	sweepLost     = 90 * time.Second // interval for all shards, because hints can be lost
	sweepAlone    = time.Minute
	sweepBatch    = 100 // tasks taken from a shard at once
	sweepGroup    = 32  // shards that are queried together
)

// ServersKey is the set of servers that run tasks, by heartbeat.
func ServersKey() kv.Key { return kv.Key{Kind: kindServers} }

// handersKey is the set of servers that delegate, by heartbeat.
func handersKey() kv.Key { return kv.Key{Kind: kindServers, ID: "web"} }

// sweepLoop finds tasks whose lease has expired: of a dead server, of an action whose server could
// not run it, or retried by an operator.
//
// If one query can tell whether there are any tasks, it is made with each heartbeat. If the shards
// are on several servers, that would take one query per shard. Then sweeps depend on hints, and on
// events that may leave a task without a hint: a dead server, new shares of the shards, and an
// outage of the bus or store. The tasks of a dead server are taken at once, and again when leases
// without a holder have ended. A sweep of all shards from time to time finds the remaining ones.
func (q *Queue) sweepLoop(ctx context.Context) {
	if q.opt.Exclusive {
		q.sweep(ctx, allShards(), true)
		q.mu.Lock()
		q.made = nil
		q.mu.Unlock()
		later := q.newLaters()
		for swept := q.opt.Now(); ctx.Err() == nil; {
			later.moveDue(ctx, allShards())
			sleep(ctx, min(max(later.soonest().Sub(q.opt.Now()), time.Millisecond), sweepAlone))
			if q.opt.Now().Sub(swept) >= sweepAlone {
				q.sweep(ctx, allShards(), false)
				swept = q.opt.Now()
			}
		}
		return
	}
	s := sweeper{q: q, hints: &hints{wake: make(chan struct{}, 1), shards: map[uint16]bool{}}, later: q.newLaters()}
	q.running.Go(func() { s.hints.receive(ctx, q.kv) })
	var err error
	s.me, err = q.join(ctx)
	s.servers = err == nil
	for next := s.nextBeat(); ctx.Err() == nil; {
		s.hints.await(ctx, next)
		s.follow(ctx)
		if ctx.Err() == nil && !time.Now().Before(next) {
			s.beat(ctx)
			next = s.nextBeat()
		}
	}
	leaving, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = q.kv.Apply(leaving, kv.Remove{Key: ServersKey(), Member: s.me.text}) // best effort: it expires soon anyway
}

// sweeper has a sweeping server's data about the others. Use it from one goroutine.
type sweeper struct {
	q       *Queue
	hints   *hints
	me      member
	servers bool

	seen   signs
	mine   []uint16
	others []uint16
	whole  time.Time   // time of the last sweep of all shards
	again  []time.Time // additional times to sweep all shards
	later  *laters
}

func (*sweeper) nextBeat() time.Time {
	return time.Now().Add(beatEvery + time.Duration(rand.Int64N(int64(beatEvery/4))))
}

// expect schedules a sweep of all shards with the first heartbeat after d.
func (s *sweeper) expect(d time.Duration) { s.again = append(s.again, time.Now().Add(d)) }

// follow sweeps this server's shards that were in hints.
func (s *sweeper) follow(ctx context.Context) {
	shards, missed := s.hints.take()
	if missed { // the store may have been unavailable too, and tasks may still have their leases
		s.expect(0)
		s.expect(Lease + beatEvery)
	}
	if len(shards) == 0 {
		return
	}
	mine := slices.DeleteFunc(slices.Clone(s.mine), func(n uint16) bool { return !shards[n] })
	if len(mine) > 0 {
		s.q.sweepThose(ctx, mine, &kv.Member{Score: s.q.opt.Now().UnixMilli() + 1}, func(int64) bool { return true })
	}
	s.later.look(ctx, mine)
}

// beat sends a heartbeat, reads the other servers' heartbeats and makes due sweeps.
func (s *sweeper) beat(ctx context.Context) {
	if !s.servers { // the store did not answer
		var err error
		if s.me, err = s.q.join(ctx); err != nil {
			return
		}
		s.servers = true
	}
	before := s.seen
	if now, err := s.q.beat(ctx, s.me.text); err == nil {
		s.seen = now
	}
	if s.mine == nil || !slices.Equal(before.sweepers, s.seen.sweepers) {
		s.mine, s.others = share(s.me.text, s.seen.sweepers)
		s.later.whole = time.Time{}
		s.expect(0)
	}
	if lost(before.sweepers, s.seen.sweepers) { // each server takes the tasks in its share of the shards
		s.q.orphans(ctx, s.mine, unheld(s.seen.sweepers))
		s.expect(Lease + beatEvery)
	}
	if lost(before.handers, s.seen.handers) {
		s.expect(firstPass + beatEvery)
	}
	s.sweep(ctx)
}

func (s *sweeper) sweep(ctx context.Context) {
	now, every, due := time.Now(), sweepOthers, false
	if s.q.spread {
		every = sweepLost
	}
	s.again = slices.DeleteFunc(s.again, func(t time.Time) bool {
		due = due || !t.After(now)
		return !t.After(now)
	})
	whole := s.whole.IsZero() || now.Sub(s.whole) > every
	if whole {
		s.whole = now
	}
	if !s.q.spread || whole || due {
		s.q.sweep(ctx, s.mine, false)
	}
	if whole {
		s.q.sweep(ctx, s.others, false)
	}
	s.later.moveDue(ctx, s.mine)
}

// lost reports whether one of some servers is missing from others.
func lost(before, now []string) bool {
	return slices.ContainsFunc(before, func(s string) bool { return !slices.Contains(now, s) })
}

// unheld returns a function that reports whether a slot belongs to no living server.
func unheld(servers []string) func(int) bool {
	held := map[int]bool{}
	for _, s := range servers {
		held[parseMember(s).slot] = true
	}
	return func(slot int) bool { return !held[slot] }
}

// signs has the servers with a recent heartbeat.
type signs struct{ sweepers, handers []string }

// beat sends a heartbeat and returns the living servers.
func (q *Queue) beat(ctx context.Context, me string) (signs, error) {
	if err := q.kv.Apply(ctx, kv.Add{Key: ServersKey(), Member: me, Score: q.opt.Now().UnixMilli()}); err != nil {
		return signs{}, fmt.Errorf("write the heartbeat: %w", err)
	}
	return q.live(ctx)
}

// live returns the servers with a recent heartbeat and removes the others.
func (q *Queue) live(ctx context.Context) (s signs, err error) {
	since := q.opt.Now().Add(-serverTimeout).UnixMilli()
	sweepers, handers := &kv.Range{Key: ServersKey(), Desc: true, Limit: kv.MaxRange}, &kv.Range{Key: handersKey(), Desc: true, Limit: kv.MaxRange}
	if err := q.kv.Read(ctx, sweepers, handers); err != nil {
		return s, fmt.Errorf("read servers: %w", err)
	}
	if s.sweepers, err = q.lately(ctx, sweepers, since); err == nil {
		s.handers, err = q.lately(ctx, handers, since)
	}
	return s, err
}

// lately returns the members with a later score, in order, and removes the others.
func (q *Queue) lately(ctx context.Context, r *kv.Range, since int64) (names []string, err error) {
	for _, m := range r.Members {
		if m.Score > since {
			names = append(names, m.Member)
		} else if err := q.kv.Apply(ctx, kv.Remove{Key: r.Key, Member: m.Member}); err != nil {
			return nil, fmt.Errorf("remove server: %w", err)
		}
	}
	slices.Sort(names)
	return names, nil
}

// share divides the shards by rendezvous hashing. When a server joins or leaves, only its own
// shards get new owners.
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

// mix spreads every bit of x over all bits of the result (the finalizer of MurmurHash3). FNV alone
// leaves shares as unequal as 1 to 25.
func mix(x uint64) uint64 {
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// sweepRounds limits the batches that one sweep takes from a shard.
const sweepRounds = 20

// position is the position of a sweep in a shard.
type position struct {
	shard uint16
	after *kv.Member // nil: from the beginning
}

// sweep takes due tasks of the given shards. With void it takes every task, regardless of its
// lease.
func (q *Queue) sweep(ctx context.Context, shards []uint16, void bool) {
	var below *kv.Member
	if !void {
		below = &kv.Member{Score: q.opt.Now().UnixMilli() + 1}
	}
	q.sweepWhere(ctx, shards, below, func(int64) bool { return true })
}

// sweepWhere takes the tasks of the given shards below a due time, if may allows their due time.
func (q *Queue) sweepWhere(ctx context.Context, shards []uint16, below *kv.Member, may func(score int64) bool) {
	shards, err := q.busyIn(ctx, shards, DueKey)
	if err != nil && ctx.Err() == nil {
		q.opt.Log.Debug("cannot scan due tasks", "err", err)
	}
	if len(shards) > 0 {
		q.sweepThose(ctx, shards, below, may)
	}
}

// busyIn returns the shards whose set is not empty, usually few. It queries all shards together
// first, and then in groups.
func (q *Queue) busyIn(ctx context.Context, shards []uint16, set func(uint16) kv.Key) ([]uint16, error) {
	if q.spread || len(shards) == 0 {
		return shards, nil
	}
	ask := func(shards []uint16) *kv.AnyMember {
		keys := make([]kv.Key, len(shards))
		for i, s := range shards {
			keys[i] = set(s)
		}
		return &kv.AnyMember{Keys: keys}
	}
	all := ask(shards)
	if err := q.kv.Read(ctx, all); err != nil || !all.Found {
		return nil, err
	}
	groups := slices.Collect(slices.Chunk(shards, sweepGroup))
	qs := make([]kv.Query, len(groups))
	for i, g := range groups {
		qs[i] = ask(g)
	}
	if err := q.kv.Read(ctx, qs...); err != nil {
		return nil, err
	}
	var out []uint16
	for i, g := range groups {
		if qs[i].(*kv.AnyMember).Found {
			out = append(out, g...)
		}
	}
	return out, nil
}

// sweepThose takes the tasks of shards, a batch of each at a time.
func (q *Queue) sweepThose(ctx context.Context, shards []uint16, below *kv.Member, may func(score int64) bool) {
	positions := make([]position, len(shards))
	for i, s := range shards {
		positions[i].shard = s
	}
	for range sweepRounds {
		more, err := q.sweepOnce(ctx, positions, below, may)
		if err != nil && ctx.Err() == nil {
			q.opt.Log.Debug("cannot scan due tasks", "err", err)
		}
		if err != nil || len(more) == 0 {
			return
		}
		positions = more
	}
}

// sweepOnce takes at most one batch from each shard, and returns the shards that may have more.
func (q *Queue) sweepOnce(ctx context.Context, positions []position, below *kv.Member, may func(int64) bool) (more []position, err error) {
	qs := make([]kv.Query, len(positions))
	for i, p := range positions {
		qs[i] = &kv.Range{Key: DueKey(p.shard), Above: p.after, Below: below, Limit: sweepBatch}
	}
	if err := q.kv.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("read due tasks: %w", err)
	}
	for i, p := range positions {
		members := qs[i].(*kv.Range).Members
		for _, m := range members {
			if !may(m.Score) {
				continue
			}
			if err := q.take(ctx, p.shard, m); err != nil && ctx.Err() == nil {
				q.opt.Log.Warn("cannot claim task", "id", m.Member, "err", err)
			}
		}
		if len(members) == sweepBatch {
			more = append(more, position{p.shard, &members[sweepBatch-1]})
		}
	}
	return more, nil
}

// take claims a task by moving its due time, if the due time has not changed since it was read.
func (q *Queue) take(ctx context.Context, shard uint16, m kv.Member) error {
	q.mu.Lock()
	_, own := q.local[m.Member]
	_, made := q.made[m.Member] // a request has written it and will hold it
	q.mu.Unlock()
	if own || made {
		return nil
	}
	get := kv.Get{Key: Key(shard, m.Member)}
	if err := q.kv.Read(ctx, &get); err != nil {
		return fmt.Errorf("read a due task: %w", err)
	}
	now := q.opt.Now()
	held := kv.ScoreIs{Key: DueKey(shard), Member: m.Member, Score: m.Score}
	remove := kv.Remove{Key: DueKey(shard), Member: m.Member}
	if get.Version == 0 { // the record is missing
		_, err := q.kv.Txn(ctx, []kv.Cond{held, kv.Absent(get.Key)}, remove)
		return err
	}
	t, err := decode(shard, m.Member, get)
	if err != nil { // no server can run it: an operator has to look
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
