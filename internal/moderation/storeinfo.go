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
	Engine, Location         string
	Durability               wording.Message // the failures that an acknowledged write survives
	Bytes                    int64           // size on disk or in memory; 0 if unknown
	People, Groups, Statuses int64
	Backup                   time.Time // time of the last successful backup; zero for none
	BackupIn                 string    // its location
	Backups                  Backups
	Mail                     Mail
}

// Mail describes the delivery of e-mails.
type Mail struct {
	By     string    // mail server; "" if none are sent
	Sent   time.Time // time when the server last accepted one, to a quarter of an hour; zero for never
	Failed time.Time // time when the server last refused one; zero for never
	Why    wording.Message
}

// Backups describes the backups that servers make.
type Backups struct {
	To       string          // their location; "" if this server makes none
	Next     time.Time       // time when the next is due; zero if none is scheduled
	Began    time.Time       // start of the running one; zero for none
	By       string          // the server that makes it
	Progress wording.Message // of the running one
	Failed   time.Time       // the last failure since the last success; zero for none
	Why      wording.Message
}

// StoreInfo returns information about the store and its backups.
func (s *Server) StoreInfo(ctx context.Context, by linnet.Actor) (StoreInfo, error) {
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
	last, _, err := s.st.Instance.LastBackup(ctx)
	if err != nil {
		return StoreInfo{}, core.StoreError(err)
	}
	now, running, results, err := s.st.Instance.Backups(ctx)
	if err != nil {
		return StoreInfo{}, core.StoreError(err)
	}
	b := Backups{Failed: results.Failed, Why: wording.Message(results.Why)}
	if running {
		b.Began, b.By, b.Progress = now.Began, now.By, wording.Message(now.Progress)
	}
	if s.opt.Backups != nil {
		b.To, b.Next = s.opt.Backups.To, s.opt.Backups.Next(results.Made, s.st.Now())
	}
	sent, err := s.st.Sessions.MailState(ctx)
	if err != nil {
		return StoreInfo{}, core.StoreError(err)
	}
	var m Mail
	if sent.Sent != 0 {
		m.Sent = time.UnixMilli(sent.Sent)
	}
	if sent.Failed != 0 {
		m.Failed, m.Why = time.UnixMilli(sent.Failed), wording.Message(sent.Why)
	}
	if s.opt.Mail != nil {
		m.By = s.opt.Mail.Addr
	}
	i := s.state.Info()
	return StoreInfo{i.Engine, i.Location, wording.From(i.Durability), i.Bytes, t.People, t.Groups, t.Statuses, last.Moment, last.Where, b, m}, nil
}

// Examine checks the server's environment. It takes seconds if something doesn't respond. by must
// be an administrator.
func (s *Server) Examine(ctx context.Context, by linnet.Actor) ([]core.Finding, error) {
	if err := s.core.Authorize(ctx, by, linnet.ViewDevops); err != nil {
		return nil, err
	}
	if s.opt.Examine == nil {
		return nil, nil
	}
	return s.opt.Examine(ctx), nil
}

var errNoBackups = linnet.Errorf(linnet.Conflict, "Backups aren't set up on this server. Set backup.to in its configuration.")

// BackUp starts a backup, which continues after it returns. It returns Conflict if one is running
// or none is configured. by must be an administrator.
func (s *Server) BackUp(ctx context.Context, by linnet.Actor) error {
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
