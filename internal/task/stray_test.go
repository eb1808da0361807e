package task_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/faultkv"
	"linnet/internal/task"
)

// TestStray checks that a task whose action lost its response runs within seconds, and not only
// after its lease, on servers of each kind. A task of a refused action does not run.
func TestStray(t *testing.T) {
	for name, opt := range map[string]task.Options{"shared": {}, "alone": {Exclusive: true}} {
		t.Run(name, func(t *testing.T) {
			bubbles(t, func(w *world) {
				q, _ := w.server(opt, map[string]task.Handler{"count": w.countdown("a")})
				time.Sleep(2 * time.Second)
				lost, err := q.New(7, "count", steps{"lost", 0})
				if err != nil {
					t.Fatal(err)
				}
				w.engine.Reset()
				w.engine.FailAt(1, faultkv.After)
				if _, err := w.engine.Txn(t.Context(), nil, lost.Ops()...); !errors.Is(err, kv.ErrUnknown) {
					t.Fatalf("the write ends with %v", err)
				}
				refused, err := q.New(8, "count", steps{"refused", 0})
				if err != nil {
					t.Fatal(err)
				}
				run, err := q.New(9, "count", steps{"run", 0})
				if err != nil {
					t.Fatal(err)
				}
				w.txn(run.Ops()...)
				q.Start(run)
				time.Sleep(6 * time.Second)
				if got := strings.Join(w.notes(), ", "); got != "a run 0, a lost 0" {
					t.Errorf("done after 6 s: %s", got)
				}
				w.txn(refused.Ops()...) // it arrives even later, as from a suspended server
				time.Sleep(task.Lease + 2*time.Minute)
				if got := strings.Join(w.notes(), ", "); got != "a run 0, a lost 0, a refused 0" {
					t.Errorf("done at the end: %s", got)
				}
				w.clean()
			})
		})
	}
}
