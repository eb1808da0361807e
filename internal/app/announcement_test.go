package app_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/wording"
)

// announce publishes an announcement.
func (w *world) announce(text string) linnet.ID {
	w.Helper()
	a, err := w.Announcing.Write(w.ctx, linnet.Operator(), 0, linnet.AnnouncementChange{Text: &text, Published: new(w.store.Now())})
	if err != nil {
		w.Fatal(err)
	}
	return a.ID
}

// announced returns the announcements that a viewer sees, with their reactions. A star marks the
// viewer's own reactions.
func (w *world) announced(me linnet.ID, all bool) string {
	w.Helper()
	vs, err := w.Announcing.Shown(w.ctx, me, all)
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
func (w *world) sees(when string, me linnet.ID, all bool, want string) {
	w.Helper()
	if got := w.announced(me, all); got != want {
		w.Errorf("%s: %q, want %q", when, got, want)
	}
}

func (w *world) rewrite(id linnet.ID, c linnet.AnnouncementChange) {
	w.Helper()
	_, err := w.Announcing.Write(w.ctx, linnet.Operator(), id, c)
	w.did(err)
}

func TestAnnouncements(t *testing.T) {
	onEngines(t, func(w *world) {
		ann, bob := w.person("ann"), w.person("bob")
		w.sees("at first", ann, true, "")
		ear := w.listen(session(ann), stream(linnet.StreamUser), stream(linnet.StreamUserNotification))
		one := w.announce("one @bob #tag :blob:")
		ear.until("user announcement one @bob #tag :blob:")
		two := w.announce("two")
		w.sees("two are there", ann, false, "one @bob #tag :blob:; two")
		w.did(w.Announcing.Dismiss(w.ctx, ann, one))
		w.did(w.Announcing.Dismiss(w.ctx, ann, one)) // repeated
		w.sees("one is dismissed", ann, false, "two")
		w.sees("one is dismissed", ann, true, "one @bob #tag :blob: (read); two")
		w.sees("one is dismissed by somebody else", bob, false, "one @bob #tag :blob:; two")
		w.did(w.emoji("blob"))
		if v := must(w.Announcing.Shown(w.ctx, ann, true))(w)[0]; codes(v.Pictured) != "blob" || len(v.MentionsOf) != 1 || v.Tags[0] != "tag" || !strings.Contains(v.Pictured.Body, "<img") {
			w.Errorf("the first is %+v", v)
		}
		w.rewrite(two, linnet.AnnouncementChange{Text: new("two, edited")})
		ear.until("user announcement two, edited")
		if last := must(w.Moderation.Acts(w.ctx, linnet.Operator(), linnet.Page{Limit: 1}))(w).Items[0]; wording.Message(last.Detail).String() != two.String()+" Text: “two” → “two, edited”" {
			w.Errorf("the log says %q", last.Detail)
		}
		w.rewrite(two, linnet.AnnouncementChange{Published: &time.Time{}})
		ear.until("user announcement.delete")
		w.sees("unpublished", ann, true, "one @bob #tag :blob: (read)")
		kindIs(w, w.Announcing.React(w.ctx, ann, two, "👍"), linnet.NotFound)
		kindIs(w, w.Announcing.Dismiss(w.ctx, ann, two), linnet.NotFound)
		w.rewrite(two, linnet.AnnouncementChange{Published: new(w.store.Now())})
		w.sees("published again", bob, false, "one @bob #tag :blob:; two, edited")
		w.did(w.Announcing.Delete(w.ctx, linnet.Operator(), two))
		kindIs(w, w.Announcing.Delete(w.ctx, linnet.Operator(), two), linnet.NotFound)
		w.sees("deleted", ann, false, "")
		w.check()
		if words := ear.words(); slices.ContainsFunc(words, func(s string) bool { return strings.HasPrefix(s, "user:notification") }) {
			w.Errorf("streams of notifications carry %q", words)
		}
	})
}

func TestReactions(t *testing.T) {
	onEngines(t, func(w *world) {
		ann, bob := w.person("ann"), w.person("bob")
		ear := w.listen(session(bob), stream(linnet.StreamUser))
		id := w.announce("two")
		w.did(w.Announcing.React(w.ctx, ann, id, "👍"))
		ear.until("user announcement.reaction 👍1")
		w.did(w.Announcing.React(w.ctx, ann, id, "👍")) // repeated
		w.did(w.Announcing.React(w.ctx, bob, id, "👍"))
		w.did(w.Announcing.React(w.ctx, bob, id, "🎉"))
		w.sees("with reactions", ann, false, "two 👍2* 🎉1")
		w.did(w.Announcing.Unreact(w.ctx, ann, id, "👍"))
		w.did(w.Announcing.Unreact(w.ctx, ann, id, "👍"))
		w.sees("with one taken back", ann, false, "two 👍1 🎉1")
		for _, name := range []string{"", "a", "blob", "👍👍", strings.Repeat("👍", 40), "1"} {
			kindIs(w, w.Announcing.React(w.ctx, ann, id, name), linnet.Invalid)
		}
		w.did(w.emoji("blob"))
		w.did(w.Announcing.React(w.ctx, ann, id, "blob"))
		w.sees("with a custom emoji", ann, false, "two 👍1 🎉1 blob1*")
		w.check()
		w.did(w.Social.Deletion.DeleteUser(w.ctx, bob))
		w.drain()
		w.sees("without bob", ann, false, "two blob1*")
		w.check()
		w.did(w.Announcing.Delete(w.ctx, linnet.Operator(), id))
		w.check()
	})
}

// TestReactionsAreCounted checks that an announcement has at most eight different reactions, also
// when many users react at once. Removed reactions make room.
func TestReactionsAreCounted(t *testing.T) {
	onEngines(t, func(w *world) {
		people := w.people(12)
		id := w.announce("busy")
		names := []string{"😀", "😁", "😂", "😃", "😄", "😅", "😆", "😇", "😈", "😉", "😊", "😋"}
		var group sync.WaitGroup
		for i, p := range people {
			group.Go(func() {
				for j := range names {
					err := w.Announcing.React(w.ctx, p, id, names[(i+j)%len(names)])
					if kind := linnet.KindOf(err); err != nil && kind != linnet.Invalid && kind != linnet.Unavailable {
						w.Error(err)
					}
				}
			})
		}
		group.Wait()
		v := must(w.Announcing.Shown(w.ctx, people[0], true))(w)[0]
		if len(v.Reactions) != linnet.MaxReactions {
			w.Fatalf("%d different reactions: %+v", len(v.Reactions), v.Reactions)
		}
		w.check()
		first := v.Reactions[0].Name
		for _, p := range people {
			w.did(w.Announcing.React(w.ctx, p, id, first))
		}
		if v = must(w.Announcing.Shown(w.ctx, people[0], true))(w)[0]; v.Reactions[0].Count != int64(len(people)) {
			w.Errorf("%+v", v.Reactions[0])
		}
		kindIs(w, w.Announcing.React(w.ctx, people[0], id, "🐦"), linnet.Invalid)
		for _, p := range people {
			group.Go(func() { w.did(w.Announcing.Unreact(w.ctx, p, id, first)) })
		}
		group.Wait()
		w.did(w.Announcing.React(w.ctx, people[0], id, "🐦"))
		if v = must(w.Announcing.Shown(w.ctx, people[0], true))(w)[0]; len(v.Reactions) != linnet.MaxReactions || v.Reactions[0].Name != "🐦" {
			w.Errorf("%+v", v.Reactions)
		}
		w.check()
	})
}

// TestReactionsWithEmojiThatGo checks that reactions with a deleted custom emoji are hidden, and
// shown again when the emoji returns. Until they are removed they count towards the limit.
func TestReactionsWithEmojiThatGo(t *testing.T) {
	onEngines(t, func(w *world) {
		ann := w.person("ann")
		id := w.announce("two")
		for i := range linnet.MaxReactions {
			code := fmt.Sprintf("blob%d", i)
			w.did(w.emoji(code))
			w.did(w.Announcing.React(w.ctx, ann, id, code))
		}
		kindIs(w, w.Announcing.React(w.ctx, ann, id, "👍"), linnet.Invalid)
		w.did(w.Emojis.Delete(w.ctx, linnet.Operator(), "blob0"))
		must(w.Emojis.Change(w.ctx, linnet.Operator(), "blob1", linnet.EmojiChange{Shortcode: new("other")}))(w)
		w.sees("without two", ann, false, "two blob21* blob31* blob41* blob51* blob61* blob71*")
		kindIs(w, w.Announcing.React(w.ctx, ann, id, "blob1"), linnet.Invalid)
		w.did(w.Announcing.Unreact(w.ctx, ann, id, "blob1"))
		w.did(w.Announcing.React(w.ctx, ann, id, "🎉"))
		kindIs(w, w.Announcing.React(w.ctx, ann, id, "😀"), linnet.Invalid)
		w.did(w.emoji("blob0"))
		w.sees("with one again", ann, false, "two blob01* 🎉1* blob21* blob31* blob41* blob51* blob61* blob71*")
		w.check()
		w.did(w.Social.Deletion.DeleteUser(w.ctx, ann))
		w.drain()
		w.check()
	})
}

// TestAnnouncementsAreScheduled checks that a scheduled announcement is shown from its start to its
// end, also after restarts.
func TestAnnouncementsAreScheduled(t *testing.T) {
	clock := &clocked{}
	opt := store.Options{Now: clock.now}
	e := memkv.New(memkv.Options{Now: clock.now})
	w := idleWorld(t, e, opt)
	ann := w.person("ann")
	now := w.store.Now()
	a := must(w.Announcing.Write(w.ctx, linnet.Operator(), 0, linnet.AnnouncementChange{Text: new("party"), Published: new(now.Add(time.Hour)),
		Starts: new(now.Add(48 * time.Hour)), Ends: new(now.Add(50 * time.Hour))}))(t)
	expect := func(when, want string) {
		t.Helper()
		w = closes(t, e, opt)
		if err := w.Core.ReadAnnouncements(w.ctx); err != nil {
			t.Fatal(err)
		}
		if got := w.announced(ann, false); got != want {
			t.Errorf("%s: %q, want %q", when, got, want)
		}
		w.check()
	}
	expect("before", "")
	clock.turn(2 * time.Hour)
	expect("published", "party")
	clock.turn(47 * time.Hour)
	expect("under way", "party")
	must(w.Announcing.Write(w.ctx, linnet.Operator(), a.ID, linnet.AnnouncementChange{AllDay: new(true)}))(t)
	clock.turn(2 * time.Hour)
	if whole := w.Core.Announcements().Find(a.ID); whole.Over().Sub(whole.Ends) <= 0 || whole.Over().Hour() != 0 {
		t.Errorf("it is over at %v", whole.Over())
	}
	clock.turn(24 * time.Hour)
	expect("over", "")
	if got := len(must(w.Announcing.All(w.ctx, linnet.Operator()))(t)); got != 1 {
		t.Errorf("%d are kept", got)
	}
}

func TestAnnouncementsAreRefused(t *testing.T) {
	w := memWorld(t)
	now := w.store.Now()
	write := func(c linnet.AnnouncementChange) error {
		_, err := w.Announcing.Write(w.ctx, linnet.Operator(), 0, c)
		return err
	}
	for name, c := range map[string]linnet.AnnouncementChange{"nothing": {}, "blanks": {Text: new(" \n")}, "too long": {Text: new(strings.Repeat("x", linnet.MaxAnnouncementChars+1))},
		"no end": {Text: new("x"), Starts: &now}, "no start": {Text: new("x"), Ends: &now}, "an end before the start": {Text: new("x"), Starts: &now, Ends: new(now.Add(-time.Hour))}} {
		if err := write(c); linnet.KindOf(err) != linnet.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	for range linnet.MaxAnnouncements {
		w.did(write(linnet.AnnouncementChange{Text: new("draft")}))
	}
	kindIs(t, write(linnet.AnnouncementChange{Text: new("one more")}), linnet.Invalid)
	if got := w.announced(w.person("ann"), true); got != "" {
		t.Errorf("drafts are shown: %q", got)
	}
	_, err := w.Announcing.Write(w.ctx, linnet.Operator(), 5, linnet.AnnouncementChange{})
	kindIs(t, err, linnet.NotFound)
	w.check()
}

// TestAnnouncementsReachOtherServers checks that other servers show a new announcement at once.
func TestAnnouncementsReachOtherServers(t *testing.T) {
	notWhenShort(t)
	ws := servers(t, 2)
	ann := ws[0].person("ann")
	settle(ws)
	ear := ws[1].listen(session(ann), stream(linnet.StreamUser))
	id := ws[0].announce("to all")
	ear.until("user announcement to all")
	if got := ws[1].announced(ann, false); got != "to all" {
		t.Errorf("the other server shows %q", got)
	}
	ws[1].did(ws[1].Announcing.React(ws[1].ctx, ann, id, "👍"))
	ws[0].comes("the reaction", func() string { return ws[0].announced(ann, false) }, "to all 👍1*")
}
