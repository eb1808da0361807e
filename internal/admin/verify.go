package admin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"linnet/internal/app"
	"linnet/internal/kv"
	"linnet/internal/store"
)

// Verified is the result of verifying a backup.
type Verified struct {
	*BackupReport
	Check *Report `json:"check"` // check of the restored store
}

// Verify reads a whole backup, compares it with its hashes and digests, restores it into trial, an
// empty store for this purpose, and runs Check there. Damage is an error. Findings of Check are in
// the report.
func Verify(ctx context.Context, trial kv.Engine, opt RestoreOptions) (*Verified, error) {
	r, err := openBackup(ctx, opt)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	files, err := r.List(ctx)
	if err != nil {
		return nil, err
	}
	opt.Name = r.Name() // a newer backup may be completed in the meantime
	names := map[string]bool{}
	opt.Progress.start("files", int64(len(files)))
	for _, f := range files {
		if err := errors.Join(ctx.Err(), r.Check(ctx, f)); err != nil {
			return nil, err
		}
		names[f.Name] = true
		opt.Progress.add(1)
	}
	opt.Progress.end()
	restored, err := Restore(ctx, trial, nil, opt)
	if err != nil {
		return nil, err
	}
	report, err := checkTrial(ctx, trial, names, opt.Progress)
	return &Verified{restored, report}, err
}

// Damage reads a damaged backup to the end and returns the paths of missing and damaged data. With
// discard it deletes them, so that the next backup writes them again if the store still has them.
func Damage(ctx context.Context, opt RestoreOptions, discard bool) ([]string, error) {
	r, err := openBackup(ctx, opt)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	paths, err := r.Damaged(ctx)
	if err == nil && discard {
		err = r.Discard(ctx, paths)
	}
	return paths, err
}

// checkTrial checks a store that was restored for verification.
func checkTrial(ctx context.Context, trial kv.Engine, files map[string]bool, p *Progress) (*Report, error) {
	st := store.New(trial, store.Options{})
	if err := st.Instance.CheckFormat(ctx); err != nil {
		return nil, fmt.Errorf("open the restored store: %w", err)
	}
	svc, err := app.New(st, app.Options{Exclusive: true, PublicURL: "http://localhost", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return nil, fmt.Errorf("open the restored store: %w", err)
	}
	defer svc.Close()
	return Check(ctx, svc, CheckOptions{Progress: p, HasFile: func(name string) bool { return files[name] }, Pause: time.Millisecond})
}

// Sound reports whether there is no breach.
func (v *Verified) Sound() bool { return v.Check.Count[Breach] == 0 }

// Print writes the report for people.
func (v *Verified) Print(w io.Writer) error {
	if err := v.Check.Print(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "backup %s of %s is intact: checked %s entries and %s files, and restored them into a temporary store\n",
		v.Name, v.Moment.Format(time.RFC3339), group(v.Entries), group(v.Files))
	return err
}
