package admin

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"strings"
	"time"

	"linnet/internal/admin/backup"
	"linnet/internal/blob"
	"linnet/internal/kv"
	"linnet/internal/record"
	"linnet/internal/wording"
)

// Source is the store to back up, whether servers use it or not.
type Source struct {
	Engine kv.Engine
	Files  blob.Store // nil if there are none
}

// BackupOptions adjust a backup.
type BackupOptions struct {
	To         backup.Target
	Recipients backup.Recipients // recipients of the encryption; none means unencrypted
	Scratch    string            // directory for temporary data of a Redis copy
	Program    string            // version of the program
	Keep       int               // number of backups that are not deleted; 0 for all
	Progress   *Progress
}

// BackupReport describes a backup.
type BackupReport struct {
	Name    string    `json:"name"`
	Where   string    `json:"where"`
	Moment  time.Time `json:"moment"`
	Digest  string    `json:"digest"`
	Entries int64     `json:"entries"`
	Files   int64     `json:"files"`
	Bytes   int64     `json:"bytes"`   // of the whole backup
	Written int64     `json:"written"` // bytes that earlier backups at the location don't have
	Removed int       `json:"removed"` // number of deleted older backups
	Seconds float64   `json:"seconds"`
	Unnoted string    `json:"unnoted,omitempty"` // error of recording it in the store
	Lacks   *Lack     `json:"lacks,omitempty"`   // missing files
	Unsure  string    `json:"unsure,omitempty"`  // message with the reason if missing files are not known
}

func reportOf(where backup.Target, m *backup.Manifest, began time.Time) *BackupReport {
	return &BackupReport{Name: m.Name(), Where: where.String(), Moment: m.Moment, Digest: m.Digest, Entries: m.Entries, Files: m.Files.Count,
		Bytes: m.Bytes, Written: m.Written, Seconds: time.Since(began).Seconds()}
}

// Backup writes a consistent copy of a store and its media to a directory or bucket while the store
// is in use. It skips existing data, including the data of an interrupted backup.
func Backup(ctx context.Context, from Source, opt BackupOptions) (*BackupReport, error) {
	began := time.Now()
	var names []byte
	var err error
	if len(opt.Recipients) > 0 {
		if names, err = backupNames(ctx, from.Engine); err != nil {
			return nil, err
		}
	}
	p, err := backup.Create(ctx, opt.To, opt.Recipients, names)
	if err != nil {
		return nil, err
	}
	m, named, err := backupInto(ctx, from, p, opt)
	if err != nil {
		return nil, err
	}
	r := reportOf(opt.To, m, began)
	// All data is written by now, so a failure to find missing files doesn't undo the backup.
	if r.Lacks, err = named.lack(ctx, from); err != nil {
		r.Unsure = string(wording.Messagef("Couldn't check whether the backup contains all files that the store refers to: %v", err))
	}
	whole, err := noteBackup(ctx, from.Engine, m, r)
	if err != nil {
		// The backup is complete anyway. Backups are needed most when a disk is full, and then the
		// result can't be recorded.
		r.Unnoted = err.Error()
	}
	if opt.Keep > 0 {
		if r.Removed, err = p.Prune(ctx, opt.Keep, backup.NameOf(whole)); err != nil {
			return nil, fmt.Errorf("backup %s is complete, but older backups could not be deleted: %w", r.Name, err)
		}
	}
	return r, nil
}

// noteBackup records the backup in the store. It returns the time of the last backup with all
// files, or zero if there is none.
func noteBackup(ctx context.Context, e kv.Engine, m *backup.Manifest, r *BackupReport) (whole time.Time, err error) {
	last := record.LastBackup{Moment: m.Moment, Ended: m.Ended, Where: r.Where, Entries: m.Entries, Bytes: m.Bytes, Digest: m.Digest}
	if r.Lacks != nil || r.Unsure != "" {
		var before record.LastBackup
		get := &kv.Get{Key: record.LastBackupKey()}
		if err := e.Read(ctx, get); err != nil {
			return whole, err
		}
		if get.Version > 0 {
			if err := record.Decode(get, &before); err != nil {
				return whole, err
			}
		}
		last.Unsure, last.Whole = r.Unsure, before.Succeeded()
		if r.Lacks != nil {
			last.Lacks = string(r.Lacks.Message())
		}
	}
	_, err = e.Txn(ctx, nil, kv.Put{Key: record.LastBackupKey(), Data: record.Encode(last), Version: uint64(m.Ended.UnixMilli())})
	return last.Succeeded(), err
}

