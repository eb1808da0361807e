package live

import (
	"testing"
	"time"
)

// TestMemoryOfClosedStreams checks that memory is freed once when half of many listeners have
// disconnected. A few connections don't cause a collection.
func TestMemoryOfClosedStreams(t *testing.T) {
	for _, tc := range []struct{ come, go1, want, go2, wantThen int }{
		{come: 2 * shrinkFrom, go1: shrinkFrom - 1, want: 0, go2: 1, wantThen: 1},
		{come: 2 * shrinkFrom, go1: 2 * shrinkFrom, want: 1, go2: 0, wantThen: 1},
		{come: 4 * shrinkFrom, go1: 2 * shrinkFrom, want: 1, go2: shrinkFrom, wantThen: 2},
		{come: shrinkFrom - 1, go1: shrinkFrom - 1, want: 0, go2: 0, wantThen: 0},
	} {
		freed := 0
		var later []func()
		h := newHub(nil)
		h.shrink.free = func() { freed++ }
		h.shrink.after = func(_ time.Duration, f func()) { later = append(later, f) }
		settle := func() {
			for len(later) > 0 {
				f := later[0]
				later = later[1:]
				f()
			}
		}
		var all []*Listener
		for range tc.come {
			l := &Listener{hub: h, wake: func() {}}
			all = append(all, l)
			h.mu.Lock()
			h.add(l)
			h.mu.Unlock()
		}
		for _, step := range []struct{ gone, want int }{{tc.go1, tc.want}, {tc.go2, tc.wantThen}} {
			for _, l := range all[:step.gone] {
				l.Close()
			}
			all = all[step.gone:]
			if settle(); freed != step.want {
				t.Errorf("%+v: freed %d times, want %d", tc, freed, step.want)
			}
		}
	}
}
