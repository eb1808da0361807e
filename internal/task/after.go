package task

import "context"

// A batch in a request may also have to undo the results of other, concurrent actions. The request
// need not wait for that. Until it is done, the batch counts as incomplete: after any error the
// whole batch is repeated, and the rest of the task does not begin.

type afterKey struct{}

// After defers f, the end of a batch that runs in a request, to a worker after the response. The
// context of f is independent of the request. In batches of workers it calls f at once.
func After(ctx context.Context, f func(context.Context) error) error {
	t, ok := ctx.Value(afterKey{}).(*Task)
	if !ok {
		return f(ctx)
	}
	t.after = append(t.after, f)
	return nil
}
