package task_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"linnet/internal/task"
)

// inTwo is a handler that counts down as others do and leaves the end of each pass to
// after; err is what that answers, once.
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

// What the pass of a request leaves is done when the request has its answer, before the
// rest; in the passes of workers it is part of the pass.
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

// A pass of which the end fails has not been made: it is repeated as a whole.
func TestAfterTheAnswerFails(t *testing.T) {
	bubble(t, func(w *world) {
		q, _ := w.server(task.Options{}, map[string]task.Handler{"count": w.inTwo("a", errors.New("not now"))})
		q.Run(context.Background(), w.put(1, "count", steps{"x", 1}))
		time.Sleep(time.Minute)
		w.want(w.notes(), "a x 1", "a after", "a x 1", "a after", "a x 0", "a after")
		w.clean()
	})
}

// A server that stops, or only hands over, leaves no pass without its end.
func TestAfterTheAnswerOfAnotherServer(t *testing.T) {
	bubble(t, func(w *world) {
		q, stop := w.server(task.Options{}, map[string]task.Handler{"count": w.inTwo("a", nil)})
		q.Run(context.Background(), w.put(1, "count", steps{"x", 1}))
		stop() // within the moment that is left to the answer
		w.want(w.notes(), "a x 1")
		_, stop = w.server(task.Options{}, map[string]task.Handler{"count": w.inTwo("b", nil)})
		time.Sleep(2 * time.Second)
		w.want(w.notes(), "a x 1", "b x 1", "b after", "b x 0", "b after")
		stop()
		w.clean()
	})
	bubble(t, func(w *world) {
		web, _ := w.server(task.Options{HandOver: true}, map[string]task.Handler{"count": w.inTwo("web", nil)})
		w.server(task.Options{}, map[string]task.Handler{"count": w.inTwo("b", nil)})
		time.Sleep(2 * time.Second)
		web.Run(context.Background(), w.put(1, "count", steps{"x", 1}))
		time.Sleep(time.Second)
		synctest.Wait()
		w.want(w.notes(), "web x 1", "web after", "b x 0", "b after")
		w.clean()
	})
}
