package admin_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"linnet/internal/admin"
	"linnet/internal/admin/backup"
	"linnet/internal/blob"
	"linnet/internal/kv"
	"linnet/internal/kv/diskkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/kv/rediskv"
	"linnet/internal/kv/redistest"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/instance"
)

// enginesOfBackups returns functions that open an empty engine, by name.
func enginesOfBackups(t *testing.T) map[string]func(t *testing.T) kv.Engine {
	return map[string]func(t *testing.T) kv.Engine{
		"embedded": func(t *testing.T) kv.Engine {
			e, err := diskkv.Open(t.TempDir(), diskkv.Options{Sync: diskkv.SyncInterval, Reserve: -1, Logger: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { e.Close() })
			return e
		},
		"redis": func(t *testing.T) kv.Engine {
			e, err := rediskv.Open(t.Context(), redistest.Start(t).URL(), rediskv.Options{Guard: true, Logger: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { e.Close() })
			return e
		},
	}
}

func backupOf(t *testing.T, v *world, dir string) *admin.BackupReport {
	t.Helper()
	r, err := admin.Backup(t.Context(), sourceOf(v), admin.BackupOptions{To: backup.Target{Dir: dir}, Scratch: t.TempDir(), Program: "test"})
	v.must(err)
	return r
}

func sourceOf(v *world) admin.Source {
	return admin.Source{Engine: v.Store().Engine(), Files: v.App.Files()}
}

func digestIs(t *testing.T, e kv.Engine) string {
	t.Helper()
	d, err := admin.DigestOf(t.Context(), e, admin.DigestOptions{Shard: -1})
	if err != nil {
		t.Fatal(err)
	}
	return d.Digest
}

// TestBackupGoesFromEngineToEngine checks that a backup from either engine can be restored into
// either one. The content is the same and passes the check.
func TestBackupGoesFromEngineToEngine(t *testing.T) {
	for from, open := range enginesOfBackups(t) {
		t.Run("from "+from, func(t *testing.T) {
			e, dir := open(t), filepath.Join(t.TempDir(), "backup")
			v := newVillage(t, e)
			v.drain()
			v.stop()
			r := backupOf(t, v.world, dir)
			if is := digestIs(t, e); is != r.Digest || r.Entries == 0 {
				t.Errorf("the backup of %d entries has the digest %s, the store %s", r.Entries, r.Digest, is)
			}
			for into, open := range enginesOfBackups(t) {
				t.Run("into "+into, func(t *testing.T) {
					to := open(t)
					if _, err := admin.Restore(t.Context(), to, nil, admin.RestoreOptions{From: backup.Target{Dir: dir}}); err != nil {
						t.Fatal(err)
					}
					if is := digestIs(t, to); is != r.Digest {
						t.Errorf("the restored store has the digest %s, want %s", is, r.Digest)
					}
					if again, err := admin.Restore(t.Context(), to, nil, admin.RestoreOptions{From: backup.Target{Dir: dir}}); err != nil || again.Digest != r.Digest {
						t.Errorf("restored again, as after a kill at the very end: %+v, %v", again, err)
					}
					w := newWorld(t, to)
					w.mustBeClean()
					w.post(v.ann, linnet.Draft{Text: "the store is used"})
					w.drain()
					w.stop()
					if _, err := admin.Restore(t.Context(), to, nil, admin.RestoreOptions{From: backup.Target{Dir: dir}}); !errors.Is(err, admin.ErrNotEmpty) {
						t.Errorf("restored a second time: %v", err)
					}
				})
			}
			trial := enginesOfBackups(t)["embedded"](t)
			verified, err := admin.Verify(t.Context(), trial, admin.RestoreOptions{From: backup.Target{Dir: dir}})
			if err != nil || !verified.Sound() || verified.Check.Statuses == 0 {
				t.Errorf("verified: %+v, %v", verified, err)
			}
		})
	}
}

// TestBackupIsOfOneMoment checks that backups made while users follow and post restore to stores
// that pass the check.
func TestBackupIsOfOneMoment(t *testing.T) {
	for name, open := range enginesOfBackups(t) {
		t.Run(name, func(t *testing.T) {
			v := newVillage(t, open(t))
			dir, busy := filepath.Join(t.TempDir(), "backup"), make(chan struct{})
			ctx, stop := context.WithCancel(t.Context())
			begun := make(chan struct{}, 1)
			go func() {
				defer close(busy)
				for n := 0; ctx.Err() == nil; n++ {
					v.post(v.bob, linnet.Draft{Text: fmt.Sprintf("post %d @ann #busy%d", n, n%5)})
					if v.follow(v.ann, v.eve); n%2 == 1 {
						_, err := v.Social.Unfollow(v.ctx, v.ann, v.eve)
						v.must(err)
					}
					select {
					case begun <- struct{}{}:
					default:
					}
				}
			}()
			<-begun
			for range 3 {
				backupOf(t, v.world, dir)
			}
			stop()
			<-busy
			d, err := backup.Open(v.ctx, backup.Target{Dir: dir}, backup.Identities{})
			v.must(err)
			names, err := d.Names(v.ctx)
			v.must(err)
			if len(names) != 3 {
				t.Fatalf("backups %v", names)
			}
			for _, name := range names {
				to := memkv.New(memkv.Options{})
				_, err := admin.Restore(t.Context(), to, nil, admin.RestoreOptions{From: backup.Target{Dir: dir}, Name: name})
				v.must(err)
				restored := newWorld(t, to)
				restored.drain() // tasks that were queued at the time of the backup
				restored.mustBeClean()
			}
		})
	}
}

// TestBackupWritesWhatIsNew checks that a second backup of the same store writes nothing. After one
// change it writes only the affected chunks.
func TestBackupWritesWhatIsNew(t *testing.T) {
	e, dir := memkv.New(memkv.Options{}), filepath.Join(t.TempDir(), "backup")
	v := newVillage(t, e)
	v.drain()
	v.stop()
	first := backupOf(t, v.world, dir)
	second := backupOf(t, v.world, dir)
	if first.Written == 0 || second.Written != 0 || second.Digest != first.Digest {
		t.Errorf("the first backup writes %d bytes, the same again %d", first.Written, second.Written)
	}
	key := record.StatusKey(v.first)
	_, err := e.Txn(t.Context(), nil, kv.Put{Key: key, Data: []byte(`{}`), Version: 9})
	v.must(err)
	if third := backupOf(t, v.world, dir); third.Written == 0 || third.Written > first.Written/2 {
		t.Errorf("one record that changed has %d bytes written, all of it %d", third.Written, first.Written)
	}
	r, err := admin.Backup(t.Context(), sourceOf(v.world), admin.BackupOptions{To: backup.Target{Dir: dir}, Keep: 2})
	v.must(err)
	if r.Removed != 2 {
		t.Errorf("%d backups were removed, want 2", r.Removed)
	}
	get := &kv.Get{Key: record.LastBackupKey()}
	var last record.LastBackup
	v.must(e.Read(t.Context(), get))
	if v.must(record.Decode(get, &last)); last.Digest != r.Digest || last.Where != dir {
		t.Errorf("the store says that its last backup is %+v", last)
	}
}

// TestBackupTakesPicturesAlong checks that a backup includes media files, and verification notices
// damaged ones.
func TestBackupTakesPicturesAlong(t *testing.T) {
	files, err := blob.NewDir(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	name := blob.NewName("png")
	if err := files.Put(t.Context(), name, "image/png", bytes.NewReader([]byte("a picture"))); err != nil {
		t.Fatal(err)
	}
	v := newWorldWith(t, memkv.New(memkv.Options{}), files)
	dir := filepath.Join(t.TempDir(), "backup")
	if r := backupOf(t, v, dir); r.Files != 1 {
		t.Fatalf("%d files", r.Files)
	}
	to, err := blob.NewDir(t.TempDir())
	v.must(err)
	_, err = admin.Restore(t.Context(), memkv.New(memkv.Options{}), to, admin.RestoreOptions{From: backup.Target{Dir: dir}})
	v.must(err)
	f, err := to.Open(t.Context(), name)
	v.must(err)
	var got bytes.Buffer
	_, err = got.ReadFrom(f)
	if f.Close(); err != nil || got.String() != "a picture" {
		t.Errorf("got %q, %v", got.String(), err)
	}
	turnBit(t, dir, "files", math.MaxInt)
	if _, err := admin.Verify(t.Context(), memkv.New(memkv.Options{}), admin.RestoreOptions{From: backup.Target{Dir: dir}}); !errors.Is(err, backup.ErrDamaged) {
		t.Errorf("a picture with another bit: %v", err)
	}
}

// turnBit flips a random bit in the first bytes of a random file in one part of a backup.
func turnBit(t *testing.T, dir, part string, first int) {
	t.Helper()
	var paths []string
	filepath.Walk(filepath.Join(dir, part), func(path string, info os.FileInfo, err error) error {
		if err == nil && info.Mode().IsRegular() {
			paths = append(paths, path)
		}
		return err
	})
	path := paths[rand.IntN(len(paths))]
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[rand.IntN(min(first, len(data)))] ^= 1 << rand.IntN(8)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestDamagedBackupIsRefused checks that Restore refuses backups with flipped bits or missing
// pieces. It writes nothing if it can detect the damage before. Compression ignores a few bits of a
// chunk, so flipping one of them can be harmless.
func TestDamagedBackupIsRefused(t *testing.T) {
	v := newVillage(t, memkv.New(memkv.Options{}))
	v.drain()
	v.stop()
	for name, harm := range map[string]func(dir string){
		"bit of a chunk":   func(dir string) { turnBit(t, dir, "chunks", math.MaxInt) },
		"start of a chunk": func(dir string) { turnBit(t, dir, "chunks", len("\x28\xb5\x2f\xfd")) },
		"chunk missing":    func(dir string) { removeOne(t, filepath.Join(dir, "chunks", "*", "*")) },
		"bit of the manifest": func(dir string) {
			paths, _ := filepath.Glob(filepath.Join(dir, "manifest-*"))
			data, _ := os.ReadFile(paths[0])
			at := bytes.Index(data, []byte(`"entries":`)) + len(`"entries":`)
			data[at] ^= 1
			os.WriteFile(paths[0], data, 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir, to := filepath.Join(t.TempDir(), "backup"), memkv.New(memkv.Options{})
			made := backupOf(t, v.world, dir)
			harm(dir)
			_, err := admin.Restore(t.Context(), to, nil, admin.RestoreOptions{From: backup.Target{Dir: dir}})
			if err == nil && name == "bit of a chunk" && digestIs(t, to) == made.Digest {
				return
			}
			if !errors.Is(err, backup.ErrDamaged) {
				t.Errorf("restored: %v", err)
			}
			if err := store.New(to, store.Options{}).Instance.CheckFormat(t.Context()); strings.HasSuffix(name, "of a chunk") && !errors.Is(err, instance.ErrRestoring) {
				t.Errorf("a server would start on half a store: %v", err)
			}
		})
	}
}

func removeOne(t *testing.T, pattern string) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no %s: %v", pattern, err)
	}
	if err := os.Remove(paths[rand.IntN(len(paths))]); err != nil {
		t.Fatal(err)
	}
}

// TestNewerBackupIsRefused checks that this program refuses backups of a newer format, and
// directories with other files. The error says what to do.
func TestNewerBackupIsRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "backup")
	v := newWorld(t, memkv.New(memkv.Options{}))
	backupOf(t, v, dir)
	if err := os.WriteFile(filepath.Join(dir, "LINNET-BACKUP"), []byte("linnet backup, format 9\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := admin.Restore(t.Context(), memkv.New(memkv.Options{}), nil, admin.RestoreOptions{From: backup.Target{Dir: dir}})
	if !errors.Is(err, backup.ErrNewer) || !strings.Contains(err.Error(), "use that version") {
		t.Errorf("a newer backup: %v", err)
	}
	if _, err := admin.Backup(t.Context(), sourceOf(v), admin.BackupOptions{To: backup.Target{Dir: dir}}); !errors.Is(err, backup.ErrNewer) {
		t.Errorf("a backup beside newer ones: %v", err)
	}
	if _, err := admin.Backup(t.Context(), sourceOf(v), admin.BackupOptions{To: backup.Target{Dir: t.TempDir()}}); err != nil {
		t.Errorf("into an empty directory: %v", err)
	}
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "thesis.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := admin.Backup(t.Context(), sourceOf(v), admin.BackupOptions{To: backup.Target{Dir: full}}); !errors.Is(err, backup.ErrForeign) {
		t.Errorf("into a directory with something else: %v", err)
	}
	if _, err := admin.Restore(t.Context(), memkv.New(memkv.Options{}), nil, admin.RestoreOptions{From: backup.Target{Dir: t.TempDir()}}); !errors.Is(err, backup.ErrNoBackup) {
		t.Errorf("from a directory without any: %v", err)
	}
}

// TestRestoreGoesOn checks that a restore that is interrupted after any number of writes can be
// continued to the same result.
func TestRestoreGoesOn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "backup")
	v := newVillage(t, memkv.New(memkv.Options{}))
	v.drain()
	v.stop()
	r := backupOf(t, v.world, dir)
	to := memkv.New(memkv.Options{})
	broken := 0
	for writes := 1; ; writes += 3 {
		ctx, cancel := context.WithCancel(t.Context())
		failing := &stopAfter{Engine: to, left: writes, stop: cancel}
		_, err := admin.Restore(ctx, failing, nil, admin.RestoreOptions{From: backup.Target{Dir: dir}})
		cancel()
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		broken++
		if err := store.New(to, store.Options{}).Instance.CheckFormat(t.Context()); !errors.Is(err, instance.ErrRestoring) {
			t.Fatalf("a server would start on half a store: %v", err)
		}
	}
	if is := digestIs(t, to); is != r.Digest || broken < 3 {
		t.Errorf("broken off %d times it comes to %s, want %s", broken, is, r.Digest)
	}
	newWorld(t, to).mustBeClean()
}

