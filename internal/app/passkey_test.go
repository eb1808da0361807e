package app_test

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
func (w *world) inSession(login string) identity.OwnSession {
	w.Helper()
	token, u, err := w.Identity.LogIn(w.ctx, login, rightPassword, here)
	w.did(err)
	me := identity.OwnSession{User: u.ID, ID: must(w.Identity.Session(w.ctx, token))(w.T).ID}
	w.did(w.Identity.ConfirmPassword(w.ctx, me, rightPassword, here))
	return me
}

// addPasskey adds a passkey to an account and returns its device.
func (w *world) addPasskey(me identity.OwnSession, name string) *apptest.Authenticator {
	w.Helper()
	device := &apptest.Authenticator{Origin: linnetOrigin}
	w.did(w.Security.AddPasskey(w.ctx, me, name, device.Answer(must(w.Security.BeginPasskey(w.ctx, me))(w.T))))
	return device
}

// logInBy logs in with a passkey in a browser.
func (w *world) logInBy(device *apptest.Authenticator, browser string) (linnet.User, error) {
	w.Helper()
	options := must(w.Security.BeginPasskeyLogIn(w.ctx, browser))(w.T)
	_, u, err := w.Security.FinishPasskeyLogIn(w.ctx, browser, device.Answer(options), here)
	return u, err
}

// TestPasskeys checks that a passkey logs in without name, password and code. It has a name and a
// last use, can be removed, and appears in the security log.
func TestPasskeys(t *testing.T) {
	onEngines(t, func(w *world) {
		bob := w.user("bob")
		secondFactor(w.T, w, bob)
		w.user("eve")
		me := w.inSession("eve")
		if ok := w.Security.PasskeysOn(); !ok {
			w.Fatal("an https address has no passkeys")
		}
		device := w.addPasskey(me, "  My \u202eblue key ")
		if u, err := w.logInBy(device, "browser"); err != nil || u.ID != me.User {
			w.Fatalf("logged in %s: %v", u.Login, err)
		}
		keys := must(w.Security.Passkeys(w.ctx, me.User))(w.T)
		if len(keys) != 1 || keys[0].Name != "My blue key" || keys[0].Used.IsZero() || keys[0].Added.IsZero() {
			w.Fatalf("the passkeys are %+v", keys)
		}
		w.did(w.Security.RenamePasskey(w.ctx, me.User, keys[0].ID, "Green"))
		kindIs(w.T, w.Security.RenamePasskey(w.ctx, me.User, keys[0].ID, strings.Repeat("x", linnet.MaxPasskeyName+1)), linnet.Invalid)
		kindIs(w.T, w.Security.RenamePasskey(w.ctx, bob, keys[0].ID, "Mine"), linnet.NotFound)
		kindIs(w.T, w.Security.RemovePasskey(w.ctx, bob, keys[0].ID, rightPassword, here), linnet.NotFound)
		kindIs(w.T, w.Security.RemovePasskey(w.ctx, me.User, keys[0].ID, "wrong horse", here), linnet.Invalid)
		w.did(w.Security.RemovePasskey(w.ctx, me.User, keys[0].ID, rightPassword, here))
		_, err := w.logInBy(device, "browser")
		kindIs(w.T, err, linnet.Unauthenticated)
		lines := slices.DeleteFunc(w.lines(me.User), func(l string) bool { return strings.HasPrefix(l, "Someone entered a wrong password") })
		if want := []string{"You removed a passkey: “Green”.", "You logged in with a passkey: “My blue key”.", "A passkey was added to your account: “My blue key”.",
			"You logged in with your password."}; !slices.Equal(lines, want) {
			w.Errorf("the log is %q, want %q", lines, want)
		}
		other := w.inSession("eve")
		second := w.addPasskey(other, "")
		third := w.addPasskey(other, "")
		for _, d := range []*apptest.Authenticator{third, second, second} {
			must(w.logInBy(d, "browser"))(w.T)
		}
	})
}