// backupInto writes a backup. It also returns the names of the files in its records.
func backupInto(ctx context.Context, from Source, p *backup.Location, opt BackupOptions) (*backup.Manifest, *naming, error) {
	w, err := p.NewWriter(ctx, backup.Manifest{Program: opt.Program, Schema: record.Format, Engine: from.Engine.Info().Engine})
	if err != nil {
		return nil, nil, err
	}
	defer w.Close()
	named, err := backupAll(ctx, from, w, opt)
	if err != nil {
		return nil, nil, err
	}
	m, err := w.Finish(ctx, named.Moment())
	return m, named, err
}

// backupNames reads the secret from which the names of encrypted data are derived, and creates it
// if necessary.
func backupNames(ctx context.Context, e kv.Engine) ([]byte, error) {
	get := &kv.Get{Key: record.BackupNamesKey()}
	for {
		if err := e.Read(ctx, get); err != nil {
			return nil, fmt.Errorf("read the secret of encrypted backups: %w", err)
		}
		if get.Version > 0 {
			var names record.BackupNames
			err := record.Decode(get, &names)
			return names.Secret, err
		}
		made := record.BackupNames{Secret: make([]byte, 32)}
		_, _ = rand.Read(made.Secret) // never fails
		_, err := e.Txn(ctx, []kv.Cond{kv.Absent(get.Key)}, kv.Put{Key: get.Key, Data: record.Encode(made), Version: 1})
		if err != nil {
			return nil, fmt.Errorf("create the secret of encrypted backups: %w", err)
		}
	}
}

// backupAll writes shards and files. It returns the time of the copy and the file names in it.
func backupAll(ctx context.Context, from Source, w *backup.Writer, opt BackupOptions) (*naming, error) {
	files := func() error {
		if from.Files == nil {
			return nil
		}
		opt.Progress.start(wording.Store("files"), 0)
		defer opt.Progress.end()
		return w.Files(ctx, from.Files, opt.Progress.add)
	}
	if err := files(); err != nil {
		return nil, err
	}
	c, err := copyOf(ctx, from.Engine, opt.Scratch, opt.Progress)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	named := &naming{Copy: c, to: w, lacking: map[string]kv.Key{}}
	if from.Files != nil {
		c = named
	}
	opt.Progress.start(wording.Store("shards"), kv.Shards)
	for shard := range uint16(kv.Shards) {
		if err := w.Shard(ctx, c, shard); err != nil {
			return nil, err
		}
		opt.Progress.add(1)
	}
	opt.Progress.end()
	if err := files(); err != nil {
		return nil, err
	}
	return named, nil
}

// Warning describes failures apart from the backup itself; "" for none.
func (r *BackupReport) Warning() string {
	var out []string
	if r.Unnoted != "" {
		out = append(out, fmt.Sprintf("backup %s is complete, but its time could not be recorded, so linnet doctor and the metrics still show the previous backup: %s", r.Name, r.Unnoted))
	}
	if r.Unsure != "" {
		out = append(out, fmt.Sprintf("backup %s is complete. %s", r.Name, wording.Message(r.Unsure)))
	}
	return strings.Join(out, "; ")
}

// Print writes the report for people.
func (r *BackupReport) Print(w io.Writer) error {
	_, err := fmt.Fprintf(w, "backup %s in %s: %s entries and %s files, %s in total and %s new, in %.1f s\ndigest %s\n",
		r.Name, r.Where, group(r.Entries), group(r.Files), megabytes(r.Bytes), megabytes(r.Written), r.Seconds, r.Digest)
	if err == nil && r.Removed > 0 {
		_, err = fmt.Fprintf(w, "deleted older backups: %d\n", r.Removed)
	}
	return err
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }
