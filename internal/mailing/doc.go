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
	"linnet/internal/linnet"
	"linnet/internal/mail"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/task"
)

const (
	senders = 4 // number of e-mails sent at a time
	pause   = 30 * time.Second
)

// TaskMail sends an e-mail. Its name and arguments are stored.
const TaskMail = "mail"

// Args name a mail.
type Args struct {
	Kind    string            `json:"kind"`
	User    linnet.ID         `json:"user,omitempty"`    // recipient
	Address string            `json:"address,omitempty"` // hash of the address of a recipient without account, see record.Hash
	About   string            `json:"about,omitempty"`   // argument of the kind; not secret
	Needs   linnet.Permission `json:"needs,omitempty"`   // permission that the recipient must have at delivery
	ID      string            `json:"id"`
	Try     int               `json:"try,omitempty"`   // number of earlier attempts
	Found   int               `json:"found,omitempty"` // how often the task was found unfinished
}

// Kind has the functions for mails of one kind.
type Kind struct {
	// Compose returns the current mail: receiver, subject and texts. It returns nil if the mail is
	// no longer needed.
	Compose func(context.Context, Args) (*mail.Message, error)
	// Sent is called after the mail server has accepted it. It can be nil.
	Sent func(context.Context, Args) error
}

// Mail is an e-mail to send. The zero Mail is none.
type Mail = core.Job[Args]

// Service sends e-mails. It is safe for concurrent use.
type Service struct {
	st  *store.Store
	opt core.Options

	core   *core.Service
	host   string
	kinds  map[string]Kind
	outbox *core.Outbox[Args]

	mu     sync.Mutex
	until  time.Time // end of the pause after the mail server did not respond
	noted  time.Time // when a success was last recorded
	broken bool      // the last recorded result is an error
}

// New returns a Service that sends e-mails of these kinds. kinds can be filled later, before the
// Service is used.
func New(b core.Base, c *core.Service, kinds map[string]Kind) *Service {
	s := &Service{st: b.Store, opt: b.Options, core: c, kinds: kinds}
	s.outbox = core.NewOutbox(b, core.OutboxOptions[Args]{Workers: senders, Time: deliverTime, Do: s.deliver, Failed: "cannot send e-mail; will retry",
		Task: func(a Args) (uint16, string) {
			if a.User == 0 {
				return record.HashShard(a.Address), TaskMail
			}
			return a.User.Shard(), TaskMail
		}})
	if u, err := url.Parse(b.Options.PublicURL); err == nil {
		s.host = u.Hostname()
	}
	return s
}

// On reports whether mails are sent at all.
func (s *Service) On() bool { return s.opt.Mail != nil }

// Handlers returns the handler of TaskMail.
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
	return s.outbox.New(a)
}

// Begin starts the delivery of e-mails whose tasks have been written. It does not wait for it.
func (s *Service) Begin(ctx context.Context, ms ...Mail) { s.outbox.Begin(ctx, ms...) }

// Send writes an e-mail without other operations and starts its delivery.
func (s *Service) Send(ctx context.Context, a Args) error {
	m, err := s.New(a)
	if err != nil || m.Task.ID == "" {
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
	if s.On() {
		s.outbox.Run(ctx)
	}
}

// State returns the last results of sending, of all servers.
func (s *Service) State(ctx context.Context) (record.MailState, error) {
	r, err := s.st.Sessions.MailState(ctx)
	return r, core.StoreError(err)
}
