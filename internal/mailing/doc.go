// Package mailing delivers e-mails as tasks and tracks their outcome. The sender of an e-mail
// provides its text and recipient at delivery. The package does not know the reason for an e-mail.
//
// Invariants:
//
//   - Nothing is sent in a request or by a task worker. Separate senders wait for the mail
//     server, so a slow one blocks nothing else.
//   - An e-mail is a task in the store until the server accepts it or delivery is abandoned.
//     It may be sent twice, with the same Message-ID, but not endlessly.
//   - A task contains no address and no secret: both are looked up or created at delivery. So
//     e-mails to deleted accounts are not sent, and a link is valid from the time of
//     delivery.
package mailing

import (
	"context"
	"crypto/rand"
	"net/url"
	"sync"
	"time"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/mail"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/task"
)

const (
	senders = 4               // mails at a time
	waiting = 1024            // mails that wait for a sender; more are left in the store
	hold    = 2 * time.Minute // how long an e-mail is reserved for its server; after that another one sends it
	pause   = 30 * time.Second
)

// TaskMail sends an e-mail. Its name and arguments are stored.
const TaskMail = "mail"

// Args name a mail.
type Args struct {
	Kind    string            `json:"kind"`
	User    linnet.ID         `json:"user,omitempty"`    // recipient
	Address string            `json:"address,omitempty"` // or to whose address: its hash, see record.Hash
	About   string            `json:"about,omitempty"`   // argument of the kind; not secret
	Needs   linnet.Permission `json:"needs,omitempty"`   // what the receiver's role has to allow when it is composed
	ID      string            `json:"id"`
	Try     int               `json:"try,omitempty"`   // number of earlier attempts
	Found   int               `json:"found,omitempty"` // how often a server found it unfinished
}

// Kind has the functions for mails of one kind.
type Kind struct {
	// Compose returns the current mail: receiver, subject and texts. It returns nil if the mail is
	// no longer needed.
	Compose func(context.Context, Args) (*mail.Message, error)
	// Sent is called after the mail server has accepted it. It can be nil.
	Sent func(context.Context, Args) error
}

// Mail is a mail whose task is written with an action (Ops). It is sent afterwards (Service.Begin).
// The zero Mail is none.
type Mail struct {
	Args Args
	Task task.Task
	Due  time.Time
}

// Ops returns the operations that write the task; none for the zero Mail.
func (m Mail) Ops() []kv.Op {
	if m.Args.Kind == "" {
		return nil
	}
	return m.Task.Ops()
}

// Service sends e-mails. It is safe for concurrent use.
type Service struct {
	st  *store.Store
	opt core.Options

	core  *core.Service
	tasks *task.Queue
	host  string
	kinds map[string]Kind
	queue chan Mail

	mu     sync.Mutex
	until  time.Time // the mail server is left alone until then
	noted  time.Time // when it was last written that a mail was sent
	broken bool      // the last recorded result is an error
}

// New returns a Service that sends e-mails of these kinds. kinds can be filled later, before the
// Service is used.
func New(b core.Base, c *core.Service, kinds map[string]Kind) *Service {
	s := &Service{st: b.Store, opt: b.Options, core: c, tasks: b.Tasks, kinds: kinds, queue: make(chan Mail, waiting)}
	if u, err := url.Parse(b.Options.PublicURL); err == nil {
		s.host = u.Hostname()
	}
	return s
}

// On reports whether mails are sent at all.
func (s *Service) On() bool { return s.opt.Mail != nil }

// Handlers do the tasks of these kinds.
func (s *Service) Handlers() map[string]task.Handler {
	return map[string]task.Handler{TaskMail: core.TaskHandler(s.resume)}
}

// New returns a mail to write together with something else. It returns the zero Mail if e-mail is
// off.
func (s *Service) New(a Args) (Mail, error) {
	if !s.On() {
		return Mail{}, nil
	}
	a.ID = rand.Text()
	return s.leave(a, s.after())
}

// after: a server that leaves tasks to others leaves mails at once.
func (s *Service) after() time.Duration {
	if s.opt.HandOver {
		return 0
	}
	return hold
}

func (s *Service) leave(a Args, after time.Duration) (Mail, error) {
	shard := a.User.Shard()
	if a.User == 0 {
		shard = record.HashShard(a.Address)
	}
	due := s.st.Now().Add(after).Truncate(time.Millisecond)
	t, err := task.NewLater(shard, rand.Text(), TaskMail, a, due)
	return Mail{a, t, due}, err
}

// Begin lets mails be sent whose tasks have been written. It does not wait for them.
func (s *Service) Begin(ctx context.Context, ms ...Mail) {
	for _, m := range ms {
		switch {
		case m.Args.Kind == "":
		case s.opt.HandOver:
			s.tasks.Left(ctx, m.Task.Shard)
		default:
			s.begin(m)
		}
	}
}

// begin queues an e-mail if there is room. Otherwise its task becomes due.
func (s *Service) begin(m Mail) {
	select {
	case s.queue <- m:
	default:
	}
}

// Send writes an e-mail without other operations and starts its delivery.
func (s *Service) Send(ctx context.Context, a Args) error {
	m, err := s.New(a)
	if err != nil || m.Args.Kind == "" {
		return err
	}
	if err := s.st.Sessions.Leave(ctx, m.Task); err != nil {
		return core.StoreError(err)
	}
	s.Begin(ctx, m)
	return nil
}

// Run sends until ctx ends. E-mails interrupted then are sent again by the server that finds their
// task.
func (s *Service) Run(ctx context.Context) {
	if !s.On() {
		return
	}
	var all sync.WaitGroup
	for range senders {
		all.Go(func() {
			for {
				select {
				case <-ctx.Done():
					return
				case m := <-s.queue:
					s.deliver(ctx, m)
				}
			}
		})
	}
	all.Wait()
}

// State returns the last results of sending, of all servers.
func (s *Service) State(ctx context.Context) (record.MailState, error) {
	r, err := s.st.Sessions.MailState(ctx)
	return r, core.StoreError(err)
}
