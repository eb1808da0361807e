package event_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"linnet/internal/event"
	"linnet/internal/linnet"
)

func TestEmit(t *testing.T) {
	first, second := errors.New("first"), errors.New("second")
	for _, tc := range []struct {
		name string
		errs []error // one handler for each
	}{
		{"no handlers", nil},
		{"two handlers", []error{nil, nil}},
		{"the first fails", []error{first, nil}},
		{"the last fails", []error{nil, second}},
		{"both fail", []error{first, second}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var facts event.Facts
			var called []int
			for i, err := range tc.errs {
				facts.FirstVote.Add(func(_ context.Context, f event.FirstVote) error {
					if f != (event.FirstVote{Status: 1, By: 2}) {
						t.Errorf("handler %d received %+v", i, f)
					}
					called = append(called, i)
					return err
				})
			}
			err := facts.FirstVote.Emit(t.Context(), event.FirstVote{Status: 1, By: 2})
			for i, want := range tc.errs {
				if want != nil && !errors.Is(err, want) {
					t.Errorf("handler %d: %v is missing in %v", i, want, err)
				}
			}
			if failed := slices.ContainsFunc(tc.errs, func(err error) bool { return err != nil }); (err != nil) != failed {
				t.Errorf("error %v", err)
			}
			if len(called) != len(tc.errs) || !slices.IsSorted(called) {
				t.Errorf("handlers were called in the order %v", called)
			}
		})
	}
}

// A fact costs no allocation, because every favourite and post emits some.
func TestEmitDoesNotAllocate(t *testing.T) {
	var facts event.Facts
	var seen int64
	facts.VotesChanged.Add(func(_ context.Context, f event.VotesChanged) error { seen += f.Votes.Replies; return nil })
	ctx, st := t.Context(), &linnet.Status{}
	n := testing.AllocsPerRun(100, func() {
		if err := facts.VotesChanged.Emit(ctx, event.VotesChanged{Status: st, Votes: linnet.Votes{Replies: 1}}); err != nil {
			t.Fatal(err)
		}
	})
	if n != 0 || seen == 0 {
		t.Errorf("%v allocations, %d seen", n, seen)
	}
}
