package web

import (
	"linnet/internal/core"
	"linnet/internal/identity"
	"linnet/internal/moderation"
)

// adminPages are the pages of this area.
type adminPages struct {
	core          *core.Service
	identity      *identity.Service
	instancePages *instancePages
	moderation    *moderation.Service
}
