package store_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// TestDirectoryMergesSlices checks that Directory returns the first n entries of all slices for any
// distribution.
func TestDirectoryMergesSlices(t *testing.T) {
	for name, sliceOf := range map[string]func(i int) int{
		"even":            func(i int) int { return i % record.DirectorySlices },
		"one slice":       func(int) int { return 3 },
		"newest in one":   func(i int) int { return min(1, i/60) },
		"most in one":     func(i int) int { return max(0, i%40-30) },
		"two of equal":    func(i int) int { return i % 2 * 9 },
		"slices run dry":  func(i int) int { return min(i/3, record.DirectorySlices-1) },
		"last entry ties": func(i int) int { return i / 20 % record.DirectorySlices },
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			rng := rand.New(rand.NewPCG(1, 2))
			var all []kv.Member
			for i := range 300 {
				slice := sliceOf(i)
				id := linnet.MakeID(s.clock.Now(), uint16(slice+16*(i%60)), uint8(rng.IntN(64)))
				m := kv.Member{Member: id.String(), Score: int64(1000 - i/4)}
				if slices.ContainsFunc(all, func(x kv.Member) bool { return x.Member == m.Member }) {
					continue
				}
				all = append(all, m)
				if err := s.engine.Apply(s.ctx, kv.Add{Key: record.DirectoryKey(linnet.DirectoryNew, slice), Member: m.Member, Score: m.Score}); err != nil {
					t.Fatal(err)
				}
			}
			slices.SortFunc(all, func(a, b kv.Member) int {
				return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Member, a.Member))
			})
			for _, n := range []int{1, 5, 60, 200, 1000} {
				got := must(s.Accounts.Directory(s.ctx, linnet.DirectoryNew, n))(t)
				want := all[:min(n, len(all))]
				if !slices.EqualFunc(got, want, func(id linnet.ID, m kv.Member) bool { return id.String() == m.Member }) {
					t.Errorf("the first %d differ from the sorted entries: %v", n, fmt.Sprint(got[:min(9, len(got))]))
				}
			}
		})
	}
}
