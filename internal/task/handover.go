package task

import (
	"context"
	"time"

	"linnet/internal/kv"
)

// watchEvery is how often a server that hands its tasks over looks whether there
// is one that takes them.
const watchEvery = 30 * time.Second

// handOver gives back what is left of a task. It is due at once, so that the
// next sweep of its shard takes it.
func (q *Queue) handOver(ctx context.Context, t *Task) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), handBackTime)
	defer cancel()
	q.release(ctx, t)
}

// watchLoop warns while no server sweeps: what is handed over would wait for
// ever, and nobody who is served would see why.
func (q *Queue) watchLoop(ctx context.Context) {
	for {
		sleep(ctx, watchEvery)
		if ctx.Err() != nil {
			return
		}
		n, err := q.sweepers(ctx)
		if err == nil && n == 0 {
			q.opt.Log.Warn("no server does what this one leaves to others; start one whose role is worker or all")
		}
	}
}

// sweepers is the number of servers that have given a sign of life.
func (q *Queue) sweepers(ctx context.Context) (int, error) {
	since := kv.Member{Score: q.opt.Now().Add(-serverGone).UnixMilli()}
	r := &kv.Range{Key: ServersKey(), Above: &since, Limit: kv.MaxRange}
	if err := q.kv.Read(ctx, r); err != nil {
		return 0, err
	}
	return len(r.Members), nil
}
