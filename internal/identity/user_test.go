package identity_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/kv"
	"linnet/internal/kv/faultkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/accounts"
	"linnet/internal/task"
)

// TestOneLogin checks that one of fifty concurrent sign-ups with one login succeeds, in any case,
// and that the others leave nothing behind.
func TestOneLogin(t *testing.T) { apptest.OnEngines(t, oneLogin) }

func oneLogin(w *apptest.World) {
	spell := func(i int) string {
		b := []byte("josiah")
		for n := range b {
			if i>>n&1 == 1 {
				b[n] -= 'a' - 'A'
			}
		}
		return string(b)
	}
	var mu sync.Mutex
	var won []linnet.User
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			u, err := w.SignUpFast(spell(i))
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				won = append(won, u)
			} else if !errors.Is(err, accounts.ErrTaken) {
				w.Errorf("%s: %v", spell(i), err)
			}
		})
	}
	wg.Wait()
	if len(won) != 1 {
		w.Fatalf("%d have the login", len(won))
	}
	for i := range 50 {
		if v := apptest.Must(w.View.UserByLogin(w.Ctx, 0, "@"+spell(i)+"@linnet.test"))(w); v.ID != won[0].ID || v.Login != won[0].Login {
			w.Errorf("%s is %s", spell(i), v.Login)
		}
	}
	if in := apptest.Must(w.Settings.Instance(w.Ctx))(w); in.People != 1 {
		w.Errorf("%d users are counted", in.People)
	}
	w.Check()
}

// TestSignUpTwice checks that SignUp with a password succeeds once, concurrently and repeated.
func TestSignUpTwice(t *testing.T) {
	w := apptest.InMemory(t)
	var wg sync.WaitGroup
	var mu sync.Mutex
	wins := 0
	for _, login := range []string{"Ann", "ann", "ANN", "aNN"} {
		wg.Go(func() {
			_, err := w.Identity.SignUp(w.Ctx, linnet.SignUp{Login: login, Password: "correct horse", Agreed: true})
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				wins++
			} else if linnet.KindOf(err) != linnet.Conflict {
				t.Errorf("%s: %v", login, err)
			}
		})
	}
	wg.Wait()
	if wins != 1 {
		t.Errorf("%d were made", wins)
	}
	_, err := w.Identity.SignUp(w.Ctx, linnet.SignUp{Login: "anN", Password: "correct horse", Agreed: true})
	apptest.WantKind(t, err, linnet.Conflict)
}

// TestSignUpFails checks that a failed sign-up leaves a complete user, or none and a free login,
// after a restart.
func TestSignUpFails(t *testing.T) {
	for _, when := range []faultkv.When{faultkv.Before, faultkv.After} {
		for n := 1; n <= 4; n++ {
			t.Run(fmt.Sprint(when, n), func(t *testing.T) {
				clock := &apptest.Clock{}
				e := faultkv.New(memkv.New(memkv.Options{Now: clock.Now}))
				opt := store.Options{Now: clock.Now}
				w := apptest.Idle(t, e, opt)
				e.FailAt(n, when)
				u, err := w.SignUpFast("ann")
				e.Reset()
				clock.Advance(time.Hour) // the first attempt has timed out
				w = apptest.Serve(t, e, opt)
				v, found := w.View.UserByLogin(w.Ctx, 0, "ann")
				if found == nil && v.ID != u.ID {
					t.Errorf("ann is %v, made was %v", v.ID, u.ID)
				}
				if err == nil && found != nil {
					t.Errorf("acknowledged, but %v", found)
				}
				if found != nil {
					if _, err := w.SignUpFast("ann"); err != nil {
						t.Errorf("the login is not free: %v", err)
					}
				}
				w.Check()
			})
		}
	}
}

