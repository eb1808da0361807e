package app_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// edit edits a status and fails on an error.
func (w *world) edit(by, id linnet.ID, e linnet.Edit) linnet.StatusView {
	w.Helper()
	v := must(w.Posting.Edit(w.ctx, by, id, e))(w)
	w.drain()
	return v
}

// said returns all versions of a status that a viewer can see.
func (w *world) said(viewer, id linnet.ID) (out []string) {
	w.Helper()
	_, all, err := w.View.History(w.ctx, viewer, id)
	if err != nil {
		w.Fatal(err)
	}
	for _, v := range all {
		out = append(out, v.Text)
	}
	return out
}

// tagged returns the texts of the statuses with a tag.
func (w *world) tagged(tag string) []string {
	w.Helper()
	return texts(must(w.Reading.Tag(w.ctx, 0, linnet.TagQuery{Tag: tag}, linnet.Page{}))(w).Items)
}

// TestEdit checks that an edit changes a status everywhere. Only its viewers can see earlier
// versions. An edit without a change adds no version.
func TestEdit(t *testing.T) {
	onEngines(t, func(w *world) {
		ann, bob, cat := w.person("ann"), w.person("bob"), w.person("cat")
		w.follow(bob, ann)
		id := w.post(ann, "one #Old #both @bob").ID
		must(w.Posting.Repost(w.ctx, cat, id, nil))(w)
		must(w.Posting.Marks.Favourite(w.ctx, bob, id))(w)
		w.home(bob, 5)
		v := w.edit(ann, id, linnet.Edit{Text: "two #new #both @cat", Warning: "careful"})
		if at := v.EditedAt(); !at.After(id.Time()) || !v.Sensitive || !strings.Contains(v.HTML, "two") || v.Favourites != 1 {
			w.Errorf("edited: %+v", v)
		}
		equal(w, "history", w.said(0, id), []string{"one #Old #both @bob", "two #new #both @cat"})
		equal(w, "home", texts(w.home(bob, 1)), []string{"two #new #both @cat"})
		for tag, want := range map[string]int{"old": 0, "new": 1, "both": 1} {
			if got := w.tagged(tag); len(got) != want {
				w.Errorf("#%s holds %q", tag, got)
			}
		}
		for who, want := range map[linnet.ID]string{bob: "", cat: "mention update "} {
			if got := w.told(who); got != want {
				w.Errorf("%v was told %q, want %q", who, got, want)
			}
		}
		if got := texts(must(w.Discovery.SearchStatuses(w.ctx, ann, searchFor("two")))(w).Statuses); len(got) != 1 {
			w.Errorf("the search finds %q", got)
		}
		same := w.edit(ann, id, linnet.Edit{Text: "two #new #both @cat", Warning: "careful"})
		if len(same.Edits) != 1 {
			w.Errorf("%d edits of which one changed nothing", len(same.Edits))
		}
		w.edit(ann, id, linnet.Edit{Text: "three"})
		if got := w.told(cat); got != "update " {
			w.Errorf("a later edit: cat was told %q", got)
		}
		_, err := w.Posting.Edit(w.ctx, bob, id, linnet.Edit{Text: "mine"})
		kindIs(w, err, linnet.NotFound)
		boost := must(w.Posting.Repost(w.ctx, ann, w.post(bob, "by bob").ID, nil))(w)
		_, err = w.Posting.Edit(w.ctx, ann, boost.ID, linnet.Edit{Text: "x"})
		kindIs(w, err, linnet.Invalid)
		w.check()
		must(w.Posting.Delete(w.ctx, ann, id))(w)
		w.drain()
		_, _, err = w.View.History(w.ctx, ann, id)
		kindIs(w, err, linnet.NotFound)
		w.check()
	})
}

// told returns the types of a user's notifications, sorted, because notifications of one action
// have no order.
func (w *world) told(who linnet.ID) (out string) {
	w.Helper()
	var types []string
	for _, n := range w.noticesOf(who, linnet.NotificationFilter{}, 40) {
		types = append(types, string(n.Type)+" ")
	}
	slices.Sort(types)
	return strings.Join(types, "")
}

