package web

import (
	"linnet/internal/reading"
	"linnet/internal/view"
)

// syndicatePages are the pages of this area.
type syndicatePages struct {
	reading *reading.Service
	view    *view.Service
}
