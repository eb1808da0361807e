package kvtest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
)

// step is a call of a random sequence: a Txn if txn is set, otherwise an Apply if there are
// changes, otherwise a Read if there are queries. Before the call the clock moves by advance.
type step struct {
	advance time.Duration
	txn     bool
	conds   []kv.Cond
	changes []kv.Op
	queries []kv.Query
}

const stepsPerRound = 60

// againstModel makes the same random calls of the engine and memkv, and compares the results and
// all data after each call. It shortens and prints a sequence that ends with a difference.
func againstModel(e *env) {
	ctx := e.Context() // many rounds can take longer than other subtests
	fails := func(steps []step) bool { return compare(ctx, e.Engine, e.caps.Advance, steps) != "" }
	for seed := range e.caps.Rounds {
		steps := randomSteps(uint64(seed), e.caps.Advance != nil)
		diff := compare(ctx, e.Engine, e.caps.Advance, steps)
		if diff == "" {
			continue
		}
		if short := shrink(steps, fails); fails(short) { // otherwise the difference does not depend on the calls alone
			steps, diff = short, compare(ctx, e.Engine, e.caps.Advance, short)
		}
		e.Fatalf("seed %d, %d of %d steps:\n%s%s", seed, len(steps), stepsPerRound, show(steps), diff)
	}
}

// compare runs steps on the engine, whose clock is moved by advance, and on a new model. It returns
// the first difference, or "".
func compare(ctx context.Context, e kv.Engine, advance func(time.Duration), steps []step) string {
	clock := NewClock()
	model := memkv.New(memkv.Options{Now: clock.Now})
	defer model.Close()
	var clear []kv.Op
	for _, q := range everything() {
		clear = append(clear, kv.Delete{Key: kv.KeyOf(q)})
	}
	if err := e.Apply(ctx, clear...); err != nil {
		return fmt.Sprintf("deleting all keys: %v", err)
	}
	for i, s := range steps {
		if s.advance > 0 {
			clock.Advance(s.advance)
			advance(s.advance)
		}
		want := s.run(ctx, model)
		got := s.run(ctx, e)
		if got != want && !s.otherCondition(ctx, model, got) {
			return fmt.Sprintf("step %d answers\n     %s\nwant %s", i, got, want)
		}
		all := step{queries: everything()}
		if got, want := all.run(ctx, e), all.run(ctx, model); got != want {
			return fmt.Sprintf("after step %d there is\n     %s\nwant %s", i, got, want)
		}
	}
	return ""
}

// run makes the call and returns its result as text.
func (s step) run(ctx context.Context, e kv.Engine) string {
	switch {
	case s.txn:
		failed, err := e.Txn(ctx, s.conds, s.changes...)
		return fmt.Sprintf("%d, error %v", failed, err)
	case len(s.changes) > 0:
		return fmt.Sprintf("error %v", e.Apply(ctx, s.changes...))
	}
	if err := e.Read(ctx, s.queries...); err != nil {
		return fmt.Sprintf("error %v", err)
	}
	return answers(s.queries)
}

// otherCondition reports whether got contains another failed condition than the model's result. The
// model has not made the transaction, so it still has the earlier state.
func (s step) otherCondition(ctx context.Context, model kv.Engine, got string) bool {
	for i := range s.conds {
		one := step{txn: true, conds: s.conds[i : i+1], changes: s.changes}
		if got == fmt.Sprintf("%d, error <nil>", i) {
			return one.run(ctx, model) == "0, error <nil>"
		}
	}
	return false
}

// shrink returns a minimal part of steps that still fails. It removes sequences of steps, then
// single steps, then parts of steps.
func shrink(steps []step, fails func([]step) bool) []step {
	for size := len(steps) / 2; size > 0; size /= 2 {
		for i := 0; i+size <= len(steps); {
			if less := without(steps, i, size); fails(less) {
				steps = less
			} else {
				i += size
			}
		}
	}
	for i := range steps {
		s := &steps[i]
		shrinkPart(&s.changes, func() bool { return len(s.changes) > 0 && fails(steps) })
		shrinkPart(&s.conds, func() bool { return fails(steps) })
		shrinkPart(&s.queries, func() bool { return len(s.queries) > 0 && fails(steps) })
	}
	return steps
}

// shrinkPart removes the elements of *part that are not needed to fail.
func shrinkPart[T any](part *[]T, fails func() bool) {
	for i := len(*part) - 1; i >= 0; i-- {
		whole := *part
		if *part = without(whole, i, 1); !fails() {
			*part = whole
		}
	}
}

func without[T any](s []T, i, n int) []T {
	return append(append([]T{}, s[:i]...), s[i+n:]...)
}

// show returns the steps in Go syntax.
func show(steps []step) string {
	var b strings.Builder
	for i, s := range steps {
		fmt.Fprintf(&b, "%d:", i)
		if s.advance > 0 {
			fmt.Fprintf(&b, " advance %v;", s.advance)
		}
		switch {
		case s.txn:
			fmt.Fprintf(&b, " Txn if %d conditions", len(s.conds))
		case len(s.changes) > 0:
			b.WriteString(" Apply")
		default:
			b.WriteString(" Read")
		}
		b.WriteByte('\n')
		for _, c := range s.conds {
			fmt.Fprintf(&b, "\tif %#v\n", c)
		}
		for _, c := range s.changes {
			fmt.Fprintf(&b, "\t%#v\n", c)
		}
		for _, q := range s.queries {
			fmt.Fprintf(&b, "\t%s\n", showQuery(q))
		}
	}
	return b.String()
}

// showQuery returns a query in Go syntax, with the values of its bounds.
func showQuery(q kv.Query) string {
	r, ok := q.(*kv.Range)
	if !ok {
		return brief(q)
	}
	bound := func(m *kv.Member) string {
		if m == nil {
			return "nil"
		}
		return fmt.Sprintf("&%#v", *m)
	}
	return fmt.Sprintf("&kv.Range{Key: %#v, Above: %s, Below: %s, Desc: %v, Limit: %d}",
		r.Key, bound(r.Above), bound(r.Below), r.Desc, r.Limit)
}

func randomSteps(seed uint64, clock bool) []step {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0)), clock: clock}
	steps := make([]step, stepsPerRound)
	for i := range steps {
		steps[i] = g.step()
	}
	return steps
}