// TestSignUpCrash checks that the record of a crashed sign-up stays as long as its login can be
// claimed, and is then deleted, while another server cleans up.
func TestSignUpCrash(t *testing.T) {
	clock := &apptest.Clock{}
	e := memkv.New(memkv.Options{Now: clock.Now})
	opt := store.Options{Now: clock.Now}
	w := apptest.Idle(t, e, opt)
	down := faultkv.New(e)
	down.FailAt(2, faultkv.Before) // the claim, at which the process ends
	down.FailAt(3, faultkv.Before)
	crashed := store.New(down, opt)
	u, _, err := crashed.Accounts.CreateUser(t.Context(), 7, linnet.User{Login: "ann"}, record.Secret{}, func(id linnet.ID) (task.Task, error) {
		return task.New(id.Shard(), "settle-user", map[string]linnet.ID{"user": id}, crashed.Now())
	})
	if !errors.Is(err, kv.ErrUnavailable) {
		t.Fatal(err)
	}
	if err := w.Store.Accounts.FinishSignUp(t.Context(), u.ID); !store.Unavailable(err) {
		t.Errorf("settled at once: %v", err)
	}
	if _, err := w.View.User(t.Context(), 0, u.ID); linnet.KindOf(err) != linnet.NotFound {
		t.Errorf("a user without a login is seen: %v", err)
	}
	if _, err := w.SignUpFast("ann"); err != nil { // the login stays free
		t.Errorf("somebody else: %v", err)
	}
	clock.Advance(10 * time.Minute)
	apptest.Serve(t, e, opt)
	w.Check()
}

// TestSignUpAsleep checks that a server that pauses during a sign-up, until others have given it
// up, creates no user without a login.
func TestSignUpAsleep(t *testing.T) {
	clock := &apptest.Clock{}
	e := memkv.New(memkv.Options{Now: clock.Now})
	opt := store.Options{Now: clock.Now}
	s := store.New(&sleepy{Engine: e, before: func() {
		clock.Advance(time.Hour)
		apptest.Serve(t, e, opt)
	}}, opt)
	w := &apptest.World{T: t, Ctx: t.Context(), Store: s}
	u, err := w.SignUpFast("ann")
	if !store.Unavailable(err) {
		t.Fatalf("%v %v", u.ID, err)
	}
	w = apptest.Idle(t, e, opt)
	if _, err := w.SignUpFast("ann"); err != nil {
		t.Errorf("the login is lost: %v", err)
	}
	w.Check()
}

// sleepy calls before once, in front of the second transaction.
type sleepy struct {
	kv.Engine
	before func()
	txns   atomic.Int64
}

func (s *sleepy) Txn(ctx context.Context, conds []kv.Cond, ops ...kv.Op) (int, error) {
	if s.txns.Add(1) == 2 {
		s.before()
	}
	return s.Engine.Txn(ctx, conds, ops...)
}

