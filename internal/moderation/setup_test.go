package moderation_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// TestSetUpAtOnce checks that one of ten concurrent uses of the setup link creates an
// administrator.
func TestSetUpAtOnce(t *testing.T) {
	w := apptest.InMemory(t)
	token, _, err := w.Moderation.Setup.NewToken(w.Ctx)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	var made []linnet.User
	for i := range 10 {
		wg.Go(func() {
			u, err := w.Moderation.Setup.SetUp(w.Ctx, token, linnet.SignUp{Login: fmt.Sprintf("boss%d", i), Password: "correct horse", Agreed: true})
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
	if v := apptest.Must(w.View.User(w.Ctx, 0, made[0].ID))(t); v.Role != linnet.Admin {
		t.Errorf("role %v", v.Role)
	}
	if in := apptest.Must(w.Settings.Instance(w.Ctx))(t); in.People != 1 {
		t.Errorf("the others left %d users", in.People-1)
	}
	apptest.WantKind(t, w.Moderation.Setup.CheckToken(w.Ctx, token), linnet.Gone)
	_, _, err = w.Moderation.Setup.NewToken(w.Ctx)
	apptest.WantKind(t, err, linnet.Conflict)
}

func TestSetupToken(t *testing.T) {
	clock := &apptest.Clock{}
	w := apptest.Idle(t, memkv.New(memkv.Options{Now: clock.Now}), store.Options{Now: clock.Now})
	first, _, err := w.Moderation.Setup.NewToken(w.Ctx)
	if err != nil {
		t.Fatal(err)
	}
	apptest.WantKind(t, w.Moderation.Setup.CheckToken(w.Ctx, "AAAA-BBBB-CCCC-DDDD"), linnet.NotFound)
	second, expires, err := w.Moderation.Setup.NewToken(w.Ctx)
	if err != nil || expires.Sub(w.Store.Now()) > 31*time.Minute {
		t.Fatal(expires, err)
	}
	apptest.WantKind(t, w.Moderation.Setup.CheckToken(w.Ctx, first), linnet.NotFound)
	if err := w.Moderation.Setup.CheckToken(w.Ctx, second); err != nil {
		t.Error(err)
	}
	_, err = w.Moderation.Setup.SetUp(w.Ctx, second, linnet.SignUp{Login: "boss", Password: "x", Agreed: true})
	apptest.WantKind(t, err, linnet.Invalid)
	clock.Set(time.Hour)
	apptest.WantKind(t, w.Moderation.Setup.CheckToken(w.Ctx, second), linnet.Gone)
	third, _, err := w.Moderation.Setup.NewToken(w.Ctx)
	if err != nil {
		t.Fatal(err)
	}
	u := apptest.Must(w.Moderation.Setup.SetUp(w.Ctx, third, linnet.SignUp{Login: "boss", Password: "correct horse", Agreed: true}))(t)
	if v := apptest.Must(w.View.User(w.Ctx, 0, u.ID))(t); v.Role != linnet.Admin {
		t.Errorf("role %v after a first try that was refused", v.Role)
	}
}
