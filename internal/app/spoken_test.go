package app_test

import (
	"net/netip"
	"strings"
	"testing"

	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/mail/mailtest"
	"linnet/internal/store"
)

// speaks sets a user's language.
func (w *world) speaks(who linnet.ID, code string) {
	w.Helper()
	must(w.Social.Profiles.Update(w.ctx, who, linnet.ProfileChange{Appearance: &linnet.Appearance{Language: code}}))(w)
}

// TestMailsSpeakTheLanguageOfTheirReader checks that mails use the language chosen by the receiver,
// or else the language of the receiver's posts.
func TestMailsSpeakTheLanguageOfTheirReader(t *testing.T) {
	at := mailtest.New(t, mailtest.Options{})
	w := mailWorld(t, memkv.New(memkv.Options{}), store.Options{}, at)
	ann := w.withEmail(at, "ann", "ann@example.com")
	w.speaks(ann, "de")
	w.did(w.Emails.Forgot(w.ctx, "ann@example.com", netip.MustParseAddr("192.0.2.1")))
	m := at.Wait(t, 2)[1]
	if m.Header.Get("Content-Language") != "de" || !strings.Contains(m.Text(), "Hallo @ann,") || !strings.Contains(m.Text(), "Neues Passwort setzen:\nhttps://linnet.test/reset/") ||
		!strings.Contains(m.Text(), "Der Link gilt einmal, bis ") || strings.Contains(m.Text(), "You ") {
		t.Errorf("in German:\n%s", m.Text())
	}
	first := must(w.Emails.NoteDevice(w.from("192.0.2.7", firefox), ann, ""))(t)
	must(w.Emails.NoteDevice(w.from("192.0.2.7", firefox), ann, first+"x"))(t)
	if m := at.Wait(t, 3)[2]; !strings.Contains(m.Text(), "\n- Netz: 192.0.2.…") || !strings.Contains(m.Text(), "Wähle, welche E-Mails du bekommst:\nhttps://linnet.test/settings/email") {
		t.Errorf("of a browser:\n%s", m.Text())
	}

	if _, err := w.Identity.SignUp(w.ctx, linnet.SignUp{Login: "eva", Password: rightPassword, Email: "eva@example.com", Language: "es", Agreed: true}); err != nil {
		t.Fatal(err)
	}
	if m := at.Wait(t, 4)[3]; m.Header.Get("Content-Language") != "es" || !strings.Contains(m.Text(), "Hola, @eva:") {
		t.Errorf("to whom posts in Spanish:\n%s", m.Text())
	}
}

func TestPushesSpeakTheLanguageOfTheirReader(t *testing.T) {
	w := pushWorld(t, memkv.New(memkv.Options{}), store.Options{})
	ann, bob := w.person("ann"), w.person("bob")
	w.speaks(ann, "de")
	d := newDevice(t)
	w.subscribe(ann, d, true, everyAlert()...)
	w.follow(bob, ann)
	if p := d.next(); p.told.Title != "bob folgt dir jetzt" || p.told.PreferredLocale != "de" {
		t.Errorf("pushed %s", p.text)
	}
	w.post(bob, "hello @ann")
	if p := d.next(); p.told.Title != "bob hat dich erwähnt" || p.told.Body != "hello @ann" {
		t.Errorf("pushed %s", p.text)
	}
}
