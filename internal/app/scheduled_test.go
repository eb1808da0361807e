package app_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"linnet/internal/kv/faultkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/store"
	"linnet/internal/store/statuses"
)

// schedules schedules a text.
func (w *world) schedules(by linnet.ID, text string, in time.Duration) *linnet.Scheduled {
	w.Helper()
	return must(w.Posting.Scheduled.Create(w.ctx, by, linnet.Draft{Text: text}, w.store.Now().Add(in)))(w)
}

// plans returns a user's scheduled posts, soonest first, with the reasons of failed ones.
func (w *world) plans(me linnet.ID) (out string) {
	w.Helper()
	all, _, err := w.Posting.Scheduled.Soonest(w.ctx, me, 0, 400)
	if err != nil {
		w.Fatal(err)
	}
	for _, s := range all {
		out += "[" + s.Draft.Text + when(s.Failed != "", ": "+locale.English().Stored(s.Failed)) + "]"
	}
	return out
}

func when(on bool, s string) string {
	if on {
		return s
	}
	return ""
}

// profile returns the texts of a profile, newest first.
func (w *world) profile(viewer, of linnet.ID) (out string) {
	w.Helper()
	for _, v := range must(w.Reading.Profile(w.ctx, viewer, of, linnet.ProfileFilter{}, linnet.Page{}))(w).Items {
		out += "[" + v.Text + "]"
	}
	return out
}

