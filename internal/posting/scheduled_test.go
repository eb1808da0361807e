package posting_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/store/statuses"
)

// schedules schedules a text.
func schedules(w *apptest.World, by linnet.ID, text string, in time.Duration) *linnet.Scheduled {
	w.Helper()
	return apptest.Must(w.Posting.Scheduled.Create(w.Ctx, by, linnet.Draft{Text: text}, w.Store.Now().Add(in)))(w)
}

// profile returns the texts of a profile, newest first.
func profile(w *apptest.World, viewer, of linnet.ID) (out string) {
	w.Helper()
	for _, v := range apptest.Must(w.Reading.Profile(w.Ctx, viewer, of, linnet.ProfileFilter{}, linnet.Page{}))(w).Items {
		out += "[" + v.Text + "]"
	}
	return out
}

// TestScheduled checks that a scheduled post is published once at its time with all its fields,
// also after restarts. Its id has that time.
func TestScheduled(t *testing.T) {
	clock := &apptest.Clock{}
	opt := store.Options{Now: clock.Now}
	e := memkv.New(memkv.Options{Now: clock.Now})
	w := apptest.Idle(t, e, opt)
	ann, bob := w.Person("ann"), w.Person("bob")
	w.Follow(bob, ann)
	root := w.Post(bob, "root").ID
	pic := apptest.Must(w.Upload(ann))(t)
	look, err := w.Posting.Scheduled.Create(w.Ctx, ann, linnet.Draft{Text: "look #Sky @bob", Warning: "bright", Media: []linnet.ID{pic.ID}, InReplyTo: root, Visibility: new(linnet.Unlisted),
		Language: "de", App: linnet.AppName{Name: "App"}}, w.Store.Now().Add(3*365*24*time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	ask := apptest.Must(w.Posting.Scheduled.Create(w.Ctx, ann, linnet.Draft{Text: "which?", Poll: apptest.PollOf(300, "a", "b")}, w.Store.Now().Add(3*365*24*time.Hour+time.Second)))(t)
	_, err = w.Posting.Post(w.Ctx, ann, linnet.Draft{Media: []linnet.ID{pic.ID}})
	apptest.WantKind(t, err, linnet.Invalid) // the image is in use
	w.Check()
	for range 3 { // the image stays although no status contains it
		clock.Advance(360 * 24 * time.Hour)
		w = apptest.ServeDue(t, e, opt)
	}
	if got := w.ScheduledPosts(ann) + profile(w, bob, ann); got != "[look #Sky @bob][which?]" {
		t.Fatalf("before its time: %s", got)
	}
	clock.Advance(16 * 24 * time.Hour)
	for range 2 {
		w = apptest.ServeDue(t, e, opt)
		w.RepeatTask(statuses.TaskPublishScheduled, statuses.Due{ID: look.ID, At: look.At.UnixMilli()})
		w.RepeatTask(statuses.TaskPublishScheduled, statuses.Due{ID: ask.ID, At: ask.At.UnixMilli()})
	}
	w = apptest.ServeDue(t, e, opt)
	if got := w.ScheduledPosts(ann) + profile(w, bob, ann); got != "[which?][look #Sky @bob]" {
		t.Fatalf("after its time: %s", got)
	}
	v := w.Home(bob, 3)[1]
	if v.Warning != "bright" || v.InReplyTo != root || v.Visibility != linnet.Unlisted || v.Language != "de" || v.App.Name != "App" || len(v.Media) != 1 || v.Media[0].ID != pic.ID || v.ID.Time().Before(look.At) {
		t.Errorf("published was %+v", v.Status)
	}
	if n := w.NoticesOf(bob, linnet.NotificationFilter{}, 9); len(n) == 0 || n[0].Type != linnet.NotifyMention {
		t.Errorf("bob was told %+v", n)
	}
	if p := w.Home(bob, 3)[0].PollView; p == nil || p.Expires.Before(ask.At.Add(300*time.Second)) {
		t.Errorf("the poll is %+v", p)
	}
	w.Check()
}

// TestScheduleLimits checks that invalid scheduled posts are refused with the value and a remedy.
func TestScheduleLimits(t *testing.T) {
	clock := &apptest.Clock{}
	w := apptest.Idle(t, memkv.New(memkv.Options{Now: clock.Now}), store.Options{Now: clock.Now})
	ann, bob := w.Person("ann"), w.Person("bob")
	noon := w.Store.Now().UTC().Truncate(24 * time.Hour).Add(36 * time.Hour)
	refused := func(at time.Time, d linnet.Draft, kind linnet.Kind, says string) {
		t.Helper()
		_, err := w.Posting.Scheduled.Create(w.Ctx, ann, d, at)
		apptest.WantKind(t, err, kind)
		if err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%q does not say %q", err, says)
		}
	}
	x := linnet.Draft{Text: "x"}
	refused(w.Store.Now().Add(linnet.MinScheduleAhead-time.Second), x, linnet.Invalid, "5 minutes from now")
	refused(w.Store.Now().Add(-time.Hour), x, linnet.Invalid, "Choose a time after")
	refused(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), x, linnet.Invalid, "before 9999-12-31T23:59:59Z")
	refused(noon, linnet.Draft{}, linnet.Invalid, "can't be blank")
	refused(noon, linnet.Draft{Text: "x", Poll: apptest.PollOf(5, "a", "b")}, linnet.Invalid, "5 seconds")
	refused(noon, linnet.Draft{Text: "x", InReplyTo: w.Draft(bob, linnet.Draft{Text: "y", Visibility: new(linnet.Direct)}).ID}, linnet.NotFound, "no such post")
	for i := range linnet.MaxScheduled {
		apptest.Must(w.Posting.Scheduled.Create(w.Ctx, ann, x, noon.Add(time.Duration(i/linnet.MaxScheduledADay)*24*time.Hour)))(t)
		if i == linnet.MaxScheduledADay-1 {
			refused(noon.Add(11*time.Hour), x, linnet.Invalid, "at most 25 posts per day")
		}
	}
	refused(noon.Add(5000*time.Hour), x, linnet.Invalid, "at most 300 posts")
	page := apptest.Must(w.Posting.Scheduled.Page(w.Ctx, ann, linnet.Page{Limit: 40}))(t)
	n := len(page.Items)
	for len(page.Items) > 0 {
		page = apptest.Must(w.Posting.Scheduled.Page(w.Ctx, ann, linnet.Page{Max: page.Last, Limit: 40}))(t)
		n += len(page.Items)
	}
	if n != linnet.MaxScheduled {
		t.Errorf("the pages have %d", n)
	}
	_, err := w.Posting.Scheduled.Reschedule(w.Ctx, ann, apptest.Must(w.Posting.Scheduled.Page(w.Ctx, ann, linnet.Page{Limit: 1}))(t).Items[0].ID, noon)
	apptest.WantKind(t, err, linnet.Invalid)
	schedules(w, bob, "others have their own", time.Hour)
	w.Check()
}

