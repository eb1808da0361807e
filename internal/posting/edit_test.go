package posting_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// said returns all versions of a status that a viewer can see.
func said(w *apptest.World, viewer, id linnet.ID) (out []string) {
	w.Helper()
	_, all, err := w.View.History(w.Ctx, viewer, id)
	if err != nil {
		w.Fatal(err)
	}
	for _, v := range all {
		out = append(out, v.Text)
	}
	return out
}

// tagged returns the texts of the statuses with a tag.
func tagged(w *apptest.World, tag string) []string {
	w.Helper()
	return apptest.Texts(apptest.Must(w.Reading.Tag(w.Ctx, 0, linnet.TagQuery{Tag: tag}, linnet.Page{}))(w).Items)
}

// TestEdit checks that an edit changes a status everywhere. Only its viewers can see earlier
// versions. An edit without a change adds no version.
func TestEdit(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, bob, cat := w.Person("ann"), w.Person("bob"), w.Person("cat")
		w.Follow(bob, ann)
		id := w.Post(ann, "one #Old #both @bob").ID
		apptest.Must(w.Posting.Repost(w.Ctx, cat, id, nil))(w)
		apptest.Must(w.Posting.Marks.Favourite(w.Ctx, bob, id))(w)
		w.Home(bob, 5)
		v := w.Edit(ann, id, linnet.Edit{Text: "two #new #both @cat", Warning: "careful"})
		if at := v.EditedAt(); !at.After(id.Time()) || !v.Sensitive || !strings.Contains(v.HTML, "two") || v.Favourites != 1 {
			w.Errorf("edited: %+v", v)
		}
		apptest.Equal(w, "history", said(w, 0, id), []string{"one #Old #both @bob", "two #new #both @cat"})
		apptest.Equal(w, "home", apptest.Texts(w.Home(bob, 1)), []string{"two #new #both @cat"})
		for tag, want := range map[string]int{"old": 0, "new": 1, "both": 1} {
			if got := tagged(w, tag); len(got) != want {
				w.Errorf("#%s holds %q", tag, got)
			}
		}
		for who, want := range map[linnet.ID]string{bob: "", cat: "mention update "} {
			if got := told(w, who); got != want {
				w.Errorf("%v was told %q, want %q", who, got, want)
			}
		}
		if got := apptest.Texts(apptest.Must(w.Discovery.SearchStatuses(w.Ctx, ann, apptest.SearchFor("two")))(w).Statuses); len(got) != 1 {
			w.Errorf("the search finds %q", got)
		}
		same := w.Edit(ann, id, linnet.Edit{Text: "two #new #both @cat", Warning: "careful"})
		if len(same.Edits) != 1 {
			w.Errorf("%d edits of which one changed nothing", len(same.Edits))
		}
		w.Edit(ann, id, linnet.Edit{Text: "three"})
		if got := told(w, cat); got != "update " {
			w.Errorf("a later edit: cat was told %q", got)
		}
		_, err := w.Posting.Edit(w.Ctx, bob, id, linnet.Edit{Text: "mine"})
		apptest.WantKind(w, err, linnet.NotFound)
		boost := apptest.Must(w.Posting.Repost(w.Ctx, ann, w.Post(bob, "by bob").ID, nil))(w)
		_, err = w.Posting.Edit(w.Ctx, ann, boost.ID, linnet.Edit{Text: "x"})
		apptest.WantKind(w, err, linnet.Invalid)
		w.Check()
		apptest.Must(w.Posting.Delete(w.Ctx, ann, id))(w)
		w.Drain()
		_, _, err = w.View.History(w.Ctx, ann, id)
		apptest.WantKind(w, err, linnet.NotFound)
		w.Check()
	})
}

// told returns the types of a user's notifications, sorted, because notifications of one action
// have no order.
func told(w *apptest.World, who linnet.ID) (out string) {
	w.Helper()
	var types []string
	for _, n := range w.NoticesOf(who, linnet.NotificationFilter{}, 40) {
		types = append(types, string(n.Type)+" ")
	}
	slices.Sort(types)
	return strings.Join(types, "")
}

