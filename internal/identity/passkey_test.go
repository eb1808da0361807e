package identity_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/identity"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/store/sessions"
)

const linnetOrigin = "https://linnet.test"

// inSession logs a user in with the password and confirms it in the session.
func inSession(w *apptest.World, login string) identity.OwnSession {
	w.Helper()
	token, u, err := w.Identity.LogIn(w.Ctx, login, apptest.Password, apptest.LoginAddr)
	w.OK(err)
	me := identity.OwnSession{User: u.ID, ID: apptest.Must(w.Identity.Session(w.Ctx, token))(w.T).ID}
	w.OK(w.Identity.ConfirmPassword(w.Ctx, me, apptest.Password, apptest.LoginAddr))
	return me
}

// addPasskey adds a passkey to an account and returns its device.
func addPasskey(w *apptest.World, me identity.OwnSession, name string) *apptest.Authenticator {
	w.Helper()
	device := &apptest.Authenticator{Origin: linnetOrigin}
	w.OK(w.Security.AddPasskey(w.Ctx, me, name, device.Answer(apptest.Must(w.Security.BeginPasskey(w.Ctx, me))(w.T))))
	return device
}

// logInBy logs in with a passkey in a browser.
func logInBy(w *apptest.World, device *apptest.Authenticator, browser string) (linnet.User, error) {
	w.Helper()
	options := apptest.Must(w.Security.BeginPasskeyLogIn(w.Ctx, browser))(w.T)
	_, u, err := w.Security.FinishPasskeyLogIn(w.Ctx, browser, device.Answer(options), apptest.LoginAddr)
	return u, err
}

// TestPasskeys checks that a passkey logs in without name, password and code. It has a name and a
// last use, can be removed, and appears in the security log.
func TestPasskeys(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		bob := w.User("bob")
		apptest.EnableTwoFactor(w.T, w, bob)
		w.User("eve")
		me := inSession(w, "eve")
		if ok := w.Security.PasskeysOn(); !ok {
			w.Fatal("an https address has no passkeys")
		}
		device := addPasskey(w, me, "  My \u202eblue key ")
		if u, err := logInBy(w, device, "browser"); err != nil || u.ID != me.User {
			w.Fatalf("logged in %s: %v", u.Login, err)
		}
		keys := apptest.Must(w.Security.Passkeys(w.Ctx, me.User))(w.T)
		if len(keys) != 1 || keys[0].Name != "My blue key" || keys[0].Used.IsZero() || keys[0].Added.IsZero() {
			w.Fatalf("the passkeys are %+v", keys)
		}
		w.OK(w.Security.RenamePasskey(w.Ctx, me.User, keys[0].ID, "Green"))
		apptest.WantKind(w.T, w.Security.RenamePasskey(w.Ctx, me.User, keys[0].ID, strings.Repeat("x", linnet.MaxPasskeyName+1)), linnet.Invalid)
		apptest.WantKind(w.T, w.Security.RenamePasskey(w.Ctx, bob, keys[0].ID, "Mine"), linnet.NotFound)
		apptest.WantKind(w.T, w.Security.RemovePasskey(w.Ctx, bob, keys[0].ID, apptest.Password, apptest.LoginAddr), linnet.NotFound)
		apptest.WantKind(w.T, w.Security.RemovePasskey(w.Ctx, me.User, keys[0].ID, "wrong horse", apptest.LoginAddr), linnet.Invalid)
		w.OK(w.Security.RemovePasskey(w.Ctx, me.User, keys[0].ID, apptest.Password, apptest.LoginAddr))
		_, err := logInBy(w, device, "browser")
		apptest.WantKind(w.T, err, linnet.Unauthenticated)
		lines := slices.DeleteFunc(lines(w, me.User), func(l string) bool { return strings.HasPrefix(l, "Someone entered a wrong password") })
		if want := []string{"You removed a passkey: “Green”.", "You logged in with a passkey: “My blue key”.", "A passkey was added to your account: “My blue key”.",
			"You logged in with your password."}; !slices.Equal(lines, want) {
			w.Errorf("the log is %q, want %q", lines, want)
		}
		other := inSession(w, "eve")
		second := addPasskey(w, other, "")
		third := addPasskey(w, other, "")
		for _, d := range []*apptest.Authenticator{third, second, second} {
			apptest.Must(logInBy(w, d, "browser"))(w.T)
		}
	})
}

