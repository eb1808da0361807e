package social_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"linnet/internal/kv/redistest"
	"linnet/internal/linnet"
	"linnet/internal/social"
	"linnet/internal/store"
)

// servers are several servers of one installation, on one Redis.
func servers(t *testing.T, n int) []*world {
	t.Helper()
	url := redistest.Single(t)
	ws := make([]*world, n)
	for i := range ws {
		st := store.New(openRedis(t, url, ""), store.Options{Shared: true})
		s := must(social.New(st, social.Options{PublicURL: "https://linnet.test", Log: quiet()}))(t)
		ctx, stop := context.WithCancel(context.Background())
		if err := st.Follow(ctx); err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() { defer close(done); s.Run(ctx) }()
		t.Cleanup(func() { stop(); <-done })
		ws[i] = &world{T: t, Service: s, ctx: ctx, store: st}
	}
	return ws
}

// settle waits until all servers are at rest and have heard of each other's
// changes.
func settle(ws []*world) {
	for _, w := range ws {
		w.drain()
	}
	time.Sleep(100 * time.Millisecond)
}

// People act by turns on two servers: what both show is what the model says.
func TestTwoServersEqualTheModel(t *testing.T) {
	notWhenShort(t)
	ws := servers(t, 2)
	r := &randomWorld{world: ws[0], model: newModel(), rnd: rand.New(rand.NewPCG(5, 5)), lists: map[linnet.ID]linnet.ID{}}
	r.people = ws[0].people(6)
	for _, p := range r.people {
		r.lists[p] = ws[0].list(p, linnet.ListChange{Exclusive: ptr(true)})
	}
	for range 5 {
		for i := range 4 {
			r.world = ws[i%2]
			for range 10 {
				r.act()
			}
			settle(ws) // what one server did, the other knows a moment later
		}
		for _, w := range ws {
			for _, p := range r.people {
				w.checkHome(r.model, p, r.rnd, 1+r.rnd.IntN(40))
			}
		}
		if t.Failed() {
			return
		}
	}
	ws[0].check()
}

// The same login, the same post, the same mark, at the same time on three
// servers.
func TestRacesBetweenServers(t *testing.T) {
	notWhenShort(t)
	ws := servers(t, 3)
	ann := ws[0].person("ann")
	settle(ws)
	s := ws[0].post(ann, "to be liked").ID
	var mu sync.Mutex
	made, posts := 0, map[linnet.ID]bool{}
	var wg sync.WaitGroup
	for g := range 30 {
		w := ws[g%3]
		wg.Go(func() {
			_, err := w.signUpFast([]string{"bob", "Bob", "BOB"}[g%3])
			v, perr := w.Post(w.ctx, ann, linnet.Draft{Text: "once", IdempotencyKey: "k"})
			_, ferr := w.Favourite(w.ctx, ann, s)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				made++
			} else if !errors.Is(err, store.ErrTaken) {
				t.Error(err)
			}
			if err := errors.Join(perr, ferr); err != nil {
				t.Error(err)
				return
			}
			posts[v.ID] = true
		})
	}
	wg.Wait()
	settle(ws)
	if made != 1 || len(posts) != 1 {
		t.Errorf("%d users of one login, %d posts of one key", made, len(posts))
	}
	for i, w := range ws {
		if v := must(w.Status(w.ctx, 0, s))(t); v.Favourites != 1 {
			t.Errorf("server %d counts %d favourites", i, v.Favourites)
		}
		if u := must(w.User(w.ctx, 0, ann))(t); u.Statuses != 2 {
			t.Errorf("server %d counts %d statuses", i, u.Statuses)
		}
	}
	ws[1].check()
}

// A server that dies leaves its tasks to the others, at once if it could say so.
func TestTasksOfAServerThatStops(t *testing.T) {
	notWhenShort(t)
	ws := servers(t, 1)
	ann := ws[0].person("ann")
	fans := ws[0].crowd(ann, 4000)
	st := store.New(ws[0].store.Engine(), store.Options{})
	s := must(social.New(st, social.Options{PublicURL: "https://linnet.test", Log: quiet()}))(t)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); s.Run(ctx) }()
	v := must(s.Post(t.Context(), ann, linnet.Draft{Text: "x"}))(t)
	stop()
	<-done
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		missing := 0
		for _, feed := range ws[0].feeds(fans) {
			if fmt.Sprint(feed) != fmt.Sprint([]linnet.ID{v.ID}) {
				missing++
			}
		}
		if missing == 0 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d of 4,000 followers are missing", missing)
		}
	}
}
