package rediskv

import (
	"context"
	"hash/maphash"
	"sync"
	"time"

	"github.com/redis/rueidis"
)

const (
	// renewShare is the part of its life for which a feed is not renewed again
	// by the same server: of 30 days a feed lives at least 29.
	renewShare = 32
	// renewMost bounds how many feeds are remembered as renewed; beyond it some
	// are renewed more often.
	renewMost = 1 << 17
)

// renewals knows which feeds were renewed lately, so that reading one costs no
// write but now and then. The zero value knows of none.
type renewals struct {
	mu    sync.Mutex
	seed  maphash.Seed
	begun time.Time
	done  map[uint64]struct{}
}

// due says whether a feed has to be renewed that is read and has this life.
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

// renew adds what renews the feeds of the pipeline that are due, behind what was
// asked, in the same round trip.
func (p *reads) renew() {
	if len(p.renewing) == 0 {
		return
	}
	life := []string{p.millis(p.life)}
	for i := range p.renewing {
		p.commands = append(p.commands, p.e.scripts.renew.call(p.b, p.how.whole, p.renewing[i:i+1], life))
	}
}

// renewed notes which feeds were renewed. A server that lacks the script is sent
// its text; whatever else went wrong, the next read tries again.
func (e *Engine) renewed(ctx context.Context, feeds []string, answers []rueidis.RedisResult) {
	t := e.newTexts()
	life := []string{t.millis(t.life)}
	for i, answer := range answers {
		err := answer.Error()
		if isNoScript(err) {
			err = e.front.Do(ctx, e.scripts.renew.call(e.front.B(), true, feeds[i:i+1], life)).Error()
		}
		if err == nil {
			e.renewals.note(feeds[i])
		}
	}
}
