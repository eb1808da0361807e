package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
)

const (
	opEvent        = "event"
	streamsPerTime = 32      // streams opened concurrently
	maxEvent       = 1 << 20 // in bytes
)

// streams opens a WebSocket for each account's home, posts as one account, and measures when its
// followers receive the status.
type streams struct {
	*crowd
	c      *collector
	author *member
	hears  map[*member]bool // followers of the author
	seed   uint64
	rounds uint64
	now    atomic.Pointer[told] // the expected status, nil for none

	deafen sync.Once
	deaf   chan struct{} // closed when a stream ends, because of cause
	cause  error
}

// told is a status that each follower must receive once.
type told struct {
	mark []byte        // part of its text, and of no other
	all  chan struct{} // closed when all have received it

	mu   sync.Mutex
	at   []time.Time // times of arrival; only read after all is closed
	want int
}

// hear records an arrival.
func (t *told) hear(at time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.at) == t.want {
		return // a follower received it twice
	}
	if t.at = append(t.at, at); len(t.at) == t.want {
		close(t.all)
	}
}

// heard returns the number of arrivals.
func (t *told) heard() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.at)
}

// prepareStreams opens the streams and returns the load of the measure streams: one post at a time.
func (b *bench) prepareStreams(ctx context.Context) ([]load, error) {
	authors, err := b.pickAuthors(ctx)
	if err != nil {
		return nil, err
	}
	s := &streams{crowd: b.crowd, c: b.collector, author: authors[0], seed: b.opts.Seed,
		hears: map[*member]bool{}, deaf: make(chan struct{})}
	followers, err := s.followersOf(ctx, s.author)
	if err != nil {
		return nil, err
	}
	if len(followers) == 0 {
		return nil, noFollowers(s.author, len(s.members))
	}
	for _, m := range followers {
		s.hears[m] = true
	}
	err = s.each(ctx, streamsPerTime, s.members, func(_ context.Context, m *member) error { return s.listen(ctx, m) })
	if err != nil {
		return nil, err
	}
	b.collector.note(fmt.Sprintf("%d streams were open, %d of them for followers of %s", len(s.members), len(followers), s.author.Login))
	return []load{{rate: b.opts.Rate, connections: 1, do: s.round}}, nil
}

// listen opens the stream of a member's home and reads it until ctx ends.
// https://docs.joinmastodon.org/methods/streaming/#websocket
func (s *streams) listen(ctx context.Context, m *member) error {
	r := get(m, "/api/v1/streaming?"+url.Values{"stream": {"user"}}.Encode())
	conn, resp, err := websocket.Dial(ctx, s.client.base+r.path, &websocket.DialOptions{
		HTTPClient: &http.Client{Transport: s.client.transport},
		HTTPHeader: http.Header{"Authorization": {"Bearer " + m.Token}}, CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		if resp != nil && resp.StatusCode >= http.StatusBadRequest {
			var head bytes.Buffer
			_, _ = io.CopyN(&head, resp.Body, headLength)
			return statusFailure(r, resp.StatusCode, head.Bytes())
		}
		return transportFailure(r, err)
	}
	conn.SetReadLimit(maxEvent)
	go func() {
		defer conn.CloseNow()
		if err := s.hear(ctx, conn, m); ctx.Err() == nil {
			s.deafen.Do(func() { s.cause = transportFailure(r, err); close(s.deaf) })
		}
	}()
	return nil
}

// hear reads the events of a stream.
func (s *streams) hear(ctx context.Context, conn *websocket.Conn, m *member) error {
	var text bytes.Buffer
	for {
		_, message, err := conn.Reader(ctx)
		if err != nil {
			return err
		}
		text.Reset()
		if _, err := text.ReadFrom(message); err != nil {
			return err
		}
		at := time.Now()
		if now := s.now.Load(); now != nil && s.hears[m] && bytes.Contains(text.Bytes(), now.mark) {
			now.hear(at)
		}
	}
}

// round posts a status and waits until all followers have received it.
func (s *streams) round(ctx context.Context, due time.Time) {
	s.rounds++
	rng := rand.New(rand.NewPCG(s.seed, s.rounds))
	mark := fmt.Sprintf("bench%s%d", s.run, s.rounds)
	now := &told{mark: []byte(mark), want: len(s.hears), all: make(chan struct{})}
	s.now.Store(now)
	_, a, err := s.publishText(ctx, s.author, statusText(rng)+" "+mark, "")
	if err != nil && ctx.Err() != nil {
		return
	}
	s.c.record(opPost, due, a, err)
	if err != nil {
		return
	}
	if err := s.await(ctx, now); err != nil {
		if ctx.Err() == nil {
			s.c.record(opEvent, due, answer{sent: a.sent, done: time.Now()}, err)
		}
		return
	}
	first, last := now.at[0], now.at[0]
	for _, at := range now.at {
		if at.Before(first) {
			first = at
		}
		if at.After(last) {
			last = at
		}
		s.c.record(opEvent, a.sent, answer{sent: a.sent, done: at}, nil)
	}
	s.c.observe(seriesFirst, 0, due, first.Sub(a.sent))
	s.c.observe(seriesLast, 0, due, last.Sub(a.sent))
}

// await waits until all followers have received a status. It returns at once after a stream has
// ended.
func (s *streams) await(ctx context.Context, now *told) error {
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case <-now.all:
		return nil
	case <-s.deaf:
		return s.cause
	case <-late.C:
		return &failed{kindUnseen, fmt.Sprintf("a status of %s reached %d of %d followers within %v", s.author.Login, now.heard(), now.want, patience)}
	case <-ctx.Done():
		return ctx.Err()
	}
}
