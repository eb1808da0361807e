package app_test

import (
	"strings"
	"testing"

	"github.com/pquerna/otp/totp"

	"linnet/internal/identity"
	"linnet/internal/linnet"
)

// TestTwoFactorSecretIsEncrypted checks that secrets of second factors are encrypted in the store.
// A plain one of an earlier release works, and the login encrypts it. A secret copied to another
// user is invalid.
func TestTwoFactorSecretIsEncrypted(t *testing.T) {
	onEngines(t, func(w *world) {
		ann, bob := w.user("ann"), w.user("bob")
		plain := must(w.Identity.BeginTwoFactor(w.ctx, ann))(w.T).Secret
		kept := must(w.store.Sessions.TwoFactor(w.ctx, ann))(w.T)
		if strings.Contains(kept.Secret, plain) || kept.Secret == "" {
			w.Fatalf("stored: %q", kept.Secret)
		}
		if again := must(w.Identity.BeginTwoFactor(w.ctx, ann))(w.T).Secret; again != plain {
			w.Errorf("shown again: %q, want %q", again, plain)
		}
		stolen := kept
		stolen.On, stolen.Version = true, 0
		w.did(second(w.store.Sessions.SetTwoFactor(w.ctx, bob, stolen)))
		kept.Secret, kept.On = plain, true // as stored by an earlier release
		w.did(second(w.store.Sessions.SetTwoFactor(w.ctx, ann, kept)))
		code := must(totp.GenerateCode(plain, w.store.Now()))(w.T)
		for login, want := range map[string]linnet.Kind{"bob": linnet.Invalid, "ann": 0} {
			_, _, err := w.Identity.LogIn(w.ctx, login, "correct horse", here)
			wanted, ok := err.(*identity.SecondFactorError)
			if !ok {
				w.Fatalf("%s: %v", login, err)
			}
			if _, _, err := w.Identity.FinishLogIn(w.ctx, wanted.Ticket, code); linnet.KindOf(err) != want {
				w.Errorf("%s: %v", login, err)
			}
		}
		if kept = must(w.store.Sessions.TwoFactor(w.ctx, ann))(w.T); strings.Contains(kept.Secret, plain) {
			w.Errorf("still plain after a log-in: %q", kept.Secret)
		}
	})
}
