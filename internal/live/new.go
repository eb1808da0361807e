package live

import (
	"linnet/internal/core"
	"linnet/internal/identity"
	"linnet/internal/notify"
	"linnet/internal/posting"
	"linnet/internal/social"
	"linnet/internal/view"
)

// New makes the storey of streams. Call Run to let it hear events.
func New(b core.Base, c *core.Service, v *view.Service, n *notify.Service, i *identity.Service, p *social.Service, posts *posting.Service) *Service {
	s := &Service{st: b.Store, opt: b.Options, core: c, view: v, notify: n, identity: i, social: p, posting: posts}
	s.Hub = newHub(s)
	c.OnPrivate(s.Hub.endStrangers)
	return s
}
