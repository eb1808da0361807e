package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"

	"linnet/internal/admin"
	"linnet/internal/admin/backup"
	"linnet/internal/kv/diskkv"
)

// backupCommands are those that take all of a store along.
func backupCommands() []command {
	asJSON := flagSpec{name: "json", help: "Print JSON"}
	at := flagSpec{name: "at", arg: "NAME", help: "Which backup of the directory, as its manifest is called (the newest)"}
	return []command{
		{name: "backup", args: "DIR", min: 1, max: 1, run: backupOut, act: backupInto, alone: true,
			flags: []flagSpec{asJSON, {name: "keep", arg: "N", help: "Remove all backups in DIR but the newest N (none is removed)"}},
			help:  "Write the store and the pictures, as of one moment, into a directory, what is there already only once; servers go on serving"},
		{name: "backup verify", args: "DIR", min: 1, max: 1, flags: []flagSpec{asJSON, at}, run: backupVerify,
			help: "Read all of a backup, compare it with what was written, restore it into a store of its own for a trial, and check that"},
		{name: "restore", args: "DIR", min: 1, max: 1, flags: []flagSpec{asJSON, at}, run: restore,
			help: "Fill an empty store, embedded or Redis, from a backup; broken off and run again, it goes on"},
		{name: "digest", flags: []flagSpec{asJSON, {name: "shard", arg: "N", help: "Of this shard alone"}}, act: digest, alone: true,
			help: "Print what tells whether two stores hold the same, whatever their engines; servers go on serving"},
	}
}

// backupOut says where the directory lies, whatever directory the server is in.
func backupOut(ctx context.Context, c *call) (err error) {
	if c.line.args[0], err = filepath.Abs(c.line.args[0]); err != nil {
		return fmt.Errorf("find the directory of the backup: %w", err)
	}
	err = runOnStore(ctx, c)
	if err != nil && ctx.Err() != nil {
		return &fault{code: exitFailed, what: "stopped before the end", advice: "Run the same command again: what is written already is not written again."}
	}
	return err
}

func backupInto(ctx context.Context, c *call, b *backend) error {
	opt := admin.BackupOptions{Dir: c.args()[0], Scratch: b.scratch, Program: release, Progress: c.progress()}
	if !filepath.IsAbs(opt.Dir) {
		return usage(fmt.Sprintf("%q is no absolute path", opt.Dir), "")
	}
	if text := c.line.flags["keep"]; text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return usage(fmt.Sprintf("--keep is a number from 1, not %q", text), "")
		}
		opt.Keep = n
	}
	r, err := admin.Backup(ctx, admin.Source{Engine: b.engine, Files: b.files}, opt)
	if err != nil {
		return backupFault("cannot back up the store into "+opt.Dir, err)
	}
	if c.flag("json") {
		return printJSON(c.stdout, r)
	}
	return r.Print(c.stdout)
}

// backupFault says which kind of failure it is.
func backupFault(what string, err error) error {
	f := &fault{code: exitCode(err), what: what, cause: err}
	switch {
	case errors.Is(err, backup.ErrNoBackup):
		f.code = exitNotFound
	case errors.Is(err, backup.ErrForeign), errors.Is(err, backup.ErrNewer), errors.Is(err, admin.ErrNotEmpty), errors.Is(err, admin.ErrOtherRestore):
		f.code = exitState
	case errors.Is(err, backup.ErrDamaged):
		f.advice = "Take another backup: --at NAME names an older one in the directory."
	}
	return f
}

// backupVerify restores into a directory of its own below the data directory, if there is
// one, which is removed at the end.
func backupVerify(ctx context.Context, c *call) (err error) {
	dir, err := os.MkdirTemp(c.cfg.scratchDir(), "linnet-verify-*")
	if err != nil {
		return fmt.Errorf("make a directory for the trial: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	trial, err := diskkv.Open(dir, diskkv.Options{Sync: diskkv.SyncInterval, Reserve: -1, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return fmt.Errorf("open a store for the trial: %w", err)
	}
	v, err := admin.Verify(ctx, trial, c.restoreOptions())
	if err := errors.Join(err, trial.Close()); err != nil {
		return backupFault("the backup in "+c.args()[0]+" is not verified", err)
	}
	if c.flag("json") {
		err = printJSON(c.stdout, v)
	} else {
		err = v.Print(c.stdout)
	}
	if err == nil && !v.Sound() {
		return &fault{code: exitFailed, what: "the backup holds a store with breaches", advice: "linnet check finds them in the store too; see docs/operations.md for what they mean."}
	}
	return err
}

func (c *call) restoreOptions() admin.RestoreOptions {
	return admin.RestoreOptions{Dir: c.args()[0], Name: c.line.flags["at"], Progress: c.progress()}
}

// restore fills the store that the configuration names. No server may use it, and none
// starts on it before all is there.
func restore(ctx context.Context, c *call) error {
	if s, err := askStatus(ctx, c.cfg.Data); err == nil {
		return &fault{code: exitState, what: fmt.Sprintf("a server (process %d) runs on %s", s.PID, c.cfg.Data), advice: "Stop it, or name another directory with --data DIR."}
	}
	if err := makeDataDir(c.cfg); err != nil {
		return err
	}
	files, err := openFiles(ctx, c.cfg)
	if err != nil {
		return err
	}
	engine, err := openEngine(ctx, c.cfg, slog.New(levelled{newLogger(c.cfg, c.stderr).Handler(), slog.LevelWarn}))
	if err != nil {
		return err
	}
	r, err := admin.Restore(ctx, engine, files, c.restoreOptions())
	err = errors.Join(err, engine.Close())
	switch {
	case err != nil && ctx.Err() != nil:
		return &fault{code: exitFailed, what: "stopped before the end", advice: "Run the same command again: it goes on where it stopped. No server starts on the store before that."}
	case err != nil:
		return backupFault("cannot restore from "+c.args()[0], err)
	case c.flag("json"):
		return printJSON(c.stdout, r)
	}
	return r.PrintRestored(c.stdout)
}
