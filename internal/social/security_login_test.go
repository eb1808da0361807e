package social_test

import (
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

const rightPassword = "correct horse"

// Somebody who has no password, as after an import, cannot log in by any: not
// even by that of the hash that unknown logins are compared with.
func TestNobodyWithoutPasswordLogsIn(t *testing.T) {
	w := memWorld(t)
	if _, err := w.signUpFast("ann"); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{"", "decoy", "ann", "x"} {
		_, _, err := w.LogIn(w.ctx, "ann", p, netip.MustParseAddr("192.0.2.1"))
		kindIs(t, err, linnet.Unauthenticated)
	}
}

// Of a burst of wrong passwords no more are tried than one after the other.
func TestBurstOfLogIns(t *testing.T) {
	w := memWorld(t)
	w.user("ann")
	var tried, refused atomic.Int32
	var wg sync.WaitGroup
	for range 40 {
		wg.Go(func() {
			switch _, _, err := w.LogIn(w.ctx, "ann", "wrong horse", netip.MustParseAddr("192.0.2.1")); linnet.KindOf(err) {
			case linnet.Unauthenticated:
				tried.Add(1)
			case linnet.TooMany:
				refused.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if tried.Load() > 10 || tried.Load()+refused.Load() != 40 {
		t.Errorf("%d passwords were tried at once, %d refused", tried.Load(), refused.Load())
	}
	_, _, err := w.LogIn(w.ctx, "ann", rightPassword, netip.MustParseAddr("192.0.2.1"))
	kindIs(t, err, linnet.TooMany)
	if _, _, err = w.LogIn(w.ctx, "ann", rightPassword, netip.MustParseAddr("192.0.2.2")); err != nil {
		t.Errorf("ann is locked out everywhere: %v", err)
	}
}

// The right password costs no attempt, however often it is given.
func TestLogInsThatSucceedAreNotCounted(t *testing.T) {
	w := memWorld(t)
	w.user("ann")
	for range 12 {
		if _, _, err := w.LogIn(w.ctx, "ann", rightPassword, netip.MustParseAddr("192.0.2.1")); err != nil {
			t.Fatal(err)
		}
	}
}

// Attempts count for an address whatever the login, and whatever stands in it.
func TestLogInCountsAddress(t *testing.T) {
	w := memWorld(t)
	w.user("ann")
	for i := range 5 {
		for _, login := range []string{"x:{}", "a\r\nb", "c\x00", "Ann ", "@ann", strings.Repeat("long", 100), "\xff", "{1}:ann", "\u202eann", ""} {
			if _, _, err := w.LogIn(w.ctx, login, "wrong horse", netip.MustParseAddr("192.0.2.1")); linnet.KindOf(err) != linnet.Unauthenticated {
				t.Fatalf("attempt %d at %q: %v", i, login, err)
			}
		}
	}
	_, _, err := w.LogIn(w.ctx, "ann", rightPassword, netip.MustParseAddr("192.0.2.1"))
	kindIs(t, err, linnet.TooMany)
}

// An unknown login costs the time of a wrong password, or accounts could be
// found out. Medians are compared, with room for a loaded machine: what an early
// return would save is a hundred times more.
func TestUnknownLoginCostsTheSameTime(t *testing.T) {
	w := memWorld(t)
	w.user("ann")
	if _, err := w.signUpFast("bob"); err != nil { // has no password
		t.Fatal(err)
	}
	times := map[string][]time.Duration{}
	for range 7 {
		for _, login := range []string{"ann", "bob", "nobody", "not a login", "ann@elsewhere.test"} {
			begin := time.Now()
			_, err := w.Authenticate(w.ctx, login, "wrong horse")
			times[login] = append(times[login], time.Since(begin))
			kindIs(t, err, linnet.Unauthenticated)
		}
	}
	median := func(login string) time.Duration { slices.Sort(times[login]); return times[login][3] }
	wrong := median("ann")
	for login := range times {
		if d := median(login); d < wrong/3 || d > wrong*3 {
			t.Errorf("%q takes %v, a wrong password %v", login, d, wrong)
		}
	}
}

// At most two passwords are hashed at a time: with n at once, each waits for
// those before it, so the last is done no sooner than n/2 take one after another.
func TestHashingIsBounded(t *testing.T) {
	w := memWorld(t)
	w.user("ann")
	alone := time.Hour
	for range 3 {
		begin := time.Now()
		_, _ = w.Authenticate(w.ctx, "ann", "wrong horse")
		alone = min(alone, time.Since(begin))
	}
	var wg sync.WaitGroup
	begin := time.Now()
	for range 12 {
		wg.Go(func() { _, _ = w.Authenticate(w.ctx, "ann", "wrong horse") })
	}
	wg.Wait()
	if d := time.Since(begin); d < 5*alone {
		t.Errorf("12 at once took %v, one takes %v: more than two were hashed at a time", d, alone)
	}
}

// A new password ends what was allowed under the old one: sessions, tokens, and
// codes that an app has not exchanged yet.
func TestNewPasswordEndsEverything(t *testing.T) {
	onEngines(t, func(w *world) {
		ann := w.user("ann")
		app, secret, err := w.RegisterApp(w.ctx, linnet.AppRequest{Name: "T", RedirectURIs: []string{"https://a.test/"}, Scopes: []string{"read"}})
		if err != nil {
			w.Fatal(err)
		}
		approve := func() linnet.CodeExchange {
			code := must(w.Approve(w.ctx, ann, linnet.Grant{ClientID: app.ClientID, RedirectURI: "https://a.test/", Scopes: []string{"read"}}))(w)
			return linnet.CodeExchange{ClientID: app.ClientID, ClientSecret: secret, Code: code, RedirectURI: "https://a.test/"}
		}
		token := must(w.Exchange(w.ctx, approve()))(w).Value
		cookie, _, err := w.LogIn(w.ctx, "ann", rightPassword, netip.MustParseAddr("192.0.2.1"))
		if err != nil {
			w.Fatal(err)
		}
		pending := approve()
		stream := must(w.Listen(w.ctx, must(w.Session(w.ctx, token))(w)))(w)
		if err := w.SetPassword(w.ctx, "ann", "another horse"); err != nil {
			w.Fatal(err)
		}
		for _, tok := range []string{token, cookie} {
			_, err := w.Session(w.ctx, tok)
			kindIs(w, err, linnet.Unauthenticated)
		}
		_, err = w.Exchange(w.ctx, pending)
		kindIs(w, err, linnet.Invalid)
		select {
		case _, open := <-stream.Events():
			if open {
				w.Error("the stream goes on")
			}
		case <-time.After(time.Minute):
			w.Error("the stream does not end")
		}
		must(w.Exchange(w.ctx, approve()))(w)
	})
}

// A password that changes while somebody logs in with the old one lets nobody in.
func TestLogInDuringNewPassword(t *testing.T) {
	w := memWorld(t)
	ann := w.user("ann")
	for i := range 6 {
		old, next := rightPassword, "another horse"
		if i%2 == 1 {
			old, next = next, old
		}
		var wg sync.WaitGroup
		tokens := make(chan string, 4)
		for range 4 {
			wg.Go(func() {
				if token, _, err := w.LogIn(w.ctx, "ann", old, netip.MustParseAddr("192.0.2.1")); err == nil {
					tokens <- token
				}
			})
		}
		if err := w.SetPassword(w.ctx, "ann", next); err != nil {
			t.Fatal(err)
		}
		wg.Wait()
		close(tokens)
		for token := range tokens {
			// Asked of the store: a session may be used from the cache for a while.
			if _, ok, err := w.store.Token(w.ctx, token); ok || err != nil {
				t.Fatalf("round %d: a log-in of %v with the old password outlives it (%v)", i, ann, err)
			}
		}
	}
}

// A code is good for ten minutes.
func TestCodeExpires(t *testing.T) {
	clock := &clocked{}
	w := idleWorld(t, memkv.New(memkv.Options{Now: clock.now}), store.Options{Now: clock.now})
	ann, err := w.signUpFast("ann")
	if err != nil {
		t.Fatal(err)
	}
	app, secret, err := w.RegisterApp(w.ctx, linnet.AppRequest{Name: "T", RedirectURIs: []string{"https://a.test/"}, Scopes: []string{"read"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		after time.Duration
		good  bool
	}{{9 * time.Minute, true}, {10*time.Minute + time.Second, false}} {
		code := must(w.Approve(w.ctx, ann.ID, linnet.Grant{ClientID: app.ClientID, RedirectURI: "https://a.test/", Scopes: []string{"read"}}))(t)
		clock.turn(c.after)
		_, err := w.Exchange(w.ctx, linnet.CodeExchange{ClientID: app.ClientID, ClientSecret: secret, Code: code, RedirectURI: "https://a.test/"})
		if (err == nil) != c.good {
			t.Errorf("after %v: %v", c.after, err)
		}
	}
}

// Of many who exchange one code at once, one gets a token.
func TestCodeOnce(t *testing.T) {
	onEngines(t, func(w *world) {
		ann := w.user("ann")
		app, secret, err := w.RegisterApp(w.ctx, linnet.AppRequest{Name: "T", RedirectURIs: []string{"https://a.test/"}, Scopes: []string{"read"}})
		if err != nil {
			w.Fatal(err)
		}
		code := must(w.Approve(w.ctx, ann, linnet.Grant{ClientID: app.ClientID, RedirectURI: "https://a.test/", Scopes: []string{"read"}}))(w)
		var won atomic.Int32
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				if _, err := w.Exchange(w.ctx, linnet.CodeExchange{ClientID: app.ClientID, ClientSecret: secret, Code: code, RedirectURI: "https://a.test/"}); err == nil {
					won.Add(1)
				} else if linnet.KindOf(err) != linnet.Invalid {
					w.Error(err)
				}
			})
		}
		wg.Wait()
		if won.Load() != 1 {
			w.Errorf("%d have a token", won.Load())
		}
	})
}
