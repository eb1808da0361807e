package task

import "context"

// What a pass undoes, because somebody has acted while it was under way, promises
// nothing to the one whose act it belongs to; so that one need not wait for it. Until it
// has been done the pass counts as not made: whatever stops it, the pass is repeated as a
// whole, and the rest, if there is one, does not begin.

type afterKey struct{}

// After leaves the end of a pass that a request makes to a worker, when the request may
// have been answered; f is its context's, not the pass's. In other passes f is called at
// once.
func After(ctx context.Context, f func(context.Context) error) error {
	t, ok := ctx.Value(afterKey{}).(*Task)
	if !ok {
		return f(ctx)
	}
	t.after = append(t.after, f)
	return nil
}

// settle does what a pass in a request has left.
func (q *Queue) settle(ctx context.Context, t *Task, finish func()) {
	after, rest := t.after, t.rest
	t.after, t.rest, t.asked = nil, nil, false
	_, err := q.call(ctx, t, func(ctx context.Context, _ []byte) (any, error) {
		for _, f := range after {
			if err := f(ctx); err != nil {
				return nil, err
			}
		}
		return nil, nil
	})
	q.conclude(ctx, t, rest, err, finish)
}
