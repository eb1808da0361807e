package apptest

import (
	"context"
	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/kv/redistest"
	"testing"
	"time"
)

// OnClockedEngines runs a test with a clock over every engine, with -short only in memory.
func OnClockedEngines(t *testing.T, f func(t *testing.T, clock *Clock, e kv.Engine)) {
	t.Run("memory", func(t *testing.T) {
		clock := &Clock{}
		f(t, clock, memkv.New(memkv.Options{Now: clock.Now}))
	})
	t.Run("disk", func(t *testing.T) {
		SkipShort(t)
		clock := &Clock{}
		f(t, clock, onClock{OpenDisk(t), clock})
	})
	t.Run("redis", func(t *testing.T) {
		SkipShort(t)
		clock := &Clock{}
		f(t, clock, onClock{OpenRedis(t, redistest.Single(t), ""), clock})
	})
}

// onClock is an engine with the clock of a test, which servers follow.
type onClock struct {
	kv.Engine
	clock *Clock
}

func (e onClock) Now(context.Context) (time.Time, error) { return e.clock.Now(), nil }
