package notify

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"linnet/internal/core"
	"linnet/internal/outbound"
	"linnet/internal/store"
	"linnet/internal/webpush"
)

const (
	senders     = 16 // number of pushes at a time
	atOnce      = 4  // number of devices of one push at a time
	sendTime    = 10 * time.Second
	deliverTime = 50 * time.Second // of one push to all devices
	answerBytes = 4 << 10
)

// Pusher sends notifications to devices by Web Push (RFC 8030, 8291, 8292) and stores the
// subscriptions of sessions. It is safe for concurrent use. It does not know the reason for a
// notification.
//
// Invariants:
//
//   - Nothing is sent in a request or by a task worker. Separate senders wait for push
//     services, so a slow one blocks nothing else.
//   - A push is a task in the store until it is done or abandoned, see Push. It may be
//     sent twice, but not endlessly.
//   - A subscription ends with its session, and receives only what its user may see at that
//     time.
type Pusher struct {
	st  *store.Store
	opt core.Options

	core   *core.Service
	notify *Service

	client *outbound.Client
	hosts  hosts
	outbox *core.Outbox[PushArgs]
	vapid  atomic.Pointer[webpush.VAPID]
}

func newPusher(b core.Base, c *core.Service, n *Service) *Pusher {
	s := &Pusher{st: b.Store, opt: b.Options, core: c, notify: n,
		client: outbound.New(outbound.Options{Allow: b.Options.Reach, Timeout: sendTime, MaxBody: answerBytes})}
	s.outbox = core.NewOutbox(b, core.OutboxOptions[PushArgs]{Workers: senders, Time: deliverTime, Do: s.deliver, Failed: "cannot send push notification; will retry",
		Task: func(a PushArgs) (uint16, string) { return a.User.Shard(), TaskPush }})
	return s
}

// Run sends until ctx ends. Pushes interrupted then are sent again by the server that finds their
// task.
func (s *Pusher) Run(ctx context.Context) {
	s.outbox.Run(ctx)
	s.client.CloseIdle()
}

// key returns the key of the server, and creates it on the first call.
func (s *Pusher) key(ctx context.Context) (*webpush.VAPID, error) {
	if v := s.vapid.Load(); v != nil {
		return v, nil
	}
	private, err := s.st.Instance.VAPID(ctx, webpush.NewVAPID)
	if err != nil {
		return nil, core.StoreError(err)
	}
	v, err := webpush.ParseVAPID(private)
	if err != nil {
		return nil, err
	}
	s.vapid.Store(v)
	return v, nil
}

// PublicKey returns the public key that identifies the server to push services, in the form that
// apps use.
func (s *Pusher) PublicKey(ctx context.Context) (string, error) {
	v, err := s.key(ctx)
	if err != nil {
		return "", err
	}
	return v.Public(), nil
}

// hosts has the push services that did not respond recently. The zero value is ready.
type hosts struct {
	mu    sync.Mutex
	until map[string]time.Time
}

const (
	hostPause = time.Minute
	maxHosts  = 1000 // above this, all are dropped
)

// paused reports whether a host did not respond recently.
func (h *hosts) paused(host string, now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return now.Before(h.until[host])
}

// failed pauses a host.
func (h *hosts) failed(host string, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.until == nil || len(h.until) >= maxHosts {
		h.until = map[string]time.Time{}
	}
	h.until[host] = now.Add(hostPause)
}
