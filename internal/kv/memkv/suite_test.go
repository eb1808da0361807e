package memkv_test

import (
	"testing"

	"linnet/internal/kv"
	"linnet/internal/kv/kvtest"
	"linnet/internal/kv/memkv"
)

func TestSuite(t *testing.T) {
	clock := kvtest.NewClock()
	open := func(t *testing.T) kv.Engine {
		e := memkv.New(memkv.Options{Now: clock.Now})
		t.Cleanup(func() { e.Close() })
		return e
	}
	kvtest.Run(t, open, kvtest.Caps{Advance: clock.Advance})
}

// TestSuiteInRealTime runs the suite like for engines without a movable clock.
func TestSuiteInRealTime(t *testing.T) {
	if testing.Short() {
		t.Skip("waits in real time")
	}
	open := func(t *testing.T) kv.Engine {
		e := memkv.New(memkv.Options{})
		t.Cleanup(func() { e.Close() })
		return e
	}
	kvtest.Run(t, open, kvtest.Caps{})
}
