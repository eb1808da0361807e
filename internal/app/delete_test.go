package app_test

import (
	"fmt"
	"sync"
	"testing"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// TestDeletion checks that a deleted status is removed from feeds, lists, favourites, bookmarks,
// reposts, conversations, tags and notifications.
func TestDeletion(t *testing.T) { onEngines(t, deletion) }

func deletion(w *world) {
	ann, bob, cat := w.person("ann"), w.person("bob"), w.person("cat")
	w.follow(bob, ann)
	must(w.Social.Follow(w.ctx, cat, ann, linnet.FollowOptions{Notify: new(true)}))(w)
	list := w.list(cat, linnet.ListChange{})
	w.addTo(cat, list, ann)
	parent := w.post(bob, "parent")
	s := w.draft(ann, linnet.Draft{Text: "zombie #brains @bob", InReplyTo: parent.ID}).ID
	loud := w.post(ann, "watched").ID
	answer := w.draft(cat, linnet.Draft{Text: "answer", InReplyTo: s}).ID
	for _, who := range []linnet.ID{bob, cat} {
		must(w.Posting.Marks.Favourite(w.ctx, who, s))(w)
		must(w.Posting.Repost(w.ctx, who, s, nil))(w)
		must(w.Posting.Marks.Bookmark(w.ctx, who, s))(w)
		w.home(who, 20)
	}
	w.listPage(cat, list)
	_, err := w.Posting.Delete(w.ctx, bob, s)
	kindIs(w, err, linnet.NotFound)
	v := must(w.Posting.Delete(w.ctx, ann, s))(w)
	if v.Text != "zombie #brains @bob" {
		w.Errorf("the deleted text is %q", v.Text)
	}
	must(w.Posting.Delete(w.ctx, ann, loud))(w)
	_, err = w.Posting.Delete(w.ctx, ann, s)
	kindIs(w, err, linnet.NotFound)
	w.drain()
	w.noTrace(s, ann, bob, cat, list)
	if v := must(w.View.Status(w.ctx, 0, answer))(w); !v.Orphaned || v.InReplyTo != s {
		w.Errorf("the answer to what was deleted: %+v", v.Status)
	}
	if p := must(w.View.Status(w.ctx, 0, parent.ID))(w); p.Replies != 1 { // without the deleted reply
		w.Errorf("the parent counts %d replies", p.Replies)
	}
	for who, want := range map[linnet.ID]int64{ann: 0, bob: 1, cat: 1} {
		if n := must(w.View.User(w.ctx, 0, who))(w).Statuses; n != want {
			w.Errorf("%v has %d statuses, want %d", who, n, want)
		}
	}
	w.check()
}

func (w *world) noTrace(s, ann, bob, cat, list linnet.ID) {
	w.Helper()
	for _, who := range []linnet.ID{ann, bob, cat} {
		for name, vs := range map[string][]linnet.StatusView{
			"home": w.home(who, 20), "favourites": must(w.Posting.Marks.Favourites(w.ctx, who, linnet.Page{}))(w).Items,
			"bookmarks": must(w.Posting.Marks.Bookmarks(w.ctx, who, linnet.Page{}))(w).Items, "mentions": must(w.Reading.Mentions(w.ctx, who, linnet.Page{}))(w).Items,
			"profile": must(w.Reading.Profile(w.ctx, who, who, linnet.ProfileFilter{}, linnet.Page{}))(w).Items,
			"tag":     must(w.Reading.Tag(w.ctx, who, linnet.TagQuery{Tag: "brains"}, linnet.Page{}))(w).Items,
			"search":  must(w.Discovery.SearchStatuses(w.ctx, who, searchFor("zombie")))(w).Statuses,
		} {
			for _, v := range vs {
				if v.ID == s || v.RepostOf == s {
					w.Errorf("it stands in %s of %v", name, who)
				}
			}
		}
		for _, n := range w.noticesOf(who, linnet.NotificationFilter{}, 40) {
			if n.Status != nil && (n.Status.ID == s || n.Status.RepostOf == s) {
				w.Errorf("%v is told of it: %s", who, n.Type)
			}
		}
		_, err := w.View.Status(w.ctx, who, s)
		kindIs(w, err, linnet.NotFound)
		_, err = w.Reading.Thread(w.ctx, who, s, linnet.ThreadQuery{})
		kindIs(w, err, linnet.NotFound)
	}
	if got := w.listPage(cat, list); got != "[]" {
		w.Errorf("list: %s", got)
	}
	b := w.store.Batch()
	for _, key := range []kv.Key{record.HomeKey(ann), record.HomeKey(bob), record.HomeKey(cat), record.ListFeedKey(list)} {
		page := b.Feed(key, db.Span{Limit: 100})
		if err := b.Run(w.ctx); err != nil {
			w.Fatal(err)
		}
		for _, id := range page.IDs() {
			if id == s {
				w.Errorf("a zombie in %v", key)
			}
		}
	}
	q := &kv.Scores{Key: record.Favourites().OwnedKey(bob), Members: []string{s.String()}}
	if err := w.store.Engine().Read(w.ctx, q); err != nil || q.Found[0] {
		w.Errorf("still among bob's favourites: %v", err)
	}
}

// TestDeletionRaces checks that a deletion leaves nothing behind while others favourite, repost and
// reply.
func TestDeletionRaces(t *testing.T) {
	onEngines(t, func(w *world) {
		ann := w.person("ann")
		others := w.people(6)
		for round := range 8 {
			s := w.post(ann, "round %d", round).ID
			var wg sync.WaitGroup
			for i, who := range others {
				wg.Go(func() {
					var err error
					switch i % 3 {
					case 0:
						_, err = w.Posting.Marks.Favourite(w.ctx, who, s)
					case 1:
						_, err = w.Posting.Repost(w.ctx, who, s, nil)
					default:
						_, err = w.Posting.Post(w.ctx, who, linnet.Draft{Text: fmt.Sprint("answer ", i), InReplyTo: s})
					}
					if err != nil && linnet.KindOf(err) != linnet.NotFound {
						w.Error(err)
					}
				})
			}
			wg.Go(func() {
				if _, err := w.Posting.Delete(w.ctx, ann, s); err != nil {
					w.Error(err)
				}
			})
			wg.Wait()
		}
		w.drain()
		for _, who := range others {
			if f := must(w.Posting.Marks.Favourites(w.ctx, who, linnet.Page{}))(w); len(f.Items) != 0 {
				w.Errorf("favourites: %v", texts(f.Items))
			}
			shown := must(w.Reading.Profile(w.ctx, who, who, linnet.ProfileFilter{}, linnet.Page{}))(w)
			for _, v := range shown.Items {
				if id, by := v.Parent(); id != 0 || by != 0 {
					w.Errorf("%q replies to %v of %v, which is deleted", v.Text, id, by)
				}
			}
			if u := must(w.View.User(w.ctx, 0, who))(w); u.Statuses != int64(len(shown.Items)) {
				w.Errorf("%s: %d statuses are counted, %d shown", u.Login, u.Statuses, len(shown.Items))
			}
		}
		w.check()
	})
}

// TestDeletionOfMuchAnswered checks that a deletion reaches many replies, in batches, including
// replies that are changed or deleted at the same time.
func TestDeletionOfMuchAnswered(t *testing.T) {
	onEngines(t, func(w *world) {
		ann, bob := w.person("ann"), w.person("bob")
		s := w.post(ann, "question").ID
		var answers []linnet.ID
		for i := range 120 { // more than two batches
			answers = append(answers, w.draft(bob, linnet.Draft{Text: fmt.Sprint("answer ", i), InReplyTo: s}).ID)
		}
		var wg sync.WaitGroup
		wg.Go(func() { must(w.Posting.Delete(w.ctx, ann, s))(w) })
		wg.Go(func() { must(w.Posting.Marks.Pin(w.ctx, bob, answers[60]))(w) })
		wg.Go(func() { must(w.Posting.Delete(w.ctx, bob, answers[61]))(w) })
		wg.Wait()
		w.drain()
		all := must(w.View.Statuses(w.ctx, bob, answers))(w)
		for _, v := range all {
			if !v.Orphaned || v.Pinned != (v.ID == answers[60]) {
				w.Errorf("%q: orphaned %v, pinned %v", v.Text, v.Orphaned, v.Pinned)
			}
		}
		if len(all) != 119 {
			w.Errorf("%d answers are left", len(all))
		}
		w.check()
	})
}

// TestDeletionOfMuchReposted checks that a deletion reaches many reposts, in batches.
func TestDeletionOfMuchReposted(t *testing.T) {
	w := memWorld(t)
	ann := w.person("ann")
	s := w.post(ann, "popular").ID
	people := w.people(130)
	for _, who := range people {
		must(w.Posting.Repost(w.ctx, who, s, nil))(t)
	}
	must(w.Posting.Delete(w.ctx, ann, s))(t)
	w.drain()
	for _, who := range people {
		if n := must(w.View.User(w.ctx, 0, who))(t).Statuses; n != 0 {
			t.Fatalf("%v has %d statuses", who, n)
		}
	}
	w.check()
}
