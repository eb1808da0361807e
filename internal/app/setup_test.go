package app_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// TestSetUpAtOnce checks that one of ten concurrent uses of the setup link creates an
// administrator.
func TestSetUpAtOnce(t *testing.T) {
	w := memWorld(t)
	token, _, err := w.Moderation.Setup.NewToken(w.ctx)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	var made []linnet.User
	for i := range 10 {
		wg.Go(func() {
			u, err := w.Moderation.Setup.SetUp(w.ctx, token, linnet.SignUp{Login: fmt.Sprintf("boss%d", i), Password: "correct horse", Agreed: true})
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				made = append(made, u)
			} else if k := linnet.KindOf(err); k != linnet.Conflict && k != linnet.Gone {
				t.Errorf("boss%d: %v", i, err)
			}
		})
	}
	wg.Wait()
	if len(made) != 1 {
		t.Fatalf("%d administrators", len(made))
	}
	if v := must(w.View.User(w.ctx, 0, made[0].ID))(t); v.Role != linnet.Admin {
		t.Errorf("role %v", v.Role)
	}
	if in := must(w.Settings.Instance(w.ctx))(t); in.People != 1 {
		t.Errorf("the others left %d users", in.People-1)
	}
	kindIs(t, w.Moderation.Setup.CheckToken(w.ctx, token), linnet.Gone)
	_, _, err = w.Moderation.Setup.NewToken(w.ctx)
	kindIs(t, err, linnet.Conflict)
}

func TestSetupToken(t *testing.T) {
	clock := &clocked{}
	w := idleWorld(t, memkv.New(memkv.Options{Now: clock.now}), store.Options{Now: clock.now})
	first, _, err := w.Moderation.Setup.NewToken(w.ctx)
	if err != nil {
		t.Fatal(err)
	}
	kindIs(t, w.Moderation.Setup.CheckToken(w.ctx, "AAAA-BBBB-CCCC-DDDD"), linnet.NotFound)
	second, expires, err := w.Moderation.Setup.NewToken(w.ctx)
	if err != nil || expires.Sub(w.store.Now()) > 31*time.Minute {
		t.Fatal(expires, err)
	}
	kindIs(t, w.Moderation.Setup.CheckToken(w.ctx, first), linnet.NotFound)
	if err := w.Moderation.Setup.CheckToken(w.ctx, second); err != nil {
		t.Error(err)
	}
	_, err = w.Moderation.Setup.SetUp(w.ctx, second, linnet.SignUp{Login: "boss", Password: "x", Agreed: true})
	kindIs(t, err, linnet.Invalid)
	clock.set(time.Hour)
	kindIs(t, w.Moderation.Setup.CheckToken(w.ctx, second), linnet.Gone)
	third, _, err := w.Moderation.Setup.NewToken(w.ctx)
	if err != nil {
		t.Fatal(err)
	}
	u := must(w.Moderation.Setup.SetUp(w.ctx, third, linnet.SignUp{Login: "boss", Password: "correct horse", Agreed: true}))(t)
	if v := must(w.View.User(w.ctx, 0, u.ID))(t); v.Role != linnet.Admin {
		t.Errorf("role %v after a first try that was refused", v.Role)
	}
}
