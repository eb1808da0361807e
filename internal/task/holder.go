package task

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"linnet/internal/kv"
)

// Who holds a task stands in its due time: in the milliseconds, whose place in the
// second nobody needs, is the slot of its server. So a server that is gone leaves no
// task behind until its lease ends: the others see from the slot that nobody is at
// work on it, and the server itself, started again under the same name, that it was
// its own. It costs no write. Slot 0 is nobody's, and the lease alone counts.

// slots is how many servers can be told from each other; more share them, and a task
// of one that died then waits for its lease.
const slots = 1000

// firstPass is the lease of a server that hands its tasks over after the first pass,
// and is not among those that give signs of life.
const firstPass = 3 * time.Second

// slotOf is the slot that a due time names.
func slotOf(score int64) int { return int(score % slots) }

// wholeSecond is the first time at or after t whose due time names nobody.
func wholeSecond(t time.Time) time.Time {
	return time.UnixMilli((t.UnixMilli() + slots - 1) / slots * slots)
}

// lease is the due time of a task that this server takes now.
func (q *Queue) lease(now time.Time) time.Time {
	if q.opt.HandOver {
		return wholeSecond(now.Add(firstPass))
	}
	return wholeSecond(now.Add(Lease)).Add(time.Duration(q.slot.Load()) * time.Millisecond)
}

// New is the function New for a task that this server is about to hold.
func (q *Queue) New(shard uint16, kind string, args any) (Task, error) {
	now := q.opt.Now()
	t, err := New(shard, kind, args, now)
	t.due = q.lease(now).UnixMilli()
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.made != nil {
		q.made[t.ID] = struct{}{}
	}
	q.draw(t, now)
	return t, err
}

// member is how a server stands among those that give signs of life.
type member struct {
	slot    int
	name    string // the same after a restart; "" if it has none
	version string // of its program; "" if that is not known
	text    string
}

func newMember(slot int, name, version string) member {
	if name == "" {
		name = strconv.FormatUint(rand.Uint64(), 36)
	}
	name, version = strings.ReplaceAll(cut(name, 60), "/", "_"), cut(version, 60)
	return member{slot, name, version, fmt.Sprintf("%d/%s/%s/%s", slot, name, strconv.FormatUint(rand.Uint64(), 36), version)}
}

// parseMember reads one; those of earlier releases have no version, and the first no slot.
func parseMember(text string) member {
	parts := strings.SplitN(text+"/", "/", 4)
	if len(parts) == 4 {
		if slot, err := strconv.Atoi(parts[0]); err == nil {
			return member{slot, parts[1], strings.TrimSuffix(parts[3], "/"), text}
		}
	}
	return member{text: text}
}

// Server is one of those that give signs of life.
type Server struct {
	Name    string // drawn if it was given none
	Version string // of its program; "" if it does not say so, as earlier releases do not
}

// Servers are those that have given a sign of life lately, by name. An engine that one process has
// to itself has none.
func (q *Queue) Servers(ctx context.Context) ([]Server, error) {
	return ServersOf(ctx, q.kv, q.opt.Now())
}

// ServersOf are the servers of a store on which nobody need work here.
func ServersOf(ctx context.Context, e Engine, now time.Time) ([]Server, error) {
	since := now.Add(-serverGone).UnixMilli()
	ranges := []*kv.Range{{Key: ServersKey(), Desc: true, Limit: kv.MaxRange}, {Key: handersKey(), Desc: true, Limit: kv.MaxRange}}
	if err := e.Read(ctx, ranges[0], ranges[1]); err != nil {
		return nil, fmt.Errorf("read servers: %w", err)
	}
	var out []Server
	for _, r := range ranges {
		for _, m := range r.Members {
			if who := parseMember(m.Member); m.Score > since {
				out = append(out, Server{who.name, who.version})
			}
		}
	}
	slices.SortFunc(out, func(a, b Server) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// join chooses a slot: the one of the name, unless another server has it, and so on.
// It returns this server's sign of life, and takes what it held before it was started
// again.
func (q *Queue) join(ctx context.Context) (me member, err error) {
	seen, err := q.live(ctx)
	if err != nil {
		return me, err
	}
	live := seen.sweepers
	taken := map[int]bool{0: true}
	for _, text := range live {
		if m := parseMember(text); m.name != q.opt.Name || q.opt.Name == "" {
			taken[m.slot] = true
		}
	}
	h := fnv.New32a()
	h.Write([]byte(newMember(0, q.opt.Name, "").name))
	slot := int(h.Sum32() % slots)
	for range slots {
		if !taken[slot] {
			break
		}
		slot = (slot + 1) % slots
	}
	me = newMember(slot, q.opt.Name, q.opt.Version)
	for _, text := range live { // what this server was before it was started again
		if m := parseMember(text); m.name == me.name {
			if err := q.kv.Apply(ctx, kv.Remove{Key: ServersKey(), Member: text}); err != nil {
				return me, fmt.Errorf("forget the server before: %w", err)
			}
		}
	}
	if err := q.kv.Apply(ctx, kv.Add{Key: ServersKey(), Member: me.text, Score: q.opt.Now().UnixMilli()}); err != nil {
		return me, fmt.Errorf("heartbeat: %w", err)
	}
	q.orphans(ctx, allShards(), func(s int) bool { return s == slot })
	q.slot.Store(int32(slot))
	return me, nil
}

// orphans takes the tasks of the shards that are held under a slot that is void.
func (q *Queue) orphans(ctx context.Context, shards []uint16, void func(slot int) bool) {
	q.sweepWhere(ctx, shards, nil, func(score int64) bool { return slotOf(score) != 0 && void(slotOf(score)) })
}