// TestEditMentions checks that an edit removes access for users who are no longer mentioned and
// adds it for new ones. Direct statuses move to other conversations.
func TestEditMentions(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, bob, cat := w.Person("ann"), w.Person("bob"), w.Person("cat")
		private := w.Draft(ann, linnet.Draft{Text: "for @bob", Visibility: new(linnet.Private)}).ID
		direct := w.Direct(ann, "@bob hello").ID
		wantTalks(w, bob, "ann: @bob hello (unread)")
		for _, id := range []linnet.ID{private, direct} {
			w.Edit(ann, id, linnet.Edit{Text: "for @cat"})
			apptest.Must(w.View.Status(w.Ctx, cat, id))(w)
			_, err := w.View.Status(w.Ctx, bob, id)
			apptest.WantKind(w, err, linnet.NotFound)
			_, _, err = w.View.History(w.Ctx, bob, id)
			apptest.WantKind(w, err, linnet.NotFound)
			if v := apptest.Must(w.View.Status(w.Ctx, ann, id))(w); v.Visibility < linnet.Private {
				w.Errorf("%v is %v", id, v.Visibility)
			}
		}
		wantTalks(w, bob, "")
		wantTalks(w, cat, "ann: for @cat (unread)")
		if got := told(w, bob) + "/" + told(w, cat); got != "/mention mention " {
			w.Errorf("notifications: %s", got)
		}
		w.Check()
	})
}

// TestEditsAtOnce checks that concurrent edits each add a version, and that tags and search follow
// the last one.
func TestEditsAtOnce(t *testing.T) {
	const writers = 8
	apptest.OnEngines(t, func(w *apptest.World) {
		ann := w.Person("ann")
		people := w.People(writers)
		id := w.Post(ann, "first #t").ID
		var all sync.WaitGroup
		for i := range writers {
			all.Go(func() {
				u := apptest.Must(w.View.User(w.Ctx, 0, people[i]))(w)
				if _, err := w.Posting.Edit(w.Ctx, ann, id, linnet.Edit{Text: fmt.Sprintf("@%s #t%d", u.Login, i)}); err != nil {
					w.Error(err)
				}
			})
		}
		all.Wait()
		w.Drain()
		said := said(w, 0, id)
		if len(said) != writers+1 || said[0] != "first #t" {
			w.Errorf("versions: %q", said)
		}
		mentioned := 0
		for i, who := range people {
			n := len(apptest.Must(w.Reading.Mentions(w.Ctx, who, linnet.Page{}))(w).Items)
			if under := len(tagged(w, fmt.Sprintf("t%d", i))); n != under {
				w.Errorf("%d: %d mentions, %d under the tag", i, n, under)
			}
			mentioned += n
		}
		if mentioned != 1 {
			w.Errorf("%d are mentioned", mentioned)
		}
		w.Check()
	})
}

// TestEditPoll checks that changed options restart a poll, and that a changed duration does not.
func TestEditPoll(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, bob := w.Person("ann"), w.Person("bob")
		id := w.PostPoll(ann, apptest.PollOf(300, "tea", "coffee"))
		apptest.Must(w.Posting.Polls.Vote(w.Ctx, bob, id, []int{1}))(w)
		for _, step := range []struct {
			poll  *linnet.PollDraft
			edits int
			want  string
		}{
			{apptest.PollOf(300, "tea", "coffee"), 0, "1 [0 1] [1] true false"},
			{apptest.PollOf(600, "tea", "coffee"), 1, "1 [0 1] [1] true false"},
			{apptest.PollOf(600, "tea", "coffee", "milk"), 2, "0 [0 0 0] [] false false"},
		} {
			if v := w.Edit(ann, id, linnet.Edit{Text: "which?", Poll: step.poll}); len(v.Edits) != step.edits {
				w.Errorf("%d edits, want %d", len(v.Edits), step.edits)
			}
			if got := w.Result(bob, id); got != step.want {
				w.Errorf("%+v: %s, want %s", step.poll, got, step.want)
			}
			w.Check()
		}
		apptest.Must(w.Posting.Polls.Vote(w.Ctx, bob, id, []int{2}))(w)
		v := w.Edit(ann, id, linnet.Edit{Text: "never mind"})
		if v.PollView != nil {
			w.Errorf("the poll is still there: %+v", v.PollView)
		}
		w.Check()
	})
}

