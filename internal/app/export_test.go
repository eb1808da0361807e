package app

import "linnet/internal/event"

// Facts returns the handlers of facts, to which tests add their own.
func (s *App) Facts() *event.Facts { return s.facts }
