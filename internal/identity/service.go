package identity

import (
	"linnet/internal/cache"
	"linnet/internal/core"
	"linnet/internal/event"
	"linnet/internal/linnet"
	"linnet/internal/mailing"
	"linnet/internal/store"
	"linnet/internal/task"
)

// Service manages accounts, logins, sessions and passwords. It is safe for concurrent use.
type Service struct {
	st    *store.Store
	opt   core.Options
	tasks *task.Queue
	facts *event.Facts

	core     *core.Service
	settings *Settings
	invites  *Invites
	emails   *Emails
	security *Security

	active *cache.Cache[linnet.ID, int64] // day on which a user was last marked active, see activeAgain
	hasher *hasher
	decoy  string // hash to compare with when a login is unknown
}

// New returns a Service.
func New(b core.Base, c *core.Service, settings *Settings, invites *Invites, m *mailing.Service, unseen Unseen) *Service {
	s := &Service{st: b.Store, opt: b.Options, tasks: b.Tasks, facts: b.Facts, core: c, settings: settings, invites: invites,
		active: cache.New(cache.Options[linnet.ID, int64]{Max: 100_000, TTL: activeAgain}),
		hasher: &hasher{derive: b.Options.Derive, slots: make(chan struct{}, hashAtOnce)},
		// No password matches the decoy, and comparing with it takes as long as with a real hash.
		decoy: encodeHash(random(argonSalt), random(argonKey))}
	s.emails = &Emails{st: b.Store, opt: b.Options, tasks: b.Tasks, facts: b.Facts, core: c, mailing: m, unseen: unseen, identity: s}
	s.security = &Security{st: b.Store, opt: b.Options, tasks: b.Tasks, facts: b.Facts, core: c, identity: s, party: relyingParty(b.Options.PublicURL)}
	return s
}

// Emails returns the part of Service for e-mail addresses.
func (s *Service) Emails() *Emails { return s.emails }

// Security returns the part of Service for the security log, passkeys and recovery codes.
func (s *Service) Security() *Security { return s.security }

// Close stops the cleanup of caches. The Service still handles requests.
func (s *Service) Close() { s.active.Close() }
