package identity_test

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/identity"
	"linnet/internal/linnet"
)

const (
	firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
	iphone  = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1"
)

// from returns the context of a request.
func from(w *apptest.World, address, agent string) context.Context {
	return identity.WithVisitor(w.Ctx, identity.Visitor{From: netip.MustParseAddr(address), Agent: agent})
}

// lines returns the security log of a user as its page words it, the latest first.
func lines(w *apptest.World, of linnet.ID) []string {
	w.Helper()
	var out []string
	for _, e := range apptest.Must(w.Security.SecurityLog(w.Ctx, of))(w.T) {
		line := e.Sentence()
		if e.Count > 1 {
			line += fmt.Sprintf(" %d times", e.Count)
		}
		for _, part := range []string{e.Device, e.Network} {
			if part != "" {
				line += " | " + part
			}
		}
		if e.Staff != nil {
			line += " by " + e.Staff.Login
		}
		out = append(out, line)
	}
	return out
}

// TestSecurityLog checks that changes of an account's access are logged with their origin, and
// actions of staff with their actor. The log is deleted with the account.
func TestSecurityLog(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, bob := w.User("ann"), w.User("bob")
		w.OK(w.GiveRole("ann", linnet.Admin))
		w.Drain()
		at := from(w, "192.0.2.77", firefox)
		for range 3 {
			_, _, err := w.Identity.LogIn(from(w, "2001:db8:1:2::3", iphone), "bob", "wrong horse", apptest.LoginAddr)
			apptest.WantKind(w.T, err, linnet.Unauthenticated)
		}
		apptest.Must(second3(w.Identity.LogIn(at, "bob", apptest.Password, apptest.LoginAddr)))(w.T)
		app, secret := registerApp(w)
		code := apptest.Must(w.Apps.Approve(at, bob, linnet.Grant{ClientID: app.ClientID, RedirectURI: "https://a.test/", Scopes: []string{"read"}}))(w.T)
		token := apptest.Must(w.Apps.Exchange(from(w, "198.51.100.1", "Elk/1"), linnet.CodeExchange{ClientID: app.ClientID, ClientSecret: secret, Code: code, RedirectURI: "https://a.test/"}))(w.T)
		w.OK(w.Apps.Revoke(at, app.ClientID, secret, token.Value))
		apptest.Must(w.Identity.ChangePassword(at, bob, apptest.Password, "battery staple", apptest.LoginAddr))(w.T)
		w.OK(w.Moderation.Moderate(w.Ctx, linnet.By(ann), linnet.Measure{On: bob, Act: linnet.Suspend}))
		w.Drain()
		w.OK(w.Moderation.Moderate(w.Ctx, linnet.By(ann), linnet.Measure{On: bob, Act: linnet.Unsuspend}))
		w.Drain()
		want := []string{
			"Your account is no longer suspended. by ann", "Your account was suspended. by ann", "You changed your password. | Firefox on Linux | 192.0.2.…",
			"You revoked an app's access: “T”. | Firefox on Linux | 192.0.2.…", "You authorized an app: “T”. | Firefox on Linux | 192.0.2.…",
			"You logged in with your password. | Firefox on Linux | 192.0.2.…",
		}
		got := lines(w, bob)
		failed := slices.Index(got, "Someone entered a wrong password. 3 times | Safari on iPhone | 2001:db8:1:…")
		if failed < 0 {
			w.Fatalf("no failed log-ins in\n%s", strings.Join(got, "\n"))
		}
		if got = slices.Delete(got, failed, failed+1); !slices.Equal(got, want) {
			w.Errorf("the log is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if got := lines(w, ann); len(got) != 1 || !strings.HasPrefix(got[0], "Your role on this server was changed.") {
			w.Errorf("the log of ann is %q", got)
		}
		w.OK(w.Social.Deletion.DeleteOwnAccount(w.Ctx, bob, "battery staple", apptest.LoginAddr))
		w.Drain()
		w.OK(w.Security.RecordFailures(w.Ctx)) // for a deleted account
		if got := lines(w, bob); len(got) != 0 {
			w.Errorf("of an account that is gone there is %q", got)
		}
	})
}

// registerApp registers an app named T.
func registerApp(w *apptest.World) (linnet.App, string) {
	w.Helper()
	app, secret, err := w.Apps.Register(w.Ctx, linnet.AppRequest{Name: "T", RedirectURIs: []string{"https://a.test/"}, Scopes: []string{"read"}})
	w.OK(err)
	return app, secret
}

