package rules

import (
	"fmt"
	"strings"
	"testing"
)

func TestRooms(t *testing.T) {
	const dir = "internal/record/"
	methods := func(n int, name string) string {
		var b strings.Builder
		b.WriteString("package record\ntype T struct{}\n")
		for i := range n {
			fmt.Fprintf(&b, "func (t *T) %s%d() {}\n", name, i)
		}
		return b.String()
	}
	many := map[string]string{}
	for i := range MaxFiles {
		many[fmt.Sprintf("%sa%d.go", dir, i)] = "package record\n"
	}
	want(t, breaches(t, many, Rooms))
	many[dir+"one_test.go"] = "package record\n"
	want(t, breaches(t, many, Rooms))
	many[dir+"one.go"] = "package record\n"
	want(t, breaches(t, many, Rooms), "internal/record: the package has 41 files")
	long := strings.Repeat("// line\n", MaxLines/20)
	files := map[string]string{}
	for i := range 20 {
		files[fmt.Sprintf("%sa%d.go", dir, i)] = "package record\n" + long
	}
	want(t, breaches(t, files, Rooms), "internal/record: the package has 6020 lines")
	for _, c := range []struct {
		n    int
		name string
		bad  bool
	}{{60, "A", false}, {61, "A", true}, {100, "a", false}, {101, "a", true}} {
		got := breaches(t, map[string]string{dir + "a.go": methods(c.n, c.name)}, Rooms)
		if (len(got) > 0) != c.bad {
			t.Errorf("%d methods %s: %v", c.n, c.name, got)
		}
	}
	want(t, breaches(t, map[string]string{"internal/other/a.go": methods(101, "A")}, Rooms))
}
