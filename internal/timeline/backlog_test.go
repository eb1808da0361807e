package timeline

import (
	"testing"
	"time"
)

func TestBacklog(t *testing.T) {
	var b backlog
	now := time.Unix(1_000_000, 0)
	b.Pass(1, 2500, 1000, true, now)
	b.Pass(2, 500, 500, false, now)
	b.Pass(3, 10, 1000, true, now) // more followers than were counted
	if n := b.Total(now); n != 1500 {
		t.Errorf("%d feeds are left, want 1500", n)
	}
	b.Pass(1, 2500, 1000, true, now.Add(time.Minute))
	if n := b.Total(now.Add(time.Minute)); n != 500 {
		t.Errorf("%d feeds are left after a pass, want 500", n)
	}
	if n := b.Total(now.Add(10 * time.Minute)); n != 0 {
		t.Errorf("%d feeds are left of what was given up", n)
	}
	b.Pass(1, 2500, 1000, true, now)
	b.Pass(1, 2500, 500, false, now)
	if n := b.Total(now); n != 0 {
		t.Errorf("%d feeds are left at the end", n)
	}
}
