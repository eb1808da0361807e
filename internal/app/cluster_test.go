package app_test

import (
	"math/rand/v2"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// TestOnCluster runs a selection of the tests on a Cluster.
func TestOnCluster(t *testing.T) {
	apptest.OnCluster(t, map[string]func(*apptest.World){
		"random world": func(w *apptest.World) { livesAtRandom(w, 99, 4, func() {}) },
	})
}

// livesAtRandom performs random actions for some rounds, calls later between them, and compares the
// timelines with the model.
func livesAtRandom(w *apptest.World, seed uint64, rounds int, later func()) {
	r := &randomWorld{World: w, Model: apptest.NewModel(), rnd: rand.New(rand.NewPCG(seed, 0)), lists: map[linnet.ID]linnet.ID{}}
	r.people = w.People(8)
	for _, p := range r.people {
		r.lists[p] = w.List(p, linnet.ListChange{Exclusive: new(true)})
	}
	for range rounds {
		for range 60 {
			r.act()
		}
		r.Drain()
		for _, p := range r.people {
			r.CheckHome(r.Model, p, r.rnd, 1+r.rnd.IntN(40))
		}
		if w.Failed() {
			return
		}
		apptest.ForgetFeeds(w, r.people[0])
		later()
	}
	for _, p := range r.people {
		r.CheckHome(r.Model, p, r.rnd, 1, 2, 19, 40)
		r.CompareFeeds(p)
	}
	r.Check()
}
