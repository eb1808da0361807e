package timeline

import "linnet/internal/core"

// New makes the storey of timelines. Call Run to let it learn which authors are
// pulled.
func New(b core.Base) *Service {
	return &Service{st: b.Store, opt: b.Options, continued: newContinuations()}
}

// Close ends what goes on in the background; the storey answers as before.
func (s *Service) Close() { s.continued.Close() }
