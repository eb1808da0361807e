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
	// trackBeat is how often the tracking connections are asked whether they
	// live, and trackLimit how long the answer may take. Together they bound how
	// long a change may go unheard without notice when a connection stalls.
	trackBeat  = 500 * time.Millisecond
	trackLimit = time.Second
)

var _ kv.Tracker = (*Engine)(nil)

// tracker hears, over a client of its own, of changes of keys with certain prefixes:
// client tracking in broadcast mode, which also tells of what scripts change and of
// what expires. Pushes and answers come in order over one connection a node, so an
// answer to PING says that everything before it was heard.
type tracker struct {
	e      *Engine
	client rueidis.Client
	tell   func([]kv.Key, bool)
	wake   chan struct{} // asks for a beat now

	mu      sync.Mutex // calls of tell do not overlap
	alive   bool
	losses  int
	masters []string
}

// Track implements kv.Tracker. In a Cluster only nodes that the client is
// connected to tell of their changes, so every master is asked at each beat, and
// a change of the masters counts as a loss.
func (e *Engine) Track(ctx context.Context, kinds []string, f func([]kv.Key, bool)) error {
	if err := e.admit(ctx); err != nil {
		return fmt.Errorf("track: %w", err)
	}
	defer e.leave()
	_, err := e.track(ctx, kinds, f)
	return err
}

// track is Track of an engine that is in use, and returns the tracker.
func (e *Engine) track(ctx context.Context, kinds []string, f func([]kv.Key, bool)) (*tracker, error) {
	options := []string{"BCAST"}
	for _, k := range kinds {
		options = append(options, "PREFIX", e.opts.Prefix+k+":")
	}
	t := &tracker{e: e, tell: f, wake: make(chan struct{}, 1)}
	conf := e.clientOption()
	conf.DisableCache = false
	conf.CacheSizeEachConn = 1 << 20
	conf.ForceSingleClient = !e.cluster && e.target.master == ""
	conf.PipelineMultiplex = -1 // one connection a node
	conf.OnInvalidations = t.heard
	conf.ClientTrackingOptions = options
	var err error
	if t.client, err = connect(conf); err != nil {
		return nil, fmt.Errorf("track: %w", err)
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

// heard takes a push: keys that have changed, or nil when a connection was lost
// or a server was emptied.
func (t *tracker) heard(messages []rueidis.RedisMessage) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if messages == nil {
		if t.alive { // else a beat has found a fault already
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
	t.tell(keys, true)
}

// lose says that changes may go unheard; mu is held.
func (t *tracker) lose() {
	t.losses++
	if t.alive {
		t.alive = false
		t.tell(nil, false)
	}
}

// beat asks every master whether its connection lives.
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
		t.lose() // what the new master did before it was asked is not known
	case !t.alive:
		t.alive, t.masters = true, masters
		t.tell(nil, true)
	}
}

// ping asks the masters, whose addresses it returns in order.
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