// TestBackupGoesOn checks that a backup that is interrupted at any shard can't be restored. The
// next one reuses its pieces.
func TestBackupGoesOn(t *testing.T) {
	e, dir := memkv.New(memkv.Options{}), filepath.Join(t.TempDir(), "backup")
	v := newVillage(t, e)
	v.drain()
	v.stop()
	whole := backupOf(t, v.world, filepath.Join(t.TempDir(), "whole"))
	for _, after := range []int{0, 100, 600, 1000} {
		ctx, cancel := context.WithCancel(t.Context())
		if _, err := admin.Backup(ctx, admin.Source{Engine: &stopCopy{Engine: e, after: after, stop: cancel}}, admin.BackupOptions{To: backup.Target{Dir: dir}}); !errors.Is(err, context.Canceled) {
			t.Fatalf("broken off: %v", err)
		}
		if _, err := admin.Restore(t.Context(), memkv.New(memkv.Options{}), nil, admin.RestoreOptions{From: backup.Target{Dir: dir}}); !errors.Is(err, backup.ErrNoBackup) {
			t.Errorf("half a backup is restored: %v", err)
		}
		cancel()
	}
	r := backupOf(t, v.world, dir)
	if r.Digest != whole.Digest || r.Written == 0 || r.Written > whole.Written/2 {
		t.Errorf("it goes on with %d bytes of %d, and the digest %s, want %s", r.Written, whole.Written, r.Digest, whole.Digest)
	}
}

