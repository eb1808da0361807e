package mailing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/mail"
	"linnet/internal/record"
)

// Outcomes of an attempt to send an e-mail.
const (
	sent    = "sent"
	later   = "later"   // will be retried
	refused = "refused" // the server rejected the recipient or the e-mail
	failed  = "failed"  // too many attempts; an operator can retry the task
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
	deliverTime = 50 * time.Second // for one e-mail
	maxFound    = 5                // servers that may have stopped during delivery
	noteEvery   = 15 * time.Minute // interval at which a success is recorded
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
	return nil, s.outbox.Resume(ctx, a)
}

// deliver makes one attempt to send an e-mail. It returns the operations of the task for a further
// attempt, or of a failed task after the last one.
func (s *Service) deliver(ctx context.Context, a Args) (next []kv.Op, err error) {
	fault, err := s.try(ctx, a)
	tries := waits()
	switch {
	case err != nil:
		return nil, fmt.Errorf("send an e-mail of kind %q: %w", a.Kind, err)
	case fault == nil:
		return nil, nil
	case fault.Final:
		s.opt.Observe.NoteMailed(refused)
		return nil, nil
	case a.Try < len(tries):
		s.opt.Observe.NoteMailed(later)
		wait := tries[a.Try]
		a.Try, a.Found = a.Try+1, 0
		m, err := s.outbox.Later(a, wait)
		return m.Ops(), err
	}
	s.opt.Observe.NoteMailed(failed)
	a.Try, a.Found = len(tries)+1, 0
	m, err := s.outbox.Later(a, 0)
	if err != nil {
		return nil, err
	}
	return m.Task.SetAside(fault.Error(), s.st.Now()), nil
}

// try sends an e-mail. It returns the fault if the mail server did not accept it, and an error if
// the e-mail could not be composed.
func (s *Service) try(ctx context.Context, a Args) (*mail.Fault, error) {
	k, ok := s.kinds[a.Kind]
	if !ok {
		return nil, fmt.Errorf("unknown kind of e-mail: %q", a.Kind)
	}
	s.mu.Lock()
	paused := s.st.Now().Before(s.until)
	s.mu.Unlock()
	if paused {
		return &mail.Fault{Stage: "connect to the mail server", Detail: "the server did not respond a moment ago"}, nil
	}
	msg, err := k.Compose(ctx, a)
	if err != nil || msg == nil {
		return nil, err
	}
	in, _, err := s.st.Instance.Get(ctx)
	if err != nil {
		return nil, err
	}
	msg.Name = cmp.Or(in.Title, linnet.DefaultTitle)
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
		s.mu.Lock()
		s.until = s.st.Now().Add(pause)
		s.mu.Unlock()
	}
	s.opt.Log.Warn("e-mail rejected", "kind", a.Kind, "err", fault)
	s.noteFault(ctx, fault)
	return fault, nil
}

// noteSent records a success, at intervals and after each error.
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
		s.opt.Log.Debug("cannot record the outcome of an e-mail", "err", err) // only for information; the mail is more important
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
