package admin_test

import (
	"bytes"
	"errors"
	"image"
	"image/png"
	"io"
	"net/netip"
	"path/filepath"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"linnet/internal/admin"
	"linnet/internal/admin/backup"
	"linnet/internal/blob"
	"linnet/internal/identity"
	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
)

// carriers move a store and its files to another location, by name. Each is prepared while the
// store is in use; the function it returns moves the store.
var carriers = map[string]func(t *testing.T, w *world, to blob.Store) func() kv.Engine{
	"backup and restore": func(t *testing.T, w *world, to blob.Store) func() kv.Engine {
		dir := filepath.Join(t.TempDir(), "backup")
		backupOf(t, w, dir)
		return func() kv.Engine {
			e := memkv.New(memkv.Options{})
			backupOf(t, w, dir)
			_, err := admin.Restore(t.Context(), e, to, admin.RestoreOptions{From: backup.Target{Dir: dir}})
			w.must(err)
			return e
		}
	},
	"migrate": func(t *testing.T, w *world, to blob.Store) func() kv.Engine {
		return func() kv.Engine {
			e := memkv.New(memkv.Options{})
			w.stop()
			from := leaving(fenced(w.engine, true))
			from.Files = w.Files()
			_, err := admin.Migrate(t.Context(), from, admin.Entering{Engine: e, Files: to}, admin.MigrateOptions{From: "old", To: "new", Scratch: t.TempDir()})
			w.must(err)
			return e
		}
	},
}

// pictured attaches a picture to a new post of a user and returns the names of its files.
func (w *world) pictured(by linnet.ID) (linnet.ID, []string) {
	w.Helper()
	var b bytes.Buffer
	w.must(png.Encode(&b, image.NewGray(image.Rect(0, 0, 40, 30))))
	f, err := w.Uploads.Receive(&b)
	w.must(err)
	defer f.Close()
	a, err := w.Uploads.Upload(w.ctx, by, f, nil, linnet.AttachmentChange{})
	w.must(err)
	return w.post(by, linnet.Draft{Text: "look", Media: []linnet.ID{a.ID}}), a.Files()
}

// expectServed fails unless anyone can fetch all of some files, or none of them.
func (w *world) expectServed(when string, names []string, want bool) {
	w.Helper()
	for _, name := range names {
		f, err := w.Uploads.Open(w.ctx, name)
		if err == nil {
			f.Close()
		}
		if (err == nil) != want {
			w.Errorf("%s: %s is sent: %v, want %v", when, name, err == nil, want)
		}
	}
}

func (w *world) moderate(on linnet.ID, act linnet.Moderation) {
	w.Helper()
	w.must(w.Moderation.Moderate(w.ctx, linnet.Operator(), linnet.Measure{On: on, Act: act}))
	w.drain()
}

// copyFiles copies all files with their withheld state.
func copyFiles(t *testing.T, from, to blob.Store) {
	t.Helper()
	err := from.Walk(t.Context(), func(i blob.Info) error {
		f, err := from.Open(t.Context(), i.Name)
		if err != nil {
			return err
		}
		data, err := io.ReadAll(f)
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
		if err := to.Put(t.Context(), i.Name, "image/png", bytes.NewReader(data)); err != nil || !i.Withheld {
			return err
		}
		return to.Withhold(t.Context(), i.Name)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// newDir returns an empty file location.
func newDir(t *testing.T) blob.Store {
	t.Helper()
	d, err := blob.NewDir(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestCarriedFilesStayWithheld moves a store whose files were suspended and unsuspended since an
// earlier backup or an earlier attempt. Files of suspended accounts stay offline and return with
// the account.
func TestCarriedFilesStayWithheld(t *testing.T) {
	for name, carry := range carriers {
		t.Run(name, func(t *testing.T) {
			from, to := newDir(t), newDir(t)
			w := newWorldWith(t, memkv.New(memkv.Options{}), from)
			ann, bob, eve := w.user("ann"), w.user("bob"), w.user("eve")
			_, anns := w.pictured(ann)
			_, bobs := w.pictured(bob)
			_, eves := w.pictured(eve)
			redrafted, left := w.pictured(eve)
			w.moderate(bob, linnet.Suspend)
			copyFiles(t, from, to)
			move := carry(t, w, to)
			w.moderate(bob, linnet.Unsuspend)
			_, err := w.Posting.DeleteToRedraft(w.ctx, eve, redrafted)
			w.must(err)
			w.moderate(eve, linnet.Suspend)
			w = newWorldWith(t, move(), to)
			expect := func(when string, bobsShown, evesShown bool) {
				t.Helper()
				w.expectServed(when+", of ann", anns, true)
				w.expectServed(when+", of bob", bobs, bobsShown)
				w.expectServed(when+", of eve", eves, evesShown)
				w.expectServed(when+", of a redraft", left, false)
			}
			expect("moved", true, false)
			w.moderate(eve, linnet.Unsuspend)
			expect("after the suspension", true, true)
			w.moderate(bob, linnet.Suspend)
			expect("bob is suspended again", false, true)
			w.mustBeClean()
		})
	}
}

// TestCarriedSecondFactor moves a store with an encrypted second factor, which works afterwards.
func TestCarriedSecondFactor(t *testing.T) {
	here := netip.MustParseAddr("192.0.2.1")
	for name, carry := range carriers {
		t.Run(name, func(t *testing.T) {
			w := newWorldWith(t, memkv.New(memkv.Options{}), newDir(t))
			to := newDir(t)
			ann := w.user("ann")
			move := carry(t, w, to)
			begun, err := w.Identity.BeginTwoFactor(w.ctx, ann)
			w.must(err)
			code := func(at time.Time) string {
				t.Helper()
				c, err := totp.GenerateCode(begun.Secret, at)
				w.must(err)
				return c
			}
			now := time.Now()
			_, err = w.Identity.ConfirmTwoFactor(w.ctx, identity.OwnSession{User: ann}, code(now), "correct horse", here)
			w.must(err)
			w.drain()
			w = newWorldWith(t, move(), to)
			logIn := func(code string) error {
				t.Helper()
				_, _, err := w.Identity.LogIn(w.ctx, "ann", "correct horse", here)
				var second *identity.SecondFactorError
				if !errors.As(err, &second) {
					t.Fatalf("log in without a code: %v", err)
				}
				_, _, err = w.Identity.FinishLogIn(w.ctx, second.Ticket, code)
				return err
			}
			if err := logIn("wrong"); linnet.KindOf(err) != linnet.Invalid {
				t.Errorf("log in with a wrong code: %v", err)
			}
			if err := logIn(code(now.Add(30 * time.Second))); err != nil { // each code is valid once
				t.Errorf("log in with the next code: %v", err)
			}
		})
	}
}
