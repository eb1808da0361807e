package web

import (
	"linnet/internal/discovery"
	"linnet/internal/lists"
	"linnet/internal/view"
)

// rankingPages are the pages of this area.
type rankingPages struct {
	discovery *discovery.Service
	lists     *lists.Service
	view      *view.Service
}
