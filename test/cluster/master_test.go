package cluster_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// poster posts one status after another, and repeats each until it is acknowledged.
type poster struct {
	*client
	every  time.Duration // between two requests
	acked  []string      // ids of acknowledged statuses
	last   atomic.Int64  // time of the last acknowledgement, in Unix milliseconds
	refuse int           // responses other than 200
}

// killMaster kills the master of a user's records. Its replica takes over, but acknowledges nothing
// until it has a replica, which is the restarted server.
func killMaster(w *world) {
	posters := make([]*poster, 4)
	for i := range posters {
		posters[i] = &poster{client: w.person("poster" + strconv.Itoa(i)), every: 100 * time.Millisecond}
	}
	var load sync.WaitGroup
	stop := make(chan struct{})
	for _, p := range posters {
		load.Go(func() { p.run(w, stop) })
	}
	w.awaitPosts(posters)
	killed := time.Now()
	w.failOver(posters[0].id(w))
	back := w.awaitPosts(posters)
	w.Logf("all posters are served again after %v", back.Sub(killed).Round(10*time.Millisecond))
	if back.Sub(killed) > 15*time.Second {
		w.Error("that is more than 15 s")
	}
	close(stop)
	load.Wait()
	for i, p := range posters {
		p.verify(w, i)
	}
}

// failOver kills the master of a user's records and restarts it after another has taken over.
// Earlier it would return as an empty master.
func (w *world) failOver(user string) {
	w.Helper()
	id, err := strconv.ParseUint(user, 10, 64)
	if err != nil {
		w.Fatal(err)
	}
	shard := strconv.FormatUint(id>>6&1023, 10)
	slot, err := strconv.Atoi(strings.TrimPrefix(w.redis.Masters[0].Do("CLUSTER", "KEYSLOT", "{"+shard+"}"), ":"))
	if err != nil {
		w.Fatal(err)
	}
	i := slot * len(w.redis.Masters) / 16384
	w.redis.Masters[i].Kill()
	until(w, soon, "the replica has taken over", func() bool {
		return w.redis.Replicas[i].IsMaster()
	})
	w.redis.Masters[i].Restart()
}

// awaitPosts waits until each poster has a status acknowledged after now, and returns the time of
// the last one.
func (w *world) awaitPosts(posters []*poster) (last time.Time) {
	w.Helper()
	since := time.Now().UnixMilli()
	for _, p := range posters {
		until(w, soon, "a status is acknowledged", func() bool { return p.last.Load() > since })
		if at := time.UnixMilli(p.last.Load()); at.After(last) {
			last = at
		}
	}
	return last
}

func (p *poster) run(w *world, stop <-chan struct{}) {
	for n := 0; ; n++ {
		select {
		case <-stop:
			return
		default:
		}
		key := "status " + strconv.Itoa(n)
		for {
			time.Sleep(p.every)
			a, err := p.try(http.MethodPost, "/api/v1/statuses", url.Values{"status": {key}}, "Idempotency-Key", key)
			if err == nil && a.code == http.StatusOK {
				p.acked = append(p.acked, a.get("id"))
				p.last.Store(time.Now().UnixMilli())
				break
			}
			if p.refuse++; err != nil || a.code < 409 || a.code == http.StatusInternalServerError {
				w.Errorf("a post was answered with %d %s, %v", a.code, a.body, err)
				return
			}
		}
	}
}

// verify checks that each acknowledged status exists exactly once.
func (p *poster) verify(w *world, i int) {
	w.Helper()
	w.Logf("poster %d: %d acknowledged, %d other answers", i, len(p.acked), p.refuse)
	reader := w.client()
	seen := map[string]bool{}
	for _, id := range p.acked {
		if seen[id] {
			w.Errorf("poster %d: two keys gave status %s", i, id)
		}
		seen[id] = true
		if a, err := reader.try(http.MethodGet, "/api/v1/statuses/"+id, nil); err != nil || a.code != http.StatusOK {
			w.Errorf("poster %d: status %s was acknowledged, but now: %d, %v", i, id, a.code, err)
		}
	}
	until(w, soon, "each status is counted once", func() bool {
		return p.do(w, http.MethodGet, "/api/v1/accounts/verify_credentials", nil).get("statuses_count") == strconv.Itoa(len(p.acked))
	})
}
