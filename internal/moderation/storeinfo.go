package moderation

import (
	"context"
	"time"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/wording"
)

// StoreInfo describes the store to administrators.
type StoreInfo struct {
	Engine, Place            string
	Durability               wording.Message // what an acknowledged write survives
	Bytes                    int64           // that it takes, on disk or in memory; 0: not known
	People, Groups, Statuses int64
	Backup                   time.Time // of which moment the last backup is that succeeded; zero: there is none
	BackupIn                 string    // its location
	Backups                  Backups
	Mail                     Mail
}

// Mail describes how sending mails goes.
type Mail struct {
	By     string    // the server that takes them; "": none are sent
	Sent   time.Time // when one was taken last, to a quarter of an hour; zero: none was
	Failed time.Time // when one was not; zero: none was
	Why    wording.Message
}

// mail reads that.
func (s *Service) mail(ctx context.Context) (m Mail, err error) {
	r, err := s.st.Sessions.MailState(ctx)
	if r.Sent != 0 {
		m.Sent = time.UnixMilli(r.Sent)
	}
	if r.Failed != 0 {
		m.Failed, m.Why = time.UnixMilli(r.Failed), wording.Message(r.Why)
	}
	if s.opt.Mail != nil {
		m.By = s.opt.Mail.Addr
	}
	return m, err
}

// Backups describes the backups that servers make.
type Backups struct {
	To       string          // where they go; "": this server makes none
	Next     time.Time       // when the next is due; zero: none is by itself
	Began    time.Time       // the one that is under way; zero: none is
	By       string          // the server that makes it
	Progress wording.Message // how far it is, for people
	Failed   time.Time       // when one failed last, since one succeeded; zero: none did
	Why      wording.Message
}

// StoreInfo returns information about the store and its backups.
func (s *Service) StoreInfo(ctx context.Context, by linnet.Actor) (StoreInfo, error) {
	if err := s.core.Authorize(ctx, by, linnet.ViewDevops); err != nil {
		return StoreInfo{}, err
	}
	if err := s.core.Ready(ctx); err != nil {
		return StoreInfo{}, err
	}
	t, err := s.settings.CountTotals(ctx)
	if err != nil {
		return StoreInfo{}, err
	}
	last, _, err := s.st.Accounts.LastBackup(ctx)
	if err != nil {
		return StoreInfo{}, core.StoreError(err)
	}
	backups, err := s.backups(ctx)
	if err != nil {
		return StoreInfo{}, core.StoreError(err)
	}
	mails, err := s.mail(ctx)
	i := s.state.Info()
	return StoreInfo{i.Engine, i.Place, i.Durability, i.Bytes, t.People, t.Groups, t.Statuses, last.Moment, last.Where, backups, mails}, core.StoreError(err)
}

// Examine checks the server's environment. It takes seconds if something doesn't respond. by must
// be an administrator.
func (s *Service) Examine(ctx context.Context, by linnet.Actor) ([]core.Finding, error) {
	if err := s.core.Authorize(ctx, by, linnet.ViewDevops); err != nil {
		return nil, err
	}
	if s.opt.Examine == nil {
		return nil, nil
	}
	return s.opt.Examine(ctx), nil
}

func (s *Service) backups(ctx context.Context) (b Backups, err error) {
	now, running, kept, err := s.st.Accounts.Backups(ctx)
	if err != nil {
		return b, err
	}
	if running {
		b.Began, b.By, b.Progress = now.Began, now.By, wording.Message(now.Progress)
	}
	b.Failed, b.Why = kept.Failed, wording.Message(kept.Why)
	if s.opt.Backups != nil {
		b.To, b.Next = s.opt.Backups.To, s.opt.Backups.Next(kept.Made, s.st.Now())
	}
	return b, nil
}

var errNoBackups = linnet.Errorf(linnet.Conflict, "Backups aren't set up on this server. Set backup.to in its configuration.")

// BackUp starts a backup, which continues after it returns. It returns Conflict if one is running
// or none is configured. by must be an administrator.
func (s *Service) BackUp(ctx context.Context, by linnet.Actor) error {
	if err := s.core.Authorize(ctx, by, linnet.ViewDevops); err != nil {
		return err
	}
	if s.opt.Backups == nil {
		return errNoBackups
	}
	if err := s.opt.Backups.Start(ctx); err != nil {
		return core.StoreError(err)
	}
	return s.core.LogAct(ctx, by, core.ActBackup, 0, s.opt.Backups.To, "")
}
