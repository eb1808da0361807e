package posting_test

import (
	"fmt"
	"sync"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// TestDeletion checks that a deleted status is removed from feeds, lists, favourites, bookmarks,
// reposts, conversations, tags and notifications.
func TestDeletion(t *testing.T) { apptest.OnEngines(t, deletion) }

func deletion(w *apptest.World) {
	ann, bob, cat := w.Person("ann"), w.Person("bob"), w.Person("cat")
	w.Follow(bob, ann)
	apptest.Must(w.Social.Follow(w.Ctx, cat, ann, linnet.FollowOptions{Notify: new(true)}))(w)
	list := w.List(cat, linnet.ListChange{})
	w.AddTo(cat, list, ann)
	parent := w.Post(bob, "parent")
	s := w.Draft(ann, linnet.Draft{Text: "zombie #brains @bob", InReplyTo: parent.ID}).ID
	loud := w.Post(ann, "watched").ID
	answer := w.Draft(cat, linnet.Draft{Text: "answer", InReplyTo: s}).ID
	for _, who := range []linnet.ID{bob, cat} {
		apptest.Must(w.Posting.Marks.Favourite(w.Ctx, who, s))(w)
		apptest.Must(w.Posting.Repost(w.Ctx, who, s, nil))(w)
		apptest.Must(w.Posting.Marks.Bookmark(w.Ctx, who, s))(w)
		w.Home(who, 20)
	}
	w.ListPage(cat, list)
	_, err := w.Posting.Delete(w.Ctx, bob, s)
	apptest.WantKind(w, err, linnet.NotFound)
	v := apptest.Must(w.Posting.Delete(w.Ctx, ann, s))(w)
	if v.Text != "zombie #brains @bob" {
		w.Errorf("the deleted text is %q", v.Text)
	}
	apptest.Must(w.Posting.Delete(w.Ctx, ann, loud))(w)
	_, err = w.Posting.Delete(w.Ctx, ann, s)
	apptest.WantKind(w, err, linnet.NotFound)
	w.Drain()
	noTrace(w, s, ann, bob, cat, list)
	if v := apptest.Must(w.View.Status(w.Ctx, 0, answer))(w); !v.Orphaned || v.InReplyTo != s {
		w.Errorf("the answer to what was deleted: %+v", v.Status)
	}
	if p := apptest.Must(w.View.Status(w.Ctx, 0, parent.ID))(w); p.Replies != 1 { // without the deleted reply
		w.Errorf("the parent counts %d replies", p.Replies)
	}
	for who, want := range map[linnet.ID]int64{ann: 0, bob: 1, cat: 1} {
		if n := apptest.Must(w.View.User(w.Ctx, 0, who))(w).Statuses; n != want {
			w.Errorf("%v has %d statuses, want %d", who, n, want)
		}
	}
	w.Check()
}

func noTrace(w *apptest.World, s, ann, bob, cat, list linnet.ID) {
	w.Helper()
	for _, who := range []linnet.ID{ann, bob, cat} {
		for name, vs := range map[string][]linnet.StatusView{
			"home": w.Home(who, 20), "favourites": apptest.Must(w.Posting.Marks.Favourites(w.Ctx, who, linnet.Page{}))(w).Items,
			"bookmarks": apptest.Must(w.Posting.Marks.Bookmarks(w.Ctx, who, linnet.Page{}))(w).Items, "mentions": apptest.Must(w.Reading.Mentions(w.Ctx, who, linnet.Page{}))(w).Items,
			"profile": apptest.Must(w.Reading.Profile(w.Ctx, who, who, linnet.ProfileFilter{}, linnet.Page{}))(w).Items,
			"tag":     apptest.Must(w.Reading.Tag(w.Ctx, who, linnet.TagQuery{Tag: "brains"}, linnet.Page{}))(w).Items,
			"search":  apptest.Must(w.Discovery.SearchStatuses(w.Ctx, who, apptest.SearchFor("zombie")))(w).Statuses,
		} {
			for _, v := range vs {
				if v.ID == s || v.RepostOf == s {
					w.Errorf("it stands in %s of %v", name, who)
				}
			}
		}
		for _, n := range w.NoticesOf(who, linnet.NotificationFilter{}, 40) {
			if n.Status != nil && (n.Status.ID == s || n.Status.RepostOf == s) {
				w.Errorf("%v is told of it: %s", who, n.Type)
			}
		}
		_, err := w.View.Status(w.Ctx, who, s)
		apptest.WantKind(w, err, linnet.NotFound)
		_, err = w.Reading.Thread(w.Ctx, who, s, linnet.ThreadQuery{})
		apptest.WantKind(w, err, linnet.NotFound)
	}
	if got := w.ListPage(cat, list); got != "[]" {
		w.Errorf("list: %s", got)
	}
	b := w.Store.Batch()
	for _, key := range []kv.Key{record.HomeKey(ann), record.HomeKey(bob), record.HomeKey(cat), record.ListFeedKey(list)} {
		page := b.Feed(key, db.Span{Limit: 100})
		if err := b.Run(w.Ctx); err != nil {
			w.Fatal(err)
		}
		for _, id := range page.IDs() {
			if id == s {
				w.Errorf("a zombie in %v", key)
			}
		}
	}
	q := &kv.Scores{Key: record.Favourites().OwnedKey(bob), Members: []string{s.String()}}
	if err := w.Store.Engine().Read(w.Ctx, q); err != nil || q.Found[0] {
		w.Errorf("still among bob's favourites: %v", err)
	}
}

// TestDeletionRaces checks that a deletion leaves nothing behind while others favourite, repost and
// reply.
func TestDeletionRaces(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann := w.Person("ann")
		others := w.People(6)
		for round := range 8 {
			s := w.Post(ann, "round %d", round).ID
			var wg sync.WaitGroup
			for i, who := range others {
				wg.Go(func() {
					var err error
					switch i % 3 {
					case 0:
						_, err = w.Posting.Marks.Favourite(w.Ctx, who, s)
					case 1:
						_, err = w.Posting.Repost(w.Ctx, who, s, nil)
					default:
						_, err = w.Posting.Post(w.Ctx, who, linnet.Draft{Text: fmt.Sprint("answer ", i), InReplyTo: s})
					}
					if err != nil && linnet.KindOf(err) != linnet.NotFound {
						w.Error(err)
					}
				})
			}
			wg.Go(func() {
				if _, err := w.Posting.Delete(w.Ctx, ann, s); err != nil {
					w.Error(err)
				}
			})
			wg.Wait()
		}
		w.Drain()
		for _, who := range others {
			if f := apptest.Must(w.Posting.Marks.Favourites(w.Ctx, who, linnet.Page{}))(w); len(f.Items) != 0 {
				w.Errorf("favourites: %v", apptest.Texts(f.Items))
			}
			shown := apptest.Must(w.Reading.Profile(w.Ctx, who, who, linnet.ProfileFilter{}, linnet.Page{}))(w)
			for _, v := range shown.Items {
				if id, by := v.Parent(); id != 0 || by != 0 {
					w.Errorf("%q replies to %v of %v, which is deleted", v.Text, id, by)
				}
			}
			if u := apptest.Must(w.View.User(w.Ctx, 0, who))(w); u.Statuses != int64(len(shown.Items)) {
				w.Errorf("%s: %d statuses are counted, %d shown", u.Login, u.Statuses, len(shown.Items))
			}
		}
		w.Check()
	})
}

