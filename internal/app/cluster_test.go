package app_test

import (
	"math/rand/v2"
	"testing"

	"linnet/internal/linnet"
)

// TestOnCluster runs a selection of the tests on a Cluster.
func TestOnCluster(t *testing.T) {
	onCluster(t, map[string]func(*world){
		"random world": func(w *world) { livesAtRandom(w, 99, 4, func() {}) },
	})
}

// livesAtRandom performs random actions for some rounds, calls later between them, and compares the
// timelines with the model.
func livesAtRandom(w *world, seed uint64, rounds int, later func()) {
	r := &randomWorld{world: w, model: newModel(), rnd: rand.New(rand.NewPCG(seed, 0)), lists: map[linnet.ID]linnet.ID{}}
	r.people = w.people(8)
	for _, p := range r.people {
		r.lists[p] = w.list(p, linnet.ListChange{Exclusive: new(true)})
	}
	for range rounds {
		for range 60 {
			r.act()
		}
		r.drain()
		for _, p := range r.people {
			r.checkHome(r.model, p, r.rnd, 1+r.rnd.IntN(40))
		}
		if w.Failed() {
			return
		}
		forget(w, r.people[0])
		later()
	}
	for _, p := range r.people {
		r.checkHome(r.model, p, r.rnd, 1, 2, 19, 40)
		r.compareFeeds(p)
	}
	r.check()
}
