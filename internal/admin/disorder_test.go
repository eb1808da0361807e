package admin_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"linnet/internal/app"
	"linnet/internal/kv/faultkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
)

// TestTasksInDisorder checks that follows end in the last requested state on both sides, and the
// store passes the check. Writes fail at random, before and after they take effect. So tasks run
// several times, late, and in a different order than the actions.
func TestTasksInDisorder(t *testing.T) {
	n, err := strconv.ParseUint(os.Getenv("LINNET_SEED"), 10, 64)
	if err != nil {
		n = rand.Uint64N(1_000_000)
	}
	t.Logf("LINNET_SEED=%d", n)
	rng := rand.New(rand.NewPCG(n, 0))
	engine := faultkv.New(memkv.New(memkv.Options{}))
	s, _ := installation(t, engine, time.Now)
	var people []linnet.ID
	for i := range 6 {
		u, err := s.Identity.SignUp(t.Context(), linnet.SignUp{Login: fmt.Sprint("u", i), Password: "correct horse", Agreed: true})
		if err != nil {
			t.Fatal(err)
		}
		people = append(people, u.ID)
	}
	follows := map[[2]linnet.ID]bool{}
	failed := 0
	acts := 400
	if os.Getenv("LINNET_TORTURE") == "long" {
		acts = 4000
	}
	for range acts {
		engine.Reset()
		for range 3 {
			engine.FailAt(1+rng.IntN(8), []faultkv.When{faultkv.Before, faultkv.After, faultkv.Half}[rng.IntN(3)])
		}
		a, b, on := people[rng.IntN(6)], people[rng.IntN(6)], rng.IntN(2) == 0
		if a == b {
			if _, err := s.Posting.Post(t.Context(), a, linnet.Draft{Text: "hello"}); err != nil {
				failed++
			}
			continue
		}
		err := setFollow(t, s, a, b, on)
		for ; err != nil; err = setFollow(t, s, a, b, on) { // like clients do
			failed++
		}
		follows[[2]linnet.ID{a, b}] = on
	}
	engine.Reset()
	if failed == 0 {
		t.Error("nothing has failed")
	}
	t.Logf("%d acts failed and were repeated", failed)
	(&world{T: t, App: s}).drain()
	for pair, want := range follows {
		got, err := s.Social.Relationships(t.Context(), pair[0], []linnet.ID{pair[1]})
		if err != nil || len(got) != 1 || got[0].Following != want {
			t.Errorf("%v follows %v: %+v, %v; want %v", pair[0], pair[1], got, err, want)
		}
	}
	clean(t, s)
}

func setFollow(t *testing.T, s *app.App, a, b linnet.ID, on bool) error {
	var err error
	if on {
		_, err = s.Social.Follow(t.Context(), a, b, linnet.FollowOptions{})
	} else {
		_, err = s.Social.Unfollow(t.Context(), a, b)
	}
	return err
}
