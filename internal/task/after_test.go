package task_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"linnet/internal/task"
)

// inTwo is a handler that counts down like the others and passes the end of each batch to After.
// That end returns err once.
func (w *world) inTwo(by string, err error) task.Handler {
	count := w.countdown(by)
	return func(ctx context.Context, raw []byte) (any, error) {
		rest, _ := count(ctx, raw)
		return rest, task.After(ctx, func(context.Context) error {
			failed := err
			err = nil
			w.note("%s after", by)
			return failed
		})
	}
}

// TestAfterTheAnswer checks that the deferred end of a batch in a request runs after the response
// and before the rest. In batches of workers it is part of the batch.
func TestAfterTheAnswer(t *testing.T) {
	bubble(t, func(w *world) {
		q, _ := w.server(task.Options{}, map[string]task.Handler{"count": w.inTwo("a", nil)})
		q.Run(context.Background(), w.put(1, "count", steps{"x", 1}))
		w.note("answered")
		time.Sleep(time.Second)
		w.want(w.notes(), "a x 1", "answered", "a after", "a x 0", "a after")
		w.clean()
	})
}

// TestAfterTheAnswerFails checks that a batch whose deferred end fails is repeated completely.
func TestAfterTheAnswerFails(t *testing.T) {
	bubble(t, func(w *world) {
		q, _ := w.server(task.Options{}, map[string]task.Handler{"count": w.inTwo("a", errors.New("not now"))})
		q.Run(context.Background(), w.put(1, "count", steps{"x", 1}))
		time.Sleep(time.Minute)
		w.want(w.notes(), "a x 1", "a after", "a x 1", "a after", "a x 0", "a after")
		w.clean()
	})
}

// TestAfterTheAnswerOfAnotherServer checks that a server that stops or delegates still runs the
// deferred end of a batch.
func TestAfterTheAnswerOfAnotherServer(t *testing.T) {
	bubble(t, func(w *world) {
		q, stop := w.server(task.Options{}, map[string]task.Handler{"count": w.inTwo("a", nil)})
		q.Run(context.Background(), w.put(1, "count", steps{"x", 1}))
		stop() // within the time reserved for the response
		w.want(w.notes(), "a x 1")
		_, stop = w.server(task.Options{}, map[string]task.Handler{"count": w.inTwo("b", nil)})
		time.Sleep(2 * time.Second)
		w.want(w.notes(), "a x 1", "b x 1", "b after", "b x 0", "b after")
		stop()
		w.clean()
	})
	bubble(t, func(w *world) {
		web, _ := w.server(task.Options{Delegate: true}, map[string]task.Handler{"count": w.inTwo("web", nil)})
		w.server(task.Options{}, map[string]task.Handler{"count": w.inTwo("b", nil)})
		time.Sleep(2 * time.Second)
		web.Run(context.Background(), w.put(1, "count", steps{"x", 1}))
		time.Sleep(time.Second)
		synctest.Wait()
		w.want(w.notes(), "web x 1", "web after", "b x 0", "b after")
		w.clean()
	})
}
