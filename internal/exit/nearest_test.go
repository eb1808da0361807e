package exit_test

import (
	"testing"

	"linnet/internal/exit"
)

func TestNearest(t *testing.T) {
	known := []string{"addr", "data", "store", "redis.prefix", "redis.wait_replicas", "public-url", "log-level", "log-format"}
	for _, c := range []struct{ word, want string }{
		{"adr", "addr"}, {"addrr", "addr"}, {"adrd", "addr"}, {"stroe", "store"}, {"redis-prefix", "redis.prefix"},
		{"redis-wait-replicas", "redis.wait_replicas"}, {"public_url", "public-url"}, {"loglevel", "log-level"},
		{"x", ""}, {"zzzz", ""}, {"", ""}, {"completely", ""},
		{"da", ""}, // one mistake is allowed in two letters
	} {
		if got := exit.Nearest(c.word, known); got != c.want {
			t.Errorf("nearest(%q) = %q, want %q", c.word, got, c.want)
		}
	}
}

func TestSlips(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"abc", "ab", 1}, {"abc", "xbc", 1}, {"kitten", "sitting", 3}, {"ca", "abc", 3}} {
		if got := exit.Distance(c.a, c.b); got != c.want || exit.Distance(c.b, c.a) != c.want {
			t.Errorf("slips(%q, %q) = %d and %d, want %d", c.a, c.b, got, exit.Distance(c.b, c.a), c.want)
		}
	}
}
