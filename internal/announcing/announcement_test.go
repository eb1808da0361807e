package announcing_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/wording"
)

// announce publishes an announcement.
func announce(w *apptest.World, text string) linnet.ID {
	w.Helper()
	a, err := w.Announcing.Write(w.Ctx, linnet.Operator(), 0, linnet.AnnouncementChange{Text: &text, Published: new(w.Store.Now())})
	if err != nil {
		w.Fatal(err)
	}
	return a.ID
}

// announced returns the announcements that a viewer sees, with their reactions. A star marks the
// viewer's own reactions.
func announced(w *apptest.World, me linnet.ID, all bool) string {
	w.Helper()
	vs, err := w.Announcing.Shown(w.Ctx, me, all)
	if err != nil {
		w.Fatal(err)
	}
	var out []string
	for _, v := range vs {
		s := v.Text
		if v.Read {
			s += " (read)"
		}
		for _, r := range v.Reactions {
			s += fmt.Sprintf(" %s%d", r.Name, r.Count)
			if r.Me {
				s += "*"
			}
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

// sees compares the result of announced with want.
func sees(w *apptest.World, when string, me linnet.ID, all bool, want string) {
	w.Helper()
	if got := announced(w, me, all); got != want {
		w.Errorf("%s: %q, want %q", when, got, want)
	}
}

func rewrite(w *apptest.World, id linnet.ID, c linnet.AnnouncementChange) {
	w.Helper()
	_, err := w.Announcing.Write(w.Ctx, linnet.Operator(), id, c)
	w.OK(err)
}

func TestAnnouncements(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, bob := w.Person("ann"), w.Person("bob")
		sees(w, "at first", ann, true, "")
		ear := w.Listen(apptest.Session(ann), apptest.Stream(linnet.StreamUser), apptest.Stream(linnet.StreamUserNotification))
		one := announce(w, "one @bob #tag :blob:")
		ear.WaitFor("user announcement one @bob #tag :blob:")
		two := announce(w, "two")
		sees(w, "two are there", ann, false, "one @bob #tag :blob:; two")
		w.OK(w.Announcing.Dismiss(w.Ctx, ann, one))
		w.OK(w.Announcing.Dismiss(w.Ctx, ann, one)) // repeated
		sees(w, "one is dismissed", ann, false, "two")
		sees(w, "one is dismissed", ann, true, "one @bob #tag :blob: (read); two")
		sees(w, "one is dismissed by somebody else", bob, false, "one @bob #tag :blob:; two")
		w.OK(w.Emoji("blob"))
		if v := apptest.Must(w.Announcing.Shown(w.Ctx, ann, true))(w)[0]; apptest.Shortcodes(v.Pictured) != "blob" || len(v.MentionsOf) != 1 || v.Tags[0] != "tag" || !strings.Contains(v.Pictured.Body, "<img") {
			w.Errorf("the first is %+v", v)
		}
		rewrite(w, two, linnet.AnnouncementChange{Text: new("two, edited")})
		ear.WaitFor("user announcement two, edited")
		if last := apptest.Must(w.Moderation.Acts(w.Ctx, linnet.Operator(), linnet.Page{Limit: 1}))(w).Items[0]; wording.Message(last.Detail).String() != two.String()+" Text: “two” → “two, edited”" {
			w.Errorf("the log says %q", last.Detail)
		}
		rewrite(w, two, linnet.AnnouncementChange{Published: &time.Time{}})
		ear.WaitFor("user announcement.delete")
		sees(w, "unpublished", ann, true, "one @bob #tag :blob: (read)")
		apptest.WantKind(w, w.Announcing.React(w.Ctx, ann, two, "👍"), linnet.NotFound)
		apptest.WantKind(w, w.Announcing.Dismiss(w.Ctx, ann, two), linnet.NotFound)
		rewrite(w, two, linnet.AnnouncementChange{Published: new(w.Store.Now())})
		sees(w, "published again", bob, false, "one @bob #tag :blob:; two, edited")
		w.OK(w.Announcing.Delete(w.Ctx, linnet.Operator(), two))
		apptest.WantKind(w, w.Announcing.Delete(w.Ctx, linnet.Operator(), two), linnet.NotFound)
		sees(w, "deleted", ann, false, "")
		w.Check()
		if words := ear.Words(); slices.ContainsFunc(words, func(s string) bool { return strings.HasPrefix(s, "user:notification") }) {
			w.Errorf("streams of notifications carry %q", words)
		}
	})
}

func TestReactions(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, bob := w.Person("ann"), w.Person("bob")
		ear := w.Listen(apptest.Session(bob), apptest.Stream(linnet.StreamUser))
		id := announce(w, "two")
		w.OK(w.Announcing.React(w.Ctx, ann, id, "👍"))
		ear.WaitFor("user announcement.reaction 👍1")
		w.OK(w.Announcing.React(w.Ctx, ann, id, "👍")) // repeated
		w.OK(w.Announcing.React(w.Ctx, bob, id, "👍"))
		w.OK(w.Announcing.React(w.Ctx, bob, id, "🎉"))
		sees(w, "with reactions", ann, false, "two 👍2* 🎉1")
		w.OK(w.Announcing.Unreact(w.Ctx, ann, id, "👍"))
		w.OK(w.Announcing.Unreact(w.Ctx, ann, id, "👍"))
		sees(w, "with one taken back", ann, false, "two 👍1 🎉1")
		for _, name := range []string{"", "a", "blob", "👍👍", strings.Repeat("👍", 40), "1"} {
			apptest.WantKind(w, w.Announcing.React(w.Ctx, ann, id, name), linnet.Invalid)
		}
		w.OK(w.Emoji("blob"))
		w.OK(w.Announcing.React(w.Ctx, ann, id, "blob"))
		sees(w, "with a custom emoji", ann, false, "two 👍1 🎉1 blob1*")
		w.Check()
		w.OK(w.Social.Deletion.DeleteUser(w.Ctx, bob))
		w.Drain()
		sees(w, "without bob", ann, false, "two blob1*")
		w.Check()
		w.OK(w.Announcing.Delete(w.Ctx, linnet.Operator(), id))
		w.Check()
	})
}

