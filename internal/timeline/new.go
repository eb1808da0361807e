package timeline

import "linnet/internal/core"

// New makes the storey of timelines. Call Run to let it learn which authors are
// pulled.
func New(b core.Base) *Service { return &Service{st: b.Store, opt: b.Options} }
