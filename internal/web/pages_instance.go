package web

import (
	"linnet/internal/announcing"
	"linnet/internal/core"
	"linnet/internal/identity"
	"linnet/internal/moderation"
)

// instancePages are the pages of this area.
type instancePages struct {
	announcing *announcing.Service
	core       *core.Service
	identity   *identity.Service
	moderation *moderation.Service
}