// TestScheduled checks that a scheduled post is published once at its time with all its fields,
// also after restarts. Its id has that time.
func TestScheduled(t *testing.T) {
	clock := &clocked{}
	opt := store.Options{Now: clock.now}
	e := memkv.New(memkv.Options{Now: clock.now})
	w := idleWorld(t, e, opt)
	ann, bob := w.person("ann"), w.person("bob")
	w.follow(bob, ann)
	root := w.post(bob, "root").ID
	pic := must(w.upload(ann))(t)
	look, err := w.Posting.Scheduled.Create(w.ctx, ann, linnet.Draft{Text: "look #Sky @bob", Warning: "bright", Media: []linnet.ID{pic.ID}, InReplyTo: root, Visibility: new(linnet.Unlisted),
		Language: "de", App: linnet.AppName{Name: "App"}}, w.store.Now().Add(3*365*24*time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	ask := must(w.Posting.Scheduled.Create(w.ctx, ann, linnet.Draft{Text: "which?", Poll: pollOf(300, "a", "b")}, w.store.Now().Add(3*365*24*time.Hour+time.Second)))(t)
	_, err = w.Posting.Post(w.ctx, ann, linnet.Draft{Media: []linnet.ID{pic.ID}})
	kindIs(t, err, linnet.Invalid) // the image is in use
	w.check()
	for range 3 { // the image stays although no status contains it
		clock.turn(360 * 24 * time.Hour)
		w = closes(t, e, opt)
	}
	if got := w.plans(ann) + w.profile(bob, ann); got != "[look #Sky @bob][which?]" {
		t.Fatalf("before its time: %s", got)
	}
	clock.turn(16 * 24 * time.Hour)
	for range 2 {
		w = closes(t, e, opt)
		w.again(statuses.TaskPublishScheduled, statuses.Due{ID: look.ID, At: look.At.UnixMilli()})
		w.again(statuses.TaskPublishScheduled, statuses.Due{ID: ask.ID, At: ask.At.UnixMilli()})
	}
	w = closes(t, e, opt)
	if got := w.plans(ann) + w.profile(bob, ann); got != "[which?][look #Sky @bob]" {
		t.Fatalf("after its time: %s", got)
	}
	v := w.home(bob, 3)[1]
	if v.Warning != "bright" || v.InReplyTo != root || v.Visibility != linnet.Unlisted || v.Language != "de" || v.App.Name != "App" || len(v.Media) != 1 || v.Media[0].ID != pic.ID || v.ID.Time().Before(look.At) {
		t.Errorf("published was %+v", v.Status)
	}
	if n := w.noticesOf(bob, linnet.NotificationFilter{}, 9); len(n) == 0 || n[0].Type != linnet.NotifyMention {
		t.Errorf("bob was told %+v", n)
	}
	if p := w.home(bob, 3)[0].PollView; p == nil || p.Expires.Before(ask.At.Add(300*time.Second)) {
		t.Errorf("the poll is %+v", p)
	}
	w.check()
}

// TestScheduleLimits checks that invalid scheduled posts are refused with the value and a remedy.
func TestScheduleLimits(t *testing.T) {
	clock := &clocked{}
	w := idleWorld(t, memkv.New(memkv.Options{Now: clock.now}), store.Options{Now: clock.now})
	ann, bob := w.person("ann"), w.person("bob")
	noon := w.store.Now().UTC().Truncate(24 * time.Hour).Add(36 * time.Hour)
	refused := func(at time.Time, d linnet.Draft, kind linnet.Kind, says string) {
		t.Helper()
		_, err := w.Posting.Scheduled.Create(w.ctx, ann, d, at)
		kindIs(t, err, kind)
		if err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%q does not say %q", err, says)
		}
	}
	x := linnet.Draft{Text: "x"}
	refused(w.store.Now().Add(linnet.MinScheduleAhead-time.Second), x, linnet.Invalid, "5 minutes from now")
	refused(w.store.Now().Add(-time.Hour), x, linnet.Invalid, "Choose a time after")
	refused(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), x, linnet.Invalid, "before 9999-12-31T23:59:59Z")
	refused(noon, linnet.Draft{}, linnet.Invalid, "can't be blank")
	refused(noon, linnet.Draft{Text: "x", Poll: pollOf(5, "a", "b")}, linnet.Invalid, "5 seconds")
	refused(noon, linnet.Draft{Text: "x", InReplyTo: w.draft(bob, linnet.Draft{Text: "y", Visibility: new(linnet.Direct)}).ID}, linnet.NotFound, "no such post")
	for i := range linnet.MaxScheduled {
		must(w.Posting.Scheduled.Create(w.ctx, ann, x, noon.Add(time.Duration(i/linnet.MaxScheduledADay)*24*time.Hour)))(t)
		if i == linnet.MaxScheduledADay-1 {
			refused(noon.Add(11*time.Hour), x, linnet.Invalid, "already scheduled 25 posts for that day")
		}
	}
	refused(noon.Add(5000*time.Hour), x, linnet.Invalid, "scheduled 300 posts")
	page := must(w.Posting.Scheduled.Page(w.ctx, ann, linnet.Page{Limit: 40}))(t)
	n := len(page.Items)
	for len(page.Items) > 0 {
		page = must(w.Posting.Scheduled.Page(w.ctx, ann, linnet.Page{Max: page.Last, Limit: 40}))(t)
		n += len(page.Items)
	}
	if n != linnet.MaxScheduled {
		t.Errorf("the pages have %d", n)
	}
	_, err := w.Posting.Scheduled.Reschedule(w.ctx, ann, must(w.Posting.Scheduled.Page(w.ctx, ann, linnet.Page{Limit: 1}))(t).Items[0].ID, noon)
	kindIs(t, err, linnet.Invalid)
	w.schedules(bob, "others have their own", time.Hour)
	w.check()
}

