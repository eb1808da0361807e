package seed

import (
	"fmt"
	"math"
	"strings"
)

// The shape of a drawn graph. With a million users it has about 57 million
// follows, and its first user more than 500,000 followers.
const (
	heavyLeast   = 22    // minimum number of follows per user
	heavyTail    = 1.6   // exponent of the tail of follows per user
	heavyMost    = 5_000 // maximum number of follows per user
	heavyStar    = 0.53  // share of users who follow the first one
	heavyPopular = 1.8   // how strongly follows concentrate on few users; 1 would be evenly
)

// Purposes of random choices, in addition to the ones in draw.go.
const (
	lotDegree = iota + 100
	lotTarget
	lotStar
)

// heavyTailed returns random follows among n users. The number of follows per user has a heavy
// tail, and the number of followers a heavier one. Users with low numbers are popular. The same n
// and seed give the same graph. Some follows are repeated or of oneself, as in a file.
func heavyTailed(n int, seed uint64) follows {
	l := lots{seed: seed}
	unit := func(what, i, j uint64) float64 { return float64(l.draw(what, i, j)>>11) / (1 << 53) }
	return func(f func(a, b uint32)) ([]byte, error) {
		for i := range uint64(n) {
			if unit(lotStar, i, 0) < heavyStar {
				f(uint32(i), 0)
			}
			degree := min(heavyLeast*math.Pow(1-unit(lotDegree, i, 0), -1/heavyTail), heavyMost, float64(n)/4)
			for j := range uint64(degree) {
				f(uint32(i), uint32(float64(n)*math.Pow(unit(lotTarget, i, j), heavyPopular)))
			}
		}
		return fmt.Appendf(nil, "heavy %d %d", n, seed), nil
	}
}

// madePosts returns made-up sentences that replace a file.
func madePosts() *postFile { return &postFile{lines: 1 << 30, sum: []byte("made")} }

// words returns the words of the made-up sentences, by their position.
func words() [4][]string {
	return [4][]string{
		{"This morning", "Yesterday", "On the way to work", "After the rain", "Just now", "For once", "Late last night", "Since Tuesday"},
		{"a heron", "the neighbour's cat", "my old bicycle", "the first swallow", "a whole orchestra", "the baker", "somebody's umbrella", "the river"},
		{"waited for", "ran after", "sang to", "looked like", "walked past", "fell asleep beside", "drew a map of", "forgot about"},
		{"the station", "an empty page", "the moon", "two blackbirds", "the last tram", "our garden gate", "a very small cloud", "everybody else"},
	}
}

// eachMade calls f with n sentences, some of them with a tag.
func eachMade(n int, f func(k int, text []byte) error) error {
	l, w := lots{}, words()
	var b strings.Builder
	for k := range n {
		b.Reset()
		r := l.draw(lotTarget, uint64(k), 1)
		for i, of := range w {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(of[r%uint64(len(of))])
			r /= uint64(len(of))
		}
		fmt.Fprintf(&b, ". Note %d", k)
		if r%8 == 0 {
			fmt.Fprintf(&b, " #%s", strings.Fields(w[1][k%len(w[1])])[1])
		}
		if err := f(k, []byte(b.String())); err != nil {
			return err
		}
	}
	return nil
}
