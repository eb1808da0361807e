package live

import (
	"linnet/internal/announcing"
	"linnet/internal/core"
	"linnet/internal/identity"
	"linnet/internal/notify"
	"linnet/internal/posting"
	"linnet/internal/social"
	"linnet/internal/store"
	"linnet/internal/view"
)

// Service manages streams. It is safe for concurrent use.
type Service struct {
	st  *store.Store
	opt core.Options

	core          *core.Service
	view          *view.Service
	notify        *notify.Service
	identity      *identity.Service
	lists         *social.Lists
	conversations *posting.Conversations

	announcing *announcing.Service

	hub *hub
}