// stopCopy is an engine whose copy stops after some shards.
type stopCopy struct {
	kv.Engine
	after int
	stop  func()
}

func (s *stopCopy) Copy(ctx context.Context, opt kv.CopyOptions) (kv.Copy, error) {
	c, err := s.Engine.Copy(ctx, opt)
	return &halfCopy{c, s}, err
}

type halfCopy struct {
	kv.Copy
	of *stopCopy
}

func (h *halfCopy) Shard(ctx context.Context, shard uint16, each func(*kv.Entry) error) error {
	if int(shard) >= h.of.after {
		h.of.stop()
		return context.Canceled
	}
	return h.Copy.Shard(ctx, shard, each)
}

// stopAfter is an engine that cancels its caller after some writes.
type stopAfter struct {
	kv.Engine
	mu   sync.Mutex
	left int
	stop func()
}

func (s *stopAfter) spend() error {
	defer s.mu.Unlock()
	s.mu.Lock()
	if s.left--; s.left < 0 {
		s.stop()
		return context.Canceled
	}
	return nil
}

func (s *stopAfter) Apply(ctx context.Context, changes ...kv.Op) error {
	if err := s.spend(); err != nil {
		return err
	}
	return s.Engine.Apply(ctx, changes...)
}

func (s *stopAfter) Txn(ctx context.Context, conds []kv.Cond, changes ...kv.Op) (int, error) {
	if err := s.spend(); err != nil {
		return -1, err
	}
	return s.Engine.Txn(ctx, conds, changes...)
}

