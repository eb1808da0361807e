package admin_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"filippo.io/age"

	"linnet/internal/admin"
	"linnet/internal/admin/backup"
	"linnet/internal/blob"
	"linnet/internal/blob/s3test"
	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/record"
)

// placesOfBackups returns functions that make an empty location for backups, by name.
func placesOfBackups(t *testing.T) map[string]func(t *testing.T) backup.Target {
	return map[string]func(t *testing.T) backup.Target{
		"directory": func(t *testing.T) backup.Target {
			return backup.Target{Dir: filepath.Join(t.TempDir(), "backup"), Scratch: t.TempDir()}
		},
		"bucket": func(t *testing.T) backup.Target {
			s := s3test.Start(t)
			return backup.Target{Scratch: t.TempDir(), Bucket: blob.BucketOptions{Endpoint: s.Endpoint, Region: s3test.Region, Bucket: s.Bucket(t), Prefix: "linnet/nightly",
				AccessKey: s3test.AccessKey, SecretKey: s3test.SecretKey}}
		},
	}
}

// keyPair generates an identity, and returns it with its recipient.
func keyPair(t *testing.T) (backup.Identities, string) {
	t.Helper()
	k, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	id, err := backup.ParseIdentities([]byte("# made by a test\n" + k.String() + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	return id, k.Recipient().String()
}

func recipients(t *testing.T, texts ...string) backup.Recipients {
	t.Helper()
	r, err := backup.ParseRecipients(strings.Join(texts, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// picturesWith returns a store of files with one picture.
func picturesWith(t *testing.T, text string) (*blob.Dir, string) {
	t.Helper()
	files, err := blob.NewDir(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	name := blob.NewName("png")
	if err := files.Put(t.Context(), name, "image/png", strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	return files, name
}

// TestBackupLiesAnywhere checks that a backup works in a directory and in a bucket, encrypted or
// not. A second one writes nothing, both can be verified and restored with pictures, and old ones
// are removed.
func TestBackupLiesAnywhere(t *testing.T) {
	files, name := picturesWith(t, "a picture")
	v := newWorldWith(t, memkv.New(memkv.Options{}), files)
	v.drain()
	v.stop()
	identity, ann := keyPair(t)
	for where, place := range placesOfBackups(t) {
		for how, to := range map[string]backup.Recipients{"plain": nil, "encrypted": recipients(t, ann)} {
			t.Run(where+" "+how, func(t *testing.T) {
				opt := admin.BackupOptions{To: place(t), Recipients: to, Scratch: t.TempDir(), Program: "test"}
				first, err := admin.Backup(t.Context(), sourceOf(v), opt)
				v.must(err)
				second, err := admin.Backup(t.Context(), sourceOf(v), opt)
				v.must(err)
				if first.Files != 1 || first.Written == 0 || second.Written != 0 || second.Bytes != first.Bytes || second.Digest != first.Digest {
					t.Errorf("first %+v, the same again %+v", first, second)
				}
				from := admin.RestoreOptions{From: opt.To, Identities: identity, Scratch: t.TempDir()}
				verified, err := admin.Verify(t.Context(), memkv.New(memkv.Options{}), from)
				if err != nil || !verified.Sound() || verified.Digest != first.Digest {
					t.Fatalf("verified %+v, %v", verified, err)
				}
				pictures, err := blob.NewDir(t.TempDir())
				v.must(err)
				_, err = admin.Restore(t.Context(), memkv.New(memkv.Options{}), pictures, from)
				v.must(err)
				if got := textOf(t, pictures, name); got != "a picture" {
					t.Errorf("the picture is %q", got)
				}
				opt.Keep = 1
				if r, err := admin.Backup(t.Context(), sourceOf(v), opt); err != nil || r.Removed != 2 {
					t.Errorf("keep one: %+v, %v", r, err)
				}
				from.Name = first.Name
				if _, err := admin.Restore(t.Context(), memkv.New(memkv.Options{}), nil, from); !errors.Is(err, backup.ErrNoBackup) {
					t.Errorf("one that was removed: %v", err)
				}
			})
		}
	}
}

func textOf(t *testing.T, files blob.Store, name string) string {
	t.Helper()
	f, err := files.Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var got bytes.Buffer
	if _, err := got.ReadFrom(f); err != nil {
		t.Fatal(err)
	}
	return got.String()
}

// TestEncryptedBackupIsForItsRecipients checks that only the recipients of an encrypted backup can
// restore it, each of them completely. The files contain neither its text nor its hashes.
func TestEncryptedBackupIsForItsRecipients(t *testing.T) {
	files, name := picturesWith(t, "a picture that somebody knows")
	v := newWorldWith(t, memkv.New(memkv.Options{}), files)
	annID, ann := keyPair(t)
	bobID, bob := keyPair(t)
	dir := filepath.Join(t.TempDir(), "backup")
	opt := admin.BackupOptions{To: backup.Target{Dir: dir}, Recipients: recipients(t, ann), Program: "test"}
	first, err := admin.Backup(t.Context(), sourceOf(v), opt)
	v.must(err)
	restore := func(id backup.Identities) error {
		_, err := admin.Restore(t.Context(), memkv.New(memkv.Options{}), nil, admin.RestoreOptions{From: opt.To, Identities: id})
		return err
	}
	for who, id := range map[string]backup.Identities{"nobody": {}, "bob": bobID} {
		if err := restore(id); !errors.Is(err, backup.ErrIdentity) {
			t.Errorf("%s restores it: %v", who, err)
		}
	}
	v.must(restore(annID))
	for what, to := range map[error]backup.Recipients{backup.ErrSealed: nil, backup.ErrPlain: recipients(t, ann)} {
		place := opt.To
		if errors.Is(what, backup.ErrPlain) {
			place.Dir = filepath.Join(t.TempDir(), "plain")
			_, err := admin.Backup(t.Context(), sourceOf(v), admin.BackupOptions{To: place})
			v.must(err)
		}
		if _, err := admin.Backup(t.Context(), sourceOf(v), admin.BackupOptions{To: place, Recipients: to}); !errors.Is(err, what) {
			t.Errorf("got %v, want %v", err, what)
		}
	}
	nothingIsSeen(t, dir, name, "a picture that somebody knows", first.Digest)

	opt.Recipients = recipients(t, ann, bob)
	both, err := admin.Backup(t.Context(), sourceOf(v), opt)
	v.must(err)
	if both.Written < first.Written {
		t.Errorf("for one more %d bytes are written, and were %d: bob cannot read the rest", both.Written, first.Written)
	}
	v.must(restore(annID))
	v.must(restore(bobID))

	opt = admin.BackupOptions{To: backup.Target{Dir: filepath.Join(t.TempDir(), "damaged")}, Recipients: recipients(t, bob)}
	_, err = admin.Backup(t.Context(), sourceOf(v), opt)
	v.must(err)
	turnBit(t, opt.To.Dir, "files", 1<<20)
	if _, err := admin.Verify(t.Context(), memkv.New(memkv.Options{}), admin.RestoreOptions{From: opt.To, Identities: bobID}); !errors.Is(err, backup.ErrDamaged) {
		t.Errorf("a picture with another bit: %v", err)
	}
}

// nothingIsSeen searches names and files for texts and their hashes.
func nothingIsSeen(t *testing.T, dir string, texts ...string) {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		all.WriteString(path + "\n" + string(data) + "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range texts {
		if strings.Contains(all.String(), text) || strings.Contains(all.String(), fmt.Sprintf("%x", sha256.Sum256([]byte(text)))) {
			t.Errorf("%q or its hash is seen", text)
		}
	}
}

// TestOldPiecesGo checks that a backup deletes pieces that are a day old if only removed backups
// used them. It leaves all pieces in place while another backup is running.
func TestOldPiecesGo(t *testing.T) {
	identity, ann := keyPair(t)
	for how, to := range map[string]backup.Recipients{"plain": nil, "encrypted": recipients(t, ann)} {
		t.Run(how, func(t *testing.T) {
			e, dir := memkv.New(memkv.Options{}), filepath.Join(t.TempDir(), "backup")
			v := newVillage(t, e)
			v.drain()
			v.stop()
			opt := admin.BackupOptions{To: backup.Target{Dir: dir}, Recipients: to}
			_, err := admin.Backup(t.Context(), sourceOf(v.world), opt)
			v.must(err)
			_, err = e.Txn(t.Context(), nil, kv.Put{Key: record.StatusKey(v.first), Data: []byte(`{}`), Version: 9})
			v.must(err)
			pieces := piecesIn(t, dir)
			age := func() {
				for _, path := range piecesIn(t, dir) {
					v.must(os.Chtimes(path, time.Now(), time.Now().Add(-25*time.Hour)))
				}
			}
			marker := filepath.Join(dir, "running", "another")
			v.must(os.WriteFile(marker, nil, 0o600))
			opt.Keep = 1
			age()
			r, err := admin.Backup(t.Context(), sourceOf(v.world), opt)
			if v.must(err); r.Removed != 1 || len(piecesIn(t, dir)) <= len(pieces) {
				t.Errorf("%d backups were removed; %d pieces became %d while another backup counts on them", r.Removed, len(pieces), len(piecesIn(t, dir)))
			}
			v.must(os.Chtimes(marker, time.Now(), time.Now().Add(-25*time.Hour)))
			age()
			_, err = admin.Backup(t.Context(), sourceOf(v.world), opt)
			if v.must(err); len(piecesIn(t, dir)) != len(pieces) {
				t.Errorf("%d pieces are left, %d are needed", len(piecesIn(t, dir)), len(pieces))
			}
			_, err = admin.Restore(t.Context(), memkv.New(memkv.Options{}), nil, admin.RestoreOptions{From: opt.To, Identities: identity})
			v.must(err)
		})
	}
}

func piecesIn(t *testing.T, dir string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "chunks", "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// TestPiecesThatAreRemoved checks that a backup fails if its pieces are deleted while it runs.
func TestPiecesThatAreRemoved(t *testing.T) {
	v := newVillage(t, memkv.New(memkv.Options{}))
	v.drain()
	v.stop()
	dir := filepath.Join(t.TempDir(), "backup")
	backupOf(t, v.world, dir)
	harmful := &removeMeanwhile{Engine: v.Store().Engine(), do: func() { removeOne(t, filepath.Join(dir, "chunks", "*", "*")) }}
	_, err := admin.Backup(t.Context(), admin.Source{Engine: harmful}, admin.BackupOptions{To: backup.Target{Dir: dir}})
	if !errors.Is(err, backup.ErrRemoved) {
		t.Errorf("got %v", err)
	}
	r := backupOf(t, v.world, dir)
	if _, err := admin.Restore(t.Context(), memkv.New(memkv.Options{}), nil, admin.RestoreOptions{From: backup.Target{Dir: dir}}); err != nil || r.Written == 0 {
		t.Errorf("the next one writes %d bytes: %v", r.Written, err)
	}
}

// removeMeanwhile is an engine that calls do during its copy.
type removeMeanwhile struct {
	kv.Engine
	do func()
}

func (r *removeMeanwhile) Copy(ctx context.Context, opt kv.CopyOptions) (kv.Copy, error) {
	r.do()
	return r.Engine.Copy(ctx, opt)
}
