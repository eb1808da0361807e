package feed

import (
	"linnet/internal/reading"
	"linnet/internal/view"
)

// Pages are the pages of this area.
type Pages struct {
	Reading *reading.Service
	View    *view.Service
}
