package rediskv

import (
	"hash/maphash"
	"sync"
	"time"
)

const (
	// renewShare is the part of a feed's life during which the same server does not renew it again.
	// With a life of 30 days, a feed lives at least 29.
	renewShare = 32
	// renewMost limits how many renewed feeds are recorded. Beyond it some are renewed more often.
	renewMost = 1 << 17
)

// renewals records recently renewed feeds, so that most reads cost no write. The zero value is
// empty.
type renewals struct {
	mu    sync.Mutex
	seed  maphash.Seed
	begun time.Time
	done  map[uint64]struct{}
}

// due reports whether a read feed with this life must be renewed.
func (r *renewals) due(key string, life time.Duration) bool {
	defer r.mu.Unlock()
	r.mu.Lock()
	if r.done == nil || time.Since(r.begun) > life/renewShare || len(r.done) >= renewMost {
		r.begun, r.done = time.Now(), map[uint64]struct{}{}
		r.seed = maphash.MakeSeed()
	}
	_, done := r.done[maphash.String(r.seed, key)]
	return !done
}

func (r *renewals) note(key string) {
	defer r.mu.Unlock()
	r.mu.Lock()
	r.done[maphash.String(r.seed, key)] = struct{}{}
}

// renew adds the renewal of due feeds after the queries of the pipeline, in the same round trip.
func (p *reads) renew() {
	if len(p.renewing) == 0 {
		return
	}
	life := []string{p.millis(p.life)}
	for i := range p.renewing {
		p.commands = append(p.commands, p.e.scripts.renew.call(p.b, p.how.whole, p.renewing[i:i+1], life))
	}
}
