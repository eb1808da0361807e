package store

import (
	"math/rand/v2"

	"linnet/internal/linnet"
)

// Weights are what a cached record costs in memory, roughly.
func userWeight(u *linnet.User) uint32 {
	n := 300 + len(u.Login) + len(u.Name) + len(u.Note)
	for _, f := range u.Fields {
		n += 32 + len(f.Name) + len(f.Value)
	}
	return uint32(n + 40*len(u.Mentions))
}

func statusWeight(st *linnet.Status) uint32 {
	n := 390 + len(st.Text) + len(st.Warning) + 40*len(st.Mentions) + 8*len(st.Promoters)
	for _, t := range st.Tags {
		n += 16 + len(t)
	}
	return uint32(n)
}

// randomStart is where the sequence of an id begins within its millisecond, in
// the lower half so that there is room above.
func randomStart() uint8 { return uint8(rand.Uint32() & 31) }