// TestSchedulersAtOnce checks that the limits hold for concurrent requests, and that a key
// schedules once.
func TestSchedulersAtOnce(t *testing.T) {
	onEngines(t, func(w *world) {
		ann := w.person("ann")
		at := w.store.Now().UTC().Truncate(24 * time.Hour).Add(36 * time.Hour)
		var all sync.WaitGroup
		var mu sync.Mutex
		ids := map[linnet.ID]bool{}
		for i := range 3 * linnet.MaxScheduledADay {
			all.Go(func() {
				d := linnet.Draft{Text: fmt.Sprint(i), IdempotencyKey: fmt.Sprint(i % linnet.MaxScheduledADay)}
				for {
					s, err := w.Posting.Scheduled.Create(w.ctx, ann, d, at)
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
		_, err := w.Posting.Scheduled.Create(w.ctx, ann, linnet.Draft{Text: "more"}, at)
		kindIs(w, err, linnet.Invalid)
		w.check()
	})
}

// TestScheduledIsChanged checks that a changed post is published at its new time, and that a
// deleted one is never published. Its media can be used in another post.
func TestScheduledIsChanged(t *testing.T) {
	clock := &clocked{}
	opt := store.Options{Now: clock.now}
	e := memkv.New(memkv.Options{Now: clock.now})
	w := idleWorld(t, e, opt)
	ann, bob := w.person("ann"), w.person("bob")
	pic := must(w.upload(ann))(t)
	moved, gone := w.schedules(ann, "moved", time.Hour), must(w.Posting.Scheduled.Create(w.ctx, ann, linnet.Draft{Text: "gone", Media: []linnet.ID{pic.ID}}, w.store.Now().Add(time.Hour)))(t)
	for _, at := range []time.Duration{3 * time.Hour, time.Hour, 2 * time.Hour, 2 * time.Hour} {
		must(w.Posting.Scheduled.Reschedule(w.ctx, ann, moved.ID, moved.At.Add(at)))(t)
	}
	for _, id := range []linnet.ID{moved.ID, 5} {
		_, err := w.Posting.Scheduled.Reschedule(w.ctx, bob, id, moved.At)
		kindIs(t, err, linnet.NotFound)
		kindIs(t, w.Posting.Scheduled.Cancel(w.ctx, bob, id), linnet.NotFound)
		_, err = w.Posting.Scheduled.Get(w.ctx, bob, id)
		kindIs(t, err, linnet.NotFound)
	}
	w.did(w.Posting.Scheduled.Cancel(w.ctx, ann, gone.ID))
	kindIs(t, w.Posting.Scheduled.Cancel(w.ctx, ann, gone.ID), linnet.NotFound)
	w.check()
	must(w.Posting.Post(w.ctx, ann, linnet.Draft{Media: []linnet.ID{pic.ID}}))(t)
	clock.turn(2*time.Hour + time.Minute)
	if w = closes(t, e, opt); w.profile(bob, ann) != "[]" || w.plans(ann) != "[moved]" {
		t.Errorf("at its former time: %s %s", w.profile(bob, ann), w.plans(ann))
	}
	clock.turn(time.Hour)
	if w = closes(t, e, opt); w.profile(bob, ann) != "[moved][]" || w.plans(ann) != "" {
		t.Errorf("at its new time: %s %s", w.profile(bob, ann), w.plans(ann))
	}
	w.check()
}

// TestScheduledFails checks that a scheduled post that cannot be published stays with a reason, and
// can be scheduled again.
func TestScheduledFails(t *testing.T) {
	clock := &clocked{}
	opt := store.Options{Now: clock.now}
	e := memkv.New(memkv.Options{Now: clock.now})
	w := idleWorld(t, e, opt)
	ann, bob, cat := w.person("ann"), w.person("bob"), w.person("cat")
	club := w.group(cat, "club", linnet.PrivateGroup, ann)
	root := w.post(bob, "root").ID
	reply := must(w.Posting.Scheduled.Create(w.ctx, ann, linnet.Draft{Text: "reply", InReplyTo: root}, w.store.Now().Add(time.Hour)))(t)
	inside := must(w.Posting.Scheduled.Create(w.ctx, ann, linnet.Draft{Text: "@club secret"}, w.store.Now().Add(time.Hour+time.Minute)))(t)
	w.schedules(bob, "by bob", time.Hour)
	must(w.Posting.Delete(w.ctx, bob, root))(t)
	must(w.Social.Unfollow(w.ctx, ann, club))(t)
	w.did(w.operate("bob", linnet.Measure{Act: linnet.Suspend, Reason: "spam"}))
	clock.turn(2 * time.Hour)
	w = closes(t, e, opt)
	if got := w.plans(ann); got != "[reply: The post you're replying to was deleted, or you can no longer see it.][@club secret: You're no longer in the group.]" {
		t.Errorf("ann's: %s", got)
	}
	if got := w.plans(bob) + w.profile(bob, bob); got != "[by bob: Your account wasn't allowed to post at that time.]" {
		t.Errorf("of who is suspended: %s", got)
	}
	w.check()
	w.did(w.operate("bob", linnet.Measure{Act: linnet.Unsuspend}))
	clock.turn(48 * time.Hour)
	if w = closes(t, e, opt); w.profile(0, bob) != "" {
		t.Errorf("what has failed was published later: %s", w.profile(0, bob))
	}
	w.did(w.Posting.Scheduled.Cancel(w.ctx, ann, reply.ID))
	must(w.Social.Follow(w.ctx, ann, club, linnet.FollowOptions{}))(t)
	w.did(w.Groups.AcceptMember(w.ctx, cat, club, ann))
	must(w.Posting.Scheduled.Reschedule(w.ctx, ann, inside.ID, w.store.Now().Add(time.Hour)))(t)
	clock.turn(2 * time.Hour)
	if w = closes(t, e, opt); w.plans(ann)+w.profile(ann, ann) != "[@club secret]" {
		t.Errorf("tried again: %s %s", w.plans(ann), w.profile(ann, ann))
	}
	w.check()
}

// TestScheduledOfADeletedAccount checks that scheduled posts and their media are deleted with the
// account.
func TestScheduledOfADeletedAccount(t *testing.T) {
	clock := &clocked{}
	opt := store.Options{Now: clock.now}
	e := memkv.New(memkv.Options{Now: clock.now})
	w := idleWorld(t, e, opt)
	ann := w.person("ann")
	pic := must(w.upload(ann))(t)
	must(w.Posting.Scheduled.Create(w.ctx, ann, linnet.Draft{Media: []linnet.ID{pic.ID}}, w.store.Now().Add(time.Hour)))(t)
	for i := range 24 {
		w.schedules(ann, fmt.Sprint(i), time.Hour)
	}
	w.did(w.Social.Deletion.DeleteUser(w.ctx, ann))
	w = serve(t, e, opt)
	w.check()
	clock.turn(2 * time.Hour)
	w = closes(t, e, opt)
	if left := keysOfPolls(w); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
	w.check()
}

// scheduledActs are actions on scheduled posts, for the fault tests.
func scheduledActs() map[string]faultyAct {
	plan := func(s *stage) (*linnet.Scheduled, error) {
		a, err := s.upload(s.ann)
		if err != nil {
			return nil, err
		}
		return s.Posting.Scheduled.Create(s.ctx, s.ann, linnet.Draft{Text: "later", Media: []linnet.ID{a.ID}, IdempotencyKey: "later"}, s.store.Now().Add(time.Hour))
	}
	return map[string]faultyAct{
		"schedule": {do: func(s *stage) error { return second(plan(s)) }, want: func(s *stage) string { return differs(s.plans(s.ann), "[later]") }},
		"reschedule": {do: func(s *stage) error {
			sc, err := plan(s)
			if err == nil {
				_, err = s.Posting.Scheduled.Reschedule(s.ctx, s.ann, sc.ID, time.UnixMilli(s.store.Now().Truncate(24*time.Hour).Add(72*time.Hour).UnixMilli()))
			}
			return err
		}, want: func(s *stage) string {
			all, _, err := s.Posting.Scheduled.Soonest(s.ctx, s.ann, 0, 9)
			return differs(fmt.Sprint(len(all), err == nil && all[0].At.Sub(s.store.Now()) > 24*time.Hour), "1 true")
		}},
		"unschedule": {do: func(s *stage) error {
			sc, err := plan(s)
			if linnet.KindOf(err) == linnet.Conflict { // rolled back, without a response
				return nil
			}
			if err == nil {
				err = s.Posting.Scheduled.Cancel(s.ctx, s.ann, sc.ID)
			}
			return err
		}, want: func(s *stage) string { return differs(s.plans(s.ann), "") }},
	}
}

// TestEachWriteOfPublishing checks that another server publishes a scheduled post once after a
// crash, at each write of publishing it.
func TestEachWriteOfPublishing(t *testing.T) {
	for _, fault := range []faultkv.When{faultkv.Before, faultkv.After} {
		for n, more := 1, true; more; n++ {
			s := newStage(t)
			a := must(s.upload(s.ann))(t)
			must(s.Posting.Scheduled.Create(s.ctx, s.ann, linnet.Draft{Text: "later", Media: []linnet.ID{a.ID}}, s.store.Now().Add(6*time.Minute)))(t)
			serve(t, s.engine, store.Options{})
			s.ahead.Add(int64(10 * time.Minute))
			opt := store.Options{Now: func() time.Time { return time.Now().Add(time.Duration(s.ahead.Load())) }}
			s.engine.Reset()
			s.engine.FailAt(n, fault)
			dies(t, s.engine, opt, n)
			more = s.engine.Stats().Writes() >= n && n < 12
			s.engine.Reset()
			s.world = closes(t, s.engine, opt)
			if got := s.homes("later") + s.plans(s.ann); got != "1110" {
				t.Errorf("write %d fails (%v): %s", n, fault, got)
			}
			s.check()
		}
	}
}
