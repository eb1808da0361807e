package store_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"linnet/internal/audit"
	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/task"
)

// taskOf is the task of a write.
type taskOf = task.Task

// stage is a store in memory with a clock that the test moves, and two users.
type stage struct {
	*testing.T
	*store.Store
	ctx      context.Context
	engine   kv.Engine
	clock    *hands
	ann, bob linnet.ID
}

// nobody is an unused id in ann's shard.
const nobody = linnet.ID(5 << 6)

func newStage(t *testing.T) *stage {
	t.Helper()
	clock := newHands()
	e := memkv.New(memkv.Options{Now: clock.Now})
	t.Cleanup(func() { e.Close() })
	s := &stage{T: t, Store: store.New(e, store.Options{Now: clock.Now}), ctx: t.Context(), engine: e, clock: clock}
	s.ann, s.bob = newUser(t, s.Store, "ann"), newUser(t, s.Store, "bob")
	return s
}

// task returns a task for a write.
func (s *stage) task(id linnet.ID) (task.Task, error) { return task.New(id.Shard(), "x", id, s.Now()) }

func (s *stage) taskOf(id linnet.ID) task.Task { return must(s.task(id))(s.T) }

func (s *stage) keys() (all []kv.Key) {
	s.Helper()
	for cursor := ""; ; {
		keys, next, err := s.engine.Keys(s.ctx, cursor)
		if err != nil {
			s.Fatal(err)
		}
		if all = append(all, keys...); next == "" {
			return all
		}
		cursor = next
	}
}

// dump returns all records of the store, one per line.
func (s *stage) dump() string {
	s.Helper()
	var lines []string
	for _, key := range s.keys() {
		in, there, err := audit.Inspect(s.ctx, s.engine, s.Now(), key, kv.MaxRange)
		if err != nil {
			s.Fatal(err)
		}
		if there {
			lines = append(lines, string(must(json.Marshal(in))(s.T)))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// sound fails if the audit finds contradictory records: counters of sets, sides of relations,
// missing or wrong list entries. It ignores the pending work of tasks.
func (s *stage) sound(after string) {
	s.Helper()
	found, err := audit.New(s.engine, s.Now, func(st *linnet.Status) (bool, []string) { return st.Visibility == linnet.Public, st.Tags }).Keys(s.ctx, s.keys())
	if err != nil {
		s.Fatal(err)
	}
	for _, f := range found.Findings {
		if len(f.Waits) > 0 {
			continue
		}
		s.Errorf("after %s: %+v", after, f)
	}
}

// step is a call of the store with its expected result.
type step struct {
	says  string
	call  func() (any, error)
	want  any   // its result as printed
	err   error // its error
	keeps bool  // all records stay the same: a refusal, a repetition or a read
}

// try performs steps in sequence.
func (s *stage) try(steps []step) {
	s.Helper()
	for _, st := range steps {
		before := s.dump()
		got, err := st.call()
		if !errors.Is(err, st.err) || st.err == nil && fmt.Sprint(got) != fmt.Sprint(st.want) {
			s.Errorf("%s: %v, %v; want %v, %v", st.says, got, err, st.want, st.err)
		}
		if after := s.dump(); (after == before) != st.keeps {
			s.Errorf("%s: the records are\n%s\nbefore\n%s", st.says, after, before)
		}
		s.sound(st.says)
		s.clock.turn(time.Millisecond)
	}
}

// answers and does convert methods to calls of steps.
func answers[T any](f func() (T, error)) func() (any, error) {
	return func() (any, error) { return f() }
}

func does(f func() error) func() (any, error) { return func() (any, error) { return "", f() } }
