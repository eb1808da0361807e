package admin_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"linnet/internal/admin"
	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/kv"
	"linnet/internal/kv/diskkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// TestDemo checks that the demo data passes the check, and is the same each time.
func TestDemo(t *testing.T) {
	end := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	on := func(t *testing.T, open func(now func() time.Time) (kv.Engine, error)) string {
		clock := admin.NewDemoClock(end)
		e, err := open(clock.Now)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { e.Close() })
		st := store.New(e, store.Options{Now: clock.Now})
		if err := st.Instance.CheckFormat(t.Context()); err != nil {
			t.Fatal(err)
		}
		svc, err := app.New(st, app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Exclusive: true, Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan struct{})
		go func() { defer close(done); svc.Run(ctx) }()
		t.Cleanup(func() { cancel(); <-done })
		if err := admin.Demo(t.Context(), svc, clock); err != nil {
			t.Fatal(err)
		}
		report, err := admin.Check(t.Context(), svc, admin.CheckOptions{})
		if err != nil || len(report.Findings) > 0 {
			t.Errorf("%v %+v", err, report)
		}
		return seenBy(t, svc, admin.DemoAdmin)
	}
	memory := func(now func() time.Time) (kv.Engine, error) { return memkv.New(memkv.Options{Now: now}), nil }
	disk := func(now func() time.Time) (kv.Engine, error) {
		return diskkv.Open(t.TempDir(), diskkv.Options{Reserve: -1, Sync: diskkv.SyncInterval, Now: now})
	}
	one, other := on(t, memory), on(t, disk)
	if one != other {
		t.Errorf("two worlds:\n%s\nand\n%s", one, other)
	}
	for _, want := range []string{"4m0s huck", "11h0m0s wren", "At sea", "admin.report by lizzy", "mention by holmes"} {
		if !strings.Contains(one, want) {
			t.Errorf("%q is missing in\n%s", want, one)
		}
	}
}

// seenBy returns a description, without ids, of what a user sees.
func seenBy(t *testing.T, svc *app.App, login string) string {
	t.Helper()
	me, err := svc.Moderation.AccountNamed(t.Context(), linnet.Operator(), login)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	home, err := svc.Reading.Home(t.Context(), me.ID, linnet.Page{Limit: 40})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range home.Items {
		fmt.Fprintf(&b, "%s %s\n", time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC).Sub(v.ID.Time().Truncate(time.Second)), v.By.Login)
	}
	lists, err := svc.Lists.Lists(t.Context(), me.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lists {
		fmt.Fprintln(&b, l.Title)
	}
	notices, err := svc.Notify.Notifications(t.Context(), me.ID, linnet.NotificationFilter{}, linnet.Page{Limit: 40})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range notices.Items {
		fmt.Fprintf(&b, "%s by %s\n", n.Type, n.By.Login)
	}
	for _, kind := range []linnet.NotificationType{linnet.NotifyMention, linnet.NotifyStatus, linnet.NotifyRepost, linnet.NotifyFollow, linnet.NotifyFavourite,
		linnet.NotifyEdit, linnet.NotifyQuote, linnet.NotifyQuoted, linnet.NotifyReport, linnet.NotifySignUp} {
		some, err := svc.Notify.Notifications(t.Context(), me.ID, linnet.NotificationFilter{Types: []linnet.NotificationType{kind}}, linnet.Page{Limit: 1})
		if err != nil || len(some.Items) == 0 {
			t.Errorf("no notification of kind %s (%v)", kind, err)
		}
	}
	days, err := svc.Moderation.Statistics.LastDays(t.Context(), linnet.Operator(), 30)
	if err != nil {
		t.Fatal(err)
	}
	signUps := int64(0)
	for _, d := range days {
		if !d.Known || d.Posts == 0 || d.Active == 0 || d.Delay(0.95) == 0 || d.Queue == 0 || d.Oldest == 0 || d.Memory == 0 {
			t.Errorf("a day without figures: %+v", d)
		}
		signUps += d.SignUps
		fmt.Fprintf(&b, "%s: %d posts, %d people\n", d.At.Format(time.DateOnly), d.Posts, d.SignUps)
	}
	if signUps < 10 {
		t.Errorf("%d signed up in 30 days", signUps)
	}
	return b.String()
}