// TestSchedulersAtOnce checks that the limits hold for concurrent requests, and that a key
// schedules once.
func TestSchedulersAtOnce(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann := w.Person("ann")
		at := w.Store.Now().UTC().Truncate(24 * time.Hour).Add(36 * time.Hour)
		var all sync.WaitGroup
		var mu sync.Mutex
		ids := map[linnet.ID]bool{}
		for i := range 3 * linnet.MaxScheduledADay {
			all.Go(func() {
				d := linnet.Draft{Text: fmt.Sprint(i), IdempotencyKey: fmt.Sprint(i % linnet.MaxScheduledADay)}
				for {
					s, err := w.Posting.Scheduled.Create(w.Ctx, ann, d, at)
					if err != nil && linnet.KindOf(err) == linnet.Unavailable { // too many concurrent requests
						continue
					}
					mu.Lock()
					defer mu.Unlock()
					if err != nil {
						w.Error(err)
					} else {
						ids[s.ID] = true
					}
					return
				}
			})
		}
		all.Wait()
		if len(ids) != linnet.MaxScheduledADay {
			w.Errorf("%d were scheduled", len(ids))
		}
		_, err := w.Posting.Scheduled.Create(w.Ctx, ann, linnet.Draft{Text: "more"}, at)
		apptest.WantKind(w, err, linnet.Invalid)
		w.Check()
	})
}

// TestScheduledIsChanged checks that a changed post is published at its new time, and that a
// deleted one is never published. Its media can be used in another post.
func TestScheduledIsChanged(t *testing.T) {
	clock := &apptest.Clock{}
	opt := store.Options{Now: clock.Now}
	e := memkv.New(memkv.Options{Now: clock.Now})
	w := apptest.Idle(t, e, opt)
	ann, bob := w.Person("ann"), w.Person("bob")
	pic := apptest.Must(w.Upload(ann))(t)
	moved, gone := schedules(w, ann, "moved", time.Hour), apptest.Must(w.Posting.Scheduled.Create(w.Ctx, ann, linnet.Draft{Text: "gone", Media: []linnet.ID{pic.ID}}, w.Store.Now().Add(time.Hour)))(t)
	for _, at := range []time.Duration{3 * time.Hour, time.Hour, 2 * time.Hour, 2 * time.Hour} {
		apptest.Must(w.Posting.Scheduled.Reschedule(w.Ctx, ann, moved.ID, moved.At.Add(at)))(t)
	}
	for _, id := range []linnet.ID{moved.ID, 5} {
		_, err := w.Posting.Scheduled.Reschedule(w.Ctx, bob, id, moved.At)
		apptest.WantKind(t, err, linnet.NotFound)
		apptest.WantKind(t, w.Posting.Scheduled.Cancel(w.Ctx, bob, id), linnet.NotFound)
		_, err = w.Posting.Scheduled.Get(w.Ctx, bob, id)
		apptest.WantKind(t, err, linnet.NotFound)
	}
	w.OK(w.Posting.Scheduled.Cancel(w.Ctx, ann, gone.ID))
	apptest.WantKind(t, w.Posting.Scheduled.Cancel(w.Ctx, ann, gone.ID), linnet.NotFound)
	w.Check()
	apptest.Must(w.Posting.Post(w.Ctx, ann, linnet.Draft{Media: []linnet.ID{pic.ID}}))(t)
	clock.Advance(2*time.Hour + time.Minute)
	if w = apptest.ServeDue(t, e, opt); profile(w, bob, ann) != "[]" || w.ScheduledPosts(ann) != "[moved]" {
		t.Errorf("at its former time: %s %s", profile(w, bob, ann), w.ScheduledPosts(ann))
	}
	clock.Advance(time.Hour)
	if w = apptest.ServeDue(t, e, opt); profile(w, bob, ann) != "[moved][]" || w.ScheduledPosts(ann) != "" {
		t.Errorf("at its new time: %s %s", profile(w, bob, ann), w.ScheduledPosts(ann))
	}
	w.Check()
}

