package rules

import (
	"fmt"
	"testing"
)

func TestKnots(t *testing.T) {
	// Each of n files uses the next one, and the last one uses the first one if closed.
	ring := func(n int, closed bool) map[string]string {
		files := map[string]string{"internal/a/a_test.go": "package a\n\nfunc extra() { f00() }\n"}
		for i := range n {
			next := fmt.Sprintf("f%02d()", (i+1)%n)
			if i == n-1 && !closed {
				next = ""
			}
			files[fmt.Sprintf("internal/a/f%02d.go", i)] = fmt.Sprintf("package a\n\nfunc f%02d() { %s }\n", i, next)
		}
		return files
	}
	want(t, breaches(t, ring(MaxKnot, true), Knots))
	want(t, breaches(t, ring(MaxKnot+1, false), Knots))
	want(t, breaches(t, ring(MaxKnot+1, true), Knots), "internal/a: 31 files use each other, more than 30: f00.go, f01.go")
}
