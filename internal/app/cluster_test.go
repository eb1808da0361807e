package app_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"linnet/internal/kv/redistest"
	"linnet/internal/linnet"
)

// TestOnCluster runs a selection of the tests on a Cluster of three masters, where the two sides of
// most relations are on different servers.
func TestOnCluster(t *testing.T) {
	notWhenShort(t)
	nodes := redistest.Cluster(t, 3, 0)
	worlds := 0
	for name, f := range map[string]func(*world){
		"followers of one instant": followersOfOneInstant, "one login": oneLogin, "post with one key": postWithOneKey, "posts at once": postAtOnce,
		"deletion": deletion, "visibility": visibilityMatrix, "favourite races": favouriteRaces, "notifications": notifications,
		"lists": listTimeline, "follow and unfollow": followAndUnfollow, "public": publicTimeline, "streams": streams, "watchers": watchers,
		"network": network, "random world": func(w *world) { livesAtRandom(w, 99, 4, func() {}) },
	} {
		t.Run(name, func(t *testing.T) {
			worlds++
			f(newWorld(t, openRedis(t, nodes.URL(), fmt.Sprintf("t%d.", worlds))))
		})
	}
}

// livesAtRandom performs random actions for some rounds, calls later between them, and compares the
// timelines with the model.
func livesAtRandom(w *world, seed uint64, rounds int, later func()) {
	r := &randomWorld{world: w, model: newModel(), rnd: rand.New(rand.NewPCG(seed, 0)), lists: map[linnet.ID]linnet.ID{}}
	r.people = w.people(8)
	for _, p := range r.people {
		r.lists[p] = w.list(p, linnet.ListChange{Exclusive: ptr(true)})
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
