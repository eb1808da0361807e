package linnet_test

import (
	"testing"

	"linnet/internal/linnet"
)

// ring adds n accounts that follow one another, with ids from from.
func ring(f linnet.Followers, from, n int) {
	for i := range n {
		for j := range n {
			if i != j {
				f[linnet.ID(from+i)] = append(f[linnet.ID(from+i)], linnet.ID(from+j))
			}
		}
	}
}

// TestVouched checks whether enough users vouch for voters.
func TestVouched(t *testing.T) {
	const author, voter, main = 1, 100, 110
	for what, x := range map[string]struct {
		make func(f linnet.Followers)
		want bool
	}{
		"nobody follows them":  {func(linnet.Followers) {}, false},
		"eleven accounts":      {func(f linnet.Followers) { ring(f, voter, 11) }, false},
		"and the author":       {func(f linnet.Followers) { ring(f, voter, 11); f[voter] = append(f[voter], author); ring(f, author, 50) }, false},
		"one of them is known": {func(f linnet.Followers) { ring(f, voter, 11); f[main] = append(f[main], some(200, 40)...) }, false},
		"twelve followers":     {func(f linnet.Followers) { f[voter] = some(200, 12) }, true},
		"eleven followers":     {func(f linnet.Followers) { f[voter] = some(200, 11) }, false},
		"followers of two":     {func(f linnet.Followers) { f[voter] = some(200, 2); f[200], f[201] = some(300, 12), some(320, 12) }, true},
		"two who share theirs": {func(f linnet.Followers) { f[voter] = some(200, 2); f[200], f[201] = some(300, 11), some(300, 11) }, true},
		"two who follow one": {func(f linnet.Followers) {
			f[voter] = some(200, 2)
			f[200], f[201] = some(300, 1), some(300, 1)
			f[300] = some(400, 14)
		}, false},
	} {
		f := linnet.Followers{}
		if x.make(f); f.Supported(voter, author) != x.want {
			t.Errorf("%s: %v", what, !x.want)
		}
	}
}

func some(from, n int) []linnet.ID {
	out := make([]linnet.ID, n)
	for i := range out {
		out[i] = linnet.ID(from + i)
	}
	return out
}

// TestFirstBar checks that the first level is the score of the best earlier statuses, or depends on
// the number of users if there are too few. It is at least five.
func TestFirstBar(t *testing.T) {
	scores := func(n int) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = float64(100 * (n - i) / n)
		}
		return out
	}
	for what, x := range map[string]struct {
		people int64
		scores []float64
		want   int64
	}{
		"nobody":               {0, nil, 5},
		"a few":                {25, nil, 5},
		"two hundred":          {200, nil, 15},
		"a city":               {1_000_000, nil, 16},
		"too few statuses":     {200, scores(linnet.SampleLeast - 1), 15},
		"enough of them":       {200, scores(100), 81},
		"nothing has a vote":   {200, make([]float64, 100), 5},
		"many with many votes": {9, scores(linnet.SampleMost), 80},
	} {
		if got := linnet.FirstBar(x.people, x.scores); got != x.want {
			t.Errorf("%s: %d, want %d", what, got, x.want)
		}
	}
}