// TestDeletionOfMuchAnswered checks that a deletion reaches many replies, in batches, including
// replies that are changed or deleted at the same time.
func TestDeletionOfMuchAnswered(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, bob := w.Person("ann"), w.Person("bob")
		s := w.Post(ann, "question").ID
		var answers []linnet.ID
		for i := range 120 { // more than two batches
			answers = append(answers, w.Draft(bob, linnet.Draft{Text: fmt.Sprint("answer ", i), InReplyTo: s}).ID)
		}
		var wg sync.WaitGroup
		wg.Go(func() { apptest.Must(w.Posting.Delete(w.Ctx, ann, s))(w) })
		wg.Go(func() { apptest.Must(w.Posting.Marks.Pin(w.Ctx, bob, answers[60]))(w) })
		wg.Go(func() { apptest.Must(w.Posting.Delete(w.Ctx, bob, answers[61]))(w) })
		wg.Wait()
		w.Drain()
		all := apptest.Must(w.View.Statuses(w.Ctx, bob, answers))(w)
		for _, v := range all {
			if !v.Orphaned || v.Pinned != (v.ID == answers[60]) {
				w.Errorf("%q: orphaned %v, pinned %v", v.Text, v.Orphaned, v.Pinned)
			}
		}
		if len(all) != 119 {
			w.Errorf("%d answers are left", len(all))
		}
		w.Check()
	})
}

// TestDeletionOfMuchReposted checks that a deletion reaches many reposts, in batches.
func TestDeletionOfMuchReposted(t *testing.T) {
	w := apptest.InMemory(t)
	ann := w.Person("ann")
	s := w.Post(ann, "popular").ID
	people := w.People(130)
	for _, who := range people {
		apptest.Must(w.Posting.Repost(w.Ctx, who, s, nil))(t)
	}
	apptest.Must(w.Posting.Delete(w.Ctx, ann, s))(t)
	w.Drain()
	for _, who := range people {
		if n := apptest.Must(w.View.User(w.Ctx, 0, who))(t).Statuses; n != 0 {
			t.Fatalf("%v has %d statuses", who, n)
		}
	}
	w.Check()
}
