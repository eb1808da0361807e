package diskkv

import (
	"fmt"
	"sync"
	"time"

	"github.com/cockroachdb/pebble/v2"
)

// storeLogger receives the library's log messages.
type storeLogger struct{ e *Engine }

// Infof implements pebble.Logger.
func (l storeLogger) Infof(format string, args ...any) {
	l.e.opts.Logger.Debug(fmt.Sprintf(format, args...))
}

// Errorf implements pebble.Logger.
func (l storeLogger) Errorf(format string, args ...any) {
	l.e.opts.Logger.Error(fmt.Sprintf(format, args...))
}

// Fatalf implements pebble.Logger. It never returns, because the library would continue in a broken
// state.
func (l storeLogger) Fatalf(format string, args ...any) {
	l.e.fail(fmt.Sprintf(format, args...))
	select {}
}

// listener logs events for operators. By default the library ends the process when it finds a
// damaged table. With this listener the read fails with an error.
func (e *Engine) listener() *pebble.EventListener {
	log := e.opts.Logger
	failures := seldom{every: failureEvery}
	return &pebble.EventListener{
		BackgroundError: func(err error) {
			err = e.damaged(err)
			if skipped, ok := failures.next(e.opts.Now()); ok { // the library retries at once
				log.Error("store: background task failed", "err", err.Error(), "skipped", skipped)
			}
		},
		DataCorruption: func(info pebble.DataCorruptionInfo) {
			log.Error("store: damaged file", "file", info.Path, "err", info.Details, "remedy", remedy)
			e.noteDamage(e.opts.FS.PathBase(info.Path), info.Details)
		},
		WriteStallBegin: func(info pebble.WriteStallBeginInfo) {
			log.Warn("store: writes are stalled, waiting for flushes or compactions", "reason", info.Reason)
		},
		WriteStallEnd: func() { log.Info("store: writes resumed") },
	}
}

// failureEvery is the least time between two log lines about failures of background work.
const failureEvery = time.Minute

// seldom limits how often a message is logged.
type seldom struct {
	every time.Duration

	mu      sync.Mutex
	last    time.Time
	skipped int
}

// next reports whether to log now, and how many messages were skipped since the last one.
func (s *seldom) next(now time.Time) (skipped int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.last.IsZero() && now.Sub(s.last) < s.every {
		s.skipped++
		return 0, false
	}
	skipped, s.skipped, s.last = s.skipped, 0, now
	return skipped, true
}
