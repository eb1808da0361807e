package task

import (
	"context"
	"time"

	"linnet/internal/kv"
)

// watchEvery is how often a server that delegates its tasks checks that another server runs them.
const watchEvery = 30 * time.Second

// delegate releases the rest of a task. It is due at once, and the server that sweeps its shard
// gets a hint.
func (q *Queue) delegate(ctx context.Context, t *Task) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), handBackTime)
	defer cancel()
	q.release(ctx, t)
}

// watchLoop sends heartbeats to servers that sweep, so that they take the tasks of this server if
// it dies. It logs a warning while no server sweeps, because delegated tasks would then wait
// forever.
func (q *Queue) watchLoop(ctx context.Context) {
	me := newMember(0, q.opt.Name, q.opt.Version).text
	for looked := time.Now(); ctx.Err() == nil; sleep(ctx, beatEvery) {
		_ = q.kv.Apply(ctx, kv.Add{Key: handersKey(), Member: me, Score: q.opt.Now().UnixMilli()}) // the next heartbeat follows soon
		if time.Since(looked) < watchEvery {
			continue
		}
		looked = time.Now()
		n, err := q.sweepers(ctx)
		if err == nil && n == 0 {
			q.opt.Log.Warn("no worker is running; start a server with --role worker or --role all")
		}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = q.kv.Apply(ctx, kv.Remove{Key: handersKey(), Member: me}) // like the heartbeat of a server that sweeps
}

// sweepers returns the number of servers with a recent heartbeat.
func (q *Queue) sweepers(ctx context.Context) (int, error) {
	since := kv.Member{Score: q.opt.Now().Add(-serverTimeout).UnixMilli()}
	r := &kv.Range{Key: ServersKey(), Above: &since, Limit: kv.MaxRange}
	if err := q.kv.Read(ctx, r); err != nil {
		return 0, err
	}
	return len(r.Members), nil
}
