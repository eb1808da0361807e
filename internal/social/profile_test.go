package social_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// TestProfileChangesAtOnce checks that concurrent changes of different profile fields are all
// stored.
func TestProfileChangesAtOnce(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann := w.Person("ann")
		changes := []linnet.ProfileChange{
			{Name: new("Ann")}, {Note: new("hello")}, {Bot: new(true)}, {HideNetwork: new(true)}, {Language: new("de")},
			{Discoverable: new(false)}, {Indexable: new(true)}, {Sensitive: new(true)}, {Visibility: new(linnet.Private)},
			{Fields: new([]linnet.ProfileField{{Name: "site", Value: "https://ann.test"}})},
		}
		var wg sync.WaitGroup
		for _, c := range changes {
			wg.Go(func() {
				if _, err := w.Social.Profiles.Update(w.Ctx, ann, c); err != nil {
					w.Error(err)
				}
			})
		}
		wg.Wait()
		v := apptest.Must(w.View.User(w.Ctx, ann, ann))(w)
		if v.Name != "Ann" || v.Note != "hello" || !v.Bot || !v.HideNetwork || v.Discoverable || !v.Indexable || !v.Posting.Sensitive ||
			v.Posting.Visibility != linnet.Private || v.Posting.Language != "de" || len(v.Fields) != 1 || v.Version != uint64(1+len(changes)) {
			w.Errorf("%+v", v.User)
		}
		if found := apptest.Must(w.Discovery.SearchUsers(w.Ctx, 0, apptest.SearchFor("Ann")))(w); len(found) != 1 {
			w.Errorf("%d found", len(found))
		}
	})
}

