package main

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

type boundedKey struct{}

// TestBounded: whoever waits and whoever looks learns the same of each of the
// three ends.
func TestBounded(t *testing.T) {
	for _, waits := range []bool{true, false} {
		for name, c := range map[string]struct {
			end  func(cancel context.CancelFunc, b *bounded)
			want error
		}{
			"time":     {func(context.CancelFunc, *bounded) { time.Sleep(time.Minute) }, context.DeadlineExceeded},
			"parent":   {func(cancel context.CancelFunc, _ *bounded) { cancel() }, context.Canceled},
			"finished": {func(_ context.CancelFunc, b *bounded) { b.finish() }, context.Canceled},
		} {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					parent, cancel := context.WithCancel(context.WithValue(t.Context(), boundedKey{}, "v"))
					defer cancel()
					b := &bounded{Context: parent, end: time.Now().Add(time.Minute)}
					if waits {
						go func() { <-b.Done() }()
						synctest.Wait()
					}
					if d, ok := b.Deadline(); !ok || !d.Equal(b.end) || b.Err() != nil || b.Value(boundedKey{}) != "v" {
						t.Error("at first", d, ok, b.Err(), b.Value(boundedKey{}))
					}
					c.end(cancel, b)
					synctest.Wait()
					if err := b.Err(); !errors.Is(err, c.want) {
						t.Errorf("Err is %v", err)
					}
					<-b.Done()
					child, stop := context.WithCancel(b)
					defer stop()
					if err := child.Err(); !errors.Is(err, c.want) || !errors.Is(b.Err(), c.want) {
						t.Errorf("a child's is %v, Err then %v", err, b.Err())
					}
					b.finish()
					if err := b.Err(); !errors.Is(err, c.want) {
						t.Errorf("after the request Err is %v", err)
					}
				})
			})
		}
	}
}

// TestBoundedChildren: a child ends with it.
func TestBoundedChildren(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &bounded{Context: t.Context(), end: time.Now().Add(time.Minute)}
		child, stop := context.WithTimeout(b, time.Hour)
		defer stop()
		if d, _ := child.Deadline(); !d.Equal(b.end) {
			t.Error("the child's deadline is", d)
		}
		b.finish()
		<-child.Done()
		if !errors.Is(child.Err(), context.Canceled) {
			t.Error(child.Err())
		}
	})
}