// TestSecurityLogIsBounded checks that logins and failures do not displace other entries of the
// log, and that equal consecutive entries are combined.
func TestSecurityLogIsBounded(t *testing.T) {
	w, clock := apptest.WithClock(t)
	bob := w.User("bob")
	w.OK(w.Security.EndOtherSessions(w.Ctx, identity.OwnSession{User: bob}))
	logIn := func(agent string) {
		t.Helper()
		apptest.Must(second3(w.Identity.LogIn(from(w, "192.0.2.7", agent), "bob", apptest.Password, apptest.LoginAddr)))(t)
	}
	for range 5 {
		logIn(firefox)
	}
	if got := lines(w, bob); !slices.Equal(got, []string{"You logged in with your password. 5 times | Firefox on Linux | 192.0.2.…", "You logged out all other browsers and apps."}) {
		t.Errorf("the log is %q", got)
	}
	clock.Advance(2 * time.Hour)
	logIn(firefox)
	if got := lines(w, bob); len(got) != 3 {
		t.Errorf("after two hours the log is %q", got)
	}
	for i := range 70 {
		logIn([]string{firefox, iphone}[i%2])
	}
	if got := lines(w, bob); len(got) != 61 || got[60] != "You logged out all other browsers and apps." {
		t.Errorf("the log has %d entries, the last %q", len(got), got[len(got)-1])
	}
	for range 110 {
		w.OK(w.Security.EndOtherSessions(w.Ctx, identity.OwnSession{User: bob}))
	}
	if got := lines(w, bob); len(got) != 100 {
		t.Errorf("the log has %d entries", len(got))
	}
}

// TestFailedLogInsAreWrittenLater checks that failed logins are counted in memory and stored
// later. A failed login writes nothing, so it takes the same time for unknown accounts.
func TestFailedLogInsAreWrittenLater(t *testing.T) {
	w := apptest.InMemory(t)
	bob := w.User("bob")
	apptest.EnableTwoFactor(t, w, bob)
	_, _, err := w.Identity.LogIn(w.Ctx, "bob", apptest.Password, apptest.LoginAddr)
	second, ok := err.(*identity.SecondFactorError)
	if !ok {
		t.Fatal(err)
	}
	for range 2 {
		_, _, err := w.Identity.FinishLogIn(from(w, "192.0.2.7", ""), second.Ticket, "000000")
		apptest.WantKind(t, err, linnet.Invalid)
	}
	_, _, _ = w.Identity.LogIn(from(w, "10.1.2.3", ""), "bob", "wrong horse", apptest.LoginAddr)
	if log := apptest.Must(w.Store.Sessions.SecurityLog(w.Ctx, bob))(t); len(log) != 1 {
		t.Errorf("written at once: %+v", log)
	}
	w.OK(w.Security.RecordFailures(w.Ctx))
	w.OK(w.Security.RecordFailures(w.Ctx)) // stored once
	got := apptest.Must(w.Store.Sessions.SecurityLog(w.Ctx, bob))(t)
	count := map[linnet.SecurityEvent]int{}
	for _, e := range got {
		count[e.Event] += max(e.Count, 1)
	}
	if count[linnet.CodeFailed] != 2 || count[linnet.LogInFailed] != 1 || len(got) != 3 {
		t.Errorf("written %+v", got)
	}
}

// TestSessionsTellTheirUse checks that a session contains its origin, and that the others can be
// ended together.
func TestSessionsTellTheirUse(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		bob := w.User("bob")
		mine, _, err := w.Identity.LogIn(from(w, "192.0.2.7", firefox), "bob", apptest.Password, apptest.LoginAddr)
		w.OK(err)
		other, _, err := w.Identity.LogIn(from(w, "192.168.1.5", ""), "bob", apptest.Password, apptest.LoginAddr)
		w.OK(err)
		all := apptest.Must(w.Identity.Sessions(w.Ctx, bob))(w.T)
		if len(all) != 2 || all[1].Device+all[0].Device != "Firefox on Linux" || !strings.Contains(all[0].Network+all[1].Network, "192.168.1.… (local network)") {
			w.Errorf("the sessions are %+v", all)
		}
		me := apptest.Must(w.Identity.Session(w.Ctx, mine))(w.T)
		w.OK(w.Security.EndOtherSessions(w.Ctx, identity.OwnSession{User: bob, ID: me.ID}))
		if _, err := w.Identity.Session(w.Ctx, other); linnet.KindOf(err) != linnet.Unauthenticated {
			w.Errorf("the other session is open: %v", err)
		}
		if len(apptest.Must(w.Identity.Sessions(w.Ctx, bob))(w.T)) != 1 {
			w.Error("the own session is not left")
		}
	})
}

func TestSessionUseIsNotedDaily(t *testing.T) {
	w, clock := apptest.WithClock(t)
	bob := w.User("bob")
	begun := w.Store.Now()
	token, _, err := w.Identity.LogIn(w.Ctx, "bob", apptest.Password, apptest.LoginAddr)
	w.OK(err)
	used := func() time.Duration {
		t.Helper()
		apptest.Must(w.Identity.Session(w.Ctx, token))(t)
		return apptest.Must(w.Identity.Sessions(w.Ctx, bob))(t)[0].Used.Sub(begun).Round(time.Hour)
	}
	for _, c := range []struct{ turn, used time.Duration }{
		{23 * time.Hour, 0}, {2 * time.Hour, 25 * time.Hour}, {23 * time.Hour, 25 * time.Hour}, {64 * 24 * time.Hour, 48*time.Hour + 64*24*time.Hour},
	} {
		clock.Advance(c.turn)
		if got := used(); got != c.used {
			t.Errorf("after %v more the session was used %v after it began, want %v", c.turn, got, c.used)
		}
	}
	clock.Advance(25 * 24 * time.Hour) // 91 days in total
	if _, err := w.Identity.Session(w.Ctx, token); linnet.KindOf(err) != linnet.Unauthenticated {
		t.Errorf("a session that is used lives longer than 90 days: %v", err)
	}
}
