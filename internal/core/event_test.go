package core

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
)

// Events are sent in order while the action continues, and wait returns after the last one.
func TestAsyncEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, wait := AsyncEvents(t.Context())
		q := ctx.Value(asyncKey{}).(*asyncEvents)
		first := make(chan struct{})
		var sent []int
		q.send(func() { <-first; sent = append(sent, 1) })
		q.send(func() { sent = append(sent, 2) })
		waited := false
		go func() { wait(); waited = true }()
		if synctest.Wait(); waited || len(sent) > 0 {
			t.Errorf("%v were sent before the first, waited: %v", sent, waited)
		}
		close(first)
		if synctest.Wait(); !waited || !slices.Equal(sent, []int{1, 2}) {
			t.Errorf("%v were sent, waited: %v", sent, waited)
		}
	})
	_, wait := AsyncEvents(context.Background())
	wait() // for nothing
}
