package identity

import (
	"context"
	"sync"
	"time"

	"linnet/internal/core"
	"linnet/internal/linnet"
)

// Log-ins that fail are counted in memory and written to the security log of the account once
// a minute: an answer then takes no longer for an account that exists, and whoever guesses
// makes the server write once a minute and not with every guess. A crash loses up to a
// minute of them.

const (
	// failuresEvery is how often they are written.
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

// take empties the counts.
func (f *failures) take() map[failureKey]linnet.SecurityEntry {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := f.m
	f.m = nil
	return out
}

// of are the counts of one account.
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

// RecordFailures writes the logins that have failed since the last time into the security logs
// of their accounts. What cannot be written is lost.
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
