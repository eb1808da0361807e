package app_test

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/kv/redistest"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/task"
)

// pushWorld returns a running app that is allowed to push to this machine. It ends with stop.
func pushWorld(t *testing.T, e kv.Engine, opt store.Options) *world {
	t.Helper()
	st := store.New(e, opt)
	s, err := app.New(st, app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Log: quiet(), Exclusive: true, Files: apptest.Files(t),
		Reach: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); s.Run(ctx) }()
	w := &world{T: t, App: s, ctx: context.Background(), store: st, stop: func() { cancel(); <-done }}
	t.Cleanup(w.stop)
	return w
}

// login returns a session of an app with its token.
func (w *world) login(who linnet.ID) (linnet.Session, string) {
	w.Helper()
	a, _, err := w.Apps.Register(w.ctx, linnet.AppRequest{Name: "T", RedirectURIs: []string{"https://a.test/"}, Scopes: []string{"push"}})
	if err != nil {
		w.Fatal(err)
	}
	t := must(w.Apps.UserToken(w.ctx, who, a.ID, []string{"push"}))(w)
	return must(w.Identity.Session(w.ctx, t.Value))(w), t.Value
}

// subscribe subscribes a device to a user's notifications.
func (w *world) subscribe(who linnet.ID, d *device, standard bool, alerts ...linnet.NotificationType) (linnet.Session, string) {
	w.Helper()
	ses, token := w.login(who)
	must(w.Push.Subscribe(w.ctx, ses, token, d.draft(standard, alerts...)))(w)
	return ses, token
}

// leftPushes waits until want push tasks are stored.
func (w *world) leftPushes(e kv.Engine, who linnet.ID, want int) {
	w.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		left := w.pushesIn(e, who)
		if len(left) == want && w.Idle() {
			return
		}
		if time.Now().After(end) {
			w.Fatalf("%q are left, want %d", left, want)
		}
	}
}

// pushesIn returns the stored push tasks of a user.
func (w *world) pushesIn(e kv.Engine, who linnet.ID) []string {
	w.Helper()
	return w.tasksIn(e, task.LaterKey(who.Shard()))
}

// tasksIn returns the tasks in a set of a shard.
func (w *world) tasksIn(e kv.Engine, set kv.Key) (all []string) {
	w.Helper()
	r := &kv.Range{Key: set, Limit: kv.MaxRange}
	if err := e.Read(w.ctx, r); err != nil {
		w.Fatal(err)
	}
	for _, m := range r.Members {
		get := &kv.Get{Key: task.Key(set.Shard, m.Member)}
		if err := e.Read(w.ctx, get); err != nil {
			w.Fatal(err)
		}
		all = append(all, string(get.Data))
	}
	return all
}

// pushWaits reports whether the next push is scheduled with the delay of a failed one.
func (w *world) pushWaits(e kv.Engine, who linnet.ID, tries int) bool {
	w.Helper()
	r := &kv.Range{Key: task.LaterKey(who.Shard()), Limit: 1}
	if err := e.Read(w.ctx, r); err != nil || len(r.Members) == 0 {
		return false
	}
	want := []time.Duration{time.Minute, 4 * time.Minute, 15 * time.Minute, time.Hour, 4 * time.Hour}[tries]
	left := time.UnixMilli(r.Members[0].Score).Sub(w.store.Now())
	return left > want-30*time.Second && left <= want
}

// failedPush waits until a push has failed tries times and is scheduled for one device. Its task
// differs from the one stored during the attempt.
func (w *world) failedPush(e kv.Engine, who linnet.ID, tries int) {
	w.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		left := w.pushesIn(e, who)
		if len(left) == 1 && w.Idle() && strings.Contains(left[0], `"sessions":["`) && w.pushWaits(e, who, tries) {
			return
		}
		if time.Now().After(end) {
			w.Fatalf("%q are left", left)
		}
	}
}

func everyAlert() []linnet.NotificationType { return linnet.PushAlerts() }

// TestPushes checks that each kind of notification is pushed in both encodings, with the fields of
// Mastodon, and leaves no task behind.
func TestPushes(t *testing.T) {
	for name, open := range map[string]func(t *testing.T) kv.Engine{"memory": func(*testing.T) kv.Engine { return memkv.New(memkv.Options{}) }, "disk": func(t *testing.T) kv.Engine { return openDisk(t) },
		"redis": func(t *testing.T) kv.Engine { return openRedis(t, redistest.Single(t), "") }} {
		t.Run(name, func(t *testing.T) {
			e := open(t)
			pushesOfEveryKind(t, pushWorld(t, e, store.Options{}), e)
		})
	}
}

