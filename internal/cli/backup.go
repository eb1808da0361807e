package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"linnet/internal/admin"
	"linnet/internal/admin/backup"
	"linnet/internal/backend"
	"linnet/internal/blob"
	"linnet/internal/config"
	"linnet/internal/exit"
	"linnet/internal/kv/diskkv"
	"linnet/internal/server"
	"linnet/internal/version"
)

// backupCommands returns the commands that process a whole store.
func backupCommands() []command {
	asJSON := flagSpec{name: "json", help: "Print JSON"}
	at := flagSpec{name: "at", arg: "NAME", help: "Name of the backup", details: "Default: the newest backup."}
	identity := flagSpec{name: "identity", arg: "FILE", help: "File that contains the age secret key"}
	place := "DIR|s3://BUCKET/PREFIX"
	return []command{
		{name: "backup", args: place, min: 1, max: 1, run: backupCommand, act: backupOnStore, alone: true,
			flags: []flagSpec{asJSON, {name: "keep", arg: "N", help: "Delete all but the newest N backups", details: "Default: keep all."},
				{name: "recipient", arg: "age1…|FILE", help: "Encrypt for these age recipients", details: "Separate several recipients with commas, or name a file that contains one recipient per line."}},
			help: "Back up the store and media", details: "Backups are incremental and consistent. Servers can keep running. S3 credentials come from the backup.s3.* or s3.* options."},
		{name: "backup verify", args: place, min: 1, max: 1, run: backupVerify,
			flags: []flagSpec{asJSON, at, identity, {name: "remove-damaged", help: "Delete damaged chunks and media files from the backup", details: "The next backup writes the deleted data again if the store and the media location still have it."}},
			help:  "Verify a backup with a trial restore", details: "The command reads every chunk and media file, compares checksums, restores the backup into a temporary store and checks that store."},
		{name: "restore", args: place, min: 1, max: 1, flags: []flagSpec{asJSON, at, identity}, run: restore,
			help: "Restore a backup into an empty store", details: "The target is the store given with --data or --store. If the command is interrupted, run it again to continue."},
		{name: "migrate", args: "FROM TO", min: 2, max: 2, run: migrateCommand, act: migrateOnStore,
			flags: []flagSpec{asJSON, {name: "to-prefix", arg: "TEXT", help: "Prefix of the Redis keys in TO"}},
			help:  "Move the store to another engine or host", details: "FROM and TO are each a data directory, the URL of a Redis server, or @FILE, where FILE contains such a URL. Servers keep running during the move. At the end, writes pause for a moment and the servers exit with code 75, so that the service manager restarts them. Before the move ends, set the new store in the configuration of the servers."},
		{name: "digest", flags: []flagSpec{asJSON, {name: "shard", arg: "N", help: "Print the checksum of this shard only"}}, act: digest, alone: true,
			help: "Print a checksum to compare two stores", details: "Stores with the same content have the same checksum, even on different engines. Servers can keep running."},
	}
}

// backupCommand makes the directory absolute and reads the files of recipients, because the server can
// run in another directory. Then it runs the backup.
func backupCommand(ctx context.Context, c *call) (err error) {
	if err := c.makeAbsolute(); err != nil {
		return err
	}
	if text := c.line.flags["recipient"]; text != "" {
		to, err := recipientsOf(text)
		if err != nil {
			return err
		}
		c.line.flags["recipient"] = strings.Join(to, ",")
	}
	err = runOnStore(ctx, c)
	if err != nil && ctx.Err() != nil {
		return &exit.Error{Code: exit.Failed, What: "the backup was interrupted", Advice: "Run the same command again to continue."}
	}
	return err
}

// makeAbsolute makes a directory in the first argument absolute.
func (c *call) makeAbsolute() (err error) {
	if place := &c.line.args[0]; !strings.HasPrefix(*place, config.BucketScheme) {
		if *place, err = filepath.Abs(*place); err != nil {
			return fmt.Errorf("find the directory of the backup: %w", err)
		}
	}
	return nil
}

