package compose

import (
	"strings"
	"testing"
)

// Texts are compared word by word. A text that is too long to compare is shown as new.
func TestChanges(t *testing.T) {
	long := strings.Repeat("a b ", 2000)
	for _, x := range []struct{ from, to, want string }{
		{"one two three", "one four three", "one -two+four three"}, {"same", "same", "same"}, {"", "new", "+new"}, {"old", "", "-old"},
		{"a b c", "a c", "a -b c"}, {"a c", "a b c", "a +b c"}, {"Zürich 東京", "Zürich 大阪", "Zürich -東京+大阪"}, {"x\ny", "x\n\ny", "x\n+\ny"},
		{"1" + long, "2" + long, "-1+2" + long},
	} {
		var got, from, to strings.Builder
		for _, s := range changes(x.from, x.to) {
			got.WriteString(map[change]string{stayed: "", added: "+", removed: "-"}[s.Kind] + s.Text)
			if s.Kind != added {
				from.WriteString(s.Text)
			}
			if s.Kind != removed {
				to.WriteString(s.Text)
			}
		}
		if got.String() != x.want && len(x.want) < 100 || from.String() != x.from || to.String() != x.to {
			t.Errorf("%q to %q: %q, want %q", x.from, x.to, got.String(), x.want)
		}
	}
}

// FuzzChanges checks that the spans of a comparison make up the two texts.
func FuzzChanges(f *testing.F) {
	f.Add("one two", "two one")
	f.Add("", "é\u0301")
	f.Fuzz(func(t *testing.T, from, to string) {
		var a, b string
		for _, s := range changes(from, to) {
			if s.Kind != added {
				a += s.Text
			}
			if s.Kind != removed {
				b += s.Text
			}
		}
		if a != from || b != to {
			t.Errorf("%q, %q became %q, %q", from, to, a, b)
		}
	})
}