func pushesOfEveryKind(t *testing.T, w *world, e kv.Engine) {
	ann, bob := w.person("ann"), w.person("bob")
	w.did(w.giveRole("ann", linnet.Moderator))
	standard, draft, mute := newDevice(t), newDevice(t), newDevice(t)
	_, token := w.subscribe(ann, standard, true, everyAlert()...)
	w.subscribe(ann, draft, false, everyAlert()...)
	w.subscribe(ann, mute, true)
	expect := func(kind, title, body string) {
		t.Helper()
		for _, d := range []*device{standard, draft} {
			p := d.next()
			if p.told.NotificationType != kind || p.told.Title != title || p.told.Body != body || p.told.PreferredLocale != "en" || p.told.Account != "ann" || p.told.Icon != "https://linnet.test/avatars/bob.png" {
				t.Errorf("%s: pushed %s", kind, p.text)
			}
			if d == standard && p.told.AccessToken != token {
				t.Errorf("token %q in the push, want %q", p.told.AccessToken, token)
			}
			id := linnet.NotificationID(linnet.ID(p.told.NotificationID), ann)
			if n := must(w.Notify.Notification(w.ctx, ann, id))(t); string(n.Type) != kind {
				t.Errorf("notification %v is %s, pushed as %s", id, n.Type, kind)
			}
			if h := p.header; h.Get("TTL") != "172800" || h.Get("Urgency") != "normal" || h.Get("Topic") != id.String() || len(h.Get("Topic")) > 32 {
				t.Errorf("headers %v", h)
			}
		}
		mute.silent()
	}
	s := w.post(ann, "of ann").ID
	w.draft(bob, linnet.Draft{Text: "@ann hello", InReplyTo: s})
	expect("mention", "bob mentioned you", "@ann hello")
	w.draft(bob, linnet.Draft{Text: "@ann " + strings.Repeat("é", 300), Warning: "long", Visibility: new(linnet.Direct)})
	expect("mention", "bob mentioned you", "long")
	must(w.Posting.Marks.Favourite(w.ctx, bob, s))(t)
	expect("favourite", "bob favourited your post", "of ann")
	must(w.Posting.Repost(w.ctx, bob, s, nil))(t)
	expect("reblog", "bob boosted your post", "of ann")
	w.follow(bob, ann)
	expect("follow", "bob followed you", "")
	if err := second(w.Social.Follow(w.ctx, ann, bob, linnet.FollowOptions{Notify: new(true)})); err != nil {
		t.Fatal(err)
	}
	w.post(bob, "%s", strings.Repeat("é", 300))
	expect("status", "bob just posted", strings.Repeat("é", 139)+"…")
	if err := second(w.Moderation.Report(w.ctx, bob, linnet.ReportDraft{On: w.person("cat"), Comment: "odd"})); err != nil {
		t.Fatal(err)
	}
	expect("admin.report", "bob reported an account", "")
	w.leftPushes(e, ann, 0)
	w.check()
}

// TestPushesHideCommands checks that the push about a request to join a group has no commands.
func TestPushesHideCommands(t *testing.T) {
	e := memkv.New(memkv.Options{})
	w := pushWorld(t, e, store.Options{})
	ann, bob := w.person("ann"), w.person("bob")
	g := must(w.Groups.CreateGroup(w.ctx, ann, linnet.NewGroup{Login: "birds", Name: "Birds", Kind: linnet.PrivateGroup}))(t)
	d := newDevice(t)
	w.subscribe(ann, d, true, everyAlert()...)
	if err := second(w.Social.Follow(w.ctx, bob, g.ID, linnet.FollowOptions{})); err != nil {
		t.Fatal(err)
	}
	if p := d.next(); p.told.Body != "@ann bob asks to join." || p.told.Title != "Birds mentioned you" {
		t.Errorf("pushed %s", p.text)
	}
}

