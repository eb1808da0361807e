package admin

import (
	"strings"
	"testing"
	"time"
)

// at returns a Progress with its output and its clock, which only the test changes.
func at(live bool) (*Progress, *strings.Builder, *time.Time) {
	var out strings.Builder
	now := time.Unix(1000, 0)
	p := NewProgress(&out, live)
	p.now = func() time.Time { return now }
	return p, &out, &now
}

func TestProgressOnATerminal(t *testing.T) {
	p, out, now := at(true)
	p.start("users", 18_000)
	p.add(1000) // too early for an estimate
	*now = now.Add(4 * time.Second)
	p.add(11_400)
	*now = now.Add(2 * time.Second)
	p.add(5600)
	p.end()
	want := "\rusers 12,400/18,000 |######    | 68% 3,100/s ETA 2s" +
		"\rusers 18,000/18,000 |##########| 100% 3,000/s in 6s\n"
	if out.String() != want {
		t.Errorf("got\n%q, want\n%q", out.String(), want)
	}
}

// TestProgressCoversTheLineBefore checks that a shorter line overwrites a longer one completely.
func TestProgressCoversTheLineBefore(t *testing.T) {
	p, out, now := at(true)
	p.start("x", 0)
	*now = now.Add(time.Second)
	p.add(1_000_000)
	*now = now.Add(1000 * time.Second)
	p.add(1)
	lines := strings.Split(out.String(), "\r")
	if len(lines) != 3 || len(lines[1]) != len(lines[2]) {
		t.Errorf("lines %q are not of one length", lines)
	}
}

func TestProgressInALog(t *testing.T) {
	p, out, now := at(false)
	p.start("keys", 0)
	for range 25 {
		*now = now.Add(time.Second)
		p.add(100)
	}
	p.end()
	want := "keys 1,000 100/s\nkeys 2,000 100/s\nkeys 2,500/2,500 |##########| 100% 100/s in 25s\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

func TestNobodyIsTold(t *testing.T) {
	var p *Progress
	p.start("x", 1)
	p.add(1)
	p.end()
}

func TestGroup(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 7: "7", 999: "999", 1000: "1,000", 12_345: "12,345",
		123_456: "123,456", 1_234_567: "1,234,567", -1: "-1", -999: "-999", -1000: "-1,000", -123_456: "-123,456"} {
		if got := group(n); got != want {
			t.Errorf("group(%d) = %q, want %q", n, got, want)
		}
	}
}
