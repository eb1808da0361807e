package bench

import (
	"math/rand/v2"
	"testing"
	"unicode/utf8"
)

func TestMixesDealTheirShares(t *testing.T) {
	for _, name := range Mixes() {
		mix, sum := mixOf(name), 0
		for _, s := range mix {
			sum += s.n
		}
		if sum != 100 {
			t.Errorf("the shares of %s add up to %d", name, sum)
		}
		d := newDeck(mix, 1)
		first := ""
		for round := range 3 {
			got, order := map[string]int{}, ""
			for range 100 {
				op, _ := d.deal()
				got[op]++
				order += op[:1]
			}
			for _, s := range mix {
				if got[s.op] != s.n {
					t.Errorf("%s, round %d: %d times %s, want %d", name, round, got[s.op], s.op, s.n)
				}
			}
			if order == first {
				t.Errorf("%s: two rounds have the same order", name)
			}
			first = order
		}
	}
	if mixOf("none") != nil {
		t.Error("there is a mix called none")
	}
}

func TestSameSeedSameRun(t *testing.T) {
	a, b, other := newDeck(mixOf("retwis"), 7), newDeck(mixOf("retwis"), 7), newDeck(mixOf("retwis"), 8)
	differs := false
	for range 100 {
		opA, rngA := a.deal()
		opB, rngB := b.deal()
		opC, _ := other.deal()
		if opA != opB || rngA.Uint64() != rngB.Uint64() {
			t.Fatal("two runs of one seed differ")
		}
		differs = differs || opA != opC
	}
	if !differs {
		t.Error("two seeds give the same run")
	}
}

func TestStatusTexts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		if n := utf8.RuneCountInString(statusText(rng)); n < 20 || n > 280 {
			t.Fatalf("a text of %d characters", n)
		}
	}
}
