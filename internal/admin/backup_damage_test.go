package admin_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"linnet/internal/admin"
	"linnet/internal/admin/backup"
	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
)

// TestNextBackupReplacesWhatWasCutOff checks that a new backup rewrites only the pieces with a
// wrong size, whether it is encrypted or not.
func TestNextBackupReplacesWhatWasCutOff(t *testing.T) {
	files, _ := picturesWith(t, strings.Repeat("a picture ", 20_000))
	v := newWorldWith(t, memkv.New(memkv.Options{}), files)
	v.drain()
	v.stop()
	identity, ann := keyPair(t)
	for how, to := range map[string]backup.Recipients{"plain": nil, "encrypted": recipients(t, ann)} {
		for part, pattern := range map[string]string{"chunk": "chunks/*/*", "picture": "files/*/*"} {
			t.Run(how+" "+part, func(t *testing.T) {
				dir := filepath.Join(t.TempDir(), "backup")
				opt := admin.BackupOptions{To: backup.Target{Dir: dir}, Recipients: to}
				from := admin.RestoreOptions{From: opt.To, Identities: identity}
				_, err := admin.Backup(t.Context(), sourceOf(v), opt)
				v.must(err)
				path, was := firstOf(t, filepath.Join(dir, pattern))
				v.must(os.Truncate(path, 10))
				if _, err := admin.Verify(t.Context(), memkv.New(memkv.Options{}), from); !errors.Is(err, backup.ErrDamaged) {
					t.Fatalf("cut off: %v", err)
				}
				r, err := admin.Backup(t.Context(), sourceOf(v), opt)
				v.must(err)
				if r.Written != was {
					t.Errorf("%d bytes are written, the piece has %d", r.Written, was)
				}
				_, err = admin.Verify(t.Context(), memkv.New(memkv.Options{}), from)
				v.must(err)
			})
		}
	}
}

// TestBackupOfAFullStore checks that a backup is complete if the store is full and can't record it.
// It still removes older backups.
func TestBackupOfAFullStore(t *testing.T) {
	e := memkv.New(memkv.Options{})
	v := newWorld(t, e)
	v.drain()
	v.stop()
	opt := admin.BackupOptions{To: backup.Target{Dir: filepath.Join(t.TempDir(), "backup")}, Keep: 1}
	_, err := admin.Backup(t.Context(), sourceOf(v), opt)
	v.must(err)
	r, err := admin.Backup(t.Context(), admin.Source{Engine: fullStore{e}}, opt)
	v.must(err)
	if !strings.Contains(r.Warning(), kv.ErrFull.Error()) || r.Removed != 1 {
		t.Errorf("the warning is %q, and %d backups were removed", r.Warning(), r.Removed)
	}
	_, err = admin.Verify(t.Context(), memkv.New(memkv.Options{}), admin.RestoreOptions{From: opt.To, Name: r.Name})
	v.must(err)
}

// fullStore is an engine that refuses all writes.
type fullStore struct{ kv.Engine }

func (fullStore) Txn(context.Context, []kv.Cond, ...kv.Op) (int, error) { return -1, kv.ErrFull }

// firstOf returns the first file that matches a pattern, and its size.
func firstOf(t *testing.T, pattern string) (string, int64) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no %s: %v", pattern, err)
	}
	info, err := os.Stat(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	return paths[0], info.Size()
}

// TestDamageIsDiscarded checks that admin.Damage lists all pieces with the right size but wrong
// content, and deletes them on request. A backup doesn't detect such pieces. The next one writes
// deleted pieces again, which repairs the older backup.
func TestDamageIsDiscarded(t *testing.T) {
	files, _ := picturesWith(t, "a picture")
	v := newWorldWith(t, memkv.New(memkv.Options{}), files)
	v.drain()
	v.stop()
	dir := filepath.Join(t.TempDir(), "backup")
	first := backupOf(t, v, dir)
	from := admin.RestoreOptions{From: backup.Target{Dir: dir}, Name: first.Name}
	if paths, err := admin.Damage(t.Context(), from, true); err != nil || len(paths) > 0 {
		t.Fatalf("damage of a whole backup: %q, %v", paths, err)
	}
	harmed := []string{pieceBesideList(t, from), "files/*/*"}
	var want []string
	for _, pattern := range harmed {
		path, size := firstOf(t, filepath.Join(dir, pattern))
		v.must(os.WriteFile(path, make([]byte, size), 0o600))
		rel, err := filepath.Rel(dir, path)
		v.must(err)
		want = append(want, filepath.ToSlash(rel))
	}
	backupOf(t, v, dir)
	for _, discard := range []bool{false, true, true} {
		if got, err := admin.Damage(t.Context(), from, discard); err != nil || !slices.Equal(got, want) {
			t.Fatalf("discard %v: damaged are %q, want %q: %v", discard, got, want, err)
		}
		for _, path := range want {
			if _, err := os.Stat(filepath.Join(dir, path)); discard && !errors.Is(err, os.ErrNotExist) {
				t.Errorf("%s after it was discarded: %v", path, err)
			}
			if discard {
				continue
			}
			if _, err := os.Stat(filepath.Join(dir, path)); err != nil {
				t.Errorf("only looked, and then %v", err)
			}
		}
	}
	backupOf(t, v, dir)
	_, err := admin.Verify(t.Context(), memkv.New(memkv.Options{}), from)
	v.must(err)
}

// pieceBesideList returns a chunk of a shard. It avoids the list of files, because damage to that
// list would hide damaged files.
func pieceBesideList(t *testing.T, from admin.RestoreOptions) string {
	t.Helper()
	p, err := backup.Open(t.Context(), from.From, from.Identities)
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.Manifest(t.Context(), from.Name)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range m.Shards {
		for _, c := range s.Chunks {
			return "chunks/*/" + c.Hash
		}
	}
	t.Fatal("the backup has no chunks")
	return ""
}
