package live

import (
	"linnet/internal/announcing"
	"linnet/internal/core"
	"linnet/internal/identity"
	"linnet/internal/linnet"
	"linnet/internal/lists"
	"linnet/internal/notify"
	"linnet/internal/posting"
	"linnet/internal/view"
)

// New returns a Service. Call Run to receive events.
func New(b core.Base, c *core.Service, v *view.Service, n *notify.Service, i *identity.Service, a *announcing.Service, l *lists.Service, posts *posting.Service) *Service {
	s := &Service{st: b.Store, opt: b.Options, core: c, view: v, notify: n, identity: i, announcing: a, lists: l, posting: posts}
	s.hub = newHub(s)
	c.OnPrivate(s.hub.endStrangers)
	return s
}

// ChangedUser closes the streams of a user whose permissions have changed and drops their sessions
// from the cache, on this server. Clients with permission reconnect.
func (s *Service) ChangedUser(id linnet.ID) { s.hub.changedUser(id) }

// Listeners are the open streams of this server.
func (s *Service) Listeners() []*Listener { return s.hub.all() }
