package identity

import (
	"context"
	"sync"
	"time"

	"linnet/internal/core"
	"linnet/internal/linnet"
)

// Failed logins are counted in memory and written to the account's security log once a minute. So
// the response takes the same time for unknown accounts, and guessing doesn't cause a write per
// attempt. A crash loses up to a minute of counts.

const (
	// failuresEvery is the interval of writing them.
	failuresEvery = time.Minute
	// maxFailures is the maximum number of accounts and kinds that are counted at a time.
	maxFailures = 10_000
)

type failureKey struct {
	user  linnet.ID
	event linnet.SecurityEvent
}

type failures struct {
	mu sync.Mutex
	m  map[failureKey]linnet.SecurityEntry
}

// note counts a failed login. Only the origin of the last one is stored.
func (f *failures) note(user linnet.ID, e linnet.SecurityEntry) {
	f.mu.Lock()
	defer f.mu.Unlock()
	key := failureKey{user, e.Event}
	before, known := f.m[key]
	if !known && len(f.m) >= maxFailures {
		return
	}
	e.Count = before.Count + 1
	if f.m == nil {
		f.m = map[failureKey]linnet.SecurityEntry{}
	}
	f.m[key] = e
}

// take returns the counts and resets them.
func (f *failures) take() map[failureKey]linnet.SecurityEntry {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := f.m
	f.m = nil
	return out
}

// of returns the counts of one account.
func (f *failures) of(user linnet.ID) (out []linnet.SecurityEntry) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, event := range []linnet.SecurityEvent{linnet.LogInFailed, linnet.CodeFailed} {
		if e, ok := f.m[failureKey{user, event}]; ok {
			out = append(out, e)
		}
	}
	return out
}

// noteFailure counts a failed login to an account.
func (s *Security) noteFailure(ctx context.Context, user linnet.ID, event linnet.SecurityEvent) {
	v := visitOf(ctx)
	s.failures.note(user, linnet.SecurityEntry{At: s.st.Now(), Event: event, Device: v.device, Network: v.network})
}

// RecordFailures writes new failed logins to the security logs of their accounts. Failures that
// can't be written are dropped.
func (s *Security) RecordFailures(ctx context.Context) error {
	var failed error
	for key, e := range s.failures.take() {
		if err := s.st.Sessions.LogSecurity(ctx, key.user, e); err != nil {
			failed = err
		}
	}
	return core.StoreError(failed)
}

// Run writes the counts at intervals until ctx ends, and then once more.
func (s *Security) Run(ctx context.Context) {
	keep := func(ctx context.Context) {
		if err := s.RecordFailures(ctx); err != nil && ctx.Err() == nil {
			s.opt.Log.Warn("cannot record failed logins", "err", err)
		}
	}
	core.Every(ctx, failuresEvery, keep)
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	keep(last)
}