// TestReactionsAreCounted checks that an announcement has at most eight different reactions, also
// when many users react at once. Removed reactions make room.
func TestReactionsAreCounted(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		people := w.People(12)
		id := announce(w, "busy")
		names := []string{"😀", "😁", "😂", "😃", "😄", "😅", "😆", "😇", "😈", "😉", "😊", "😋"}
		var group sync.WaitGroup
		for i, p := range people {
			group.Go(func() {
				for j := range names {
					err := w.Announcing.React(w.Ctx, p, id, names[(i+j)%len(names)])
					if kind := linnet.KindOf(err); err != nil && kind != linnet.Invalid && kind != linnet.Unavailable {
						w.Error(err)
					}
				}
			})
		}
		group.Wait()
		v := apptest.Must(w.Announcing.Shown(w.Ctx, people[0], true))(w)[0]
		if len(v.Reactions) != linnet.MaxReactions {
			w.Fatalf("%d different reactions: %+v", len(v.Reactions), v.Reactions)
		}
		w.Check()
		first := v.Reactions[0].Name
		for _, p := range people {
			w.OK(w.Announcing.React(w.Ctx, p, id, first))
		}
		if v = apptest.Must(w.Announcing.Shown(w.Ctx, people[0], true))(w)[0]; v.Reactions[0].Count != int64(len(people)) {
			w.Errorf("%+v", v.Reactions[0])
		}
		apptest.WantKind(w, w.Announcing.React(w.Ctx, people[0], id, "🐦"), linnet.Invalid)
		for _, p := range people {
			group.Go(func() { w.OK(w.Announcing.Unreact(w.Ctx, p, id, first)) })
		}
		group.Wait()
		w.OK(w.Announcing.React(w.Ctx, people[0], id, "🐦"))
		if v = apptest.Must(w.Announcing.Shown(w.Ctx, people[0], true))(w)[0]; len(v.Reactions) != linnet.MaxReactions || v.Reactions[0].Name != "🐦" {
			w.Errorf("%+v", v.Reactions)
		}
		w.Check()
	})
}

// TestReactionsWithEmojiThatGo checks that reactions with a deleted custom emoji are hidden, and
// shown again when the emoji returns. Until they are removed they count towards the limit.
func TestReactionsWithEmojiThatGo(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann := w.Person("ann")
		id := announce(w, "two")
		for i := range linnet.MaxReactions {
			code := fmt.Sprintf("blob%d", i)
			w.OK(w.Emoji(code))
			w.OK(w.Announcing.React(w.Ctx, ann, id, code))
		}
		apptest.WantKind(w, w.Announcing.React(w.Ctx, ann, id, "👍"), linnet.Invalid)
		w.OK(w.Emojis.Delete(w.Ctx, linnet.Operator(), "blob0"))
		apptest.Must(w.Emojis.Change(w.Ctx, linnet.Operator(), "blob1", linnet.EmojiChange{Shortcode: new("other")}))(w)
		sees(w, "without two", ann, false, "two blob21* blob31* blob41* blob51* blob61* blob71*")
		apptest.WantKind(w, w.Announcing.React(w.Ctx, ann, id, "blob1"), linnet.Invalid)
		w.OK(w.Announcing.Unreact(w.Ctx, ann, id, "blob1"))
		w.OK(w.Announcing.React(w.Ctx, ann, id, "🎉"))
		apptest.WantKind(w, w.Announcing.React(w.Ctx, ann, id, "😀"), linnet.Invalid)
		w.OK(w.Emoji("blob0"))
		sees(w, "with one again", ann, false, "two blob01* 🎉1* blob21* blob31* blob41* blob51* blob61* blob71*")
		w.Check()
		w.OK(w.Social.Deletion.DeleteUser(w.Ctx, ann))
		w.Drain()
		w.Check()
	})
}

