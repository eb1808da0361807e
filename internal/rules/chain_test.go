package rules

import (
	"fmt"
	"testing"
)

func TestChain(t *testing.T) {
	chain := func(n int) map[string]string {
		files := map[string]string{fmt.Sprintf("internal/a%02d/a_test.go", n): "package a\nimport _ \"linnet/internal/b\"\n", "internal/b/b.go": "package b\n"}
		for i := 1; i <= n; i++ {
			src := "package a\n"
			if i < n {
				src += fmt.Sprintf("import _ \"linnet/internal/a%02d\"\n", i+1)
			}
			files[fmt.Sprintf("internal/a%02d/a.go", i)] = src
		}
		return files
	}
	want(t, breaches(t, chain(MaxChain), Chain))
	want(t, breaches(t, chain(MaxChain+1), Chain), "internal/a01: a chain of imports has 19 packages, more than 18: internal/a01, internal/a02")
}
