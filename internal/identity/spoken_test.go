package identity_test

import (
	"net/netip"
	"strings"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/mail/mailtest"
	"linnet/internal/store"
)

// TestMailsSpeakTheLanguageOfTheirReader checks that mails use the language chosen by the receiver,
// or else the language of the receiver's posts.
func TestMailsSpeakTheLanguageOfTheirReader(t *testing.T) {
	at := mailtest.New(t, mailtest.Options{})
	w := apptest.WithMail(t, memkv.New(memkv.Options{}), store.Options{}, at)
	ann := w.UserWithEmail(at, "ann", "ann@example.com")
	w.SetLanguage(ann, "de")
	w.OK(w.Emails.Forgot(w.Ctx, "ann@example.com", netip.MustParseAddr("192.0.2.1")))
	m := at.Wait(t, 2)[1]
	if m.Header.Get("Content-Language") != "de" || !strings.Contains(m.Text(), "Hallo @ann,") || !strings.Contains(m.Text(), "Neues Passwort setzen:\nhttps://linnet.test/reset/") ||
		!strings.Contains(m.Text(), "Der Link gilt einmal, bis ") || strings.Contains(m.Text(), "You ") {
		t.Errorf("in German:\n%s", m.Text())
	}
	first := apptest.Must(w.Emails.NoteDevice(from(w, "192.0.2.7", firefox), ann, ""))(t)
	apptest.Must(w.Emails.NoteDevice(from(w, "192.0.2.7", firefox), ann, first+"x"))(t)
	if m := at.Wait(t, 3)[2]; !strings.Contains(m.Text(), "\n- Netz: 192.0.2.…") || !strings.Contains(m.Text(), "Wähle, welche E-Mails du bekommst:\nhttps://linnet.test/settings/email") {
		t.Errorf("of a browser:\n%s", m.Text())
	}

	if _, err := w.Identity.SignUp(w.Ctx, linnet.SignUp{Login: "eva", Password: apptest.Password, Email: "eva@example.com", Language: "es", Agreed: true}); err != nil {
		t.Fatal(err)
	}
	if m := at.Wait(t, 4)[3]; m.Header.Get("Content-Language") != "es" || !strings.Contains(m.Text(), "Hola, @eva:") {
		t.Errorf("to whom posts in Spanish:\n%s", m.Text())
	}
}