// TestAnnouncementsAreScheduled checks that a scheduled announcement is shown from its start to its
// end, also after restarts.
func TestAnnouncementsAreScheduled(t *testing.T) {
	clock := &apptest.Clock{}
	opt := store.Options{Now: clock.Now}
	e := memkv.New(memkv.Options{Now: clock.Now})
	w := apptest.Idle(t, e, opt)
	ann := w.Person("ann")
	now := w.Store.Now()
	a := apptest.Must(w.Announcing.Write(w.Ctx, linnet.Operator(), 0, linnet.AnnouncementChange{Text: new("party"), Published: new(now.Add(time.Hour)),
		Starts: new(now.Add(48 * time.Hour)), Ends: new(now.Add(50 * time.Hour))}))(t)
	expect := func(when, want string) {
		t.Helper()
		w = apptest.ServeDue(t, e, opt)
		if err := w.Core.ReadAnnouncements(w.Ctx); err != nil {
			t.Fatal(err)
		}
		if got := announced(w, ann, false); got != want {
			t.Errorf("%s: %q, want %q", when, got, want)
		}
		w.Check()
	}
	expect("before", "")
	clock.Advance(2 * time.Hour)
	expect("published", "party")
	clock.Advance(47 * time.Hour)
	expect("under way", "party")
	apptest.Must(w.Announcing.Write(w.Ctx, linnet.Operator(), a.ID, linnet.AnnouncementChange{AllDay: new(true)}))(t)
	clock.Advance(2 * time.Hour)
	if whole := w.Core.Announcements().Find(a.ID); whole.Over().Sub(whole.Ends) <= 0 || whole.Over().Hour() != 0 {
		t.Errorf("it is over at %v", whole.Over())
	}
	clock.Advance(24 * time.Hour)
	expect("over", "")
	if got := len(apptest.Must(w.Announcing.All(w.Ctx, linnet.Operator()))(t)); got != 1 {
		t.Errorf("%d are kept", got)
	}
}

func TestAnnouncementsAreRefused(t *testing.T) {
	w := apptest.InMemory(t)
	now := w.Store.Now()
	write := func(c linnet.AnnouncementChange) error {
		_, err := w.Announcing.Write(w.Ctx, linnet.Operator(), 0, c)
		return err
	}
	for name, c := range map[string]linnet.AnnouncementChange{"nothing": {}, "blanks": {Text: new(" \n")}, "too long": {Text: new(strings.Repeat("x", linnet.MaxAnnouncementChars+1))},
		"no end": {Text: new("x"), Starts: &now}, "no start": {Text: new("x"), Ends: &now}, "an end before the start": {Text: new("x"), Starts: &now, Ends: new(now.Add(-time.Hour))}} {
		if err := write(c); linnet.KindOf(err) != linnet.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	for range linnet.MaxAnnouncements {
		w.OK(write(linnet.AnnouncementChange{Text: new("draft")}))
	}
	apptest.WantKind(t, write(linnet.AnnouncementChange{Text: new("one more")}), linnet.Invalid)
	if got := announced(w, w.Person("ann"), true); got != "" {
		t.Errorf("drafts are shown: %q", got)
	}
	_, err := w.Announcing.Write(w.Ctx, linnet.Operator(), 5, linnet.AnnouncementChange{})
	apptest.WantKind(t, err, linnet.NotFound)
	w.Check()
}

// TestAnnouncementsReachOtherServers checks that other servers show a new announcement at once.
func TestAnnouncementsReachOtherServers(t *testing.T) {
	apptest.SkipShort(t)
	ws := apptest.Servers(t, 2)
	ann := ws[0].Person("ann")
	apptest.Settle(ws)
	ear := ws[1].Listen(apptest.Session(ann), apptest.Stream(linnet.StreamUser))
	id := announce(ws[0], "to all")
	ear.WaitFor("user announcement to all")
	if got := announced(ws[1], ann, false); got != "to all" {
		t.Errorf("the other server shows %q", got)
	}
	ws[1].OK(ws[1].Announcing.React(ws[1].Ctx, ann, id, "👍"))
	ws[0].WaitFor("the reaction", func() string { return announced(ws[0], ann, false) }, "to all 👍1*")
}
