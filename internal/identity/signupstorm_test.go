package identity_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// TestSignUpStorm checks that sign-ups that cannot be hashed within two seconds are refused without
// a hash. A login claimed by another sign-up is a conflict without a hash too.
func TestSignUpStorm(t *testing.T) {
	const people, perHash = 100, 500 * time.Millisecond
	for name, c := range map[string]struct {
		login       func(int) string
		made, least int // accounts, and the fewest refusals of taken logins
		hashes      int64
	}{
		"other logins": {func(n int) string { return fmt.Sprintf("user%d", n) }, 8, 0, 10},
		"one login":    {func(int) string { return "ann" }, 1, people - 1, 4},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var hashes atomic.Int64
				derive := func(_, _ []byte, _, _ uint32, _ uint8, n uint32) []byte {
					hashes.Add(1)
					time.Sleep(perHash)
					return make([]byte, n)
				}
				a := apptest.Must(app.New(store.New(memkv.New(memkv.Options{}), store.Options{}), app.Options{Derive: derive, PublicURL: "https://linnet.test", Log: apptest.Quiet(), Exclusive: true}))(t)
				defer a.Close()
				var made, taken, busy atomic.Int64
				var all sync.WaitGroup
				for n := range people {
					all.Go(func() {
						began := time.Now()
						_, err := a.Identity.SignUp(t.Context(), apptest.Applicant(c.login(n)))
						switch kind := linnet.KindOf(err); {
						case err == nil:
							made.Add(1)
						case kind == linnet.Conflict:
							taken.Add(1)
						case kind == linnet.Unavailable:
							busy.Add(1)
							if waited := time.Since(began); waited > 2*time.Second {
								t.Errorf("refused after %v", waited)
							}
						default:
							t.Errorf("sign-up %d: %v", n, err)
						}
					})
				}
				all.Wait()
				if made.Load() < int64(c.made) || taken.Load() < int64(c.least) || made.Load()+taken.Load()+busy.Load() != people || hashes.Load() > c.hashes {
					t.Errorf("%d made, %d taken, %d refused, %d hashes", made.Load(), taken.Load(), busy.Load(), hashes.Load())
				}
			})
		})
	}
}
