package posting_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/store/db"
)

const aDay = 24 * time.Hour

// written returns the texts of a user's statuses, oldest first.
func written(w *apptest.World, by linnet.ID) string {
	w.Helper()
	b := w.Store.Batch()
	ref := b.Posts(by, db.Span{Asc: true, Limit: 500})
	w.OK(b.Run(w.Ctx))
	var refs []*db.StatusRef
	b = w.Store.Batch()
	for _, p := range ref.Posts() {
		refs = append(refs, b.Status(p.ID))
	}
	w.OK(b.Run(w.Ctx))
	var texts []string
	for _, r := range refs {
		switch {
		case r.Status == nil:
			texts = append(texts, "gone")
		case r.Status.RepostOf != 0:
			texts = append(texts, "a boost")
		default:
			texts = append(texts, r.Status.Text)
		}
	}
	return strings.Join(texts, ", ")
}

// postsOfAllKinds creates a post for each reason to keep one, and others.
func postsOfAllKinds(w *apptest.World, ann, bob linnet.ID) map[string]linnet.ID {
	w.Helper()
	his := w.Post(bob, "his")
	posts := map[string]linnet.ID{}
	for _, text := range []string{"old", "pinned", "liked", "marked", "popular", "boosted"} {
		posts[text] = w.Post(ann, "%s", text).ID
	}
	posts["poll"] = apptest.Must(w.Posting.Post(w.Ctx, ann, linnet.Draft{Text: "poll", Poll: apptest.PollOf(300, "a", "b")}))(w).ID
	posts["media"] = apptest.Must(w.Posting.Post(w.Ctx, ann, linnet.Draft{Text: "media", Media: []linnet.ID{apptest.Must(w.Upload(ann))(w).ID}}))(w).ID
	w.Direct(ann, "@bob message")
	apptest.Must(w.Posting.Repost(w.Ctx, ann, his.ID, nil))(w)
	apptest.Must(w.Posting.Post(w.Ctx, ann, linnet.Draft{Text: "reply", InReplyTo: his.ID}))(w)
	apptest.Must(w.Posting.Marks.Pin(w.Ctx, ann, posts["pinned"]))(w)
	apptest.Must(w.Posting.Marks.Favourite(w.Ctx, ann, posts["liked"]))(w)
	apptest.Must(w.Posting.Marks.Bookmark(w.Ctx, ann, posts["marked"]))(w)
	apptest.Must(w.Posting.Marks.Favourite(w.Ctx, bob, posts["popular"]))(w)
	apptest.Must(w.Posting.Repost(w.Ctx, bob, posts["boosted"], nil))(w)
	return posts
}

// TestOldPosts checks that posts are deleted at the chosen age, with restarts between batches.
// Posts with a reason to keep them stay until a week after the reason has ended.
func TestOldPosts(t *testing.T) {
	apptest.OnClockedEngines(t, func(t *testing.T, clock *apptest.Clock, e kv.Engine) {
		opt := store.Options{Now: clock.Now}
		w := apptest.Idle(t, e, opt)
		ann, bob := w.Person("ann"), w.Person("bob")
		w.Follow(bob, ann)
		posts := postsOfAllKinds(w, ann, bob)
		all := "old, pinned, liked, marked, popular, boosted, poll, media, @bob message, a boost, reply"
		turn := func(d time.Duration) {
			t.Helper()
			clock.Advance(d)
			w = apptest.ServeDue(t, e, opt)
		}
		has := func(when, want string) {
			t.Helper()
			if got := written(w, ann); got != want {
				t.Fatalf("%s: there is %s, want %s", when, got, want)
			}
			w.Check()
		}
		c := linnet.OldPosts{Days: 7, Pinned: true, Direct: true, Favourited: true, Bookmarked: true, Polls: true, Media: true, Favourites: 1, Reposts: 1}
		w.OK(w.Posting.Old.Choose(w.Ctx, ann, c))
		w.OK(w.Posting.Old.Choose(w.Ctx, ann, c)) // repeated: no change
		turn(6 * aDay)
		w.Post(ann, "new")
		has("before they are old", all+", new")
		turn(aDay + time.Hour)
		kept := "pinned, liked, marked, popular, boosted, poll, media, @bob message"
		has("when they are old", kept+", new")
		if _, deleted, err := w.Posting.Old.Choice(w.Ctx, ann); err != nil || deleted != 3 {
			t.Errorf("%d were deleted, %v, want 3", deleted, err)
		}
		apptest.Must(w.Posting.Marks.Unfavourite(w.Ctx, ann, posts["liked"]))(t)
		w.OK(w.Posting.Old.Choose(w.Ctx, ann, c)) // does not start again
		turn(time.Hour)
		has("with one reason less", kept+", new")
		turn(8 * aDay)
		kept = strings.Replace(kept, "liked, ", "", 1)
		has("a week later", kept)
		w.OK(w.Posting.Old.Choose(w.Ctx, ann, linnet.OldPosts{}))
		turn(8 * aDay)
		has("when nothing is to be deleted", kept)
		w.OK(w.Posting.Old.Choose(w.Ctx, ann, linnet.OldPosts{Days: 14, Direct: true}))
		turn(time.Minute)
		has("before it begins", kept)
		turn(time.Hour)
		has("when little is kept", "@bob message")
		w.Check()
	})
}

// TestManyOldPosts checks that a long profile is processed in batches, which restarts do not
// repeat, and that deleting the account ends it.
func TestManyOldPosts(t *testing.T) {
	clock := &apptest.Clock{}
	e, opt := memkv.New(memkv.Options{Now: clock.Now}), store.Options{Now: clock.Now}
	w := apptest.Idle(t, e, opt)
	ann := w.Person("ann")
	for i := range 120 {
		w.Post(ann, "post %d", i)
	}
	turn := func(d time.Duration) int {
		t.Helper()
		clock.Advance(d)
		w = apptest.ServeDue(t, e, opt)
		if s := written(w, ann); s != "" {
			return strings.Count(s, ",") + 1
		}
		return 0
	}
	turn(8 * aDay)
	w.OK(w.Posting.Old.Choose(w.Ctx, ann, linnet.OldPosts{Days: 7}))
	var left []int
	for range 4 {
		left = append(left, turn(11*time.Minute))
	}
	if want := []int{70, 20, 0, 0}; !slices.Equal(left, want) {
		t.Errorf("there were %v left, want %v", left, want)
	}
	for _, c := range []linnet.OldPosts{{Days: 8}, {Days: -7}, {Days: 7, Favourites: -1}, {Days: 7, Reposts: linnet.MaxOldPostsCount + 1}} {
		apptest.WantKind(t, w.Posting.Old.Choose(w.Ctx, ann, c), linnet.Invalid)
	}
	if c, deleted, err := w.Posting.Old.Choice(w.Ctx, ann); fmt.Sprint(c, deleted, err) != fmt.Sprint(linnet.OldPosts{Days: 7}, 120, nil) {
		t.Errorf("%v, %d, %v", c, deleted, err)
	}
	w.OK(w.Social.Deletion.DeleteUser(w.Ctx, ann))
	apptest.WantKind(t, w.Posting.Old.Choose(w.Ctx, ann, linnet.OldPosts{Days: 7}), linnet.NotFound)
	turn(aDay)
	w.Check()
}
