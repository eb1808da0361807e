//go:build !race

package apptest

// Race reports whether the race detector is on. It makes tests several times slower, so tests that
// show no races leave out their repetitions.
const Race = false
