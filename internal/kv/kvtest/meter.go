package kvtest

import (
	"fmt"
	"strings"
	"time"
)

func meterTests() []subtest {
	return []subtest{
		{"Counts", meterCounts},
		{"LivesFromFirstCount", meterLifetime},
		{"KeysAreApart", meterKeys},
		{"Concurrent", meterConcurrent},
	}
}

func (e *env) count(key string, n int64, ttl time.Duration) int64 {
	e.Helper()
	got, err := e.Count(e.ctx, key, n, ttl)
	if err != nil {
		e.Fatalf("Count: %v", err)
	}
	return got
}

func meterCounts(e *env) {
	want := int64(0)
	for _, n := range []int64{0, 1, 5, 0, -2, -10, 0, 1 << 40, 0} {
		want += n
		if got := e.count("k", n, time.Hour); got != want {
			e.Errorf("after adding %d: got %d, want %d", n, got, want)
		}
	}
}

// meterLifetime checks that later counts do not prolong a window.
func meterLifetime(e *env) {
	ttl := 3 * e.tick()
	start := time.Now()
	e.count("k", 1, ttl)
	e.past(2 * e.tick())
	got := e.count("k", 1, ttl)
	if e.caps.Advance == nil && time.Since(start) > ttl {
		e.Skip("this machine is too slow to count twice in one window")
	}
	if got != 2 {
		e.Errorf("second count of a window: got %d", got)
	}
	e.past(2 * e.tick())
	if got := e.count("k", 1, ttl); got != 1 {
		e.Errorf("first count of a new window: got %d", got)
	}
	e.count("looked at", 0, time.Nanosecond)
	e.count("looked at", 2, time.Hour)
	e.count("brief", 5, time.Nanosecond)
	e.past(50 * time.Millisecond)
	if got := e.count("brief", 1, time.Hour); got != 1 {
		e.Errorf("a window of 1 ns goes on after 50 ms: got %d", got)
	}
	if got := e.count("looked at", 1, time.Hour); got != 3 {
		e.Errorf("a look began a window: got %d", got)
	}
}

func meterKeys(e *env) {
	keys := []string{"a", "A", "ab", "a:b", "{1}", "ü", "v:{3}:a", strings.Repeat("k", 200)}
	e.do(putText(key("v", 3, "a"), "value", 1))
	for i, k := range keys {
		e.count(k, int64(i+1), time.Hour)
	}
	for i, k := range keys {
		if got := e.count(k, 0, time.Hour); got != int64(i+1) {
			e.Errorf("%.10q: got %d, want %d", k, got, i+1)
		}
	}
	e.wantValue(key("v", 3, "a"), "value", 1)
}

func meterConcurrent(e *env) {
	e.together(8, func(i int) error {
		for range 50 {
			if _, err := e.Count(e.ctx, "k", int64(i%3), time.Hour); err != nil {
				return fmt.Errorf("count: %w", err)
			}
		}
		return nil
	})
	if got := e.count("k", 0, time.Hour); got != 50*(0+1+2+0+1+2+0+1) {
		e.Errorf("sum of concurrent counts: %d", got)
	}
}