func TestSignUpRules(t *testing.T) {
	w := apptest.InMemory(t)
	good := linnet.SignUp{Login: "ann", Password: "correct horse", Agreed: true}
	for name, c := range map[string]struct {
		change      func(*linnet.SignUp)
		field, code string
	}{
		"no login":          {func(s *linnet.SignUp) { s.Login = "" }, "username", "ERR_BLANK"},
		"long login":        {func(s *linnet.SignUp) { s.Login = strings.Repeat("a", 31) }, "username", "ERR_TOO_LONG"},
		"space":             {func(s *linnet.SignUp) { s.Login = "a b" }, "username", "ERR_INVALID"},
		"brace":             {func(s *linnet.SignUp) { s.Login = "a{1}" }, "username", "ERR_INVALID"},
		"letters elsewhere": {func(s *linnet.SignUp) { s.Login = "ännchen" }, "username", "ERR_INVALID"},
		"new line":          {func(s *linnet.SignUp) { s.Login = "ann\n" }, "username", "ERR_INVALID"},
		"reserved":          {func(s *linnet.SignUp) { s.Login = "AdMin" }, "username", "ERR_RESERVED"},
		"short password":    {func(s *linnet.SignUp) { s.Password = "1234567" }, "password", "ERR_TOO_SHORT"},
		"short, many bytes": {func(s *linnet.SignUp) { s.Password = "ääääääé" }, "password", "ERR_TOO_SHORT"},
		"long password":     {func(s *linnet.SignUp) { s.Password = strings.Repeat("x", 129) }, "password", "ERR_TOO_LONG"},
		"no address":        {func(s *linnet.SignUp) { s.Email = "nobody" }, "email", "ERR_INVALID"},
		"long address":      {func(s *linnet.SignUp) { s.Email = strings.Repeat("x", 260) + "@a.b" }, "email", "ERR_INVALID"},
		"not agreed":        {func(s *linnet.SignUp) { s.Agreed = false }, "agreement", "ERR_ACCEPTED"},
	} {
		in := good
		c.change(&in)
		_, err := w.Identity.SignUp(w.Ctx, in)
		var le *linnet.Error
		if !errors.As(err, &le) || le.Kind != linnet.Invalid || len(le.Fields) != 1 || le.Fields[0].Name != c.field || le.Fields[0].Code != c.code {
			t.Errorf("%s: %+v", name, err)
		}
	}
	_, err := w.Identity.SignUp(w.Ctx, linnet.SignUp{})
	var le *linnet.Error
	if !errors.As(err, &le) || len(le.Fields) != 3 {
		t.Errorf("all at once: %+v", err)
	}
	good.Language = "not a language!"
	u := apptest.Must(w.Identity.SignUp(w.Ctx, good))(t)
	if u.Posting.Language != "" {
		t.Errorf("language %q", u.Posting.Language)
	}
}

func TestAuthenticate(t *testing.T) {
	w := apptest.InMemory(t)
	ann := w.User("Ann")
	for _, login := range []string{"ann", "@ANN", " ann ", "ann@linnet.test"} {
		if u := apptest.Must(w.Identity.Authenticate(w.Ctx, login, "correct horse"))(t); u.ID != ann {
			t.Errorf("%s is %v", login, u.ID)
		}
	}
	for _, c := range [][2]string{{"ann", "wrong horse"}, {"bob", "correct horse"}, {"", ""}, {"a{b}c", "x"}, {"ann\x00", "correct horse"},
		{strings.Repeat("a", 10_000), "correct horse"}, {"ann@elsewhere.test", "correct horse"}, {"ann", strings.Repeat("x", 1<<20)}} {
		_, err := w.Identity.Authenticate(w.Ctx, c[0], c[1])
		apptest.WantKind(t, err, linnet.Unauthenticated)
	}
	if err := w.Identity.SetPassword(w.Ctx, linnet.Operator(), "ann", "short"); linnet.KindOf(err) != linnet.Invalid {
		t.Error(err)
	}
	if err := w.Identity.SetPassword(w.Ctx, linnet.Operator(), "ann", "another horse"); err != nil {
		t.Fatal(err)
	}
	_, err := w.Identity.Authenticate(w.Ctx, "ann", "correct horse")
	apptest.WantKind(t, err, linnet.Unauthenticated)
	apptest.Must(w.Identity.Authenticate(w.Ctx, "ann", "another horse"))(t)
}

// TestHashingEndsWithTheRequest checks that a login that is waiting for a hash gives up when its
// request ends.
func TestHashingEndsWithTheRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const oneHash = time.Minute
		w := derivingWorld(t, func(password, salt []byte, passes, memory uint32, threads uint8, n uint32) []byte {
			time.Sleep(oneHash)
			return apptest.Derive(password, salt, passes, memory, threads, n)
		})
		w.User("ann")
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		var wg sync.WaitGroup
		begin := time.Now()
		for range 200 {
			wg.Go(func() { _, _ = w.Identity.Authenticate(ctx, "ann", "wrong horse") })
		}
		wg.Wait()
		if d := time.Since(begin); d != oneHash {
			t.Errorf("it took %v, want the %v of those who were being hashed", d, oneHash)
		}
	})
}
