package notify_test

import (
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/kv/memkv"
	"linnet/internal/store"
)

func TestPushesSpeakTheLanguageOfTheirReader(t *testing.T) {
	w := apptest.WithPush(t, memkv.New(memkv.Options{}), store.Options{})
	ann, bob := w.Person("ann"), w.Person("bob")
	w.SetLanguage(ann, "de")
	d := NewPushDevice(t)
	subscribe(w, ann, d, true, everyAlert()...)
	w.Follow(bob, ann)
	if p := d.next(); p.told.Title != "bob folgt dir jetzt" || p.told.PreferredLocale != "de" {
		t.Errorf("pushed %s", p.text)
	}
	w.Post(bob, "hello @ann")
	if p := d.next(); p.told.Title != "bob hat dich erwähnt" || p.told.Body != "hello @ann" {
		t.Errorf("pushed %s", p.text)
	}
}
