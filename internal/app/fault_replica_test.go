package app_test

import (
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// aloneRepeats is the number of times that an action is repeated while no replica receives writes.
const aloneRepeats = 3

// TestNoReplicaHears checks that an acknowledged action survives the loss of the master although no
// replica received earlier writes. It must not rely on reads that are lost with the master.
// Repeated on the new master, each action is done once.
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

// noReplicaFrom disconnects the replicas before a write of an action. It returns false if the
// action has fewer writes.
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
		fresh.World = apptest.Idle(t, s.engine, store.Options{})
		if err := act.do(&fresh); err != nil {
			t.Errorf("no replica from write %d on, and then another master: %v", from, err)
		}
		s.ahead.Store(int64(10 * time.Minute)) // the first attempt has timed out
	}
	fresh.World = apptest.Serve(t, s.engine, store.Options{})
	if diff := act.want(&fresh); diff != "" {
		t.Errorf("no replica from write %d on, acknowledged %v: %s", from, said, diff)
	}
	fresh.Check()
	return !t.Failed()
}

// alone performs the action like a client, which knows only the response.
func (a faultyAct) alone(s *stage) error {
	if a.once != nil {
		return a.once(s)
	}
	return a.do(s)
}

// replica returns the state of a replica that is disconnected now.
func (s *stage) replica() kv.Engine { return s.memory.Clone() }