// TestEditMentions checks that an edit removes access for users who are no longer mentioned and
// adds it for new ones. Direct statuses move to other conversations.
func TestEditMentions(t *testing.T) {
	onEngines(t, func(w *world) {
		ann, bob, cat := w.person("ann"), w.person("bob"), w.person("cat")
		private := w.draft(ann, linnet.Draft{Text: "for @bob", Visibility: new(linnet.Private)}).ID
		direct := w.direct(ann, "@bob hello").ID
		w.wantTalks(bob, "ann: @bob hello (unread)")
		for _, id := range []linnet.ID{private, direct} {
			w.edit(ann, id, linnet.Edit{Text: "for @cat"})
			must(w.View.Status(w.ctx, cat, id))(w)
			_, err := w.View.Status(w.ctx, bob, id)
			kindIs(w, err, linnet.NotFound)
			_, _, err = w.View.History(w.ctx, bob, id)
			kindIs(w, err, linnet.NotFound)
			if v := must(w.View.Status(w.ctx, ann, id))(w); v.Visibility < linnet.Private {
				w.Errorf("%v is %v", id, v.Visibility)
			}
		}
		w.wantTalks(bob, "")
		w.wantTalks(cat, "ann: for @cat (unread)")
		if got := w.told(bob) + "/" + w.told(cat); got != "/mention mention " {
			w.Errorf("notifications: %s", got)
		}
		w.check()
	})
}

// TestEditsAtOnce checks that concurrent edits each add a version, and that tags and search follow
// the last one.
func TestEditsAtOnce(t *testing.T) {
	const writers = 8
	onEngines(t, func(w *world) {
		ann := w.person("ann")
		people := w.people(writers)
		id := w.post(ann, "first #t").ID
		var all sync.WaitGroup
		for i := range writers {
			all.Go(func() {
				u := must(w.View.User(w.ctx, 0, people[i]))(w)
				if _, err := w.Posting.Edit(w.ctx, ann, id, linnet.Edit{Text: fmt.Sprintf("@%s #t%d", u.Login, i)}); err != nil {
					w.Error(err)
				}
			})
		}
		all.Wait()
		w.drain()
		said := w.said(0, id)
		if len(said) != writers+1 || said[0] != "first #t" {
			w.Errorf("versions: %q", said)
		}
		mentioned := 0
		for i, who := range people {
			n := len(must(w.Reading.Mentions(w.ctx, who, linnet.Page{}))(w).Items)
			if under := len(w.tagged(fmt.Sprintf("t%d", i))); n != under {
				w.Errorf("%d: %d mentions, %d under the tag", i, n, under)
			}
			mentioned += n
		}
		if mentioned != 1 {
			w.Errorf("%d are mentioned", mentioned)
		}
		w.check()
	})
}

// TestEditPoll checks that changed options restart a poll, and that a changed duration does not.
func TestEditPoll(t *testing.T) {
	onEngines(t, func(w *world) {
		ann, bob := w.person("ann"), w.person("bob")
		id := w.ask(ann, pollOf(300, "tea", "coffee"))
		must(w.Posting.Polls.Vote(w.ctx, bob, id, []int{1}))(w)
		for _, step := range []struct {
			poll  *linnet.PollDraft
			edits int
			want  string
		}{
			{pollOf(300, "tea", "coffee"), 0, "1 [0 1] [1] true false"},
			{pollOf(600, "tea", "coffee"), 1, "1 [0 1] [1] true false"},
			{pollOf(600, "tea", "coffee", "milk"), 2, "0 [0 0 0] [] false false"},
		} {
			if v := w.edit(ann, id, linnet.Edit{Text: "which?", Poll: step.poll}); len(v.Edits) != step.edits {
				w.Errorf("%d edits, want %d", len(v.Edits), step.edits)
			}
			if got := w.result(bob, id); got != step.want {
				w.Errorf("%+v: %s, want %s", step.poll, got, step.want)
			}
			w.check()
		}
		must(w.Posting.Polls.Vote(w.ctx, bob, id, []int{2}))(w)
		v := w.edit(ann, id, linnet.Edit{Text: "never mind"})
		if v.PollView != nil {
			w.Errorf("the poll is still there: %+v", v.PollView)
		}
		w.check()
	})
}

