package torture

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Fault breaks something while clients act. Strike returns when everything runs again and the
// server should work, or an error if that fails.
type Fault struct {
	Name   string
	Strike func(ctx context.Context, r *Round) error
}

// Faults returns the built-in faults for a store.
func Faults(store string) []Fault {
	list := []Fault{
		{"server killed in mid fan-out", killServer},
		{"server stopped under load", stopServer},
	}
	if store == "redis" {
		list = append(list, Fault{"Redis killed", killRedis})
	}
	return list
}

// StarPosts makes the author with all the followers post.
func (r *Round) StarPosts(ctx context.Context) { r.run.star.publish(ctx, r) }

// Chance returns a random number from 0 to n-1.
func (r *Round) Chance(n int) int { return r.rng.IntN(n) }

// Await waits until a server that was not restarted is ready, and measures the time.
func (r *Round) Await(ctx context.Context) error {
	began := time.Now()
	if err := r.run.server.await(ctx, startTime, ready(r.run.base)); err != nil {
		return err
	}
	r.served(began)
	return nil
}

// killServer kills the server up to half a second after a post by the author with all the followers
// was acknowledged, and starts it again.
func killServer(ctx context.Context, r *Round) error {
	r.StarPosts(ctx)
	time.Sleep(time.Duration(r.rng.IntN(500)) * time.Millisecond)
	r.run.server.kill()
	return r.startServer(ctx)
}

// startServer starts the server and measures the time until it is ready.
func (r *Round) startServer(ctx context.Context) error {
	if err := r.run.server.start(); err != nil {
		return err
	}
	return r.Await(ctx)
}

func (r *Round) served(began time.Time) {
	r.Serving = time.Since(began)
	if r.Serving > servingTime {
		r.problem("the server took %v to serve again", r.Serving)
	}
}

// stopServer stops the server while clients act until their connections are refused. Each accepted
// request must be answered before its connection closes.
func stopServer(ctx context.Context, r *Round) error {
	broken, failed := r.c.broken.Load(), r.c.failed.Load()
	if err := r.run.server.terminate(time.Minute); err != nil {
		r.problem("the server exited: %v", err)
	}
	if err := r.startServer(ctx); err != nil { // by now all requests are answered or failed
		return err
	}
	r.c.mu.Lock()
	sample := r.c.sample
	r.c.mu.Unlock()
	if n := r.c.broken.Load() - broken; n > 0 {
		r.problem("%d requests got no response; the last: %s", n, sample)
	}
	if n := r.c.failed.Load() - failed; n > 0 {
		r.problem("%d requests failed; the last: %s", n, sample)
	}
	return nil
}

// killRedis kills the Redis of a running server. A Redis that syncs every second also loses its last
// writes, as on a busy disk, where they may not have left its memory.
func killRedis(ctx context.Context, r *Round) error {
	r.run.redis.kill()
	if r.run.opt.Sync == "everysec" {
		if err := r.cutAOF(); err != nil {
			return err
		}
	}
	o := r.c.beginOutage()
	time.Sleep(r.run.opt.Outage)
	o.end()
	if err := r.run.startRedis(ctx); err != nil {
		return err
	}
	o.judge(r)
	return r.Await(ctx)
}

// mostCut limits the bytes that cutAOF removes: about 100 acts.
const mostCut = 256 << 10

// cutAOF removes up to mostCut bytes from the end of the append-only file of the Redis.
func (r *Round) cutAOF() error {
	files, err := filepath.Glob(filepath.Join(r.run.opt.Dir, "appendonlydir", "*.incr.aof"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no append-only file in %s: %w", r.run.opt.Dir, err)
	}
	aof := files[len(files)-1]
	info, err := os.Stat(aof)
	if err != nil {
		return err
	}
	return os.Truncate(aof, max(0, info.Size()-r.rng.Int64N(mostCut)))
}

// round makes a new cast act, strikes, and checks the result.
func (r *run) round(ctx context.Context, n int) (*Round, error) {
	fault := r.opt.Faults[n%len(r.opt.Faults)]
	round := &Round{Number: n, Fault: fault.Name, run: r, c: r.c, seed: r.opt.Seed,
		rng: rand.New(rand.NewPCG(r.opt.Seed, uint64(n)+2)), board: board{ids: map[string]bool{}}}
	from := n * r.opt.Cast
	for i := range r.opt.Cast {
		m := *r.crowd[from+i] // a copy, with its own ledger
		m.n, m.ledger = i, *newLedger()
		round.cast = append(round.cast, &m)
	}
	if err := each(r.sample(round.rng), 16, func(m *member) error { return m.look(ctx, round) }); err != nil {
		return round, err
	}
	if err := round.prepare(ctx); err != nil {
		return round, err
	}
	if err := round.storm(ctx, fault); err != nil {
		return round, err
	}
	r.c.mu.Lock()
	r.c.watch = nil
	r.c.mu.Unlock()
	for _, step := range []func(context.Context) error{round.repeat, round.drain, round.verify} {
		if err := step(ctx); err != nil {
			return round, err
		}
	}
	return round, ctx.Err()
}

// mostActs limits the acts of a client per round, so that its timelines can be read to their end.
const mostActs = 400

// storm makes the cast act and strikes meanwhile.
func (r *Round) storm(ctx context.Context, f Fault) error {
	var acting sync.WaitGroup
	for _, m := range r.cast {
		acting.Go(func() { m.live(ctx, r, mostActs) })
	}
	r.StarPosts(ctx)
	time.Sleep(r.run.opt.Load)
	err := f.Strike(ctx, r)
	time.Sleep(r.run.opt.Load / 2)
	if err == nil {
		r.StarPosts(ctx)
	}
	r.over.Store(true)
	acting.Wait()
	if err != nil {
		return fmt.Errorf("inject the fault: %w", err)
	}
	return nil
}
