package feed

import (
	"linnet/internal/reading"
	"linnet/internal/view"
)

// Pages serves feeds. All fields are required.
type Pages struct {
	Reading *reading.Service
	View    *view.Service
}