// TestEditPictures checks that removed media stay in earlier versions, can be added again, and are
// deleted with the status.
func TestEditPictures(t *testing.T) {
	clock := &clocked{}
	opt := store.Options{Now: clock.now}
	e := memkv.New(memkv.Options{Now: clock.now})
	w := idleWorld(t, e, opt)
	ann, bob := w.person("ann"), w.person("bob")
	a, b := must(w.upload(ann))(t), must(w.upload(ann))(t)
	id := must(w.Posting.Post(w.ctx, ann, linnet.Draft{Media: []linnet.ID{a.ID}}))(t).ID
	v := must(w.Posting.Edit(w.ctx, ann, id, linnet.Edit{Media: []linnet.ID{b.ID}, Describe: map[linnet.ID]linnet.AttachmentChange{b.ID: {Description: new("a square")}}}))(t)
	if len(v.Media) != 1 || v.Media[0].Description != "a square" || len(v.Former) != 1 {
		t.Errorf("%+v, %+v", v.Media, v.Former)
	}
	clock.turn(linnet.AttachmentLife + linnet.DetachedLife)
	w = closes(t, e, opt)
	w.check()
	if n := len(w.files()); n != 4 {
		t.Errorf("%d files", n)
	}
	_, err := w.Posting.Edit(w.ctx, ann, id, linnet.Edit{Media: []linnet.ID{must(w.upload(bob))(t).ID}})
	kindIs(t, err, linnet.Invalid)
	_, err = w.Posting.Edit(w.ctx, ann, id, linnet.Edit{})
	kindIs(t, err, linnet.Invalid)
	v = must(w.Posting.Edit(w.ctx, ann, id, linnet.Edit{Text: "both", Media: []linnet.ID{b.ID, a.ID}}))(t)
	if len(v.Media) != 2 || len(v.Former) != 0 || v.Media[0].Description != "a square" {
		t.Errorf("%+v, %+v", v.Media, v.Former)
	}
	must(w.Posting.Edit(w.ctx, ann, id, linnet.Edit{Text: "none"}))(t)
	_, all, err := w.View.History(w.ctx, 0, id)
	var pictures []int
	for _, v := range all {
		pictures = append(pictures, len(v.Media))
	}
	if got := fmt.Sprint(pictures, err); got != "[1 1 2 0] <nil>" {
		t.Errorf("pictures of the versions: %s", got)
	}
	page := must(w.Reading.Profile(w.ctx, 0, ann, linnet.ProfileFilter{OnlyMedia: true}, linnet.Page{}))(t)
	if len(page.Items) != 0 {
		t.Error("what has no pictures any more is among those that have")
	}
	must(w.Posting.Delete(w.ctx, ann, id))(t)
	w = closes(t, e, opt)
	if n := len(w.files()); n != 2 { // an unused one of bob's is left
		t.Errorf("%d files are left", n)
	}
	w.check()
}

// TestEditLimits checks that the number of edits is limited, and that versions are deleted with the
// author.
func TestEditLimits(t *testing.T) {
	w := memWorld(t)
	ann := w.person("ann")
	id := w.post(ann, "0").ID
	for i := range linnet.MaxEdits {
		must(w.Posting.Edit(w.ctx, ann, id, linnet.Edit{Text: fmt.Sprint(i + 1)}))(t)
	}
	_, err := w.Posting.Edit(w.ctx, ann, id, linnet.Edit{Text: "once more"})
	kindIs(t, err, linnet.Invalid)
	must(w.Posting.Edit(w.ctx, ann, id, linnet.Edit{Text: fmt.Sprint(linnet.MaxEdits)}))(t)
	if n := len(w.said(0, id)); n != linnet.MaxEdits+1 {
		t.Errorf("%d versions", n)
	}
	for _, e := range []linnet.Edit{{}, {Text: strings.Repeat("x", 501)}, {Text: "x", Language: new("!")}, {Text: "x", Poll: pollOf(1, "a", "b")}, {Text: "x", Media: []linnet.ID{5}}} {
		_, err := w.Posting.Edit(w.ctx, ann, id, e)
		kindIs(t, err, linnet.Invalid)
	}
	w.check()
	w.deleteUser(ann, id)
	w.drain()
	w.check()
}

// TestEditStreams checks that an edit event reaches each stream that had the status, with the
// listener's own marks.
func TestEditStreams(t *testing.T) {
	onEngines(t, func(w *world) {
		me, ann, cat := w.person("me"), w.person("ann"), w.person("cat")
		w.follow(me, ann)
		public := w.post(ann, "one #tea").ID
		private := w.draft(ann, linnet.Draft{Text: "for few", Visibility: new(linnet.Private)}).ID
		direct := w.direct(ann, "@me hello").ID
		must(w.Posting.Marks.Favourite(w.ctx, me, public))(w)
		must(w.Posting.Repost(w.ctx, me, public, nil))(w)
		home := w.listen(session(me), stream(linnet.StreamUser))
		tag := w.listen(linnet.Session{}, linnet.Stream{Kind: linnet.StreamTag, Tag: "tea"}, stream(linnet.StreamPublic))
		others := w.listen(session(cat), stream(linnet.StreamUser), stream(linnet.StreamDirect), stream(linnet.StreamPublic))
		directs := w.listen(session(me), stream(linnet.StreamDirect))
		for range 2 { // a repeated batch sends nothing again
			w.edit(ann, public, linnet.Edit{Text: "two #tea"})
		}
		w.edit(ann, private, linnet.Edit{Text: "for fewer"})
		w.edit(ann, direct, linnet.Edit{Text: "@me hello again"})
		w.post(ann, "last")
		home.until("user update last")
		tag.until("public update last")
		others.until("public update last")
		directs.until("direct status.update @me hello again")
		equal(w, "home", sorted(home.words()), sorted([]string{"user status.update two #tea", "user notification update", "user status.update for fewer", "user status.update @me hello again", "user update last"}))
		equal(w, "tag", sorted(tag.words()), sorted([]string{"hashtag status.update two #tea", "public status.update two #tea", "public update last"}))
		equal(w, "others", others.words(), []string{"public status.update two #tea", "public update last"})
		home.mu.Lock()
		defer home.mu.Unlock()
		for _, ev := range home.all {
			if ev.Status != nil && ev.Status.ID == public && !(ev.Status.Favourited && ev.Status.Reposted) {
				w.Errorf("the edited status comes without its reader's marks: %+v", ev.Status)
			}
		}
	})
}

