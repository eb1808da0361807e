package rediskv

import (
	"context"
	"fmt"
	"hash/fnv"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/redis/rueidis"

	"linnet/internal/kv"
)

// layout is the assignment of slots to masters, as reported by one node of a Cluster.
type layout struct {
	masters []string // addresses of the masters that have slots, in order
	shards  []int    // one shard of each master; -1 if it has none
	hash    string   // changes when a slot gets another master
	moving  bool     // the node is moving slots
}

// slotRange is a range of slots with the address of their master.
type slotRange struct {
	from, to int64
	master   string
}

func newLayout(slots []slotRange, nodes string) layout {
	var l layout
	slices.SortFunc(slots, func(a, b slotRange) int { return int(a.from - b.from) })
	sum := fnv.New64a()
	for _, s := range slots {
		fmt.Fprintln(sum, s.from, s.to, s.master)
		if !slices.Contains(l.masters, s.master) {
			l.masters = append(l.masters, s.master)
		}
	}
	slices.Sort(l.masters)
	for _, m := range l.masters {
		l.shards = append(l.shards, slices.IndexFunc(slotOfShard(), func(slot int64) bool {
			return slices.ContainsFunc(slots, func(s slotRange) bool { return s.master == m && s.from <= slot && slot <= s.to })
		}))
	}
	l.hash = strconv.FormatUint(sum.Sum64(), 36)
	l.moving = moving(nodes)
	return l
}

// slotOfShard returns the hash slot of each shard.
var slotOfShard = sync.OnceValue(func() []int64 {
	slots := make([]int64, kv.Shards)
	for i := range slots {
		slots[i] = hashSlot(strconv.Itoa(i))
	}
	return slots
})

// hashSlot returns the slot of a hash tag: CRC-16/XMODEM, see the Redis Cluster specification.
func hashSlot(tag string) int64 {
	var crc uint16
	for _, c := range []byte(tag) {
		crc ^= uint16(c) << 8
		for range 8 {
			if crc&0x8000 != 0 {
				crc = crc<<1 ^ 0x1021
			} else {
				crc <<= 1
			}
		}
	}
	return int64(crc % 16384)
}

// moving parses an answer to CLUSTER NODES. A moving slot appears as [n->-id] or [n-<-id] after the
// eight fields of the node.
func moving(nodes string) bool {
	for line := range strings.Lines(nodes) {
		fields := strings.Fields(line)
		if len(fields) > 8 && slices.ContainsFunc(fields[8:], func(s string) bool { return strings.HasPrefix(s, "[") }) {
			return true
		}
	}
	return false
}

// layoutOf asks the node at addr for the layout.
func layoutOf(ctx context.Context, addr string, node rueidis.Client) (layout, error) {
	b := node.B()
	answers := node.DoMulti(ctx, b.Arbitrary("CLUSTER", "SLOTS").Build(), b.Arbitrary("CLUSTER", "NODES").Build())
	list, err := answers[0].ToArray()
	if err != nil {
		return layout{}, err
	}
	nodes, err := answers[1].ToString()
	if err != nil {
		return layout{}, err
	}
	slots := make([]slotRange, 0, len(list))
	for i := range list {
		s, err := parseSlots(&list[i], addr)
		if err != nil {
			return layout{}, err
		}
		slots = append(slots, s)
	}
	return newLayout(slots, nodes), nil
}

// parseSlots parses an element of CLUSTER SLOTS: from, to, the master as host, port and more, and
// its replicas. A node that does not know its host is at addr.
func parseSlots(m *rueidis.RedisMessage, addr string) (slotRange, error) {
	fields, err := m.ToArray()
	if err != nil || len(fields) < 3 {
		return slotRange{}, fmt.Errorf("%w: invalid reply to CLUSTER SLOTS", errForeign)
	}
	master, err := fields[2].ToArray()
	if err != nil || len(master) < 2 {
		return slotRange{}, fmt.Errorf("%w: invalid reply to CLUSTER SLOTS", errForeign)
	}
	from, err1 := fields[0].AsInt64()
	to, err2 := fields[1].AsInt64()
	host, err3 := master[0].ToString()
	port, err4 := master[1].AsInt64()
	if err1 != nil || err2 != nil || err4 != nil {
		return slotRange{}, fmt.Errorf("%w: invalid reply to CLUSTER SLOTS", errForeign)
	}
	if err3 != nil || host == "" {
		host, _, _ = net.SplitHostPort(addr)
	}
	return slotRange{from, to, net.JoinHostPort(host, strconv.FormatInt(port, 10))}, nil
}

// masterNodes returns the layout and the clients of the masters in its order, from the first node
// that answers.
func (e *Engine) masterNodes(ctx context.Context) (layout, []rueidis.Client, error) {
	return mastersOf(ctx, e.front)
}

// mastersOf is masterNodes with the connections of a client.
func mastersOf(ctx context.Context, client rueidis.Client) (layout, []rueidis.Client, error) {
	all := client.Nodes()
	err := fmt.Errorf("%w: the Cluster has no nodes", kv.ErrUnavailable)
	for addr, node := range all {
		var l layout
		if l, err = layoutOf(ctx, addr, node); err != nil {
			continue
		}
		masters := make([]rueidis.Client, len(l.masters))
		for i, addr := range l.masters {
			if masters[i] = all[addr]; masters[i] == nil {
				return l, nil, fmt.Errorf("%w: the master %s is not known yet", kv.ErrUnavailable, addr)
			}
		}
		if len(masters) == 0 {
			return l, nil, fmt.Errorf("%w: the Cluster has no masters", kv.ErrUnavailable)
		}
		return l, masters, nil
	}
	return layout{}, nil, err
}