func backupOnStore(ctx context.Context, c *call, b *backend.Backend) error {
	to, err := b.Config.NewBackupTarget(c.args()[0])
	if err != nil {
		return err
	}
	opt := admin.BackupOptions{To: to, Recipients: b.Config.Backup.Recipients, Scratch: b.Config.TempDir(), Program: version.Version, Progress: c.progress()}
	if text := c.line.flags["recipient"]; text != "" {
		if opt.Recipients, err = config.ParseRecipients(text); err != nil {
			return exit.UsageError(fmt.Sprintf("invalid value %q for --recipient", text), "")
		}
	}
	if text := c.line.flags["keep"]; text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return exit.UsageError(fmt.Sprintf("--keep must be a number of at least 1, not %q", text), "")
		}
		opt.Keep = n
	}
	r, err := admin.Backup(ctx, admin.Source{Engine: b.Engine, Files: b.Files}, opt)
	if err != nil {
		f := backupError("cannot back up the store into "+to.String(), err)
		if errors.Is(err, backup.ErrDamaged) {
			f.Advice = "linnet backup verify " + to.String() + " --at NAME verifies another backup there."
		}
		return f
	}
	if text := r.Warning(); text != "" {
		if _, err := fmt.Fprintf(c.stderr, "warning: %s\n", text); err != nil {
			return err
		}
	}
	if c.flag("json") {
		err = printJSON(c.stdout, r)
	} else {
		err = r.Print(c.stdout)
	}
	if err == nil && r.Lacks != nil {
		return &exit.Error{Code: exit.Failed, What: "the backup is incomplete", Cause: r.Lacks,
			Advice: "Check that the media directory is mounted and is the one that the servers use. linnet check lists the records that refer to the files."}
	}
	return err
}

// backupError sets the exit code and the advice for an error of a backup.
func backupError(what string, err error) *exit.Error {
	f := &exit.Error{Code: exit.CodeOf(err), What: what, Cause: err}
	switch {
	case errors.Is(err, backup.ErrNoBackup):
		f.Code = exit.NotFound
	case errors.Is(err, backup.ErrForeign), errors.Is(err, backup.ErrNewer), errors.Is(err, backup.ErrSealed), errors.Is(err, backup.ErrPlain),
		errors.Is(err, backup.ErrIdentity), errors.Is(err, admin.ErrNotEmpty), errors.Is(err, admin.ErrServed),
		errors.Is(err, admin.ErrOtherRestore):
		f.Code = exit.State
	case errors.Is(err, blob.ErrNoBucket):
		f.Code = exit.Usage
		f.Advice = "Create the bucket or choose another one, and check backup.s3.endpoint, region, access_key and secret_key."
	case errors.Is(err, backup.ErrDamaged):
		f.Advice = "Another backup may be intact: verify it with linnet backup verify --at NAME."
	}
	if down := net.Error(nil); f.Code == exit.Failed && errors.As(err, &down) {
		f.Code = exit.Temporary // the server of the bucket does not respond
	}
	return f
}

