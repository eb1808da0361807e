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

// The due time of a task contains its lease holder: the milliseconds, which have no other use, are
// the slot of the holder's server. So other servers can take the tasks of a dead server before
// their leases end. Other servers see from the slot that the holder is dead, and a restarted server
// with the same name recognizes its own tasks. This costs no write. Slot 0 belongs to no server,
// and then only the lease counts.

// slots is the number of distinguishable servers. With more servers, some share a slot, and their
// tasks wait for the end of the lease if they die.
const slots = 1000

// firstPass is the lease of a server that delegates its tasks after the first batch and sends no
// heartbeat.
const firstPass = 3 * time.Second

// slotOf returns the slot in a due time.
func slotOf(score int64) int { return int(score % slots) }

// wholeSecond returns the first time at or after t whose due time has slot 0.
func wholeSecond(t time.Time) time.Time {
	return time.UnixMilli((t.UnixMilli() + slots - 1) / slots * slots)
}

// lease returns the due time of a task that this server takes now, with this server's slot.
func (q *Queue) lease(now time.Time) time.Time {
	if q.opt.Delegate {
		return wholeSecond(now.Add(firstPass))
	}
	return wholeSecond(now.Add(Lease)).Add(time.Duration(q.slot.Load()) * time.Millisecond)
}

// New is the function New for a task that this server will hold.
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

// member is a server with heartbeats.
type member struct {
	slot    int
	name    string // the same after a restart, or ""
	version string // version of its program, or ""
	text    string
}

func newMember(slot int, name, version string) member {
	if name == "" {
		name = strconv.FormatUint(rand.Uint64(), 36)
	}
	name, version = strings.ReplaceAll(cut(name, 60), "/", "_"), cut(version, 60)
	return member{slot, name, version, fmt.Sprintf("%d/%s/%s/%s", slot, name, strconv.FormatUint(rand.Uint64(), 36), version)}
}

// parseMember parses a member. Members of earlier releases have no version, and members of the
// first release no slot.
func parseMember(text string) member {
	parts := strings.SplitN(text+"/", "/", 4)
	if len(parts) == 4 {
		if slot, err := strconv.Atoi(parts[0]); err == nil {
			return member{slot, parts[1], strings.TrimSuffix(parts[3], "/"), text}
		}
	}
	return member{text: text}
}

// Server is a server with a recent heartbeat.
type Server struct {
	Name    string // configured, or random
	Version string // version of its program, or "" for earlier releases
}

// Servers returns the servers with a recent heartbeat, by name. An engine that belongs to one
// process has none.
func (q *Queue) Servers(ctx context.Context) ([]Server, error) {
	return ServersOf(ctx, q.kv, q.opt.Now())
}

// ServersOf returns the servers of a store that this process does not serve.
func ServersOf(ctx context.Context, e Engine, now time.Time) ([]Server, error) {
	since := now.Add(-serverTimeout).UnixMilli()
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

// join chooses a slot: the one for the name, or the next free one. It returns this server's member,
// and takes the tasks that it held before a restart.
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
	for _, text := range live { // this server before its restart
		if m := parseMember(text); m.name == me.name {
			if err := q.kv.Apply(ctx, kv.Remove{Key: ServersKey(), Member: text}); err != nil {
				return me, fmt.Errorf("remove the lease of this server's previous run: %w", err)
			}
		}
	}
	if err := q.kv.Apply(ctx, kv.Add{Key: ServersKey(), Member: me.text, Score: q.opt.Now().UnixMilli()}); err != nil {
		return me, fmt.Errorf("write the heartbeat: %w", err)
	}
	q.orphans(ctx, allShards(), func(s int) bool { return s == slot })
	q.slot.Store(int32(slot))
	return me, nil
}

// orphans takes the tasks of the shards whose slot is invalid.
func (q *Queue) orphans(ctx context.Context, shards []uint16, void func(slot int) bool) {
	q.sweepWhere(ctx, shards, nil, func(score int64) bool { return slotOf(score) != 0 && void(slotOf(score)) })
}
