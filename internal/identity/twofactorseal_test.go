package identity_test

import (
	"strings"
	"testing"

	"github.com/pquerna/otp/totp"
	"linnet/internal/app/apptest"
	"linnet/internal/identity"
	"linnet/internal/linnet"
)

// TestTwoFactorSecretIsEncrypted checks that secrets of second factors are encrypted in the store.
// A plain one of an earlier release works, and the login encrypts it. A secret copied to another
// user is invalid.
func TestTwoFactorSecretIsEncrypted(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, bob := w.User("ann"), w.User("bob")
		plain := apptest.Must(w.Identity.BeginTwoFactor(w.Ctx, ann))(w.T).Secret
		kept := apptest.Must(w.Store.Sessions.TwoFactor(w.Ctx, ann))(w.T)
		if strings.Contains(kept.Secret, plain) || kept.Secret == "" {
			w.Fatalf("stored: %q", kept.Secret)
		}
		if again := apptest.Must(w.Identity.BeginTwoFactor(w.Ctx, ann))(w.T).Secret; again != plain {
			w.Errorf("shown again: %q, want %q", again, plain)
		}
		stolen := kept
		stolen.On, stolen.Version = true, 0
		w.OK(apptest.Err(w.Store.Sessions.SetTwoFactor(w.Ctx, bob, stolen)))
		kept.Secret, kept.On = plain, true // as stored by an earlier release
		w.OK(apptest.Err(w.Store.Sessions.SetTwoFactor(w.Ctx, ann, kept)))
		code := apptest.Must(totp.GenerateCode(plain, w.Store.Now()))(w.T)
		for login, want := range map[string]linnet.Kind{"bob": linnet.Invalid, "ann": 0} {
			_, _, err := w.Identity.LogIn(w.Ctx, login, "correct horse", apptest.LoginAddr)
			wanted, ok := err.(*identity.SecondFactorError)
			if !ok {
				w.Fatalf("%s: %v", login, err)
			}
			if _, _, err := w.Identity.FinishLogIn(w.Ctx, wanted.Ticket, code); linnet.KindOf(err) != want {
				w.Errorf("%s: %v", login, err)
			}
		}
		if kept = apptest.Must(w.Store.Sessions.TwoFactor(w.Ctx, ann))(w.T); strings.Contains(kept.Secret, plain) {
			w.Errorf("still plain after a log-in: %q", kept.Secret)
		}
	})
}