// passkeyAttacks returns invalid answers of devices, each derived from a valid one.
func passkeyAttacks(w *world, mine, other *apptest.Authenticator) map[string]func() error {
	with := func(change func(*apptest.Authenticator)) func() error {
		return func() error {
			device := *mine
			change(&device)
			_, err := w.logInBy(&device, "browser")
			return err
		}
	}
	finish := func(browser string, answer []byte) error {
		_, _, err := w.Security.FinishPasskeyLogIn(w.ctx, browser, answer, here)
		return err
	}
	begin := func(browser string) []byte { return must(w.Security.BeginPasskeyLogIn(w.ctx, browser))(w.T) }
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
			w.did(json.Unmarshal(must(w.Security.BeginPasskey(w.ctx, w.inSession("bob")))(w.T), &o))
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
	onEngines(t, func(w *world) {
		w.user("bob")
		eve := w.user("eve")
		mine, other := w.addPasskey(w.inSession("bob"), "bob's"), w.addPasskey(w.inSession("eve"), "eve's")
		other.Handle = eve.String()
		for name, attack := range passkeyAttacks(w, mine, other) {
			if err := attack(); linnet.KindOf(err) != linnet.Unauthenticated {
				w.Errorf("%s: %v", name, err)
			}
		}
		must(w.logInBy(mine, "browser"))(w.T)
	})
}

// TestPasskeyChallengesEnd checks that a challenge expires after five minutes.
func TestPasskeyChallengesEnd(t *testing.T) {
	w, clock := clockWorld(t)
	w.user("bob")
	me := w.inSession("bob")
	device := w.addPasskey(me, "")
	options := must(w.Security.BeginPasskeyLogIn(w.ctx, "browser"))(t)
	adding := must(w.Security.BeginPasskey(w.ctx, me))(t)
	clock.turn(sessions.ChallengeTTL + time.Second)
	_, _, err := w.Security.FinishPasskeyLogIn(w.ctx, "browser", device.Answer(options), here)
	kindIs(t, err, linnet.Unauthenticated)
	kindIs(t, w.Security.AddPasskey(w.ctx, me, "", (&apptest.Authenticator{Origin: linnetOrigin}).Answer(adding)), linnet.Invalid)
	if len(must(w.Security.Passkeys(w.ctx, me.User))(t)) != 1 {
		t.Error("a passkey was added late")
	}
}

// TestPasskeysOfWhoMayNotEnter checks that suspended and locked users cannot log in. A device with
// a decreasing counter is refused, and its owner is notified.
func TestPasskeysOfWhoMayNotEnter(t *testing.T) {
	w := memWorld(t)
	w.user("bob")
	device := w.addPasskey(w.inSession("bob"), "blue")
	bob := must(w.Security.Passkeys(w.ctx, must(w.logInBy(device, "b"))(t).ID))(t)
	if len(bob) != 1 {
		t.Fatal("no passkey")
	}
	who := must(w.logInBy(device, "b"))(t).ID
	for _, m := range [][2]linnet.Moderation{{linnet.Suspend, linnet.Unsuspend}, {linnet.Disable, linnet.Enable}} {
		w.did(w.Moderation.Moderate(w.ctx, linnet.Operator(), linnet.Measure{On: who, Act: m[0]}))
		_, err := w.logInBy(device, "b")
		kindIs(t, err, linnet.Forbidden)
		w.did(w.Moderation.Moderate(w.ctx, linnet.Operator(), linnet.Measure{On: who, Act: m[1]}))
		must(w.logInBy(device, "b"))(t)
	}
	for _, c := range []struct {
		count uint32
		in    bool
	}{{7, true}, {7, false}, {3, false}, {8, true}, {0, false}} {
		device.Count = c.count
		if _, err := w.logInBy(device, "b"); (err == nil) != c.in {
			t.Errorf("with count %d: %v", c.count, err)
		}
	}
	told := 0
	for _, n := range must(w.Notify.Notifications(w.ctx, who, linnet.NotificationFilter{}, linnet.Page{}))(t).Items {
		if n.Event == linnet.PasskeyCopied {
			told++
		}
	}
	if told == 0 {
		t.Error("the owner is not told of a copy")
	}
	w.did(w.Social.Deletion.DeleteOwnAccount(w.ctx, who, rightPassword, here))
	w.drain()
	device.Count = 100
	_, err := w.logInBy(device, "b")
	kindIs(t, err, linnet.Unauthenticated)
}

