package task

import (
	"context"
	"time"

	"linnet/internal/kv"
)

// watchEvery is how often a server that hands its tasks over looks whether there
// is one that takes them.
const watchEvery = 30 * time.Second

// handOver gives back what is left of a task. It is due at once, and who sweeps its
// shard is told.
func (q *Queue) handOver(ctx context.Context, t *Task) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), handBackTime)
	defer cancel()
	q.release(ctx, t)
}

// watchLoop lets those that sweep know that this server lives, so that they look after
// what it was at work on when it does not. And it warns while no server sweeps: what is
// handed over would wait for ever, and nobody who is served would see why.
func (q *Queue) watchLoop(ctx context.Context) {
	me := newMember(0, q.opt.Name, q.opt.Version).text
	for looked := time.Now(); ctx.Err() == nil; sleep(ctx, beatEvery) {
		_ = q.kv.Apply(ctx, kv.Add{Key: handersKey(), Member: me, Score: q.opt.Now().UnixMilli()}) // the next one comes soon
		if time.Since(looked) < watchEvery {
			continue
		}
		looked = time.Now()
		n, err := q.sweepers(ctx)
		if err == nil && n == 0 {
			q.opt.Log.Warn("no worker is running; start a server with --role worker or all")
		}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = q.kv.Apply(ctx, kv.Remove{Key: handersKey(), Member: me}) // as that of a server that sweeps
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
