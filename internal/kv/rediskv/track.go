package rediskv

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/redis/rueidis"

	"linnet/internal/kv"
)

const (
	// trackBeat is the interval of heartbeats on the tracking connections, and trackLimit the
	// timeout of their answers. Together they limit how long missed changes stay unnoticed when a
	// connection stalls.
	trackBeat  = 500 * time.Millisecond
	trackLimit = time.Second
)

var _ kv.Tracker = (*Engine)(nil)

// tracker receives changes of keys with certain prefixes over its own client. It uses client
// tracking in broadcast mode, which also reports changes by scripts and expiry. Pushes and answers
// are in order on the one connection to each node, so an answer to PING means that all earlier
// changes were received.
type tracker struct {
	e      *Engine
	client rueidis.Client
	report func([]kv.Key, bool)
	wake   chan struct{} // requests a heartbeat now

	mu      sync.Mutex // calls of report do not overlap
	alive   bool
	losses  int
	masters []string
}

// Track implements kv.Tracker. In a Cluster only connected nodes report their changes. So each
// heartbeat asks every master, and a change of the masters counts as missed changes.
func (e *Engine) Track(ctx context.Context, kinds []string, f func([]kv.Key, bool)) error {
	if err := e.admit(ctx); err != nil {
		return fmt.Errorf("track changes: %w", err)
	}
	defer e.leave()
	_, err := e.track(ctx, kinds, f)
	return err
}

// track is Track for callers that have called enter or admit. It returns the tracker.
func (e *Engine) track(ctx context.Context, kinds []string, f func([]kv.Key, bool)) (*tracker, error) {
	options := []string{"BCAST"}
	for _, k := range kinds {
		options = append(options, "PREFIX", e.opts.Prefix+k+":")
	}
	t := &tracker{e: e, report: f, wake: make(chan struct{}, 1)}
	conf := e.clientOption()
	conf.DisableCache = false
	conf.CacheSizeEachConn = 1 << 20
	conf.ForceSingleClient = !e.cluster && e.target.master == ""
	conf.PipelineMultiplex = -1 // one connection to each node
	conf.OnInvalidations = t.receive
	conf.ClientTrackingOptions = options
	var err error
	if t.client, err = connect(conf); err != nil {
		return nil, fmt.Errorf("track changes: %w", err)
	}
	t.beat(ctx)
	go t.run(ctx)
	return t, nil
}

func (t *tracker) run(ctx context.Context) {
	defer t.client.Close()
	tick := time.NewTicker(t.e.beat)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-t.wake:
		}
		if t.e.admit(ctx) != nil {
			return // closed
		}
		t.beat(ctx)
		t.e.leave()
	}
}

// receive receives a push: changed keys, or nil when a connection was lost or a server was flushed.
func (t *tracker) receive(messages []rueidis.RedisMessage) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if messages == nil {
		if t.alive { // otherwise a heartbeat has already found a failure
			select {
			case t.wake <- struct{}{}:
			default:
			}
		}
		t.lose()
		return
	}
	if !t.alive {
		return
	}
	keys := make([]kv.Key, 0, len(messages))
	for _, m := range messages {
		text, err := m.ToString()
		if err != nil {
			continue
		}
		if k, err := kv.ParseKey(strings.TrimPrefix(text, t.e.opts.Prefix)); err == nil {
			keys = append(keys, k)
		}
	}
	t.report(keys, true)
}

// lose reports that changes may be missed. The caller holds mu.
func (t *tracker) lose() {
	t.losses++
	if t.alive {
		t.alive = false
		t.report(nil, false)
	}
}

// beat checks the connection to every master.
func (t *tracker) beat(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, trackLimit)
	defer cancel()
	t.mu.Lock()
	losses := t.losses
	t.mu.Unlock()
	masters, err := t.ping(ctx)
	t.e.guard.note(err)
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case err != nil || losses != t.losses:
		t.lose()
	case t.alive && !slices.Equal(masters, t.masters):
		t.lose() // earlier changes of the new master are unknown
	case !t.alive:
		t.alive, t.masters = true, masters
		t.report(nil, true)
	}
}

// ping sends PING to the masters and returns their addresses in order.
func (t *tracker) ping(ctx context.Context) ([]string, error) {
	if !t.e.cluster {
		return nil, t.e.guard.alive(ctx, t.client, 0)
	}
	l, nodes, err := mastersOf(ctx, t.client)
	if err != nil {
		return nil, err
	}
	for i, node := range nodes {
		if err := t.e.guard.alive(ctx, node, l.shards[i]); err != nil {
			return nil, err
		}
	}
	return l.masters, nil
}
