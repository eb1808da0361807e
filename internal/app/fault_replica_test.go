package app_test

import (
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// aloneRepeats is how often an act is sent again while no replica hears of it.
const aloneRepeats = 3

// While no replica gets what is written, an act that answers yes has to survive the
// loss of the master all the same: it may not settle an outcome by reading what is
// lost with that, nor find itself done already, nor rest on what somebody else has
// just written. Sent again to the replica that has taken over, each act is there once.
func TestNoReplicaHears(t *testing.T) {
	for name, act := range allFaultyActs() {
		t.Run(name, func(t *testing.T) {
			for from := 1; noReplicaFrom(t, act, from); from++ {
				if from == 2 && testing.Short() {
					return
				}
			}
		})
	}
}

// noReplicaFrom cuts the replicas off before a write of an act. It reports false if
// the act has fewer writes.
func noReplicaFrom(t *testing.T, act faultyAct, from int) bool {
	t.Helper()
	s := newStage(t)
	s.engine.Reset()
	s.engine.Alone(from, s.replica)
	said := false
	for try := range 1 + aloneRepeats {
		err := act.alone(s)
		if try == 0 && s.engine.Stats().Writes() < from {
			return false
		}
		if k := linnet.KindOf(err); err != nil && k != linnet.Unavailable && k != linnet.Conflict {
			t.Errorf("no replica from write %d on, try %d: %v", from, try, err)
			return false
		}
		if said = err == nil; said {
			break
		}
	}
	s.engine.FailOver()
	fresh := *s
	if !said {
		fresh.world = idleWorld(t, s.engine, store.Options{})
		if err := act.do(&fresh); err != nil {
			t.Errorf("no replica from write %d on, and then another master: %v", from, err)
		}
		s.ahead.Store(int64(10 * time.Minute)) // when nobody waits for the first attempt any more
	}
	fresh.world = serve(t, s.engine, store.Options{})
	if diff := act.want(&fresh); diff != "" {
		t.Errorf("no replica from write %d on, acknowledged %v: %s", from, said, diff)
	}
	fresh.check()
	return !t.Failed()
}

// alone does the act as a client does that sees no more than the answer.
func (a faultyAct) alone(s *stage) error {
	if a.once != nil {
		return a.once(s)
	}
	return a.do(s)
}

// replica is what a replica of the stage's engine has that is cut off now.
func (s *stage) replica() kv.Engine { return s.memory.Clone() }
