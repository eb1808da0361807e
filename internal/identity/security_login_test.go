package identity_test

import (
	"encoding/base64"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/crypto/argon2"
	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/core"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/live"
	"linnet/internal/store"
)

// TestNobodyWithoutPasswordLogsIn checks that an account without a password, as after an import,
// has no valid password, not even the one used for unknown logins.
func TestNobodyWithoutPasswordLogsIn(t *testing.T) {
	w := apptest.InMemory(t)
	if _, err := w.SignUpFast("ann"); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{"", "decoy", "ann", "x"} {
		_, _, err := w.Identity.LogIn(w.Ctx, "ann", p, netip.MustParseAddr("192.0.2.1"))
		apptest.WantKind(t, err, linnet.Unauthenticated)
	}
}

// TestBurstOfLogIns checks that concurrent wrong passwords are limited like sequential ones.
func TestBurstOfLogIns(t *testing.T) {
	w := apptest.InMemory(t)
	w.User("ann")
	var tried, refused atomic.Int32
	var wg sync.WaitGroup
	for range 40 {
		wg.Go(func() {
			switch _, _, err := w.Identity.LogIn(w.Ctx, "ann", "wrong horse", netip.MustParseAddr("192.0.2.1")); linnet.KindOf(err) {
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
	_, _, err := w.Identity.LogIn(w.Ctx, "ann", apptest.Password, netip.MustParseAddr("192.0.2.1"))
	apptest.WantKind(t, err, linnet.TooMany)
	if _, _, err = w.Identity.LogIn(w.Ctx, "ann", apptest.Password, netip.MustParseAddr("192.0.2.2")); err != nil {
		t.Errorf("ann is locked out everywhere: %v", err)
	}
}

// TestLogInsThatSucceedAreNotCounted checks that correct passwords do not count as attempts.
func TestLogInsThatSucceedAreNotCounted(t *testing.T) {
	w := apptest.InMemory(t)
	w.User("ann")
	for range 12 {
		if _, _, err := w.Identity.LogIn(w.Ctx, "ann", apptest.Password, netip.MustParseAddr("192.0.2.1")); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLogInCountsAddress checks that attempts with any login count for the address.
func TestLogInCountsAddress(t *testing.T) {
	w := apptest.InMemory(t)
	w.User("ann")
	for i := range 5 {
		for _, login := range []string{"x:{}", "a\r\nb", "c\x00", "Ann ", "@ann", strings.Repeat("long", 100), "\xff", "{1}:ann", "\u202eann", ""} {
			if _, _, err := w.Identity.LogIn(w.Ctx, login, "wrong horse", netip.MustParseAddr("192.0.2.1")); linnet.KindOf(err) != linnet.Unauthenticated {
				t.Fatalf("attempt %d at %q: %v", i, login, err)
			}
		}
	}
	_, _, err := w.Identity.LogIn(w.Ctx, "ann", apptest.Password, netip.MustParseAddr("192.0.2.1"))
	apptest.WantKind(t, err, linnet.TooMany)
}

// derivation contains the parameters of a password hash.
type derivation struct {
	passes, memory uint32
	threads        uint8
	length         uint32
}

// derivingWorld returns an app in memory that hashes passwords with derive.
func derivingWorld(t *testing.T, derive core.Derive) *apptest.World {
	t.Helper()
	st := store.New(memkv.New(memkv.Options{}), store.Options{})
	s := apptest.Must(app.New(st, app.Options{PublicURL: "https://linnet.test", Log: apptest.Quiet(), Exclusive: true, Derive: derive}))(t)
	t.Cleanup(s.Close)
	return &apptest.World{T: t, App: s, Ctx: t.Context(), Store: st}
}

// TestUnknownLoginCostsTheSame checks that an unknown login costs one hash like a wrong password,
// with the parameters of OWASP's password storage sheet. Otherwise response times would reveal
// accounts.
func TestUnknownLoginCostsTheSame(t *testing.T) {
	var made []derivation
	w := derivingWorld(t, func(password, salt []byte, passes, memory uint32, threads uint8, n uint32) []byte {
		made = append(made, derivation{passes, memory, threads, n})
		return apptest.Derive(password, salt, passes, memory, threads, n)
	})
	w.User("ann")
	if _, err := w.SignUpFast("bob"); err != nil { // without a password
		t.Fatal(err)
	}
	for _, login := range []string{"ann", "bob", "nobody", "not a login", "ann@elsewhere.test"} {
		made = nil
		_, err := w.Identity.Authenticate(w.Ctx, login, "wrong horse")
		apptest.WantKind(t, err, linnet.Unauthenticated)
		if want := (derivation{passes: 2, memory: 19 << 10, threads: 1, length: 32}); !slices.Equal(made, []derivation{want}) {
			t.Errorf("%q costs %+v, want one %+v", login, made, want)
		}
	}
}

// TestPasswordsAreArgon2id checks that the default hash is argon2id, in the format of other
// programs.
func TestPasswordsAreArgon2id(t *testing.T) {
	w := derivingWorld(t, nil)
	ann := w.User("ann")
	if _, err := w.Identity.Authenticate(w.Ctx, "ann", "correct horse"); err != nil {
		t.Error(err)
	}
	_, err := w.Identity.Authenticate(w.Ctx, "ann", "wrong horse")
	apptest.WantKind(t, err, linnet.Unauthenticated)
	secret := apptest.Must(w.Store.Accounts.Secret(w.Ctx, ann))(t)
	salt, key, _ := strings.Cut(strings.TrimPrefix(secret.Hash, "$argon2id$v=19$m=19456,t=2,p=1$"), "$")
	raw, err := base64.RawStdEncoding.DecodeString(salt)
	if want := base64.RawStdEncoding.EncodeToString(argon2.IDKey([]byte("correct horse"), raw, 2, 19<<10, 1, 32)); err != nil || key != want {
		t.Errorf("the hash is %s, want the key %s (%v)", secret.Hash, want, err)
	}
}

// TestHashingIsBounded checks that at most two passwords are hashed concurrently.
func TestHashingIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var inside, most atomic.Int64
		w := derivingWorld(t, func(password, salt []byte, passes, memory uint32, threads uint8, n uint32) []byte {
			now := inside.Add(1)
			defer inside.Add(-1)
			for m := most.Load(); now > m && !most.CompareAndSwap(m, now); m = most.Load() {
			}
			time.Sleep(time.Second) // in the bubble, so that all others start meanwhile
			return apptest.Derive(password, salt, passes, memory, threads, n)
		})
		w.User("ann")
		var wg sync.WaitGroup
		for range 12 {
			wg.Go(func() { _, _ = w.Identity.Authenticate(w.Ctx, "ann", "wrong horse") })
		}
		wg.Wait()
		if got := most.Load(); got != 2 {
			t.Errorf("%d passwords were hashed at a time, want 2", got)
		}
	})
}

// TestNewPasswordEndsEverything checks that a new password revokes sessions, tokens, and codes that
// apps have not exchanged yet.
func TestNewPasswordEndsEverything(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann := w.User("ann")
		app, secret, err := w.Apps.Register(w.Ctx, linnet.AppRequest{Name: "T", RedirectURIs: []string{"https://a.test/"}, Scopes: []string{"read"}})
		if err != nil {
			w.Fatal(err)
		}
		approve := func() linnet.CodeExchange {
			code := apptest.Must(w.Apps.Approve(w.Ctx, ann, linnet.Grant{ClientID: app.ClientID, RedirectURI: "https://a.test/", Scopes: []string{"read"}}))(w)
			return linnet.CodeExchange{ClientID: app.ClientID, ClientSecret: secret, Code: code, RedirectURI: "https://a.test/"}
		}
		token := apptest.Must(w.Apps.Exchange(w.Ctx, approve()))(w).Value
		cookie, _, err := w.Identity.LogIn(w.Ctx, "ann", apptest.Password, netip.MustParseAddr("192.0.2.1"))
		if err != nil {
			w.Fatal(err)
		}
		pending := approve()
		woken, wake := live.Signal()
		stream := apptest.Must(w.Live.Listen(w.Ctx, apptest.Must(w.Identity.Session(w.Ctx, token))(w), wake))(w)
		if err := w.Identity.SetPassword(w.Ctx, linnet.Operator(), "ann", "another horse"); err != nil {
			w.Fatal(err)
		}
		for _, tok := range []string{token, cookie} {
			_, err := w.Identity.Session(w.Ctx, tok)
			apptest.WantKind(w, err, linnet.Unauthenticated)
		}
		_, err = w.Apps.Exchange(w.Ctx, pending)
		apptest.WantKind(w, err, linnet.Invalid)
		apptest.Ended(w, "a new password", stream, woken)
		apptest.Must(w.Apps.Exchange(w.Ctx, approve()))(w)
	})
}

// TestLogInDuringNewPassword checks that a login with the old password leaves no session if the
// password changes meanwhile.
func TestLogInDuringNewPassword(t *testing.T) {
	w := apptest.InMemory(t)
	ann := w.User("ann")
	for i := range 6 {
		old, next := apptest.Password, "another horse"
		if i%2 == 1 {
			old, next = next, old
		}
		var wg sync.WaitGroup
		tokens := make(chan string, 4)
		for range 4 {
			wg.Go(func() {
				if token, _, err := w.Identity.LogIn(w.Ctx, "ann", old, netip.MustParseAddr("192.0.2.1")); err == nil {
					tokens <- token
				}
			})
		}
		if err := w.Identity.SetPassword(w.Ctx, linnet.Operator(), "ann", next); err != nil {
			t.Fatal(err)
		}
		wg.Wait()
		close(tokens)
		for token := range tokens {
			// Reads the store, because sessions are cached for a while.
			if _, ok, err := w.Store.Sessions.Token(w.Ctx, token); ok || err != nil {
				t.Fatalf("round %d: a log-in of %v with the old password outlives it (%v)", i, ann, err)
			}
		}
	}
}

// TestCodeExpires checks that a code expires after ten minutes.
func TestCodeExpires(t *testing.T) {
	clock := &apptest.Clock{}
	w := apptest.Idle(t, memkv.New(memkv.Options{Now: clock.Now}), store.Options{Now: clock.Now})
	ann, err := w.SignUpFast("ann")
	if err != nil {
		t.Fatal(err)
	}
	app, secret, err := w.Apps.Register(w.Ctx, linnet.AppRequest{Name: "T", RedirectURIs: []string{"https://a.test/"}, Scopes: []string{"read"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		after time.Duration
		good  bool
	}{{9 * time.Minute, true}, {10*time.Minute + time.Second, false}} {
		code := apptest.Must(w.Apps.Approve(w.Ctx, ann.ID, linnet.Grant{ClientID: app.ClientID, RedirectURI: "https://a.test/", Scopes: []string{"read"}}))(t)
		clock.Advance(c.after)
		_, err := w.Apps.Exchange(w.Ctx, linnet.CodeExchange{ClientID: app.ClientID, ClientSecret: secret, Code: code, RedirectURI: "https://a.test/"})
		if (err == nil) != c.good {
			t.Errorf("after %v: %v", c.after, err)
		}
	}
}

// TestCodeOnce checks that one of many concurrent exchanges of a code gets a token.
func TestCodeOnce(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann := w.User("ann")
		app, secret, err := w.Apps.Register(w.Ctx, linnet.AppRequest{Name: "T", RedirectURIs: []string{"https://a.test/"}, Scopes: []string{"read"}})
		if err != nil {
			w.Fatal(err)
		}
		code := apptest.Must(w.Apps.Approve(w.Ctx, ann, linnet.Grant{ClientID: app.ClientID, RedirectURI: "https://a.test/", Scopes: []string{"read"}}))(w)
		var won atomic.Int32
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				if _, err := w.Apps.Exchange(w.Ctx, linnet.CodeExchange{ClientID: app.ClientID, ClientSecret: secret, Code: code, RedirectURI: "https://a.test/"}); err == nil {
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
