package task

import "context"

// List is the function List on the store of the queue.
func (q *Queue) List(ctx context.Context, dead bool, limit int) ([]Listed, error) {
	return List(ctx, q.kv, dead, limit)
}

// CountDead is the function CountDead on the store of the queue.
func (q *Queue) CountDead(ctx context.Context) (int, error) { return CountDead(ctx, q.kv) }

// StillDead is the function StillDead on the store of the queue.
func (q *Queue) StillDead(ctx context.Context, tasks []Listed) ([]Listed, error) {
	return StillDead(ctx, q.kv, tasks)
}

// Retry is the function Retry on the store of the queue, as of now.
func (q *Queue) Retry(ctx context.Context, t Listed) (bool, error) {
	return Retry(ctx, q.kv, t.Shard, t.ID, q.opt.Now())
}

// Drop is the function Drop on the store of the queue.
func (q *Queue) Drop(ctx context.Context, t Listed) (bool, error) {
	return Drop(ctx, q.kv, t.Shard, t.ID)
}
