package web

import (
	"linnet/internal/discovery"
)

// searchPages are the pages of this area.
type searchPages struct {
	discovery   *discovery.Service
	peoplePages *peoplePages
}