// backupVerify restores the backup into a temporary store in the data directory, if it exists, and
// checks that store.
func backupVerify(ctx context.Context, c *call) (err error) {
	opt, err := c.restoreOptions()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp(c.cfg.TempDir(), "linnet-verify-*")
	if err != nil {
		return fmt.Errorf("create a directory for the trial restore: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	trial, err := diskkv.Open(dir, diskkv.Options{Sync: diskkv.SyncInterval, Reserve: -1, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return fmt.Errorf("open a store for the trial restore: %w", err)
	}
	v, err := admin.Verify(ctx, trial, opt)
	if err := errors.Join(err, trial.Close()); err != nil {
		return c.verifyError(ctx, opt, err)
	}
	if c.flag("json") {
		err = printJSON(c.stdout, v)
	} else {
		err = v.Print(c.stdout)
	}
	if err == nil && !v.Sound() {
		return &exit.Error{Code: exit.Failed, What: "the records in the backup are inconsistent", Advice: "Run linnet check on the store; docs/admin/troubleshoot.md explains its findings."}
	}
	return err
}

// verifyError lists all damaged chunks and the remedy. Most chunks are shared by all backups, so an
// older or newer backup alone does not help.
func (c *call) verifyError(ctx context.Context, opt admin.RestoreOptions, err error) error {
	place := c.args()[0]
	f := backupError("cannot verify the backup in "+place, err)
	if !errors.Is(err, backup.ErrDamaged) {
		return f
	}
	discard := c.flag("remove-damaged")
	paths, err := admin.Damage(ctx, opt, discard)
	if err != nil || len(paths) == 0 {
		return f // the manifest is damaged or the location does not respond, as f says
	}
	const most = 10
	which := strings.Join(paths[:min(len(paths), most)], ", ")
	if more := len(paths) - most; more > 0 {
		which += fmt.Sprintf(" and %d more", more)
	}
	repeat := "linnet backup " + place + ", which writes them again if the store still has the same content"
	if f.Advice = fmt.Sprintf("Damaged or missing: %s. Run the command again with --remove-damaged, and then %s.", which, repeat); discard {
		f.Advice = fmt.Sprintf("Removed: %s. Now run %s.", which, repeat)
	}
	return f
}

func (c *call) restoreOptions() (opt admin.RestoreOptions, err error) {
	opt = admin.RestoreOptions{Name: c.line.flags["at"], Scratch: c.cfg.TempDir(), Progress: c.progress()}
	if err := c.makeAbsolute(); err != nil {
		return opt, err
	}
	if opt.From, err = c.cfg.BackupTarget(c.args()[0]); err != nil {
		return opt, err
	}
	opt.Identities, err = identityOf(c.line.flags["identity"])
	return opt, err
}

// restore fills the configured store from a backup. No server can use the store before the restore
// is complete.
func restore(ctx context.Context, c *call) error {
	if s, err := server.ReadStatus(ctx, c.cfg.Data); err == nil {
		return &exit.Error{Code: exit.State, What: fmt.Sprintf("a server (PID %d) is running with the data directory %s", s.PID, c.cfg.Data), Advice: "Stop it, or choose another directory with --data DIR."}
	}
	opt, err := c.restoreOptions()
	if err == nil {
		err = admin.Restorable(ctx, opt)
	}
	if err != nil {
		if f := (*exit.Error)(nil); errors.As(err, &f) {
			return err
		}
		return backupError("cannot restore from "+c.args()[0], err)
	}
	if err := c.cfg.MakeDataDir(); err != nil {
		return err
	}
	opt.Scratch, opt.From.Scratch = c.cfg.TempDir(), c.cfg.TempDir()
	files, err := backend.OpenFiles(ctx, c.cfg)
	if err != nil {
		return err
	}
	engine, err := backend.OpenEngine(ctx, c.cfg, warnings(newLogger(c.cfg, c.stderr)))
	if err != nil {
		return err
	}
	r, err := admin.Restore(ctx, engine, files, opt)
	err = errors.Join(err, engine.Close())
	switch {
	case err != nil && ctx.Err() != nil:
		return &exit.Error{Code: exit.Failed, What: "the restore was interrupted", Advice: "Run the same command again to continue. Until then no server starts on this store."}
	case err != nil:
		return backupError("cannot restore from "+c.args()[0], err)
	case c.flag("json"):
		return printJSON(c.stdout, r)
	}
	return r.PrintRestored(c.stdout)
}

// recipientsOf parses --recipient: recipients or files with recipients, separated by commas.
func recipientsOf(s string) (backup.Recipients, error) {
	var text strings.Builder
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); !strings.HasPrefix(part, "age1") {
			data, err := os.ReadFile(part)
			if err != nil {
				return nil, &exit.Error{Code: exit.Usage, What: fmt.Sprintf("--recipient %q is neither an age recipient nor a readable file", part), Cause: errors.Unwrap(err)}
			}
			part = string(data)
		}
		text.WriteString(part + "\n")
	}
	to, err := backup.ParseRecipients(text.String())
	if err == nil && len(to) == 0 {
		err = backup.ErrRecipient
	}
	if err != nil {
		return nil, &exit.Error{Code: exit.Usage, What: fmt.Sprintf("invalid value %q for --recipient", s), Cause: err}
	}
	return to, nil
}

// identityOf reads the file of --identity, if it is set.
func identityOf(path string) (backup.Identities, error) {
	if path == "" {
		return backup.Identities{}, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return backup.Identities{}, &exit.Error{Code: exit.Usage, What: "cannot read the identity file " + path, Cause: errors.Unwrap(err)}
	}
	id, err := backup.ParseIdentities(data)
	if err != nil {
		return id, &exit.Error{Code: exit.Usage, What: "cannot use the identity file " + path, Cause: err}
	}
	return id, nil
}