// passkeyAttacks returns invalid answers of devices, each derived from a valid one.
func passkeyAttacks(w *apptest.World, mine, other *apptest.Authenticator) map[string]func() error {
	with := func(change func(*apptest.Authenticator)) func() error {
		return func() error {
			device := *mine
			change(&device)
			_, err := logInBy(w, &device, "browser")
			return err
		}
	}
	finish := func(browser string, answer []byte) error {
		_, _, err := w.Security.FinishPasskeyLogIn(w.Ctx, browser, answer, apptest.LoginAddr)
		return err
	}
	begin := func(browser string) []byte { return apptest.Must(w.Security.BeginPasskeyLogIn(w.Ctx, browser))(w.T) }
	return map[string]func() error{
		"from another page":        with(func(a *apptest.Authenticator) { a.Origin = "https://evil.test" }),
		"by http":                  with(func(a *apptest.Authenticator) { a.Origin = "http://linnet.test" }),
		"for another site":         with(func(a *apptest.Authenticator) { a.RPID = "evil.test" }),
		"nobody was verified":      with(func(a *apptest.Authenticator) { a.Unverified = true }),
		"as somebody else":         with(func(a *apptest.Authenticator) { a.Handle = other.Handle }),
		"as nobody":                with(func(a *apptest.Authenticator) { a.Handle = "1" }),
		"with another's ID":        with(func(a *apptest.Authenticator) { a.ID = other.ID }),
		"a challenge of its own":   with(func(a *apptest.Authenticator) { a.Challenge = base64.RawURLEncoding.EncodeToString(make([]byte, 32)) }),
		"in another browser":       func() error { return finish("another", mine.Answer(begin("browser"))) },
		"no answer":                func() error { return finish("browser", nil) },
		"no JSON":                  func() error { return finish("browser", []byte("{")) },
		"too long":                 func() error { return finish("browser", bytes.Repeat([]byte(" "), 1<<20)) },
		"a signature that is none": func() error { return finish("browser", flipped(mine.Answer(begin("browser")))) },
		"the same answer twice": func() error {
			answer := mine.Answer(begin("browser"))
			return errors.Join(ifNil(finish("browser", answer), errors.New("the first was refused")), finish("browser", answer))
		},
		"the challenge for adding one": func() error {
			var o struct{ Challenge string }
			w.OK(json.Unmarshal(apptest.Must(w.Security.BeginPasskey(w.Ctx, inSession(w, "bob")))(w.T), &o))
			device := *mine
			device.Challenge = o.Challenge
			return finish("browser", device.Answer(begin("browser")))
		},
	}
}

func ifNil(err, other error) error {
	if err == nil {
		return nil
	}
	return errors.Join(other, err)
}

// flipped returns an answer with a changed signature.
func flipped(answer []byte) []byte {
	var a map[string]any
	_ = json.Unmarshal(answer, &a) // the answer is our own
	r := a["response"].(map[string]any)
	sig, _ := base64.RawURLEncoding.DecodeString(r["signature"].(string))
	sig[len(sig)-1] ^= 1
	r["signature"] = base64.RawURLEncoding.EncodeToString(sig)
	b, _ := json.Marshal(a)
	return b
}

func TestPasskeyAttacks(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		w.User("bob")
		eve := w.User("eve")
		mine, other := addPasskey(w, inSession(w, "bob"), "bob's"), addPasskey(w, inSession(w, "eve"), "eve's")
		other.Handle = eve.String()
		for name, attack := range passkeyAttacks(w, mine, other) {
			if err := attack(); linnet.KindOf(err) != linnet.Unauthenticated {
				w.Errorf("%s: %v", name, err)
			}
		}
		apptest.Must(logInBy(w, mine, "browser"))(w.T)
	})
}

