package identity_test

import (
	"errors"
	"strings"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// TestPasswordsThatAreGuessed checks that common passwords are refused wherever a password is
// chosen.
func TestPasswordsThatAreGuessed(t *testing.T) {
	w := apptest.InMemory(t)
	for password, code := range map[string]string{
		"password": "ERR_COMMON", "PassWord": "ERR_COMMON", " password ": "ERR_COMMON", "ｐａｓｓｗｏｒｄ": "ERR_COMMON", "12345678": "ERR_COMMON", "qwertyuiop": "ERR_COMMON",
		"aaaaaaaaaaaa": "ERR_COMMON", "cdefghijkl": "ERR_COMMON", "zyxwvutsrq": "ERR_COMMON",
		"          ": "ERR_BLANK", "\u200b\u200b\u200b\u200b\u200b\u200b\u200b\u200b\u200b": "ERR_BLANK", "\u00a0\u2003 \t\u3000\u2003\u2003\u2003\u2003": "ERR_BLANK",
		"annabella": "ERR_COMMON", "Annabella12": "ERR_COMMON", "annabellaannabella": "ERR_COMMON", "linnet.test": "ERR_COMMON", "linnet2026!": "ERR_COMMON",
		"short": "ERR_TOO_SHORT", strings.Repeat("long ", 300): "ERR_TOO_LONG",
		"correct horse": "", "annabella's horse": "", "пароль-лошадь": "", "14159265358": "",
	} {
		_, err := w.Identity.SignUp(w.Ctx, linnet.SignUp{Login: "annabella", Password: password, Agreed: true})
		var got string
		var e *linnet.Error
		if errors.As(err, &e) {
			for _, f := range e.Fields {
				if f.Code != "ERR_TAKEN" { // taken by the first valid request
					got = f.Code
				}
			}
		}
		if got != code {
			t.Errorf("%q: %q, want %q (%v)", password, got, code, err)
		}
	}
	bob := w.User("bob")
	if err := w.Identity.SetPassword(w.Ctx, linnet.Operator(), "bob", "password"); linnet.KindOf(err) != linnet.Invalid {
		t.Errorf("a command sets a common password: %v", err)
	}
	if _, err := w.Identity.ChangePassword(w.Ctx, bob, apptest.Password, "password", apptest.LoginAddr); linnet.KindOf(err) != linnet.Invalid {
		t.Errorf("a common password is changed to: %v", err)
	}
}
