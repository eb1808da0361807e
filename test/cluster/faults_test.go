package cluster_test

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"linnet/tools/seed"
)

const followers = 3000

// fanOut is the fan-out of a status to many followers, with a sample of them.
type fanOut struct {
	status  string
	readers []*client
	began   time.Time
}

// killedAfterPost posts as a user with 3,000 followers at the server that only runs first batches,
// and kills it right after its response.
func killedAfterPost(w *world) *fanOut {
	var lines strings.Builder
	for i := range followers {
		fmt.Fprintf(&lines, "%d\t0\n", i+1)
	}
	file := filepath.Join(w.TempDir(), "follows")
	if err := os.WriteFile(file, []byte(lines.String()), 0o600); err != nil {
		w.Fatal(err)
	}
	fill(w.T, w.redis.URL(), seed.Options{Follows: file, Prefix: "fan", Password: password})
	f, author := &fanOut{}, w.client()
	author.logIn(w, "fan0")
	for i := range 8 {
		c := w.client()
		c.logIn(w, "fan"+strconv.Itoa(1+i*followers/8))
		c.do(w, http.MethodGet, "/api/v1/timelines/home", nil) // makes the feed warm
		f.readers = append(f.readers, c)
	}
	f.began = time.Now()
	f.status = author.at(serverB).post(w, "to all of you")
	w.servers[serverB].kill()
	w.servers[serverB].start()
	return f
}

// check waits until the sample has the status. If the server was killed before it released the
// task, its lease takes up to 30 s.
func (f *fanOut) check(w *world) {
	until(w, max(time.Until(f.began.Add(50*time.Second)), time.Second), "all followers have the status", func() bool {
		for _, c := range f.readers {
			if !c.sees(w, f.status) {
				time.Sleep(500 * time.Millisecond) // a token has a limit of 300 calls
				return false
			}
		}
		return true
	})
}

// stopUnderLoad stops and restarts A while users make requests.
func stopUnderLoad(w *world) {
	const people = 6
	var clients []*client
	for i := range people {
		clients = append(clients, w.person("busy"+strconv.Itoa(i)))
	}
	var load sync.WaitGroup
	stop := make(chan struct{})
	var served [people]atomic.Int64
	for i, c := range clients {
		load.Go(func() { c.busy(w, stop, &served[i]) })
	}
	each := func(what string, n int64) { // waits until each user has made n more requests
		var from [people]int64
		for i := range served {
			from[i] = served[i].Load()
		}
		until(w, 20*time.Second, what, func() bool {
			for i := range served {
				if served[i].Load() < min(from[i]+n, busyPosts) {
					return false
				}
			}
			return true
		})
	}
	each("both servers serve", 5)
	w.servers[serverA].terminate()
	each("the other one serves alone", 3)
	w.servers[serverA].start()
	each("both serve again", 5)
	close(stop)
	load.Wait()
	var acked [people]int64
	for i, c := range clients {
		acked[i] = served[i].Load()
		if got := c.do(w, http.MethodGet, "/api/v1/accounts/verify_credentials", nil).get("statuses_count"); got != strconv.FormatInt(acked[i], 10) {
			w.Errorf("client %d has %s statuses, but %d posts were acknowledged", i, got, acked[i])
		}
	}
	w.Logf("posts acknowledged %v; %d connections were refused and tried elsewhere", acked, w.proxy.retried.Load())
}

// busyPosts is the number of posts of a busy user, below the hourly limit of a new account.
const busyPosts = 38

// busy posts and reads in turns until stop is closed, at most busyPosts times, and counts the
// acknowledged posts. No request can fail.
func (c *client) busy(w *world, stop <-chan struct{}, posted *atomic.Int64) {
	for range busyPosts {
		select {
		case <-stop:
			return
		case <-time.After(100 * time.Millisecond):
		}
		a, err := c.try(http.MethodPost, "/api/v1/statuses", url.Values{"status": {"number " + strconv.FormatInt(posted.Load(), 10)}})
		if err != nil || a.code != http.StatusOK {
			w.Errorf("a post was lost: %d %s, %v", a.code, a.body, err)
			return
		}
		posted.Add(1)
		if a, err = c.try(http.MethodGet, "/api/v1/timelines/home", nil); err != nil || a.code != http.StatusOK {
			w.Errorf("a page was lost: %d %s, %v", a.code, a.body, err)
			return
		}
	}
}
