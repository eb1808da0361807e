package admin_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"linnet/internal/admin"
	"linnet/internal/admin/backup"
	"linnet/internal/blob"
	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/record"
	"linnet/internal/store"
)

// backedUp makes a backup, and returns its report and what the store recorded about it.
func backedUp(t *testing.T, from admin.Source, opt admin.BackupOptions) (*admin.BackupReport, record.LastBackup) {
	t.Helper()
	r, err := admin.Backup(t.Context(), from, opt)
	if err != nil {
		t.Fatal(err)
	}
	last, _, err := store.New(from.Engine, store.Options{}).Instance.LastBackup(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r, last
}

// TestBackupWithoutItsPictures checks that a backup without files that the store names reports it,
// and the store records it. Older backups that have the files are not removed.
func TestBackupWithoutItsPictures(t *testing.T) {
	files, name := picturesWith(t, "a picture")
	e := memkv.New(memkv.Options{})
	names(t, e, name, 1)
	to := backup.Target{Dir: filepath.Join(t.TempDir(), "backup")}
	made := func(files blob.Store) (*admin.BackupReport, record.LastBackup) {
		t.Helper()
		return backedUp(t, admin.Source{Engine: e, Files: files}, admin.BackupOptions{To: to, Keep: 1})
	}
	whole, last := made(files)
	if whole.Lacks != nil || last.Lacks != "" || !last.Succeeded().Equal(whole.Moment) {
		t.Errorf("with all: %+v %+v", whole.Lacks, last)
	}
	empty, err := blob.NewDir(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r, last := made(empty)
	if r.Lacks == nil || r.Lacks.Files != 1 || r.Lacks.Named[0] != name || r.Lacks.Location != empty.Where() || r.Removed != 0 {
		t.Errorf("without: %+v, %d removed", r.Lacks, r.Removed)
	}
	if !strings.Contains(last.Lacks, name) || !last.Succeeded().Equal(whole.Moment) {
		t.Errorf("noted: %+v", last)
	}
	if r, last = made(files); r.Lacks != nil || last.Lacks != "" || r.Removed != 2 {
		t.Errorf("with all again: %+v, %d removed, %+v", r.Lacks, r.Removed, last)
	}
	clock := time.Now()
	k := admin.NewBackupScheduler(t.Context(), admin.Source{Engine: e, Files: empty}, keeperInto(to, &clock))
	if err := k.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	k.Wait()
	if _, _, kept, err := store.New(e, store.Options{}).Instance.Backups(t.Context()); err != nil || kept.Made.IsZero() || !strings.Contains(kept.Why, name) {
		t.Errorf("noted by the keeper: %+v %v", kept, err)
	}
}

// names makes the store name a file.
func names(t *testing.T, e kv.Engine, file string, version uint64) {
	t.Helper()
	var r record.Instance
	r.Icon.Name = file
	if _, err := e.Txn(t.Context(), nil, kv.Put{Key: record.MetaKey("instance"), Data: record.Encode(r), Version: version}); err != nil {
		t.Fatal(err)
	}
}

// ending is a file store that deletes a file before its first walk, and the record that names it
// before later ones.
type ending struct {
	blob.Store
	t     *testing.T
	e     kv.Engine
	name  string
	walks int
}

func (f *ending) Walk(ctx context.Context, each func(blob.Info) error) error {
	if f.walks++; f.walks == 1 {
		if err := f.Delete(ctx, f.name); err != nil {
			f.t.Error(err)
		}
	} else {
		names(f.t, f.e, "", 2)
	}
	return f.Store.Walk(ctx, each)
}

// TestBackupWhilePicturesGo checks that a backup doesn't report files that were deleted while it
// ran.
func TestBackupWhilePicturesGo(t *testing.T) {
	files, name := picturesWith(t, "a picture")
	e := memkv.New(memkv.Options{})
	names(t, e, name, 1)
	r, err := admin.Backup(t.Context(), admin.Source{Engine: e, Files: &ending{Store: files, t: t, e: e, name: name}},
		admin.BackupOptions{To: backup.Target{Dir: filepath.Join(t.TempDir(), "backup")}})
	if err != nil || r.Lacks != nil {
		t.Errorf("%+v %v", r, err)
	}
}

// TestBackupsKeptWithoutAPicture checks that old backups are removed while a file stays missing,
// except the last one that has the file. If no backup is known to be complete, none is removed.
func TestBackupsKeptWithoutAPicture(t *testing.T) {
	for _, began := range []bool{true, false} { // starts with a complete backup
		files, name := picturesWith(t, "a picture")
		for range 2 {
			if err := files.Put(t.Context(), blob.NewName("png"), "image/png", strings.NewReader("another")); err != nil {
				t.Fatal(err)
			}
		}
		e := memkv.New(memkv.Options{})
		names(t, e, name, 1)
		const keep = 2
		opt := admin.BackupOptions{To: backup.Target{Dir: filepath.Join(t.TempDir(), "backup")}, Keep: keep}
		made := func() *admin.BackupReport {
			t.Helper()
			r, err := admin.Backup(t.Context(), admin.Source{Engine: e, Files: files}, opt)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		var whole *admin.BackupReport
		if began {
			whole = made()
		}
		if err := files.Delete(t.Context(), name); err != nil {
			t.Fatal(err)
		}
		for range keep + 2 {
			if r := made(); r.Lacks == nil || r.Lacks.Files != 1 {
				t.Fatalf("it lacks %+v", r.Lacks)
			}
		}
		p, err := backup.Open(t.Context(), opt.To, backup.Identities{})
		if err != nil {
			t.Fatal(err)
		}
		there, err := p.Names(t.Context())
		switch {
		case err != nil:
			t.Fatal(err)
		case began && (len(there) != keep+1 || there[0] != whole.Name):
			t.Errorf("there are %q, the one with all is %s", there, whole.Name)
		case began:
			if _, err := admin.Verify(t.Context(), memkv.New(memkv.Options{}), admin.RestoreOptions{From: opt.To, Name: whole.Name}); err != nil {
				t.Error(err)
			}
		case len(there) != keep+2:
			t.Errorf("without any that has all there are %q", there)
		}
	}
}

// unopened is a file store in which no file can be opened. It counts the attempts.
type unopened struct {
	blob.Store
	opens int
}

func (f *unopened) Open(context.Context, string) (*blob.File, error) {
	f.opens++
	return nil, errors.New("timeout")
}

// TestBackupFromAWrongPlace checks that a backup doesn't try to open files that the location
// doesn't list, and completes without them.
func TestBackupFromAWrongPlace(t *testing.T) {
	e := memkv.New(memkv.Options{})
	names(t, e, blob.NewName("png"), 1)
	empty, err := blob.NewDir(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	files := &unopened{Store: empty}
	r, err := admin.Backup(t.Context(), admin.Source{Engine: e, Files: files}, admin.BackupOptions{To: backup.Target{Dir: filepath.Join(t.TempDir(), "backup")}})
	if err != nil || r.Lacks == nil || r.Lacks.Files != 1 || files.opens > 0 {
		t.Errorf("%+v %v, %d were opened", r, err, files.opens)
	}
}

// tiring is an engine that fails some reads of the instance record.
type tiring struct {
	kv.Engine
	fails int
}

func (e *tiring) Read(ctx context.Context, qs ...kv.Query) error {
	for _, q := range qs {
		if get, ok := q.(*kv.Get); ok && get.Key == record.MetaKey("instance") && e.fails > 0 {
			e.fails--
			return kv.ErrUnavailable
		}
	}
	return e.Engine.Read(ctx, qs...)
}

// TestBackupNotLookedAt checks that a backup completes with a warning if it can't read which files
// the store still names. It removes no complete backup then.
func TestBackupNotLookedAt(t *testing.T) {
	files, name := picturesWith(t, "a picture")
	e := &tiring{Engine: memkv.New(memkv.Options{})}
	names(t, e, name, 1)
	opt := admin.BackupOptions{To: backup.Target{Dir: filepath.Join(t.TempDir(), "backup")}, Keep: 1}
	made := func() (*admin.BackupReport, record.LastBackup) {
		t.Helper()
		return backedUp(t, admin.Source{Engine: e, Files: files}, opt)
	}
	whole, _ := made()
	if err := files.Delete(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	e.fails = 1000
	r, last := made()
	if r.Lacks != nil || r.Unsure == "" || r.Removed != 0 || !strings.Contains(r.Warning(), "Couldn't check whether the backup") {
		t.Errorf("not known: %+v", r)
	}
	if last.Lacks != "" || last.Unsure == "" || !last.Succeeded().Equal(whole.Moment) {
		t.Errorf("noted: %+v", last)
	}
	e.fails = 1
	if r, last = made(); r.Lacks == nil || r.Unsure != "" || last.Unsure != "" {
		t.Errorf("after a fault that passed: %+v", r)
	}
}