// TestWhoAddsPasskeys checks that adding a passkey requires a recent password in the same session
// and the same browser, and that at most twenty can be added.
func TestWhoAddsPasskeys(t *testing.T) {
	w := memWorld(t)
	w.user("bob")
	w.user("eve")
	me, eve := w.inSession("bob"), w.inSession("eve")
	_, err := w.Security.BeginPasskey(w.ctx, identity.OwnSession{User: me.User, ID: "another"})
	kindIs(t, err, linnet.Forbidden)
	begin := func() []byte { return must(w.Security.BeginPasskey(w.ctx, me))(t) }
	add := func(as identity.OwnSession, device apptest.Authenticator) error {
		return w.Security.AddPasskey(w.ctx, as, "", device.Answer(begin()))
	}
	good := apptest.Authenticator{Origin: linnetOrigin}
	for name, err := range map[string]error{
		"another session": add(identity.OwnSession{User: me.User, ID: "another"}, good), "somebody else": add(eve, good),
		"another page": add(me, apptest.Authenticator{Origin: "https://evil.test"}), "another site": add(me, apptest.Authenticator{Origin: linnetOrigin, RPID: "evil.test"}),
		"nobody verified": add(me, apptest.Authenticator{Origin: linnetOrigin, Unverified: true}), "no answer": w.Security.AddPasskey(w.ctx, me, "", nil),
	} {
		if linnet.KindOf(err) != linnet.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	answer := (&apptest.Authenticator{Origin: linnetOrigin}).Answer(begin())
	w.did(w.Security.AddPasskey(w.ctx, me, "", answer))
	kindIs(t, w.Security.AddPasskey(w.ctx, me, "", answer), linnet.Invalid) // works once
	for i := range linnet.MaxPasskeys - 1 {
		w.addPasskey(me, fmt.Sprint("key ", i))
	}
	_, err = w.Security.BeginPasskey(w.ctx, me)
	kindIs(t, err, linnet.Invalid)
	if n := len(must(w.Security.Passkeys(w.ctx, me.User))(t)); n != linnet.MaxPasskeys {
		t.Errorf("%d passkeys", n)
	}
}

// TestPasskeysOnSeveralServers checks that another server accepts the answer to a challenge, and
// that one of many concurrent answers logs in.
func TestPasskeysOnSeveralServers(t *testing.T) {
	e := memkv.New(memkv.Options{})
	first := idleWorld(t, e, store.Options{})
	first.user("bob")
	me := first.inSession("bob")
	second := idleWorld(t, e, store.Options{})
	device := &apptest.Authenticator{Origin: linnetOrigin}
	first.did(second.Security.AddPasskey(second.ctx, me, "", device.Answer(must(first.Security.BeginPasskey(first.ctx, me))(t))))
	answer := device.Answer(must(first.Security.BeginPasskeyLogIn(first.ctx, "b"))(t))
	var in sync.Map
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			w := []*world{first, second}[i%2]
			if token, _, err := w.Security.FinishPasskeyLogIn(w.ctx, "b", answer, here); err == nil {
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
	onEngines(t, func(w *world) {
		bob := w.user("bob")
		_, err := w.Security.RenewRecovery(w.ctx, bob, rightPassword, here)
		kindIs(w.T, err, linnet.Conflict)
		secondFactor(w.T, w, bob)
		old := must(w.Security.RenewRecovery(w.ctx, bob, rightPassword, here))(w.T)
		_, err = w.Security.RenewRecovery(w.ctx, bob, "wrong horse", here)
		kindIs(w.T, err, linnet.Invalid)
		codes := must(w.Security.RenewRecovery(w.ctx, bob, rightPassword, here))(w.T)
		with := func(code string) error {
			_, _, err := w.Identity.LogIn(w.ctx, "bob", rightPassword, here)
			var second *identity.SecondFactorError
			if !errors.As(err, &second) {
				w.Fatal(err)
			}
			_, _, err = w.Identity.FinishLogIn(w.ctx, second.Ticket, code)
			return err
		}
		kindIs(w.T, with(old[0]), linnet.Invalid)
		for _, code := range codes[:7] {
			w.did(with(code))
		}
		if f := must(w.Identity.TwoFactor(w.ctx, bob))(w.T); f.Recovery != 3 {
			w.Errorf("%d codes are left", f.Recovery)
		}
		lines := w.lines(bob)
		if !slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, "You have only a few recovery codes left.") }) ||
			!slices.Contains(lines, "You got new recovery codes. The old ones no longer work.") {
			w.Errorf("the log is %q", lines)
		}
	})
}