// TestEditPictures checks that removed media stay in earlier versions, can be added again, and are
// deleted with the status.
func TestEditPictures(t *testing.T) {
	clock := &apptest.Clock{}
	opt := store.Options{Now: clock.Now}
	e := memkv.New(memkv.Options{Now: clock.Now})
	w := apptest.Idle(t, e, opt)
	ann, bob := w.Person("ann"), w.Person("bob")
	a, b := apptest.Must(w.Upload(ann))(t), apptest.Must(w.Upload(ann))(t)
	id := apptest.Must(w.Posting.Post(w.Ctx, ann, linnet.Draft{Media: []linnet.ID{a.ID}}))(t).ID
	v := apptest.Must(w.Posting.Edit(w.Ctx, ann, id, linnet.Edit{Media: []linnet.ID{b.ID}, Describe: map[linnet.ID]linnet.AttachmentChange{b.ID: {Description: new("a square")}}}))(t)
	if len(v.Media) != 1 || v.Media[0].Description != "a square" || len(v.Former) != 1 {
		t.Errorf("%+v, %+v", v.Media, v.Former)
	}
	clock.Advance(linnet.AttachmentLife + linnet.DetachedLife)
	w = apptest.ServeDue(t, e, opt)
	w.Check()
	if n := len(w.FileNames()); n != 4 {
		t.Errorf("%d files", n)
	}
	_, err := w.Posting.Edit(w.Ctx, ann, id, linnet.Edit{Media: []linnet.ID{apptest.Must(w.Upload(bob))(t).ID}})
	apptest.WantKind(t, err, linnet.Invalid)
	_, err = w.Posting.Edit(w.Ctx, ann, id, linnet.Edit{})
	apptest.WantKind(t, err, linnet.Invalid)
	v = apptest.Must(w.Posting.Edit(w.Ctx, ann, id, linnet.Edit{Text: "both", Media: []linnet.ID{b.ID, a.ID}}))(t)
	if len(v.Media) != 2 || len(v.Former) != 0 || v.Media[0].Description != "a square" {
		t.Errorf("%+v, %+v", v.Media, v.Former)
	}
	apptest.Must(w.Posting.Edit(w.Ctx, ann, id, linnet.Edit{Text: "none"}))(t)
	_, all, err := w.View.History(w.Ctx, 0, id)
	var pictures []int
	for _, v := range all {
		pictures = append(pictures, len(v.Media))
	}
	if got := fmt.Sprint(pictures, err); got != "[1 1 2 0] <nil>" {
		t.Errorf("pictures of the versions: %s", got)
	}
	page := apptest.Must(w.Reading.Profile(w.Ctx, 0, ann, linnet.ProfileFilter{OnlyMedia: true}, linnet.Page{}))(t)
	if len(page.Items) != 0 {
		t.Error("what has no pictures any more is among those that have")
	}
	apptest.Must(w.Posting.Delete(w.Ctx, ann, id))(t)
	w = apptest.ServeDue(t, e, opt)
	if n := len(w.FileNames()); n != 2 { // an unused one of bob's is left
		t.Errorf("%d files are left", n)
	}
	w.Check()
}

// TestEditLimits checks that the number of edits is limited, and that versions are deleted with the
// author.
func TestEditLimits(t *testing.T) {
	w := apptest.InMemory(t)
	ann := w.Person("ann")
	id := w.Post(ann, "0").ID
	for i := range linnet.MaxEdits {
		apptest.Must(w.Posting.Edit(w.Ctx, ann, id, linnet.Edit{Text: fmt.Sprint(i + 1)}))(t)
	}
	_, err := w.Posting.Edit(w.Ctx, ann, id, linnet.Edit{Text: "once more"})
	apptest.WantKind(t, err, linnet.Invalid)
	apptest.Must(w.Posting.Edit(w.Ctx, ann, id, linnet.Edit{Text: fmt.Sprint(linnet.MaxEdits)}))(t)
	if n := len(said(w, 0, id)); n != linnet.MaxEdits+1 {
		t.Errorf("%d versions", n)
	}
	for _, e := range []linnet.Edit{{}, {Text: strings.Repeat("x", 501)}, {Text: "x", Language: new("!")}, {Text: "x", Poll: apptest.PollOf(1, "a", "b")}, {Text: "x", Media: []linnet.ID{5}}} {
		_, err := w.Posting.Edit(w.Ctx, ann, id, e)
		apptest.WantKind(t, err, linnet.Invalid)
	}
	w.Check()
	w.DeleteUser(ann, id)
	w.Drain()
	w.Check()
}

