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

// Verified says what became of a backup that was verified.
type Verified struct {
	*BackupReport
	Check *Report `json:"check"` // of the store that was restored from it
}

// Verify reads all of a backup, compares everything with the hashes and digests that were
// written, restores it into trial, an empty store that nobody else uses, and checks that as
// Check does. Damage is an error; what Check finds is in the report.
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
	opt.Name = r.Name() // a newer one may come meanwhile
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

// Damage reads a backup in which Verify has met damage to its end, and names the pieces that
// are missing or not as they were written. With discard it removes them: a backup that is made
// then writes them anew, if the store still holds the same.
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

// checkTrial checks a store that was restored to look at it.
func checkTrial(ctx context.Context, trial kv.Engine, files map[string]bool, p *Progress) (*Report, error) {
	st := store.New(trial, store.Options{})
	if err := st.Accounts.CheckFormat(ctx); err != nil {
		return nil, fmt.Errorf("open the restored store: %w", err)
	}
	svc, err := app.New(st, app.Options{Exclusive: true, PublicURL: "http://localhost", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return nil, fmt.Errorf("open the restored store: %w", err)
	}
	defer svc.Close()
	return Check(ctx, svc, CheckOptions{Progress: p, HasFile: func(name string) bool { return files[name] }, Pause: time.Millisecond})
}

// Sound reports whether nothing is wrong.
func (v *Verified) Sound() bool { return v.Check.Count[Breach] == 0 }

// Print writes the report for people.
func (v *Verified) Print(w io.Writer) error {
	if err := v.Check.Print(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "backup %s of %s: %s entries and %s files are as they were written, and a store was restored from them\n",
		v.Name, v.Moment.Format(time.RFC3339), group(v.Entries), group(v.Files))
	return err
}
