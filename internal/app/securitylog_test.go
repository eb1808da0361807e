package app_test

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"linnet/internal/identity"
	"linnet/internal/linnet"
)

const (
	firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
	iphone  = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1"
)

// from returns the context of a request.
func (w *world) from(address, agent string) context.Context {
	return identity.WithVisitor(w.ctx, identity.Visitor{From: netip.MustParseAddr(address), Agent: agent})
}

// lines returns the security log of a user as its page words it, the latest first.
func (w *world) lines(of linnet.ID) []string {
	w.Helper()
	var out []string
	for _, e := range must(w.Security.SecurityLog(w.ctx, of))(w.T) {
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
	onEngines(t, func(w *world) {
		ann, bob := w.user("ann"), w.user("bob")
		w.did(w.giveRole("ann", linnet.Admin))
		w.drain()
		at := w.from("192.0.2.77", firefox)
		for range 3 {
			_, _, err := w.Identity.LogIn(w.from("2001:db8:1:2::3", iphone), "bob", "wrong horse", here)
			kindIs(w.T, err, linnet.Unauthenticated)
		}
		must(second3(w.Identity.LogIn(at, "bob", rightPassword, here)))(w.T)
		app, secret := w.app()
		code := must(w.Apps.Approve(at, bob, linnet.Grant{ClientID: app.ClientID, RedirectURI: "https://a.test/", Scopes: []string{"read"}}))(w.T)
		token := must(w.Apps.Exchange(w.from("198.51.100.1", "Elk/1"), linnet.CodeExchange{ClientID: app.ClientID, ClientSecret: secret, Code: code, RedirectURI: "https://a.test/"}))(w.T)
		w.did(w.Apps.Revoke(at, app.ClientID, secret, token.Value))
		must(w.Identity.ChangePassword(at, bob, rightPassword, "battery staple", here))(w.T)
		w.did(w.Moderation.Moderate(w.ctx, linnet.By(ann), linnet.Measure{On: bob, Act: linnet.Suspend}))
		w.drain()
		w.did(w.Moderation.Moderate(w.ctx, linnet.By(ann), linnet.Measure{On: bob, Act: linnet.Unsuspend}))
		w.drain()
		want := []string{
			"Your account is no longer suspended. by ann", "Your account was suspended. by ann", "You changed your password. | Firefox on Linux | 192.0.2.…",
			"You revoked an app's access: “T”. | Firefox on Linux | 192.0.2.…", "You authorized an app: “T”. | Firefox on Linux | 192.0.2.…",
			"You logged in with your password. | Firefox on Linux | 192.0.2.…",
		}
		got := w.lines(bob)
		failed := slices.Index(got, "Someone entered a wrong password. 3 times | Safari on iPhone | 2001:db8:1:…")
		if failed < 0 {
			w.Fatalf("no failed log-ins in\n%s", strings.Join(got, "\n"))
		}
		if got = slices.Delete(got, failed, failed+1); !slices.Equal(got, want) {
			w.Errorf("the log is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if got := w.lines(ann); len(got) != 1 || !strings.HasPrefix(got[0], "Your role on this server was changed.") {
			w.Errorf("the log of ann is %q", got)
		}
		w.did(w.Social.Deletion.DeleteOwnAccount(w.ctx, bob, "battery staple", here))
		w.drain()
		w.did(w.Security.RecordFailures(w.ctx)) // for a deleted account
		if got := w.lines(bob); len(got) != 0 {
			w.Errorf("of an account that is gone there is %q", got)
		}
	})
}

// app registers an app named T.
func (w *world) app() (linnet.App, string) {
	w.Helper()
	app, secret, err := w.Apps.Register(w.ctx, linnet.AppRequest{Name: "T", RedirectURIs: []string{"https://a.test/"}, Scopes: []string{"read"}})
	w.did(err)
	return app, secret
}

// TestSecurityLogIsBounded checks that logins and failures do not displace other entries of the
// log, and that equal consecutive entries are combined.
func TestSecurityLogIsBounded(t *testing.T) {
	w, clock := clockWorld(t)
	bob := w.user("bob")
	w.did(w.Security.EndOtherSessions(w.ctx, identity.OwnSession{User: bob}))
	logIn := func(agent string) {
		t.Helper()
		must(second3(w.Identity.LogIn(w.from("192.0.2.7", agent), "bob", rightPassword, here)))(t)
	}
	for range 5 {
		logIn(firefox)
	}
	if got := w.lines(bob); !slices.Equal(got, []string{"You logged in with your password. 5 times | Firefox on Linux | 192.0.2.…", "You logged out all other browsers and apps."}) {
		t.Errorf("the log is %q", got)
	}
	clock.turn(2 * time.Hour)
	logIn(firefox)
	if got := w.lines(bob); len(got) != 3 {
		t.Errorf("after two hours the log is %q", got)
	}
	for i := range 70 {
		logIn([]string{firefox, iphone}[i%2])
	}
	if got := w.lines(bob); len(got) != 61 || got[60] != "You logged out all other browsers and apps." {
		t.Errorf("the log has %d entries, the last %q", len(got), got[len(got)-1])
	}
	for range 110 {
		w.did(w.Security.EndOtherSessions(w.ctx, identity.OwnSession{User: bob}))
	}
	if got := w.lines(bob); len(got) != 100 {
		t.Errorf("the log has %d entries", len(got))
	}
}

// TestFailedLogInsAreWrittenLater checks that failed logins are counted in memory and stored
// later. A failed login writes nothing, so it takes the same time for unknown accounts.
func TestFailedLogInsAreWrittenLater(t *testing.T) {
	w := memWorld(t)
	bob := w.user("bob")
	secondFactor(t, w, bob)
	_, _, err := w.Identity.LogIn(w.ctx, "bob", rightPassword, here)
	second, ok := err.(*identity.SecondFactorError)
	if !ok {
		t.Fatal(err)
	}
	for range 2 {
		_, _, err := w.Identity.FinishLogIn(w.from("192.0.2.7", ""), second.Ticket, "000000")
		kindIs(t, err, linnet.Invalid)
	}
	_, _, _ = w.Identity.LogIn(w.from("10.1.2.3", ""), "bob", "wrong horse", here)
	if log := must(w.store.Sessions.SecurityLog(w.ctx, bob))(t); len(log) != 1 {
		t.Errorf("written at once: %+v", log)
	}
	w.did(w.Security.RecordFailures(w.ctx))
	w.did(w.Security.RecordFailures(w.ctx)) // stored once
	got := must(w.store.Sessions.SecurityLog(w.ctx, bob))(t)
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
	onEngines(t, func(w *world) {
		bob := w.user("bob")
		mine, _, err := w.Identity.LogIn(w.from("192.0.2.7", firefox), "bob", rightPassword, here)
		w.did(err)
		other, _, err := w.Identity.LogIn(w.from("192.168.1.5", ""), "bob", rightPassword, here)
		w.did(err)
		all := must(w.Identity.Sessions(w.ctx, bob))(w.T)
		if len(all) != 2 || all[1].Device+all[0].Device != "Firefox on Linux" || !strings.Contains(all[0].Network+all[1].Network, "192.168.1.… (local network)") {
			w.Errorf("the sessions are %+v", all)
		}
		me := must(w.Identity.Session(w.ctx, mine))(w.T)
		w.did(w.Security.EndOtherSessions(w.ctx, identity.OwnSession{User: bob, ID: me.ID}))
		if _, err := w.Identity.Session(w.ctx, other); linnet.KindOf(err) != linnet.Unauthenticated {
			w.Errorf("the other session is open: %v", err)
		}
		if len(must(w.Identity.Sessions(w.ctx, bob))(w.T)) != 1 {
			w.Error("the own session is not left")
		}
	})
}

func TestSessionUseIsNotedDaily(t *testing.T) {
	w, clock := clockWorld(t)
	bob := w.user("bob")
	begun := w.store.Now()
	token, _, err := w.Identity.LogIn(w.ctx, "bob", rightPassword, here)
	w.did(err)
	used := func() time.Duration {
		t.Helper()
		must(w.Identity.Session(w.ctx, token))(t)
		return must(w.Identity.Sessions(w.ctx, bob))(t)[0].Used.Sub(begun).Round(time.Hour)
	}
	for _, c := range []struct{ turn, used time.Duration }{
		{23 * time.Hour, 0}, {2 * time.Hour, 25 * time.Hour}, {23 * time.Hour, 25 * time.Hour}, {64 * 24 * time.Hour, 48*time.Hour + 64*24*time.Hour},
	} {
		clock.turn(c.turn)
		if got := used(); got != c.used {
			t.Errorf("after %v more the session was used %v after it began, want %v", c.turn, got, c.used)
		}
	}
	clock.turn(25 * 24 * time.Hour) // 91 days in total
	if _, err := w.Identity.Session(w.ctx, token); linnet.KindOf(err) != linnet.Unauthenticated {
		t.Errorf("a session that is used lives longer than 90 days: %v", err)
	}
}
