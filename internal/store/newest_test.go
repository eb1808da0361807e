package store_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/store/statuses"
)

// TestNewestKept checks that cached and uncached reads of the public timeline return the same, for
// pages from any position and after posts and deletions.
func TestNewestKept(t *testing.T) {
	for seed := range uint64(40) {
		rnd := rand.New(rand.NewPCG(seed, 3))
		e := memkv.New(memkv.Options{})
		s := store.New(e, store.Options{})
		var all []linnet.ID
		at := time.UnixMilli(1.7e12)
		for n := range 600 {
			if rnd.IntN(5) == 0 && len(all) > 0 {
				i := rnd.IntN(len(all))
				id := all[i]
				all = slices.Delete(all, i, i+1)
				if err := s.Statuses.List(t.Context(), []statuses.Public{{Status: &linnet.Status{ID: id, Author: id}}}, false); err != nil {
					t.Fatal(err)
				}
			} else {
				at = at.Add(time.Duration(rnd.IntN(3)) * time.Millisecond)
				id := linnet.MakeID(at, uint16(rnd.IntN(48)), uint8(n%64))
				if slices.Contains(all, id) {
					continue
				}
				all = append(all, id)
				if err := s.Statuses.Publish(t.Context(), &linnet.Status{ID: id, Author: id}, nil); err != nil {
					t.Fatal(err)
				}
			}
			sp := db.Span{Limit: 1 + rnd.IntN(100), Asc: rnd.IntN(8) == 0}
			if len(all) > 0 && rnd.IntN(3) == 0 {
				sp.Below = all[rnd.IntN(len(all))]
			}
			if len(all) > 0 && rnd.IntN(3) == 0 {
				sp.Above = all[rnd.IntN(len(all))]
			}
			got, err := s.Statuses.Global(t.Context(), sp)
			if err != nil {
				t.Fatal(err)
			}
			if want := spanOf(all, sp); !slices.Equal(got, want) {
				t.Fatalf("seed %d, step %d, %+v: got %v, want %v", seed, n, sp, got, want)
			}
		}
	}
}

// spanOf returns the ids in a span, newest first.
func spanOf(all []linnet.ID, sp db.Span) []linnet.ID {
	in := slices.DeleteFunc(slices.Clone(all), func(id linnet.ID) bool { return id <= sp.Above || sp.Below != 0 && id >= sp.Below })
	slices.Sort(in)
	if sp.Asc {
		in = in[:min(len(in), sp.Limit)]
	}
	slices.Reverse(in)
	return in[:min(len(in), sp.Limit)]
}
