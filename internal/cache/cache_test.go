package cache_test

import (
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"linnet/internal/cache"
	"linnet/internal/linnet"
)

func TestCache(t *testing.T) {
	c := cache.New(cache.Options[linnet.ID, string]{Max: 10})
	defer c.Close()
	if v, ok := c.Get(1); ok || v != "" {
		t.Errorf("an empty cache has %q", v)
	}
	c.Set(1, "a")
	c.Set(2, "b")
	c.Set(1, "c")
	for id, want := range map[linnet.ID]string{1: "c", 2: "b"} {
		if v, ok := c.Get(id); !ok || v != want {
			t.Errorf("%d is %q, %v, want %q", id, v, ok, want)
		}
	}
	c.Delete(1)
	if _, ok := c.Get(1); ok {
		t.Error("a deleted key is found")
	}
	c.Clear()
	if _, ok := c.Get(2); ok {
		t.Error("a key is found after Clear")
	}
	c.Close()
	c.Set(3, "d")
	if v, _ := c.Get(3); v != "d" {
		t.Errorf("a closed cache returns %q, want d", v)
	}
}

func TestBound(t *testing.T) {
	const most, each = 1000, 10
	c := cache.New(cache.Options[string, []byte]{Max: most, Weigh: func(_ string, b []byte) uint32 { return uint32(len(b)) }})
	defer c.Close()
	if c.Max() != most {
		t.Errorf("the bound is %d, want %d", c.Max(), most)
	}
	for i := range 100 * most {
		c.Set(strconv.Itoa(i), make([]byte, each))
	}
	stored := func() (n int) {
		for i := range 100 * most {
			if b, ok := c.Get(strconv.Itoa(i)); ok {
				n += len(b)
			}
		}
		return n
	}
	for stored() > most { // entries are evicted in the background; the test's time-out bounds this
		time.Sleep(time.Millisecond)
	}
	if stored() == 0 {
		t.Error("nothing is stored")
	}
}

func TestExpiry(t *testing.T) {
	c := cache.New(cache.Options[linnet.ID, int]{Max: 10, TTL: time.Millisecond})
	defer c.Close()
	c.Set(1, 1)
	for { // the test's time-out bounds this
		if _, ok := c.Get(1); !ok {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// TestLibraryCompiledOnce checks that a package with a cache contains none of the
// library's code, which took three quarters of the time to compile Linnet.
func TestLibraryCompiledOnce(t *testing.T) {
	for pkg, want := range map[string]bool{"linnet/internal/cache": true, "linnet/internal/translation": false, "linnet/internal/store/db": false} {
		path, err := exec.Command("go", "list", "-export", "-f", "{{.Export}}", pkg).Output()
		if err != nil {
			t.Fatalf("%s: %v", pkg, err)
		}
		symbols, err := exec.Command("go", "tool", "nm", strings.TrimSpace(string(path))).Output()
		if err != nil {
			t.Fatalf("%s: %v", pkg, err)
		}
		compiled := false
		for line := range strings.Lines(string(symbols)) {
			if strings.Contains(line, " T ") && strings.Contains(line, "maypok86/otter") {
				compiled = true
			}
		}
		if compiled != want {
			t.Errorf("%s contains code of the library: %v, want %v", pkg, compiled, want)
		}
	}
}
