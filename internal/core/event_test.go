package core

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
)

// What is emitted aside is sent in its order, although the act goes on, and awaited.
func TestAside(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, await := Aside(t.Context())
		a := ctx.Value(asideKey{}).(*aside)
		first := make(chan struct{})
		var sent []int
		a.emit(func() { <-first; sent = append(sent, 1) })
		a.emit(func() { sent = append(sent, 2) })
		awaited := false
		go func() { await(); awaited = true }()
		if synctest.Wait(); awaited || len(sent) > 0 {
			t.Errorf("%v were sent before the first, awaited: %v", sent, awaited)
		}
		close(first)
		if synctest.Wait(); !awaited || !slices.Equal(sent, []int{1, 2}) {
			t.Errorf("%v were sent, awaited: %v", sent, awaited)
		}
	})
	_, await := Aside(context.Background())
	await() // for nothing
}
