package moderation

import (
	"linnet/internal/core"
	"linnet/internal/discovery"
	"linnet/internal/event"
	"linnet/internal/identity"
	"linnet/internal/notify"
	"linnet/internal/posting"
	"linnet/internal/social"
	"linnet/internal/store"
	"linnet/internal/task"
	"linnet/internal/timeline"
	"linnet/internal/uploads"
	"linnet/internal/view"
)

// Service provides the actions of staff on accounts, posts, reports and roles, and the audit log.
// Its fields manage strikes, blocks of sign-ups and the first set-up, report the state of the server and
// statistics, and compare feeds with profiles. All are safe for concurrent use.
type Service struct {
	Strikes      *Strikes
	SignUpBlocks *SignUpBlocks
	Setup        *Setup
	Server       *Server
	Statistics   *Statistics
	FeedAudit    *FeedAudit

	st    *store.Store
	tasks *task.Queue
	facts *event.Facts

	core     *core.Service
	view     *view.Service
	notify   *notify.Service
	identity *identity.Service
	social   *social.Service
	posting  *posting.Service
	uploads  *uploads.Service

	trends *discovery.Trends
}

// New returns a Service.
func New(b core.Base, c *core.Service, t *timeline.Service, v *view.Service, n *notify.Service, i *identity.Service, settings *identity.Settings,
	p *social.Service, posts *posting.Service, d *discovery.Trends, u *uploads.Service) *Service {
	s := &Service{st: b.Store, tasks: b.Tasks, facts: b.Facts, core: c, view: v, notify: n, identity: i, social: p, posting: posts, trends: d, uploads: u}
	s.Strikes = &Strikes{st: b.Store, tasks: b.Tasks, core: c, view: v, notify: n, identity: i, posting: posts, moderation: s}
	s.SignUpBlocks = &SignUpBlocks{st: b.Store, core: c}
	s.Setup = &Setup{st: b.Store, identity: i, moderation: s}
	s.Server = &Server{st: b.Store, opt: b.Options, tasks: b.Tasks, state: b.State, core: c, timeline: t, settings: settings}
	s.Statistics = &Statistics{st: b.Store, log: b.Options.Log, state: b.State, core: c, settings: settings, server: s.Server}
	s.FeedAudit = &FeedAudit{st: b.Store, timeline: t}
	return s
}

// Kinds of tasks. Their names and arguments are stored, so a change of the arguments needs a new
// name.
const (
	taskModerated = "moderated"
	taskReported  = "reported"
	taskRecheck   = "recheck-moderated"
	taskStruck    = "struck"
	taskAppealed  = "appealed"
	taskDecided   = "appeal-decided"
)

// Handlers returns the handlers of the tasks of this package.
func (s *Service) Handlers() map[string]task.Handler {
	return map[string]task.Handler{
		taskModerated:   core.TaskHandler(s.moderated),
		taskReported:    core.TaskHandler(s.reported),
		taskRecheck:     core.TaskHandler(s.recheck),
		taskStruck:      core.TaskHandler(s.carryOut),
		taskAppealed:    core.TaskHandler(s.Strikes.appealed),
		taskDecided:     core.TaskHandler(s.Strikes.decided),
		core.TaskLogged: core.TaskHandler(s.logged),
	}
}