// TestScheduledFails checks that a scheduled post that cannot be published stays with a reason, and
// can be scheduled again.
func TestScheduledFails(t *testing.T) {
	clock := &apptest.Clock{}
	opt := store.Options{Now: clock.Now}
	e := memkv.New(memkv.Options{Now: clock.Now})
	w := apptest.Idle(t, e, opt)
	ann, bob, cat := w.Person("ann"), w.Person("bob"), w.Person("cat")
	club := w.Group(cat, "club", linnet.PrivateGroup, ann)
	root := w.Post(bob, "root").ID
	reply := apptest.Must(w.Posting.Scheduled.Create(w.Ctx, ann, linnet.Draft{Text: "reply", InReplyTo: root}, w.Store.Now().Add(time.Hour)))(t)
	inside := apptest.Must(w.Posting.Scheduled.Create(w.Ctx, ann, linnet.Draft{Text: "@club secret"}, w.Store.Now().Add(time.Hour+time.Minute)))(t)
	schedules(w, bob, "by bob", time.Hour)
	apptest.Must(w.Posting.Delete(w.Ctx, bob, root))(t)
	apptest.Must(w.Social.Unfollow(w.Ctx, ann, club))(t)
	w.OK(w.Operate("bob", linnet.Measure{Act: linnet.Suspend, Reason: "spam"}))
	clock.Advance(2 * time.Hour)
	w = apptest.ServeDue(t, e, opt)
	if got := w.ScheduledPosts(ann); got != "[reply: The post you're replying to was deleted, or you can no longer see it.][@club secret: You're no longer in the group.]" {
		t.Errorf("ann's: %s", got)
	}
	if got := w.ScheduledPosts(bob) + profile(w, bob, bob); got != "[by bob: Your account wasn't allowed to post at that time.]" {
		t.Errorf("of who is suspended: %s", got)
	}
	w.Check()
	w.OK(w.Operate("bob", linnet.Measure{Act: linnet.Unsuspend}))
	clock.Advance(48 * time.Hour)
	if w = apptest.ServeDue(t, e, opt); profile(w, 0, bob) != "" {
		t.Errorf("what has failed was published later: %s", profile(w, 0, bob))
	}
	w.OK(w.Posting.Scheduled.Cancel(w.Ctx, ann, reply.ID))
	apptest.Must(w.Social.Follow(w.Ctx, ann, club, linnet.FollowOptions{}))(t)
	w.OK(w.Groups.AcceptMember(w.Ctx, cat, club, ann))
	apptest.Must(w.Posting.Scheduled.Reschedule(w.Ctx, ann, inside.ID, w.Store.Now().Add(time.Hour)))(t)
	clock.Advance(2 * time.Hour)
	if w = apptest.ServeDue(t, e, opt); w.ScheduledPosts(ann)+profile(w, ann, ann) != "[@club secret]" {
		t.Errorf("tried again: %s %s", w.ScheduledPosts(ann), profile(w, ann, ann))
	}
	w.Check()
}

// TestScheduledOfADeletedAccount checks that scheduled posts and their media are deleted with the
// account.
func TestScheduledOfADeletedAccount(t *testing.T) {
	clock := &apptest.Clock{}
	opt := store.Options{Now: clock.Now}
	e := memkv.New(memkv.Options{Now: clock.Now})
	w := apptest.Idle(t, e, opt)
	ann := w.Person("ann")
	pic := apptest.Must(w.Upload(ann))(t)
	apptest.Must(w.Posting.Scheduled.Create(w.Ctx, ann, linnet.Draft{Media: []linnet.ID{pic.ID}}, w.Store.Now().Add(time.Hour)))(t)
	for i := range 24 {
		schedules(w, ann, fmt.Sprint(i), time.Hour)
	}
	w.OK(w.Social.Deletion.DeleteUser(w.Ctx, ann))
	w = apptest.Serve(t, e, opt)
	w.Check()
	clock.Advance(2 * time.Hour)
	w = apptest.ServeDue(t, e, opt)
	if left := keysOfPolls(w); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
	w.Check()
}
