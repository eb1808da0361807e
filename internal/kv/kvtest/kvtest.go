// Package kvtest is the test suite that every engine of package kv passes. Named subtests check the
// contract for each shape. Tests of a single engine cover only its files, connections and failures.
//
// It knows the port and the model engine memkv, and no other engine. Caps declares all permitted
// differences between engines.
package kvtest

import (
	"context"
	"testing"
	"time"

	"linnet/internal/kv"
)

// Open returns an engine over an empty store and closes it with t.Cleanup. The
// suite may close it earlier, so that Close is called twice. Subtests run one
// after the other, so engines may share a server that is emptied each time.
type Open func(t *testing.T) kv.Engine

// Caps declares the properties of an engine that the suite cannot determine itself.
type Caps struct {
	// Advance moves the engine's clock forward, at once and for all engines of Open. If it is nil,
	// the suite waits in real time.
	Advance func(d time.Duration)
	// Queue is the number of messages after which a slow subscription is closed, 1024 if 0.
	Queue int
	// Rounds is the number of random sequences that are compared with the model, 40 if 0, and a
	// quarter with -short.
	Rounds int
	// FeedsMayPersist is set if feeds and meters can survive Close. Otherwise a reopened engine
	// must not have them, so that memory is not mistaken for disk.
	FeedsMayPersist bool
}

func (c Caps) withDefaults() Caps {
	if c.Queue == 0 {
		c.Queue = 1024
	}
	if c.Rounds == 0 {
		c.Rounds = 40
	}
	if testing.Short() {
		c.Rounds = (c.Rounds + 3) / 4
	}
	return c
}

// subtest is a named part of the contract.
type subtest struct {
	name string
	run  func(e *env)
}

// Run checks that an engine meets the contract.
func Run(t *testing.T, open Open, caps Caps) {
	caps = caps.withDefaults()
	groups := []struct {
		name  string
		tests []subtest
	}{
		{"Values", valueTests()},
		{"Counters", counterTests()},
		{"Sets", setTests()},
		{"SetPages", setPageTests()},
		{"Feeds", feedTests()},
		{"FeedFilling", fillingTests()},
		{"FeedLimits", feedCutTests()},
		{"Read", readTests()},
		{"DurableRead", durableTests()},
		{"Txn", txnTests()},
		{"Apply", applyTests()},
		{"Limits", limitTests()},
		{"Bus", busTests()},
		{"Meter", meterTests()},
		{"Keys", keysTests()},
		{"Copy", copyTests()},
		{"Concurrency", concurrencyTests()},
		{"Engine", engineTests()},
		{"Random", []subtest{{"AgainstTheModel", againstModel}}},
	}
	for _, g := range groups {
		t.Run(g.name, func(t *testing.T) {
			for _, s := range g.tests {
				t.Run(s.name, func(t *testing.T) { s.run(newEnv(t, open, caps)) })
			}
		})
	}
}

// patience limits each subtest, which should need less than a tenth of it.
const patience = 60 * time.Second

func newEnv(t *testing.T, open Open, caps Caps) *env {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return &env{T: t, Engine: open(t), ctx: ctx, caps: caps}
}
