package admin

import (
	"context"
	"fmt"
	"io"
	"time"

	"linnet/internal/admin/backup"
	"linnet/internal/blob"
	"linnet/internal/kv"
	"linnet/internal/record"
)

// Source is what is backed up: a store, served or not.
type Source struct {
	Engine kv.Engine
	Files  blob.Store // nil: there are none
}

// BackupOptions adjust a backup.
type BackupOptions struct {
	Dir      string // of the backups, absolute
	Scratch  string // a directory for what a copy of a Redis needs while it is read
	Program  string // which version makes it
	Keep     int    // how many backups stay in Dir; 0: all
	Progress *Progress
}

// BackupReport says what was backed up, or is in a backup.
type BackupReport struct {
	Name    string    `json:"name"`
	Where   string    `json:"where"`
	Moment  time.Time `json:"moment"`
	Digest  string    `json:"digest"`
	Entries int64     `json:"entries"`
	Files   int64     `json:"files"`
	Bytes   int64     `json:"bytes"`   // of the backup
	Written int64     `json:"written"` // of those, what earlier backups there did not have
	Removed int       `json:"removed"` // backups that were older than those to be kept
	Seconds float64   `json:"seconds"`
}

func reportOf(dir string, m *backup.Manifest, began time.Time) *BackupReport {
	return &BackupReport{Name: m.Name(), Where: dir, Moment: m.Moment, Digest: m.Digest, Entries: m.Entries, Files: m.Files.Count,
		Bytes: m.Bytes, Written: m.Written, Seconds: time.Since(began).Seconds()}
}

// Backup writes a store, as it is at one moment, with its pictures into a directory, while it
// is used. What the directory has already is not written again, also of a backup that was
// broken off.
func Backup(ctx context.Context, from Source, opt BackupOptions) (*BackupReport, error) {
	began := time.Now()
	d, err := backup.Create(opt.Dir)
	if err != nil {
		return nil, err
	}
	w, err := d.NewWriter(backup.Manifest{Program: opt.Program, Schema: record.Format, Engine: from.Engine.Info().Engine})
	if err != nil {
		return nil, err
	}
	moment, err := backupAll(ctx, from, w, opt)
	if err != nil {
		return nil, err
	}
	m, err := w.Finish(moment)
	if err != nil {
		return nil, err
	}
	r := reportOf(opt.Dir, m, began)
	if opt.Keep > 0 {
		if r.Removed, err = d.Prune(opt.Keep); err != nil {
			return nil, err
		}
	}
	last := record.LastBackup{Moment: m.Moment, Ended: m.Ended, Where: opt.Dir, Entries: m.Entries, Bytes: m.Bytes, Digest: m.Digest}
	_, err = from.Engine.Txn(ctx, nil, kv.Put{Key: record.LastBackupKey(), Data: record.Encode(last), Version: uint64(m.Ended.UnixMilli())})
	if err != nil {
		return nil, fmt.Errorf("note that the backup is complete: %w", err)
	}
	return r, nil
}

// backupAll writes shards and files, and returns of which moment they are.
func backupAll(ctx context.Context, from Source, w *backup.Writer, opt BackupOptions) (time.Time, error) {
	files := func() error {
		if from.Files == nil {
			return nil
		}
		opt.Progress.start("files", 0)
		defer opt.Progress.end()
		return w.Files(ctx, from.Files, opt.Progress.add)
	}
	if err := files(); err != nil {
		return time.Time{}, err
	}
	c, err := copyOf(ctx, from.Engine, opt.Scratch, opt.Progress)
	if err != nil {
		return time.Time{}, err
	}
	defer c.Close()
	opt.Progress.start("shards", kv.Shards)
	for shard := range uint16(kv.Shards) {
		if err := w.Shard(ctx, c, shard); err != nil {
			return time.Time{}, err
		}
		opt.Progress.add(1)
	}
	opt.Progress.end()
	return c.Moment(), files()
}

// Print writes the report for people.
func (r *BackupReport) Print(w io.Writer) error {
	_, err := fmt.Fprintf(w, "backup %s in %s: %s entries and %s files in %s, of which %s are new, in %.1f s\ndigest %s\n",
		r.Name, r.Where, group(r.Entries), group(r.Files), megabytes(r.Bytes), megabytes(r.Written), r.Seconds, r.Digest)
	if err == nil && r.Removed > 0 {
		_, err = fmt.Fprintf(w, "%d older backups were removed\n", r.Removed)
	}
	return err
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }
