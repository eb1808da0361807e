package notify_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/task"
)

// login returns a session of an app with its token.
func login(w *apptest.World, who linnet.ID) (linnet.Session, string) {
	w.Helper()
	a, _, err := w.Apps.Register(w.Ctx, linnet.AppRequest{Name: "T", RedirectURIs: []string{"https://a.test/"}, Scopes: []string{"push"}})
	if err != nil {
		w.Fatal(err)
	}
	t := apptest.Must(w.Apps.UserToken(w.Ctx, who, a.ID, []string{"push"}))(w)
	return apptest.Must(w.Identity.Session(w.Ctx, t.Value))(w), t.Value
}

// subscribe subscribes a device to a user's notifications.
func subscribe(w *apptest.World, who linnet.ID, d *PushDevice, standard bool, alerts ...linnet.NotificationType) (linnet.Session, string) {
	w.Helper()
	ses, token := login(w, who)
	apptest.Must(w.Push.Subscribe(w.Ctx, ses, token, d.draft(standard, alerts...)))(w)
	return ses, token
}

// leftPushes waits until want push tasks are stored.
func leftPushes(w *apptest.World, e kv.Engine, who linnet.ID, want int) {
	w.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		left := w.PushesIn(e, who)
		if len(left) == want && w.Idle() {
			return
		}
		if time.Now().After(end) {
			w.Fatalf("%q are left, want %d", left, want)
		}
	}
}

// pushWaits reports whether the next push is scheduled with the delay of a failed one.
func pushWaits(w *apptest.World, e kv.Engine, who linnet.ID, tries int) bool {
	w.Helper()
	r := &kv.Range{Key: task.LaterKey(who.Shard()), Limit: 1}
	if err := e.Read(w.Ctx, r); err != nil || len(r.Members) == 0 {
		return false
	}
	want := []time.Duration{time.Minute, 4 * time.Minute, 15 * time.Minute, time.Hour, 4 * time.Hour}[tries]
	left := time.UnixMilli(r.Members[0].Score).Sub(w.Store.Now())
	return left > want-30*time.Second && left <= want
}

// failedPush waits until a push has failed tries times and is scheduled for one device. Its task
// differs from the one stored during the attempt.
func failedPush(w *apptest.World, e kv.Engine, who linnet.ID, tries int) {
	w.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		left := w.PushesIn(e, who)
		if len(left) == 1 && w.Idle() && strings.Contains(left[0], `"sessions":["`) && pushWaits(w, e, who, tries) {
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
	apptest.OnFetchers(t, pushesOfEveryKind)
}

func pushesOfEveryKind(t *testing.T, w *apptest.World, e kv.Engine) {
	ann, bob := w.Person("ann"), w.Person("bob")
	w.OK(w.GiveRole("ann", linnet.Moderator))
	standard, draft, mute := NewPushDevice(t), NewPushDevice(t), NewPushDevice(t)
	_, token := subscribe(w, ann, standard, true, everyAlert()...)
	subscribe(w, ann, draft, false, everyAlert()...)
	subscribe(w, ann, mute, true)
	expect := func(kind, title, body string) {
		t.Helper()
		for _, d := range []*PushDevice{standard, draft} {
			p := d.next()
			if p.told.NotificationType != kind || p.told.Title != title || p.told.Body != body || p.told.PreferredLocale != "en" || p.told.Account != "ann" || p.told.Icon != "https://linnet.test/avatars/bob.png" {
				t.Errorf("%s: pushed %s", kind, p.text)
			}
			if d == standard && p.told.AccessToken != token {
				t.Errorf("token %q in the push, want %q", p.told.AccessToken, token)
			}
			id := linnet.NotificationID(linnet.ID(p.told.NotificationID), ann)
			if n := apptest.Must(w.Notify.Notification(w.Ctx, ann, id))(t); string(n.Type) != kind {
				t.Errorf("notification %v is %s, pushed as %s", id, n.Type, kind)
			}
			if h := p.header; h.Get("TTL") != "172800" || h.Get("Urgency") != "normal" || h.Get("Topic") != id.String() || len(h.Get("Topic")) > 32 {
				t.Errorf("headers %v", h)
			}
		}
		mute.silent()
	}
	s := w.Post(ann, "of ann").ID
	w.Draft(bob, linnet.Draft{Text: "@ann hello", InReplyTo: s})
	expect("mention", "bob mentioned you", "@ann hello")
	w.Draft(bob, linnet.Draft{Text: "@ann " + strings.Repeat("é", 300), Warning: "long", Visibility: new(linnet.Direct)})
	expect("mention", "bob mentioned you", "long")
	apptest.Must(w.Posting.Marks.Favourite(w.Ctx, bob, s))(t)
	expect("favourite", "bob favourited your post", "of ann")
	apptest.Must(w.Posting.Repost(w.Ctx, bob, s, nil))(t)
	expect("reblog", "bob boosted your post", "of ann")
	w.Follow(bob, ann)
	expect("follow", "bob followed you", "")
	if err := apptest.Err(w.Social.Follow(w.Ctx, ann, bob, linnet.FollowOptions{Notify: new(true)})); err != nil {
		t.Fatal(err)
	}
	w.Post(bob, "%s", strings.Repeat("é", 300))
	expect("status", "bob just posted", strings.Repeat("é", 139)+"…")
	if err := apptest.Err(w.Moderation.Report(w.Ctx, bob, linnet.ReportDraft{On: w.Person("cat"), Comment: "odd"})); err != nil {
		t.Fatal(err)
	}
	expect("admin.report", "bob reported an account", "")
	leftPushes(w, e, ann, 0)
	w.Check()
}

// TestPushesHideCommands checks that the push about a request to join a group has no commands.
func TestPushesHideCommands(t *testing.T) {
	e := memkv.New(memkv.Options{})
	w := apptest.WithPush(t, e, store.Options{})
	ann, bob := w.Person("ann"), w.Person("bob")
	g := apptest.Must(w.Groups.CreateGroup(w.Ctx, ann, linnet.NewGroup{Login: "birds", Name: "Birds", Kind: linnet.PrivateGroup}))(t)
	d := NewPushDevice(t)
	subscribe(w, ann, d, true, everyAlert()...)
	if err := apptest.Err(w.Social.Follow(w.Ctx, bob, g.ID, linnet.FollowOptions{})); err != nil {
		t.Fatal(err)
	}
	if p := d.next(); p.told.Body != "@ann bob wants to join." || p.told.Title != "Birds mentioned you" {
		t.Errorf("pushed %s", p.text)
	}
}

// TestPushesThatAreNotWanted checks that pushes respect the policy, and that filtered, muted and
// invisible notifications are not pushed.
func TestPushesThatAreNotWanted(t *testing.T) {
	e := memkv.New(memkv.Options{})
	w := apptest.WithPush(t, e, store.Options{})
	ann, bob, cat := w.Person("ann"), w.Person("bob"), w.Person("cat")
	w.Follow(ann, bob)
	w.Follow(cat, ann)
	by := map[linnet.PushPolicy]*PushDevice{}
	for _, p := range []linnet.PushPolicy{linnet.PushAll, linnet.PushFollowed, linnet.PushFollower, linnet.PushNone} {
		by[p] = NewPushDevice(t)
		ses, _ := subscribe(w, ann, by[p], true, linnet.NotifyMention)
		apptest.Must(w.Push.Change(w.Ctx, ses, linnet.PushChange{Policy: p}))(t)
	}
	shows := func(who linnet.ID, text, body string, to ...linnet.PushPolicy) {
		t.Helper()
		w.Draft(who, linnet.Draft{Text: "@ann " + text})
		leftPushes(w, e, ann, 0)
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
	apptest.Must(w.Posting.Marks.Favourite(w.Ctx, bob, w.Post(ann, "liked").ID))(t)
	says(bob, "three", linnet.PushAll, linnet.PushFollowed) // the favourite is pushed to no one
	f := w.Filter(ann, linnet.FilterNotifications, "wasp")
	apptest.Must(w.Reading.UpdateFilter(w.Ctx, ann, f.ID, linnet.FilterChange{Action: new(linnet.FilterHide)}))(t)
	says(bob, "a wasp") // hidden by a filter
	apptest.Must(w.Reading.UpdateFilter(w.Ctx, ann, f.ID, linnet.FilterChange{Action: new(linnet.FilterWarn)}))(t)
	shows(bob, "another wasp", "Filtered: T", linnet.PushAll, linnet.PushFollowed)
	w.Policy(ann, linnet.PolicyChange{NotFollowing: linnet.Hold})
	says(cat, "held back")
	if err := apptest.Err(w.Social.Block(w.Ctx, ann, bob)); err != nil {
		t.Fatal(err)
	}
	says(cat, "held back still")
	w.Check()
}

// TestPushesEnd checks that a subscription ends with its session, with its account, and when the
// push service reports it as expired.
func TestPushesEnd(t *testing.T) {
	e := memkv.New(memkv.Options{})
	w := apptest.WithPush(t, e, store.Options{})
	bob := w.Person("bob")
	for name, end := range map[string]func(ann linnet.ID, d *PushDevice, ses linnet.Session, token string) error{
		"the session was ended": func(ann linnet.ID, _ *PushDevice, ses linnet.Session, _ string) error {
			return w.Identity.EndSession(w.Ctx, ann, ses.ID)
		},
		"all sessions were ended": func(ann linnet.ID, _ *PushDevice, _ linnet.Session, _ string) error {
			return w.Identity.EndSessions(w.Ctx, ann)
		},
		"the app has logged out": func(_ linnet.ID, _ *PushDevice, _ linnet.Session, token string) error {
			return w.Identity.LogOut(w.Ctx, token)
		},
		"the app has ended it": func(_ linnet.ID, _ *PushDevice, ses linnet.Session, _ string) error {
			return w.Push.Unsubscribe(w.Ctx, ses)
		},
		"the account is deleted": func(ann linnet.ID, _ *PushDevice, _ linnet.Session, _ string) error {
			return w.Social.Deletion.DeleteUser(w.Ctx, ann)
		},
		"the service does not know": func(_ linnet.ID, d *PushDevice, _ linnet.Session, _ string) error {
			return refusedBy(w, bob, d, http.StatusNotFound)
		},
		"the service says gone": func(_ linnet.ID, d *PushDevice, _ linnet.Session, _ string) error {
			return refusedBy(w, bob, d, http.StatusGone)
		},
	} {
		t.Run(name, func(t *testing.T) {
			ann, d := w.Person("ann"+fmt.Sprint(time.Now().UnixNano()%1e9)), NewPushDevice(t)
			login := apptest.Must(w.View.User(w.Ctx, bob, ann))(t).Login
			d.after = login
			ses, token := subscribe(w, ann, d, true, everyAlert()...)
			if err := end(ann, d, ses, token); err != nil {
				t.Fatal(err)
			}
			leftPushes(w, e, ann, 0)
			get, all := &kv.Get{Key: record.PushKey(ann, ses.ID)}, &kv.Range{Key: record.PushesKey(ann), Limit: 1}
			if err := e.Read(w.Ctx, get, all); err != nil || get.Version != 0 || len(all.Members) > 0 {
				t.Errorf("%v; the record is of version %d, %v", err, get.Version, all.Members)
			}
			for len(d.pushes) > 0 {
				<-d.pushes
			}
			w.Draft(bob, linnet.Draft{Text: "@" + login + " hello"})
			leftPushes(w, e, ann, 0)
			d.silent()
		})
	}
	w.Check()
}

// TestPushesToTheSuspended checks that a suspended account receives no pushes, and that its
// subscription works again afterwards.
func TestPushesToTheSuspended(t *testing.T) {
	e := memkv.New(memkv.Options{})
	w := apptest.WithPush(t, e, store.Options{})
	ann, bob, d := w.Person("ann"), w.Person("bob"), NewPushDevice(t)
	s := w.Post(ann, "liked")
	subscribe(w, ann, d, true, everyAlert()...)
	w.OK(w.Operate("ann", linnet.Measure{Act: linnet.Suspend}))
	if err := w.Notify.Notify(w.Ctx, ann, linnet.Notification{ID: w.Store.NewID(ann.Shard(), 0), Type: linnet.NotifyFavourite, From: bob, Status: s.ID}); err != nil {
		t.Fatal(err)
	}
	leftPushes(w, e, ann, 0)
	d.silent()
	w.OK(w.Operate("ann", linnet.Measure{Act: linnet.Unsuspend}))
	apptest.Must(w.Posting.Marks.Favourite(w.Ctx, bob, s.ID))(t)
	d.next()
}

// refusedBy notifies a device whose push service refuses. The field after contains the login of its
// owner.
func refusedBy(w *apptest.World, by linnet.ID, d *PushDevice, code int64) error {
	d.code.Store(code)
	w.Draft(by, linnet.Draft{Text: "@" + d.after + " refused"})
	d.next()
	return nil
}

// TestPushesAgain checks that a push is retried after temporary errors, over restarts, and given up
// in the end. A rejected push is not retried.
func TestPushesAgain(t *testing.T) {
	clock := &apptest.Clock{}
	e := memkv.New(memkv.Options{Now: clock.Now})
	start := func() *apptest.World { return apptest.WithPush(t, e, store.Options{Now: clock.Now}) }
	w := start()
	ann, bob, d, other := w.Person("ann"), w.Person("bob"), NewPushDevice(t), NewPushDevice(t)
	subscribe(w, ann, d, true, everyAlert()...)
	subscribe(w, ann, other, true, everyAlert()...)
	restart := func(after time.Duration) {
		w.Stop()
		clock.Advance(after)
		w = start()
	}
	d.code.Store(http.StatusServiceUnavailable)
	w.Follow(bob, ann)
	first := d.next()
	other.next()
	failedPush(w, e, ann, 0)
	d.code.Store(0) // before the server restarts, which sends at once
	restart(2 * time.Minute)
	if again := d.next(); again.told != first.told {
		t.Errorf("%s was sent again as %s", first.text, again.text)
	}
	leftPushes(w, e, ann, 0)
	other.silent()

	d.code.Store(http.StatusTooManyRequests)
	w.Draft(bob, linnet.Draft{Text: "@ann hello"})
	tries := 1
	d.next()
	for ; tries < 20; tries++ {
		failedPush(w, e, ann, tries-1)
		restart(5 * time.Hour)
		d.next()
		if tries == 5 {
			break
		}
	}
	leftPushes(w, e, ann, 0)
	if tries != 5 {
		t.Errorf("%d tries", tries)
	}
	for len(other.pushes) > 0 {
		<-other.pushes
	}
	d.code.Store(http.StatusBadRequest)
	w.Draft(bob, linnet.Draft{Text: "@ann again"})
	d.next()
	leftPushes(w, e, ann, 0)
	w.Check()
}

// TestPushesOfTheDead checks that another server sends the pushes of a server that has crashed.
func TestPushesOfTheDead(t *testing.T) {
	clock := &apptest.Clock{}
	e := memkv.New(memkv.Options{Now: clock.Now})
	opt := store.Options{Now: clock.Now}
	w := apptest.Idle(t, e, opt)
	ann, bob, d := w.Person("ann"), w.Person("bob"), NewPushDevice(t)
	at := apptest.WithPush(t, e, opt)
	_, token := subscribe(at, ann, d, true, everyAlert()...)
	at.Stop()
	w.Follow(bob, ann) // this server pushes nothing
	if n := len(w.PushesIn(e, ann)); n != 1 {
		t.Fatalf("%d pushes are left", n)
	}
	clock.Advance(3 * time.Minute)
	at = apptest.WithPush(t, e, opt)
	if p := d.next(); p.told.NotificationType != "follow" || p.told.AccessToken != token {
		t.Errorf("%s", p.text)
	}
	leftPushes(at, e, ann, 0)
	at.Check()
}

// TestPushesAreBounded checks that the oldest of too many subscriptions end.
func TestPushesAreBounded(t *testing.T) {
	e := memkv.New(memkv.Options{})
	w := apptest.WithPush(t, e, store.Options{Now: apptest.Steps()})
	ann, d := w.Person("ann"), NewPushDevice(t)
	var first linnet.Session
	for i := range linnet.MaxPushes + 3 {
		if ses, _ := subscribe(w, ann, d, true, everyAlert()...); i == 0 {
			first = ses
		}
	}
	if n := len(apptest.Must(w.Store.Sessions.Pushes(w.Ctx, ann))(t)); n != linnet.MaxPushes {
		t.Errorf("%d subscriptions", n)
	}
	_, err := w.Push.Subscription(w.Ctx, first)
	apptest.WantKind(t, err, linnet.NotFound)
	w.Check()
}
