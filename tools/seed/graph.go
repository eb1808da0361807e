package seed

import (
	"bytes"
	"slices"
	"strconv"
)

// mostImported is the maximum number of a user in a file. It detects files of another kind.
const mostImported = 100_000_000

// follows calls f for each follow of a graph, always in the same order, and returns a checksum of
// the graph.
type follows func(f func(a, b uint32)) (sum []byte, err error)

// graph has the follows of an import. It has one side in memory at a time, at four bytes per
// follow.
type graph struct {
	each  follows
	users int
	out   []uint32 // number of lines with a user as follower
	in    []uint32 // number of lines with a user as followee
	sum   []byte   // checksum of the file

	selves int // skipped lines in which users follow themselves
	lines  int
}

// readGraph reads the follows once to count them.
func readGraph(each follows) (*graph, error) {
	g := &graph{each: each}
	sum, err := each(func(a, b uint32) {
		g.users = max(g.users, int(a)+1, int(b)+1)
		g.lines++
		if a == b {
			g.selves++
			return
		}
		g.out, g.in = grow(g.out, int(a)+1), grow(g.in, int(b)+1)
		g.out[a]++
		g.in[b]++
	})
	g.sum = sum
	g.grow(g.users)
	return g, err
}

// grow makes room for at least n users.
func (g *graph) grow(n int) {
	g.users = max(g.users, n)
	g.out, g.in = grow(g.out, g.users), grow(g.in, g.users)
}

func grow(a []uint32, n int) []uint32 {
	if n <= len(a) {
		return a
	}
	return append(a, make([]uint32, n-len(a))...)
}

// followsIn returns the follows in a file.
func followsIn(path string) follows {
	return func(f func(a, b uint32)) ([]byte, error) { return eachFollow(path, f) }
}

// eachFollow calls f for each line "follower<TAB>followee". It skips empty lines and lines that
// begin with '#'. It returns the checksum of the file.
func eachFollow(path string, f func(a, b uint32)) ([]byte, error) {
	t, err := openText(path)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	for {
		text, ok, err := t.next()
		if err != nil {
			return nil, err
		}
		if !ok {
			return t.sum.Sum(nil), nil
		}
		text = bytes.TrimRight(text, "\r")
		if len(text) == 0 || text[0] == '#' {
			continue
		}
		left, right, _ := bytes.Cut(text, []byte{'\t'})
		a, err1 := strconv.ParseUint(string(left), 10, 32)
		b, err2 := strconv.ParseUint(string(right), 10, 32)
		if err1 != nil || err2 != nil || a >= mostImported || b >= mostImported {
			return nil, t.fault("%q is not a pair of numbers below %d, separated by a tab", text, mostImported)
		}
		f(uint32(a), uint32(b))
	}
}

// adjacency has one side of all follows. User i has to[start[i]:start[i+1]], of which the first
// count[i] are valid.
type adjacency struct {
	start []int
	to    []uint32
	count []uint32 // their number without repetitions
	total int
}

// side reads the follows again, by follower or with back by followee.
func (g *graph) side(back bool) (*adjacency, error) {
	degrees := g.out
	if back {
		degrees = g.in
	}
	a := &adjacency{start: make([]int, g.users+1), count: make([]uint32, g.users)}
	for i, n := range degrees {
		a.start[i+1] = a.start[i] + int(n)
	}
	a.to = make([]uint32, a.start[g.users])
	_, err := g.each(func(x, y uint32) {
		if back {
			x, y = y, x
		}
		if at := a.start[x] + int(a.count[x]); x != y && at < a.start[x+1] {
			a.to[at] = y
			a.count[x]++
		}
	})
	for i := range a.count {
		part := a.to[a.start[i] : a.start[i]+int(a.count[i])]
		slices.Sort(part)
		a.count[i] = uint32(len(slices.Compact(part)))
		a.total += int(a.count[i])
	}
	return a, err
}

// of returns the other users in the follows of one user, in order and without repetitions.
func (a *adjacency) of(i int) []uint32 { return a.to[a.start[i] : a.start[i]+int(a.count[i])] }
