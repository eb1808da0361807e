package seed

import (
	"fmt"
	"testing"
)

// TestHeavyTailed checks that the random graph has the documented shape and is the same each time.
func TestHeavyTailed(t *testing.T) {
	const n = 50_000
	g, err := readGraph(heavyTailed(n, 1))
	if err != nil {
		t.Fatal(err)
	}
	in, err := g.side(true)
	if err != nil {
		t.Fatal(err)
	}
	mean := float64(in.total) / n
	if g.users != n || mean < 45 || mean > 70 {
		t.Errorf("%d users with %.1f follows each", g.users, mean)
	}
	if star := float64(in.count[0]) / n; star < 0.5 || star > 0.65 {
		t.Errorf("the first user has %.2f of all as followers", star)
	}
	few := 0
	for _, c := range in.count {
		if c < 50 {
			few++
		}
	}
	if few < n/2 {
		t.Errorf("only %d of %d users have fewer than 50 followers: no heavy tail", few, n)
	}
	again, err := readGraph(heavyTailed(n, 1))
	if err != nil || again.lines != g.lines || fmt.Sprint(again.in[:100]) != fmt.Sprint(g.in[:100]) {
		t.Errorf("drawn again it differs: %d and %d follows", g.lines, again.lines)
	}
	other, err := readGraph(heavyTailed(n, 2))
	if err != nil || fmt.Sprint(other.in[:100]) == fmt.Sprint(g.in[:100]) {
		t.Error("another seed draws the same graph")
	}
}

func TestMadePosts(t *testing.T) {
	seen := map[string]bool{}
	err := madePosts().each(1000, func(k int, text []byte) error {
		if len(text) > 200 || seen[string(text)] {
			t.Errorf("text %d: %q", k, text)
		}
		seen[string(text)] = true
		return nil
	})
	if err != nil || len(seen) != 1000 {
		t.Errorf("%d texts, %v", len(seen), err)
	}
}
