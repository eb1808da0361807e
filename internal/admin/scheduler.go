package admin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"

	"linnet/internal/admin/backup"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/wording"
)

// SchedulerOptions adjust a BackupScheduler.
type SchedulerOptions struct {
	Backup   BackupOptions // the scheduler sets its Progress
	Schedule backup.Schedule
	Name     string // displayed name of this server
	Log      *slog.Logger
	Now      func() time.Time // nil for time.Now
}

// BackupScheduler makes backups of a store in use, on schedule and on request. Only one server of a
// store makes one at a time, and stores its name and progress.
type BackupScheduler struct {
	from Source
	opt  SchedulerOptions
	run  context.Context // ends when the server does
	work sync.WaitGroup
}

const (
	backupCheckInterval    = 30 * time.Second // interval of checks whether a backup is due
	backupRetryDelay       = 15 * time.Minute // delay before a retry after a failure
	backupLease            = time.Minute      // time after the last report until a server no longer counts as making a backup
	backupProgressInterval = 10 * time.Second // interval of progress records
	backupEndTimeout       = 10 * time.Second // time limit for the final records
)

// NewBackupScheduler returns a BackupScheduler that works until run ends. Wait must be called
// afterwards.
func NewBackupScheduler(run context.Context, from Source, opt SchedulerOptions) *BackupScheduler {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	return &BackupScheduler{from: from, opt: opt, run: run}
}

// Run starts backups when they are due, until the scheduler's context ends.
func (k *BackupScheduler) Run() {
	tick := time.NewTicker(backupCheckInterval)
	defer tick.Stop()
	for k.run.Err() == nil {
		if err := k.Look(k.run); err != nil && k.run.Err() == nil {
			k.opt.Log.Warn("cannot check whether a backup is due", "err", err)
		}
		select {
		case <-tick.C:
		case <-k.run.Done():
		}
	}
}

// Wait waits until this server's backup has ended.
func (k *BackupScheduler) Wait() { k.work.Wait() }

// Look starts a backup if one is due and none is running.
func (k *BackupScheduler) Look(ctx context.Context) error {
	results, _, err := k.readResults(ctx)
	if err != nil {
		return err
	}
	now := k.opt.Now()
	next := k.opt.Schedule.Next(results.Made, now)
	if next.IsZero() || next.After(now) || now.Sub(results.Failed) < backupRetryDelay && results.Failed.After(results.Made) {
		return nil
	}
	if err = k.Start(ctx); errors.Is(err, errUnderWay) {
		return nil
	}
	return err
}

var errUnderWay = linnet.Errorf(linnet.Conflict, "A backup is already running.")

// Start starts a backup, which continues after it returns. It returns Conflict if one is running.
func (k *BackupScheduler) Start(ctx context.Context) error {
	now := k.opt.Now()
	own := record.BackupRunning{By: k.opt.Name, Began: now.UTC()}
	lease := k.lease(own, 1)
	failed, err := k.from.Engine.Txn(ctx, []kv.Cond{kv.Absent(lease.Key)}, lease)
	if err != nil {
		return fmt.Errorf("record the start of a backup: %w", err)
	}
	if failed >= 0 {
		return errUnderWay
	}
	k.work.Go(func() {
		ctx, cancel := context.WithCancel(k.run)
		defer cancel()
		opt := k.opt.Backup
		opt.Progress = NewProgress(io.Discard, false)
		version, ended := uint64(1), make(chan struct{})
		go func() {
			defer close(ended)
			version = k.recordProgress(ctx, own, opt.Progress, cancel)
		}()
		k.opt.Log.Info("backup started", "to", opt.To.String())
		r, err := Backup(ctx, k.from, opt)
		if err == nil && r.Warning() != "" {
			k.opt.Log.Warn(r.Warning())
		}
		cancel()
		<-ended
		if err := k.end(version, r, err); err != nil {
			k.opt.Log.Warn("cannot record the outcome of a backup", "err", err)
		}
	})
	return nil
}