// TestEditStreams checks that an edit event reaches each stream that had the status, with the
// listener's own marks.
func TestEditStreams(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		me, ann, cat := w.Person("me"), w.Person("ann"), w.Person("cat")
		w.Follow(me, ann)
		public := w.Post(ann, "one #tea").ID
		private := w.Draft(ann, linnet.Draft{Text: "for few", Visibility: new(linnet.Private)}).ID
		direct := w.Direct(ann, "@me hello").ID
		apptest.Must(w.Posting.Marks.Favourite(w.Ctx, me, public))(w)
		apptest.Must(w.Posting.Repost(w.Ctx, me, public, nil))(w)
		home := w.Listen(apptest.Session(me), apptest.Stream(linnet.StreamUser))
		tag := w.Listen(linnet.Session{}, linnet.Stream{Kind: linnet.StreamTag, Tag: "tea"}, apptest.Stream(linnet.StreamPublic))
		others := w.Listen(apptest.Session(cat), apptest.Stream(linnet.StreamUser), apptest.Stream(linnet.StreamDirect), apptest.Stream(linnet.StreamPublic))
		directs := w.Listen(apptest.Session(me), apptest.Stream(linnet.StreamDirect))
		for range 2 { // a repeated batch sends nothing again
			w.Edit(ann, public, linnet.Edit{Text: "two #tea"})
		}
		w.Edit(ann, private, linnet.Edit{Text: "for fewer"})
		w.Edit(ann, direct, linnet.Edit{Text: "@me hello again"})
		w.Post(ann, "last")
		home.WaitFor("user update last")
		tag.WaitFor("public update last")
		others.WaitFor("public update last")
		directs.WaitFor("direct status.update @me hello again")
		apptest.Equal(w, "home", apptest.Sorted(home.Words()), apptest.Sorted([]string{"user status.update two #tea", "user notification update", "user status.update for fewer", "user status.update @me hello again", "user update last"}))
		apptest.Equal(w, "tag", apptest.Sorted(tag.Words()), apptest.Sorted([]string{"hashtag status.update two #tea", "public status.update two #tea", "public update last"}))
		apptest.Equal(w, "others", others.Words(), []string{"public status.update two #tea", "public update last"})
		home.Mu.Lock()
		defer home.Mu.Unlock()
		for _, ev := range home.All {
			if ev.Status != nil && ev.Status.ID == public && !(ev.Status.Favourited && ev.Status.Reposted) {
				w.Errorf("the edited status comes without its reader's marks: %+v", ev.Status)
			}
		}
	})
}

// TestEditNotices checks that users who block or mute the author receive no notification of an
// edit.
func TestEditNotices(t *testing.T) {
	w := apptest.InMemory(t)
	ann := w.Person("ann")
	id := w.Post(ann, "one").ID
	people := w.People(3)
	for _, who := range append(people, ann) {
		apptest.Must(w.Posting.Repost(w.Ctx, who, id, nil))(t)
	}
	apptest.Must(w.Social.Block(w.Ctx, people[0], ann))(t)
	apptest.Must(w.Posting.Marks.MuteThread(w.Ctx, people[1], id))(t)
	w.Policy(people[2], linnet.PolicyChange{NotFollowing: linnet.Drop})
	w.Edit(ann, id, linnet.Edit{Text: "two"})
	for i, want := range []string{"", "", "update "} {
		if got := told(w, people[i]); got != want {
			t.Errorf("%d was told %q, want %q", i, got, want)
		}
	}
	if strings.Contains(told(w, ann), "update") {
		t.Error("the author is told of the own edit")
	}
	groups := apptest.Must(w.Notify.GroupedNotifications(w.Ctx, people[2], linnet.GroupFilter{}, linnet.Page{}))(t)
	if len(groups.Items) != 1 || groups.Items[0].Newest.Type != linnet.NotifyEdit {
		t.Errorf("%+v", groups.Items)
	}
	w.Check()
}

// TestEditInGroup checks that an edit of a group post stays in the group, and that members receive
// it.
func TestEditInGroup(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, bob, dan := w.Person("ann"), w.Person("bob"), w.Person("dan")
		g := w.Group(ann, "birds", linnet.Chat, bob)
		st := w.Draft(ann, linnet.Draft{Text: "@birds @bob hi"})
		w.Drain()
		if !st.ForMembers() {
			w.Fatalf("not for members: %+v", st.Status)
		}
		ear := w.Listen(apptest.Session(bob), apptest.Stream(linnet.StreamDirect))
		v := w.Edit(ann, st.ID, linnet.Edit{Text: "@dan @bob hello"})
		if v.Group != g || len(v.Mentions) != 1 || v.Mentions[0].ID != bob {
			w.Errorf("%+v", v.Status)
		}
		ear.WaitFor("direct status.update @dan @bob hello")
		_, _, err := w.View.History(w.Ctx, dan, st.ID)
		apptest.WantKind(w, err, linnet.NotFound)
		apptest.Equal(w, "history", said(w, bob, st.ID), []string{"@birds @bob hi", "@dan @bob hello"})
		open := w.Post(ann, "open").ID
		apptest.WantKind(w, apptest.Err(w.Posting.Edit(w.Ctx, ann, open, linnet.Edit{Text: "open @birds"})), linnet.Invalid)
		w.Check()
	})
}