// TestPasskeyChallengesEnd checks that a challenge expires after five minutes.
func TestPasskeyChallengesEnd(t *testing.T) {
	w, clock := apptest.WithClock(t)
	w.User("bob")
	me := inSession(w, "bob")
	device := addPasskey(w, me, "")
	options := apptest.Must(w.Security.BeginPasskeyLogIn(w.Ctx, "browser"))(t)
	adding := apptest.Must(w.Security.BeginPasskey(w.Ctx, me))(t)
	clock.Advance(sessions.ChallengeTTL + time.Second)
	_, _, err := w.Security.FinishPasskeyLogIn(w.Ctx, "browser", device.Answer(options), apptest.LoginAddr)
	apptest.WantKind(t, err, linnet.Unauthenticated)
	apptest.WantKind(t, w.Security.AddPasskey(w.Ctx, me, "", (&apptest.Authenticator{Origin: linnetOrigin}).Answer(adding)), linnet.Invalid)
	if len(apptest.Must(w.Security.Passkeys(w.Ctx, me.User))(t)) != 1 {
		t.Error("a passkey was added late")
	}
}

// TestPasskeysOfWhoMayNotEnter checks that suspended and locked users cannot log in. A device with
// a decreasing counter is refused, and its owner is notified.
func TestPasskeysOfWhoMayNotEnter(t *testing.T) {
	w := apptest.InMemory(t)
	w.User("bob")
	device := addPasskey(w, inSession(w, "bob"), "blue")
	bob := apptest.Must(w.Security.Passkeys(w.Ctx, apptest.Must(logInBy(w, device, "b"))(t).ID))(t)
	if len(bob) != 1 {
		t.Fatal("no passkey")
	}
	who := apptest.Must(logInBy(w, device, "b"))(t).ID
	for _, m := range [][2]linnet.Moderation{{linnet.Suspend, linnet.Unsuspend}, {linnet.Disable, linnet.Enable}} {
		w.OK(w.Moderation.Moderate(w.Ctx, linnet.Operator(), linnet.Measure{On: who, Act: m[0]}))
		_, err := logInBy(w, device, "b")
		apptest.WantKind(t, err, linnet.Forbidden)
		w.OK(w.Moderation.Moderate(w.Ctx, linnet.Operator(), linnet.Measure{On: who, Act: m[1]}))
		apptest.Must(logInBy(w, device, "b"))(t)
	}
	for _, c := range []struct {
		count uint32
		in    bool
	}{{7, true}, {7, false}, {3, false}, {8, true}, {0, false}} {
		device.Count = c.count
		if _, err := logInBy(w, device, "b"); (err == nil) != c.in {
			t.Errorf("with count %d: %v", c.count, err)
		}
	}
	told := 0
	for _, n := range apptest.Must(w.Notify.Notifications(w.Ctx, who, linnet.NotificationFilter{}, linnet.Page{}))(t).Items {
		if n.Event == linnet.PasskeyCopied {
			told++
		}
	}
	if told == 0 {
		t.Error("the owner is not told of a copy")
	}
	w.OK(w.Social.Deletion.DeleteOwnAccount(w.Ctx, who, apptest.Password, apptest.LoginAddr))
	w.Drain()
	device.Count = 100
	_, err := logInBy(w, device, "b")
	apptest.WantKind(t, err, linnet.Unauthenticated)
}

