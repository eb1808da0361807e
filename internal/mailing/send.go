package mailing

import (
	"context"
	"errors"
	"fmt"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/mail"
	"linnet/internal/record"
)

// The ways in which a try to send a mail ends.
const (
	sent    = "sent"
	later   = "later"   // it is tried again
	refused = "refused" // the receiver or the mail is not taken
	failed  = "failed"  // it was tried too often: an operator decides
)

// Outcomes returns the outcomes of an attempt to send a mail, for metrics.
func Outcomes() []string { return []string{sent, later, refused, failed} }

// waits returns the delays after failed attempts, after which delivery is abandoned. The two days
// that RFC 5321 section 4.5.4.1 recommends are too long for these e-mails, such as a link that a
// user waits for.
func waits() []time.Duration {
	return []time.Duration{time.Minute, 5 * time.Minute, 20 * time.Minute, time.Hour, 4 * time.Hour, 12 * time.Hour}
}

const (
	deliverTime = 50 * time.Second // for one mail; below half of hold
	maxFound    = 5                // servers that may have stopped during delivery
	noteEvery   = 15 * time.Minute // how often it is written that mails are sent
)

// resume runs the task of an e-mail that its server didn't finish or that was not accepted: it
// writes a new task and starts the delivery. A failed one that an operator retries has all attempts
// again.
func (s *Service) resume(ctx context.Context, a Args) (*Args, error) {
	if !s.On() {
		return nil, errors.New("cannot send e-mail: no SMTP server is configured")
	}
	switch a.Found++; {
	case a.Try > len(waits()):
		a.Try, a.Found = 0, 0
	case a.Found > maxFound:
		s.opt.Observe.NoteMailed(failed)
		return nil, nil
	}
	m, err := s.leave(a, hold)
	if err != nil {
		return nil, err
	}
	if err := s.st.Sessions.Leave(ctx, m.Task); err != nil {
		return nil, err
	}
	s.begin(m)
	return nil, nil
}

// deliver sends a mail and deletes its task.
func (s *Service) deliver(ctx context.Context, m Mail) {
	if s.st.Now().After(m.Due.Add(-deliverTime)) {
		return // it has waited too long: a server finds the task
	}
	with, cancel := context.WithTimeout(ctx, deliverTime)
	defer cancel()
	fault, err := s.try(with, m.Args)
	if err == nil {
		err = s.conclude(ctx, m, fault)
	}
	if err != nil && ctx.Err() == nil {
		s.opt.Log.Warn("cannot send e-mail; will retry", "kind", m.Args.Kind, "err", err)
	}
}

// try sends a mail. An error means that it could not be made.
func (s *Service) try(ctx context.Context, a Args) (*mail.Fault, error) {
	k, ok := s.kinds[a.Kind]
	if !ok {
		return nil, fmt.Errorf("unknown kind of e-mail: %q", a.Kind)
	}
	if s.paused() {
		return &mail.Fault{Stage: "connect to the mail server", Detail: "the server did not respond a moment ago"}, nil
	}
	msg, err := k.Compose(ctx, a)
	if err != nil || msg == nil {
		return nil, err
	}
	if msg.Name, err = s.title(ctx); err != nil {
		return nil, err
	}
	msg.ID, msg.Host, msg.Date = a.ID, s.host, s.st.Now()
	var fault *mail.Fault
	switch err := s.opt.Mail.Send(ctx, msg); {
	case err == nil:
		s.opt.Observe.NoteMailed(sent)
		s.noteSent(ctx)
		if k.Sent != nil {
			return nil, k.Sent(ctx, a)
		}
		return nil, nil
	case !errors.As(err, &fault):
		return nil, err
	}
	if fault.Code == 0 {
		s.pauseServer()
	}
	s.opt.Log.Warn("e-mail rejected", "kind", a.Kind, "err", fault)
	s.noteFault(ctx, fault)
	return fault, nil
}

// title returns the name of the installation.
func (s *Service) title(ctx context.Context) (string, error) {
	in, _, err := s.st.Accounts.Instance(ctx)
	if in.Title == "" {
		in.Title = "Linnet"
	}
	return in.Title, err
}

// conclude deletes the task of an e-mail, or writes another one for a further attempt, or marks it
// as failed.
func (s *Service) conclude(ctx context.Context, m Mail, fault *mail.Fault) error {
	var next []kv.Op
	tries, a := waits(), m.Args
	switch {
	case fault == nil:
	case fault.Final:
		s.opt.Observe.NoteMailed(refused)
	case a.Try < len(tries):
		s.opt.Observe.NoteMailed(later)
		wait := tries[a.Try]
		a.Try, a.Found = a.Try+1, 0
		n, err := s.leave(a, wait)
		if err != nil {
			return err
		}
		next = n.Ops()
	default:
		s.opt.Observe.NoteMailed(failed)
		a.Try, a.Found = len(tries)+1, 0
		n, err := s.leave(a, 0)
		if err != nil {
			return err
		}
		next = n.Task.Aside(fault.Error(), s.st.Now())
	}
	_, err := s.st.Sessions.TakeBack(ctx, m.Task.Shard, m.Task.ID, m.Due, next...)
	if err == nil && next != nil {
		s.tasks.Left(ctx, m.Task.Shard)
	}
	return err
}

// paused reports whether the mail server is left alone for now.
func (s *Service) paused() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.st.Now().Before(s.until)
}

// pauseServer leaves it alone for a while: it did not answer, and others wait.
func (s *Service) pauseServer() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.until = s.st.Now().Add(pause)
}

// noteSent records that mails are sent, from time to time and after each error.
func (s *Service) noteSent(ctx context.Context) {
	s.mu.Lock()
	now := s.st.Now()
	old := s.broken || now.Sub(s.noted) >= noteEvery
	if old {
		s.noted, s.broken = now, false
	}
	s.mu.Unlock()
	if old {
		s.note(ctx, func(r *record.MailState) { r.Sent = now.UnixMilli() })
	}
}

// noteFault records the last error.
func (s *Service) noteFault(ctx context.Context, f *mail.Fault) {
	s.mu.Lock()
	s.broken = true
	s.mu.Unlock()
	s.note(ctx, func(r *record.MailState) { r.Failed, r.Why = s.st.Now().UnixMilli(), string(f.Message()) })
}

func (s *Service) note(ctx context.Context, f func(*record.MailState)) {
	if err := s.st.Sessions.NoteMail(ctx, f); err != nil && ctx.Err() == nil {
		s.opt.Log.Debug("cannot record e-mail outcome", "err", err) // only for information; the mail is more important
	}
}

// Allow counts a requested e-mail to an address and returns an error if there were too many. It is
// also called for addresses without an account, so that the response reveals nothing.
func (s *Service) Allow(ctx context.Context, address string) error {
	_, _, err := s.core.CountNow(ctx, "mailto", record.Hash(address), 1, maxAsked, askedWindow)
	if linnet.KindOf(err) == linnet.TooMany {
		told := linnet.Errorf(linnet.TooMany, "We've already sent several e-mails to this address. Check the spam folder, or try again later.")
		var e *linnet.Error
		if errors.As(err, &e) {
			told.RetryAfter = e.RetryAfter
		}
		return told
	}
	return err
}

// Limits of requested e-mails to one address.
const (
	maxAsked    = 5
	askedWindow = time.Hour
)