func (k *BackupScheduler) lease(r record.BackupRunning, version uint64) kv.Put {
	return kv.Put{Key: record.BackupRunningKey(), Data: record.Encode(r), Version: version, TTL: backupLease}
}

// recordProgress records the progress of the backup until ctx ends. It stops the backup if another
// server has taken over. It returns the version of the last record, or 0 if it belongs to another
// server.
func (k *BackupScheduler) recordProgress(ctx context.Context, own record.BackupRunning, p *Progress, lost func()) uint64 {
	tick := time.NewTicker(backupProgressInterval)
	defer tick.Stop()
	for version := uint64(1); ; {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return version
		}
		own.Progress = string(p.Message())
		if version = k.note(ctx, own, version); version == 0 {
			lost()
			return 0
		}
	}
}

// note renews the record of the running backup and returns its version, or 0 if another backup has
// replaced it. If writing fails, the next call tries again.
func (k *BackupScheduler) note(ctx context.Context, own record.BackupRunning, version uint64) uint64 {
	key := record.BackupRunningKey()
	failed, err := k.from.Engine.Txn(ctx, []kv.Cond{kv.VersionIs{Key: key, Version: version}}, k.lease(own, version+1))
	if err != nil {
		return version
	}
	if failed < 0 {
		return version + 1
	}
	get := &kv.Get{Key: key}
	if err := k.from.Engine.Read(ctx, get); err != nil {
		return version
	}
	var now record.BackupRunning
	if get.Version == 0 || record.Decode(get, &now) != nil || now.By != own.By || !now.Began.Equal(own.Began) {
		return 0
	}
	return get.Version // written before, but the response was lost
}

// maxFault is the maximum length of a recorded error.
const maxFault = 500

// end records the result of a backup. It records no failure if the server was stopped, or another
// server has taken over (version 0).
func (k *BackupScheduler) end(version uint64, r *BackupReport, fault error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(k.run), backupEndTimeout)
	defer cancel()
	if version > 0 {
		_, err := k.from.Engine.Txn(ctx, []kv.Cond{kv.VersionIs{Key: record.BackupRunningKey(), Version: version}}, kv.Delete{Key: record.BackupRunningKey()})
		if err != nil {
			return err
		}
	}
	if fault != nil && (version == 0 || k.run.Err() != nil) {
		k.opt.Log.Info("backup interrupted; the next backup continues it")
		return nil
	}
	results, at, err := k.readResults(ctx)
	if err != nil {
		return err
	}
	if fault == nil {
		k.opt.Log.Info("backup finished", "name", r.Name, "to", r.Where, "bytes", r.Bytes, "written", r.Written, "seconds", r.Seconds)
		results = record.BackupResults{Made: r.Moment}
		if r.Lacks != nil {
			k.opt.Log.Error("backup is missing files that the store refers to", "err", r.Lacks)
			results.Failed, results.Why = k.opt.Now().UTC(), whyFailed(r.Lacks)
		}
	} else {
		k.opt.Log.Error("backup failed", "err", fault)
		results.Failed, results.Why = k.opt.Now().UTC(), whyFailed(fault)
	}
	_, err = k.from.Engine.Txn(ctx, nil, kv.Put{Key: record.BackupResultsKey(), Data: record.Encode(results), Version: at + 1})
	return err
}

// whyFailed returns the text of an error to record. If the operator can resolve it, the text can be
// translated.
func whyFailed(fault error) string {
	if known, ok := wording.Of(fault); ok && len(known) <= 2*maxFault {
		return string(known)
	}
	why := fault.Error()
	return strings.ToValidUTF8(why[:min(len(why), maxFault)], "")
}

// readResults reads the results of earlier backups.
func (k *BackupScheduler) readResults(ctx context.Context) (r record.BackupResults, version uint64, err error) {
	get := &kv.Get{Key: record.BackupResultsKey()}
	if err := k.from.Engine.Read(ctx, get); err != nil || get.Version == 0 {
		return r, 0, err
	}
	return r, get.Version, record.Decode(get, &r)
}
