package identity

import (
	"linnet/internal/cache"
	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/mailing"
	"linnet/internal/notify"
	"linnet/internal/uploads"
	"linnet/internal/view"
)

// New returns a Service.
func New(b core.Base, c *core.Service, u *uploads.Service, v *view.Service, n *notify.Service, m *mailing.Service) *Service {
	s := &Service{st: b.Store, opt: b.Options, tasks: b.Tasks, facts: b.Facts, core: c, uploads: u, view: v, notify: n,
		active: cache.New(cache.Options[linnet.ID, int64]{Max: 100_000,
			TTL: activeAgain}),
		hasher: &hasher{derive: b.Options.Derive, slots: make(chan struct{}, hashAtOnce)}, decoy: encodeHash(random(argonSalt), random(argonKey))}
	s.emails = &Emails{st: b.Store, opt: b.Options, tasks: b.Tasks, facts: b.Facts, core: c, notify: n, mailing: m, identity: s}
	s.security = &Security{st: b.Store, opt: b.Options, tasks: b.Tasks, core: c, notify: n, identity: s, party: relyingParty(b.Options.PublicURL)}
	return s
}

// Emails is the part about e-mail addresses.
func (s *Service) Emails() *Emails { return s.emails }

// Security returns the part of Service for the security log, passkeys and recovery codes.
func (s *Service) Security() *Security { return s.security }

// Close ends what cleans up the caches; they answer as before.
func (s *Service) Close() { s.active.Close() }
