package app_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/kv/redistest"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/store/db"
)

const aDay = 24 * time.Hour

// written returns the texts of a user's statuses, oldest first.
func (w *world) written(by linnet.ID) string {
	w.Helper()
	b := w.store.Batch()
	ref := b.Posts(by, db.Span{Asc: true, Limit: 500})
	w.did(b.Run(w.ctx))
	var refs []*db.StatusRef
	b = w.store.Batch()
	for _, p := range ref.Posts() {
		refs = append(refs, b.Status(p.ID))
	}
	w.did(b.Run(w.ctx))
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

// onClockedEngines runs a test with a clock over every engine, with -short only in memory.
func onClockedEngines(t *testing.T, f func(t *testing.T, clock *clocked, e kv.Engine)) {
	t.Run("memory", func(t *testing.T) {
		clock := &clocked{}
		f(t, clock, memkv.New(memkv.Options{Now: clock.now}))
	})
	t.Run("disk", func(t *testing.T) {
		notWhenShort(t)
		clock := &clocked{}
		f(t, clock, onClock{openDisk(t), clock})
	})
	t.Run("redis", func(t *testing.T) {
		notWhenShort(t)
		clock := &clocked{}
		f(t, clock, onClock{openRedis(t, redistest.Single(t), ""), clock})
	})
}

// onClock is an engine with the clock of a test, which servers follow.
type onClock struct {
	kv.Engine
	clock *clocked
}

func (e onClock) Now(context.Context) (time.Time, error) { return e.clock.now(), nil }

// postsOfAllKinds creates a post for each reason to keep one, and others.
func (w *world) postsOfAllKinds(ann, bob linnet.ID) map[string]linnet.ID {
	w.Helper()
	his := w.post(bob, "his")
	posts := map[string]linnet.ID{}
	for _, text := range []string{"old", "pinned", "liked", "marked", "popular", "boosted"} {
		posts[text] = w.post(ann, "%s", text).ID
	}
	posts["poll"] = must(w.Posting.Post(w.ctx, ann, linnet.Draft{Text: "poll", Poll: pollOf(300, "a", "b")}))(w).ID
	posts["media"] = must(w.Posting.Post(w.ctx, ann, linnet.Draft{Text: "media", Media: []linnet.ID{must(w.upload(ann))(w).ID}}))(w).ID
	w.direct(ann, "@bob message")
	must(w.Posting.Repost(w.ctx, ann, his.ID, nil))(w)
	must(w.Posting.Post(w.ctx, ann, linnet.Draft{Text: "reply", InReplyTo: his.ID}))(w)
	must(w.Posting.Marks.Pin(w.ctx, ann, posts["pinned"]))(w)
	must(w.Posting.Marks.Favourite(w.ctx, ann, posts["liked"]))(w)
	must(w.Posting.Marks.Bookmark(w.ctx, ann, posts["marked"]))(w)
	must(w.Posting.Marks.Favourite(w.ctx, bob, posts["popular"]))(w)
	must(w.Posting.Repost(w.ctx, bob, posts["boosted"], nil))(w)
	return posts
}

// TestOldPosts checks that posts are deleted at the chosen age, with restarts between batches.
// Posts with a reason to keep them stay until a week after the reason has ended.
func TestOldPosts(t *testing.T) {
	onClockedEngines(t, func(t *testing.T, clock *clocked, e kv.Engine) {
		opt := store.Options{Now: clock.now}
		w := idleWorld(t, e, opt)
		ann, bob := w.person("ann"), w.person("bob")
		w.follow(bob, ann)
		posts := w.postsOfAllKinds(ann, bob)
		all := "old, pinned, liked, marked, popular, boosted, poll, media, @bob message, a boost, reply"
		turn := func(d time.Duration) {
			t.Helper()
			clock.turn(d)
			w = closes(t, e, opt)
		}
		has := func(when, want string) {
			t.Helper()
			if got := w.written(ann); got != want {
				t.Fatalf("%s: there is %s, want %s", when, got, want)
			}
			w.check()
		}
		c := linnet.OldPosts{Days: 7, Pinned: true, Direct: true, Favourited: true, Bookmarked: true, Polls: true, Media: true, Favourites: 1, Reposts: 1}
		w.did(w.Posting.Old.Choose(w.ctx, ann, c))
		w.did(w.Posting.Old.Choose(w.ctx, ann, c)) // repeated: no change
		turn(6 * aDay)
		w.post(ann, "new")
		has("before they are old", all+", new")
		turn(aDay + time.Hour)
		kept := "pinned, liked, marked, popular, boosted, poll, media, @bob message"
		has("when they are old", kept+", new")
		if _, deleted, err := w.Posting.Old.Choice(w.ctx, ann); err != nil || deleted != 3 {
			t.Errorf("%d were deleted, %v, want 3", deleted, err)
		}
		must(w.Posting.Marks.Unfavourite(w.ctx, ann, posts["liked"]))(t)
		w.did(w.Posting.Old.Choose(w.ctx, ann, c)) // does not start again
		turn(time.Hour)
		has("with one reason less", kept+", new")
		turn(8 * aDay)
		kept = strings.Replace(kept, "liked, ", "", 1)
		has("a week later", kept)
		w.did(w.Posting.Old.Choose(w.ctx, ann, linnet.OldPosts{}))
		turn(8 * aDay)
		has("when nothing is to be deleted", kept)
		w.did(w.Posting.Old.Choose(w.ctx, ann, linnet.OldPosts{Days: 14, Direct: true}))
		turn(time.Minute)
		has("before it begins", kept)
		turn(time.Hour)
		has("when little is kept", "@bob message")
		w.check()
	})
}

// TestManyOldPosts checks that a long profile is processed in batches, which restarts do not
// repeat, and that deleting the account ends it.
func TestManyOldPosts(t *testing.T) {
	clock := &clocked{}
	e, opt := memkv.New(memkv.Options{Now: clock.now}), store.Options{Now: clock.now}
	w := idleWorld(t, e, opt)
	ann := w.person("ann")
	for i := range 120 {
		w.post(ann, "post %d", i)
	}
	turn := func(d time.Duration) int {
		t.Helper()
		clock.turn(d)
		w = closes(t, e, opt)
		if s := w.written(ann); s != "" {
			return strings.Count(s, ",") + 1
		}
		return 0
	}
	turn(8 * aDay)
	w.did(w.Posting.Old.Choose(w.ctx, ann, linnet.OldPosts{Days: 7}))
	var left []int
	for range 4 {
		left = append(left, turn(11*time.Minute))
	}
	if want := []int{70, 20, 0, 0}; !slices.Equal(left, want) {
		t.Errorf("there were %v left, want %v", left, want)
	}
	for _, c := range []linnet.OldPosts{{Days: 8}, {Days: -7}, {Days: 7, Favourites: -1}, {Days: 7, Reposts: linnet.MaxOldPostsCount + 1}} {
		kindIs(t, w.Posting.Old.Choose(w.ctx, ann, c), linnet.Invalid)
	}
	if c, deleted, err := w.Posting.Old.Choice(w.ctx, ann); fmt.Sprint(c, deleted, err) != fmt.Sprint(linnet.OldPosts{Days: 7}, 120, nil) {
		t.Errorf("%v, %d, %v", c, deleted, err)
	}
	w.did(w.Social.Deletion.DeleteUser(w.ctx, ann))
	kindIs(t, w.Posting.Old.Choose(w.ctx, ann, linnet.OldPosts{Days: 7}), linnet.NotFound)
	turn(aDay)
	w.check()
}