// TestEditNotices checks that users who block or mute the author receive no notification of an
// edit.
func TestEditNotices(t *testing.T) {
	w := memWorld(t)
	ann := w.person("ann")
	id := w.post(ann, "one").ID
	people := w.people(3)
	for _, who := range append(people, ann) {
		must(w.Posting.Repost(w.ctx, who, id, nil))(t)
	}
	must(w.Social.Block(w.ctx, people[0], ann))(t)
	must(w.Posting.Marks.MuteThread(w.ctx, people[1], id))(t)
	w.policy(people[2], linnet.PolicyChange{NotFollowing: linnet.Drop})
	w.edit(ann, id, linnet.Edit{Text: "two"})
	for i, want := range []string{"", "", "update "} {
		if got := w.told(people[i]); got != want {
			t.Errorf("%d was told %q, want %q", i, got, want)
		}
	}
	if strings.Contains(w.told(ann), "update") {
		t.Error("the author is told of the own edit")
	}
	groups := must(w.Notify.GroupedNotifications(w.ctx, people[2], linnet.GroupFilter{}, linnet.Page{}))(t)
	if len(groups.Items) != 1 || groups.Items[0].Newest.Type != linnet.NotifyEdit {
		t.Errorf("%+v", groups.Items)
	}
	w.check()
}

// TestEditInGroup checks that an edit of a group post stays in the group, and that members receive
// it.
func TestEditInGroup(t *testing.T) {
	onEngines(t, func(w *world) {
		ann, bob, dan := w.person("ann"), w.person("bob"), w.person("dan")
		g := w.group(ann, "birds", linnet.Chat, bob)
		st := w.draft(ann, linnet.Draft{Text: "@birds @bob hi"})
		w.drain()
		if !st.ForMembers() {
			w.Fatalf("not for members: %+v", st.Status)
		}
		ear := w.listen(session(bob), stream(linnet.StreamDirect))
		v := w.edit(ann, st.ID, linnet.Edit{Text: "@dan @bob hello"})
		if v.Group != g || len(v.Mentions) != 1 || v.Mentions[0].ID != bob {
			w.Errorf("%+v", v.Status)
		}
		ear.until("direct status.update @dan @bob hello")
		_, _, err := w.View.History(w.ctx, dan, st.ID)
		kindIs(w, err, linnet.NotFound)
		equal(w, "history", w.said(bob, st.ID), []string{"@birds @bob hi", "@dan @bob hello"})
		open := w.post(ann, "open").ID
		kindIs(w, second(w.Posting.Edit(w.ctx, ann, open, linnet.Edit{Text: "open @birds"})), linnet.Invalid)
		w.check()
	})
}

// editActs are edits for the fault tests.
func editActs() map[string]faultyAct {
	return map[string]faultyAct{"edit": {
		do: func(s *stage) error {
			return second(s.Posting.Edit(s.ctx, s.ann, s.byAnn, linnet.Edit{Text: "anew #New @bob"}))
		},
		want: func(s *stage) string {
			var versions []string
			_, all, err := s.View.History(s.ctx, 0, s.byAnn)
			for _, v := range all {
				versions = append(versions, v.Text)
			}
			tags := func(tag string) int {
				return len(must(s.Reading.Tag(s.ctx, 0, linnet.TagQuery{Tag: tag}, linnet.Page{}))(s).Items)
			}
			return differs(fmt.Sprint(versions, err, tags("new"), tags("old"))+s.homes("anew #New @bob")+strings.TrimSpace(s.notices(s.dan))+" "+fmt.Sprint(strings.Count(s.notices(s.cat), "update")),
				"[by ann #Old @dan anew #New @bob] <nil> 1 0"+"1110"+"reblog favourite 1")
		},
	}}
}
