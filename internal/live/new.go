package live

import (
	"context"

	"linnet/internal/announcing"
	"linnet/internal/core"
	"linnet/internal/event"
	"linnet/internal/identity"
	"linnet/internal/linnet"
	"linnet/internal/notify"
	"linnet/internal/posting"
	"linnet/internal/social"
	"linnet/internal/view"
)

// New returns a Service. Call Run to receive events.
func New(b core.Base, c *core.Service, v *view.Service, n *notify.Service, i *identity.Service, a *announcing.Service, l *social.Lists, d *posting.Conversations) *Service {
	s := &Service{st: b.Store, opt: b.Options, core: c, view: v, notify: n, identity: i, announcing: a, lists: l, conversations: d}
	s.hub = newHub(s)
	return s
}

// PermissionsChanged closes the streams of a user and drops their sessions from the cache, on this
// server. Clients with permission reconnect.
func (s *Service) PermissionsChanged(_ context.Context, f event.PermissionsChanged) error {
	s.hub.changedUser(f.User)
	return nil
}

// BecamePrivate closes the streams without a login.
func (s *Service) BecamePrivate(context.Context, event.BecamePrivate) error {
	for _, l := range s.hub.all() {
		if l.who.User == 0 {
			l.Close()
		}
	}
	return nil
}

// OpenStream is a kind of stream and its transport.
type OpenStream struct {
	Transport string // "sse" or "websocket"
	Stream    linnet.StreamKind
}

// Open returns the number of open streams of this server. A connection counts for each of its
// streams.
func (s *Service) Open() map[OpenStream]int {
	open := map[OpenStream]int{}
	for _, l := range s.hub.all() {
		l.mu.Lock()
		for _, st := range l.streams {
			open[OpenStream{l.over, st.Kind}]++
		}
		l.mu.Unlock()
	}
	return open
}