// TestPushesThatAreNotWanted checks that pushes respect the policy, and that filtered, muted and
// invisible notifications are not pushed.
func TestPushesThatAreNotWanted(t *testing.T) {
	e := memkv.New(memkv.Options{})
	w := pushWorld(t, e, store.Options{})
	ann, bob, cat := w.person("ann"), w.person("bob"), w.person("cat")
	w.follow(ann, bob)
	w.follow(cat, ann)
	by := map[linnet.PushPolicy]*device{}
	for _, p := range []linnet.PushPolicy{linnet.PushAll, linnet.PushFollowed, linnet.PushFollower, linnet.PushNone} {
		by[p] = newDevice(t)
		ses, _ := w.subscribe(ann, by[p], true, linnet.NotifyMention)
		must(w.Push.Change(w.ctx, ses, linnet.PushChange{Policy: p}))(t)
	}
	shows := func(who linnet.ID, text, body string, to ...linnet.PushPolicy) {
		t.Helper()
		w.draft(who, linnet.Draft{Text: "@ann " + text})
		w.leftPushes(e, ann, 0)
		for p, d := range by {
			if !slices.Contains(to, p) {
				d.silent()
				continue
			}
			if got := d.next().told.Body; got != body {
				t.Errorf("%s: pushed %q", p, got)
			}
		}
	}
	says := func(who linnet.ID, text string, to ...linnet.PushPolicy) {
		t.Helper()
		shows(who, text, "@ann "+text, to...)
	}
	says(bob, "one", linnet.PushAll, linnet.PushFollowed)
	says(cat, "two", linnet.PushAll, linnet.PushFollower)
	must(w.Posting.Marks.Favourite(w.ctx, bob, w.post(ann, "liked").ID))(t)
	says(bob, "three", linnet.PushAll, linnet.PushFollowed) // the favourite is pushed to no one
	f := w.filter(ann, linnet.FilterNotifications, "wasp")
	must(w.Reading.UpdateFilter(w.ctx, ann, f.ID, linnet.FilterChange{Action: new(linnet.FilterHide)}))(t)
	says(bob, "a wasp") // hidden by a filter
	must(w.Reading.UpdateFilter(w.ctx, ann, f.ID, linnet.FilterChange{Action: new(linnet.FilterWarn)}))(t)
	shows(bob, "another wasp", "Filtered: T", linnet.PushAll, linnet.PushFollowed)
	w.policy(ann, linnet.PolicyChange{NotFollowing: linnet.Hold})
	says(cat, "held back")
	if err := second(w.Social.Block(w.ctx, ann, bob)); err != nil {
		t.Fatal(err)
	}
	says(cat, "held back still")
	w.check()
}

// TestPushesEnd checks that a subscription ends with its session, with its account, and when the
// push service reports it as expired.
func TestPushesEnd(t *testing.T) {
	e := memkv.New(memkv.Options{})
	w := pushWorld(t, e, store.Options{})
	bob := w.person("bob")
	for name, end := range map[string]func(ann linnet.ID, d *device, ses linnet.Session, token string) error{
		"the session was ended": func(ann linnet.ID, _ *device, ses linnet.Session, _ string) error {
			return w.Identity.EndSession(w.ctx, ann, ses.ID)
		},
		"all sessions were ended": func(ann linnet.ID, _ *device, _ linnet.Session, _ string) error {
			return w.Identity.EndSessions(w.ctx, ann)
		},
		"the app has logged out": func(_ linnet.ID, _ *device, _ linnet.Session, token string) error {
			return w.Identity.LogOut(w.ctx, token)
		},
		"the app has ended it": func(_ linnet.ID, _ *device, ses linnet.Session, _ string) error {
			return w.Push.Unsubscribe(w.ctx, ses)
		},
		"the account is deleted": func(ann linnet.ID, _ *device, _ linnet.Session, _ string) error {
			return w.Social.Deletion.DeleteUser(w.ctx, ann)
		},
		"the service does not know": func(_ linnet.ID, d *device, _ linnet.Session, _ string) error {
			return w.refusedBy(bob, d, http.StatusNotFound)
		},
		"the service says gone": func(_ linnet.ID, d *device, _ linnet.Session, _ string) error {
			return w.refusedBy(bob, d, http.StatusGone)
		},
	} {
		t.Run(name, func(t *testing.T) {
			ann, d := w.person("ann"+fmt.Sprint(time.Now().UnixNano()%1e9)), newDevice(t)
			login := must(w.View.User(w.ctx, bob, ann))(t).Login
			d.after = login
			ses, token := w.subscribe(ann, d, true, everyAlert()...)
			if err := end(ann, d, ses, token); err != nil {
				t.Fatal(err)
			}
			w.leftPushes(e, ann, 0)
			get, all := &kv.Get{Key: record.PushKey(ann, ses.ID)}, &kv.Range{Key: record.PushesKey(ann), Limit: 1}
			if err := e.Read(w.ctx, get, all); err != nil || get.Version != 0 || len(all.Members) > 0 {
				t.Errorf("%v; the record is of version %d, %v", err, get.Version, all.Members)
			}
			for len(d.pushes) > 0 {
				<-d.pushes
			}
			w.draft(bob, linnet.Draft{Text: "@" + login + " hello"})
			w.leftPushes(e, ann, 0)
			d.silent()
		})
	}
	w.check()
}