// TestNewestManifestIsMissed checks that a location without its newest manifest counts as damaged,
// until there is a new backup. Users can still choose older backups by name or file name.
func TestNewestManifestIsMissed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "backup")
	v := newVillage(t, memkv.New(memkv.Options{}))
	v.drain()
	older := backupOf(t, v.world, dir)
	newest := backupOf(t, v.world, dir)
	at := func(name string) admin.RestoreOptions {
		return admin.RestoreOptions{From: backup.Target{Dir: dir}, Name: name}
	}
	verify := func(name string) (*admin.Verified, error) {
		return admin.Verify(t.Context(), memkv.New(memkv.Options{}), at(name))
	}
	for _, name := range []string{newest.Name, "manifest-" + newest.Name + ".json", filepath.Join(dir, "manifest-"+newest.Name+".json"), ""} {
		if r, err := verify(name); err != nil || r.Name != newest.Name {
			t.Errorf("%q: %+v, %v", name, r, err)
		}
	}
	if err := os.Remove(filepath.Join(dir, "manifest-"+newest.Name+".json")); err != nil {
		t.Fatal(err)
	}
	_, verified := verify("")
	_, restored := admin.Restore(t.Context(), memkv.New(memkv.Options{}), nil, at(""))
	for _, err := range []error{verified, restored} {
		if !errors.Is(err, backup.ErrDamaged) || !strings.Contains(err.Error(), newest.Name) {
			t.Errorf("without the newest manifest: %v", err)
		}
	}
	if r, err := verify("manifest-" + older.Name + ".json"); err != nil || r.Name != older.Name {
		t.Errorf("an older backup: %+v, %v", r, err)
	}
	third := backupOf(t, v.world, dir)
	if r, err := verify(""); err != nil || r.Name != third.Name {
		t.Errorf("a new backup: %+v, %v", r, err)
	}
}