func TestProfileRules(t *testing.T) {
	w := apptest.InMemory(t)
	ann := w.Person("ann")
	zalgo := "a" + strings.Repeat("\u0301", 20_000)
	field := func(n, v string) *[]linnet.ProfileField { return &[]linnet.ProfileField{{Name: n, Value: v}} }
	for name, c := range map[string]linnet.ProfileChange{
		"long name":    {Name: new(strings.Repeat("x", 41))},
		"zalgo name":   {Name: &zalgo},
		"long note":    {Note: new(strings.Repeat("x", 501))},
		"zalgo note":   {Note: &zalgo},
		"many fields":  {Fields: new(make([]linnet.ProfileField, 5))},
		"long field":   {Fields: field("a", strings.Repeat("x", 256))},
		"zalgo field":  {Fields: field("a", zalgo)},
		"bad language": {Language: new("{de}")},
	} {
		if _, err := w.Social.Profiles.Update(w.Ctx, ann, c); linnet.KindOf(err) != linnet.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	v := apptest.Must(w.Social.Profiles.Update(w.Ctx, ann, linnet.ProfileChange{Name: new(" Ann\n\x00 Lee\t"), Note: new("one\r\ntwo\x07 ")}))(t)
	if v.Name != "Ann Lee" || v.Note != "one\ntwo" {
		t.Errorf("name %q, note %q", v.Name, v.Note)
	}
	long := apptest.Must(w.Social.Profiles.Update(w.Ctx, ann, linnet.ProfileChange{Name: new(strings.Repeat("👨‍👩‍👧‍👦", 30)), Note: new(strings.Repeat("é", 500))}))(t)
	if long.Name == "" || long.Note == "" {
		t.Error("what is just long enough is refused")
	}
	_, err := w.Social.Profiles.Update(w.Ctx, linnet.MakeID(time.Now(), 3, 3), linnet.ProfileChange{Name: new("x")})
	apptest.WantKind(t, err, linnet.NotFound)
}

// TestStoredDescriptions checks that descriptions of pictures from earlier versions, which allowed
// more characters, do not prevent other changes.
func TestStoredDescriptions(t *testing.T) {
	w := apptest.InMemory(t)
	ann := w.Person("ann")
	old := strings.Repeat("x", linnet.MaxProfileAlt) + "\ny"
	apptest.StoreDescriptions(t, w.Store, ann, old)
	v := apptest.Must(w.Social.Profiles.Update(w.Ctx, ann, linnet.ProfileChange{Note: new("hello"), AvatarAlt: new(old), BannerAlt: new(strings.ReplaceAll(old, "\n", "\r\n"))}))(t)
	if v.Note != "hello" || v.AvatarAlt != old || v.BannerAlt != old {
		t.Errorf("saved %+v", v.User)
	}
	for name, c := range map[string]linnet.ProfileChange{
		"another avatar description": {AvatarAlt: new(old + "z")}, "another banner description": {AvatarAlt: new(old), BannerAlt: new(old + "z")},
		"long note": {AvatarAlt: new(old), Note: new(strings.Repeat("x", linnet.MaxNote+1))},
	} {
		if _, err := w.Social.Profiles.Update(w.Ctx, ann, c); linnet.KindOf(err) != linnet.Invalid || strings.Contains(err.Error(), ", ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSearchUsers checks that a search by name follows changes of the profile.
func TestSearchUsers(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, anna, bob := w.Person("ann"), w.Person("anna"), w.Person("Bob")
		apptest.Must(w.Social.Profiles.Update(w.Ctx, bob, linnet.ProfileChange{Name: new("Ännchen Anderson")}))(w)
		w.Follow(ann, anna)
		w.Follow(bob, anna)
		for query, want := range map[string]string{
			"an": "[anna Bob ann]", "ann": "[ann anna]", "@ANN@linnet.test": "[ann anna]", "anderson": "[Bob]", "änn": "[Bob]",
			"bob": "[Bob]", "b": "[Bob]", "B": "[Bob]", "ä": "[Bob]", "q": "[]", "zz": "[]", "": "[]", "ännchen anderson": "[Bob]", "{}": "[]", "ann@elsewhere.test": "[]",
		} {
			var got []string
			for _, v := range apptest.Must(w.Discovery.SearchUsers(w.Ctx, bob, apptest.SearchFor(query)))(w) {
				got = append(got, v.Login)
			}
			if fmt.Sprint(got) != want {
				w.Errorf("%q finds %v, want %s", query, got, want)
			}
		}
		q := apptest.SearchFor("an")
		q.Following = true
		if got := apptest.Must(w.Discovery.SearchUsers(w.Ctx, bob, q))(w); len(got) != 1 || got[0].ID != anna {
			w.Errorf("among those followed: %v", got)
		}
		q = apptest.SearchFor("an")
		q.Limit, q.Offset = 1, 1
		if got := apptest.Must(w.Discovery.SearchUsers(w.Ctx, bob, q))(w); len(got) != 1 || got[0].ID != bob {
			w.Errorf("second page: %v", got)
		}
		apptest.Must(w.Social.Profiles.Update(w.Ctx, bob, linnet.ProfileChange{Name: new("Robert")}))(w)
		if got := apptest.Must(w.Discovery.SearchUsers(w.Ctx, bob, apptest.SearchFor("anderson")))(w); len(got) != 0 {
			w.Errorf("the old name is found: %v", got)
		}
		w.Check()
	})
}

// TestZoneOfPages checks that only known time zones are accepted, and that the zone and the
// reminder about descriptions are stored.
func TestZoneOfPages(t *testing.T) {
	w := apptest.InMemory(t)
	ann := w.Person("ann")
	for _, zone := range []string{"Europe/Berlin", "UTC", "America/Argentina/Buenos_Aires", ""} {
		v := apptest.Must(w.Social.Profiles.Update(w.Ctx, ann, linnet.ProfileChange{NoAltReminder: new(zone == "UTC"), Appearance: &linnet.Appearance{Zone: zone, Still: true}}))(t)
		if v.Appearance != (linnet.Appearance{Zone: zone, Still: true}) || v.Posting.NoAltReminder != (zone == "UTC") {
			t.Errorf("%q: %+v", zone, v.User)
		}
	}
	for _, zone := range []string{"Local", "Europe/Atlantis", "../zoneinfo/UTC", "+02:00"} {
		_, err := w.Social.Profiles.Update(w.Ctx, ann, linnet.ProfileChange{Appearance: &linnet.Appearance{Zone: zone}})
		apptest.WantKind(t, err, linnet.Invalid)
		if err != nil && !strings.Contains(err.Error(), fmt.Sprintf("%q is not a time zone. Use a name such as Europe/Berlin", zone)) {
			t.Error(err)
		}
	}
}