// TestPushesToTheSuspended checks that a suspended account receives no pushes, and that its
// subscription works again afterwards.
func TestPushesToTheSuspended(t *testing.T) {
	e := memkv.New(memkv.Options{})
	w := pushWorld(t, e, store.Options{})
	ann, bob, d := w.person("ann"), w.person("bob"), newDevice(t)
	s := w.post(ann, "liked")
	w.subscribe(ann, d, true, everyAlert()...)
	w.did(w.operate("ann", linnet.Measure{Act: linnet.Suspend}))
	if err := w.Notify.Notify(w.ctx, ann, linnet.Notification{ID: w.store.NewID(ann.Shard(), 0), Type: linnet.NotifyFavourite, From: bob, Status: s.ID}); err != nil {
		t.Fatal(err)
	}
	w.leftPushes(e, ann, 0)
	d.silent()
	w.did(w.operate("ann", linnet.Measure{Act: linnet.Unsuspend}))
	must(w.Posting.Marks.Favourite(w.ctx, bob, s.ID))(t)
	d.next()
}

// refusedBy notifies a device whose push service refuses. The field after contains the login of its
// owner.
func (w *world) refusedBy(by linnet.ID, d *device, code int64) error {
	d.code.Store(code)
	w.draft(by, linnet.Draft{Text: "@" + d.after + " refused"})
	d.next()
	return nil
}

// TestPushesAgain checks that a push is retried after temporary errors, over restarts, and given up
// in the end. A rejected push is not retried.
func TestPushesAgain(t *testing.T) {
	clock := &clocked{}
	e := memkv.New(memkv.Options{Now: clock.now})
	start := func() *world { return pushWorld(t, e, store.Options{Now: clock.now}) }
	w := start()
	ann, bob, d, other := w.person("ann"), w.person("bob"), newDevice(t), newDevice(t)
	w.subscribe(ann, d, true, everyAlert()...)
	w.subscribe(ann, other, true, everyAlert()...)
	restart := func(after time.Duration) {
		w.stop()
		clock.turn(after)
		w = start()
	}
	d.code.Store(http.StatusServiceUnavailable)
	w.follow(bob, ann)
	first := d.next()
	other.next()
	w.failedPush(e, ann, 0)
	d.code.Store(0) // before the server restarts, which sends at once
	restart(2 * time.Minute)
	if again := d.next(); again.told != first.told {
		t.Errorf("%s was sent again as %s", first.text, again.text)
	}
	w.leftPushes(e, ann, 0)
	other.silent()

	d.code.Store(http.StatusTooManyRequests)
	w.draft(bob, linnet.Draft{Text: "@ann hello"})
	tries := 1
	d.next()
	for ; tries < 20; tries++ {
		w.failedPush(e, ann, tries-1)
		restart(5 * time.Hour)
		d.next()
		if tries == 5 {
			break
		}
	}
	w.leftPushes(e, ann, 0)
	if tries != 5 {
		t.Errorf("%d tries", tries)
	}
	for len(other.pushes) > 0 {
		<-other.pushes
	}
	d.code.Store(http.StatusBadRequest)
	w.draft(bob, linnet.Draft{Text: "@ann again"})
	d.next()
	w.leftPushes(e, ann, 0)
	w.check()
}

// TestPushesOfTheDead checks that another server sends the pushes of a server that has crashed.
func TestPushesOfTheDead(t *testing.T) {
	clock := &clocked{}
	e := memkv.New(memkv.Options{Now: clock.now})
	opt := store.Options{Now: clock.now}
	w := idleWorld(t, e, opt)
	ann, bob, d := w.person("ann"), w.person("bob"), newDevice(t)
	at := pushWorld(t, e, opt)
	_, token := at.subscribe(ann, d, true, everyAlert()...)
	at.stop()
	w.follow(bob, ann) // this server pushes nothing
	if n := len(w.pushesIn(e, ann)); n != 1 {
		t.Fatalf("%d pushes are left", n)
	}
	clock.turn(3 * time.Minute)
	at = pushWorld(t, e, opt)
	if p := d.next(); p.told.NotificationType != "follow" || p.told.AccessToken != token {
		t.Errorf("%s", p.text)
	}
	at.leftPushes(e, ann, 0)
	at.check()
}

// TestPushesAreBounded checks that the oldest of too many subscriptions end.
func TestPushesAreBounded(t *testing.T) {
	e := memkv.New(memkv.Options{})
	w := pushWorld(t, e, store.Options{Now: apptest.Steps()})
	ann, d := w.person("ann"), newDevice(t)
	var first linnet.Session
	for i := range linnet.MaxPushes + 3 {
		if ses, _ := w.subscribe(ann, d, true, everyAlert()...); i == 0 {
			first = ses
		}
	}
	if n := len(must(w.store.Sessions.Pushes(w.ctx, ann))(t)); n != linnet.MaxPushes {
		t.Errorf("%d subscriptions", n)
	}
	_, err := w.Push.Subscription(w.ctx, first)
	kindIs(t, err, linnet.NotFound)
	w.check()
}
