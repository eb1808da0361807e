package timeline

import (
	"linnet/internal/cache"
	"linnet/internal/core"
)

// New returns a Service. Call Run to keep the list of pulled authors current.
func New(b core.Base) *Service {
	return &Service{st: b.Store, opt: b.Options, continued: cache.New(cache.Options[string, continuation]{Max: continuations, TTL: continueAge})}
}

// Close ends background work. The service remains usable.
func (s *Service) Close() { s.continued.Close() }