// TestWhoAddsPasskeys checks that adding a passkey requires a recent password in the same session
// and the same browser, and that at most twenty can be added.
func TestWhoAddsPasskeys(t *testing.T) {
	w := apptest.InMemory(t)
	w.User("bob")
	w.User("eve")
	me, eve := inSession(w, "bob"), inSession(w, "eve")
	_, err := w.Security.BeginPasskey(w.Ctx, identity.OwnSession{User: me.User, ID: "another"})
	apptest.WantKind(t, err, linnet.Forbidden)
	begin := func() []byte { return apptest.Must(w.Security.BeginPasskey(w.Ctx, me))(t) }
	add := func(as identity.OwnSession, device apptest.Authenticator) error {
		return w.Security.AddPasskey(w.Ctx, as, "", device.Answer(begin()))
	}
	good := apptest.Authenticator{Origin: linnetOrigin}
	for name, err := range map[string]error{
		"another session": add(identity.OwnSession{User: me.User, ID: "another"}, good), "somebody else": add(eve, good),
		"another page": add(me, apptest.Authenticator{Origin: "https://evil.test"}), "another site": add(me, apptest.Authenticator{Origin: linnetOrigin, RPID: "evil.test"}),
		"nobody verified": add(me, apptest.Authenticator{Origin: linnetOrigin, Unverified: true}), "no answer": w.Security.AddPasskey(w.Ctx, me, "", nil),
	} {
		if linnet.KindOf(err) != linnet.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	answer := (&apptest.Authenticator{Origin: linnetOrigin}).Answer(begin())
	w.OK(w.Security.AddPasskey(w.Ctx, me, "", answer))
	apptest.WantKind(t, w.Security.AddPasskey(w.Ctx, me, "", answer), linnet.Invalid) // works once
	for i := range linnet.MaxPasskeys - 1 {
		addPasskey(w, me, fmt.Sprint("key ", i))
	}
	_, err = w.Security.BeginPasskey(w.Ctx, me)
	apptest.WantKind(t, err, linnet.Invalid)
	if n := len(apptest.Must(w.Security.Passkeys(w.Ctx, me.User))(t)); n != linnet.MaxPasskeys {
		t.Errorf("%d passkeys", n)
	}
}

// TestPasskeysOnSeveralServers checks that another server accepts the answer to a challenge, and
// that one of many concurrent answers logs in.
func TestPasskeysOnSeveralServers(t *testing.T) {
	e := memkv.New(memkv.Options{})
	first := apptest.Idle(t, e, store.Options{})
	first.User("bob")
	me := inSession(first, "bob")
	second := apptest.Idle(t, e, store.Options{})
	device := &apptest.Authenticator{Origin: linnetOrigin}
	first.OK(second.Security.AddPasskey(second.Ctx, me, "", device.Answer(apptest.Must(first.Security.BeginPasskey(first.Ctx, me))(t))))
	answer := device.Answer(apptest.Must(first.Security.BeginPasskeyLogIn(first.Ctx, "b"))(t))
	var in sync.Map
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			w := []*apptest.World{first, second}[i%2]
			if token, _, err := w.Security.FinishPasskeyLogIn(w.Ctx, "b", answer, apptest.LoginAddr); err == nil {
				in.Store(token, true)
			}
		})
	}
	wg.Wait()
	n := 0
	in.Range(func(any, any) bool { n++; return true })
	if n != 1 {
		t.Errorf("%d answers to one challenge have logged in", n)
	}
}

// TestRecoveryCodesAreRenewed checks that new recovery codes revoke the old ones, and that users
// with few codes left are notified.
func TestRecoveryCodesAreRenewed(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		bob := w.User("bob")
		_, err := w.Security.RenewRecovery(w.Ctx, bob, apptest.Password, apptest.LoginAddr)
		apptest.WantKind(w.T, err, linnet.Conflict)
		apptest.EnableTwoFactor(w.T, w, bob)
		old := apptest.Must(w.Security.RenewRecovery(w.Ctx, bob, apptest.Password, apptest.LoginAddr))(w.T)
		_, err = w.Security.RenewRecovery(w.Ctx, bob, "wrong horse", apptest.LoginAddr)
		apptest.WantKind(w.T, err, linnet.Invalid)
		codes := apptest.Must(w.Security.RenewRecovery(w.Ctx, bob, apptest.Password, apptest.LoginAddr))(w.T)
		with := func(code string) error {
			_, _, err := w.Identity.LogIn(w.Ctx, "bob", apptest.Password, apptest.LoginAddr)
			var second *identity.SecondFactorError
			if !errors.As(err, &second) {
				w.Fatal(err)
			}
			_, _, err = w.Identity.FinishLogIn(w.Ctx, second.Ticket, code)
			return err
		}
		apptest.WantKind(w.T, with(old[0]), linnet.Invalid)
		for _, code := range codes[:7] {
			w.OK(with(code))
		}
		if f := apptest.Must(w.Identity.TwoFactor(w.Ctx, bob))(w.T); f.Recovery != 3 {
			w.Errorf("%d codes are left", f.Recovery)
		}
		lines := lines(w, bob)
		if !slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, "You have only a few recovery codes left.") }) ||
			!slices.Contains(lines, "You got new recovery codes. The old codes no longer work.") {
			w.Errorf("the log is %q", lines)
		}
	})
}
