package apptest

import (
	"fmt"
	"linnet/internal/linnet"
)

// PeopleNamed creates n users with numbered names.
func (w *World) PeopleNamed(name string, n int) []linnet.ID {
	out := make([]linnet.ID, n)
	for i := range out {
		out[i] = w.Person(fmt.Sprint(name, i))
	}
	return out
}
