package rediskv

import (
	"testing"
	"time"
)

func TestPace(t *testing.T) {
	var p pace
	now := time.Unix(1_800_000_000, 0)
	reads := func(n int, took time.Duration) {
		for range n {
			now = now.Add(took)
			p.note(took, now)
		}
	}
	want := func(when string, least, most time.Duration) {
		t.Helper()
		if got := p.pause(now); got < least || got > most {
			t.Errorf("%s: a pause of %v", when, got)
		}
	}
	want("nobody reads", 0, 0)
	reads(100, 300*time.Microsecond)
	want("quick reads", 0, 0)
	reads(1, 20*time.Millisecond)
	want("one slow read", 0, 0)
	reads(30, 5*time.Millisecond)
	want("slow reads", time.Millisecond, 3*time.Millisecond)
	reads(30, time.Second)
	want("very slow reads", paceMost, paceMost)
	now = now.Add(time.Second)
	want("nobody reads any more", 0, 0)
	reads(100, 300*time.Microsecond)
	want("quick again", 0, 0)
}
