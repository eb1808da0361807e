package web

import (
	"linnet/internal/core"
	"linnet/internal/discovery"
	"linnet/internal/identity"
	"linnet/internal/lists"
	"linnet/internal/notify"
	"linnet/internal/posting"
	"linnet/internal/push"
	"linnet/internal/reading"
	"linnet/internal/social"
)

// settingsPages are the pages of this area.
type settingsPages struct {
	core      *core.Service
	discovery *discovery.Service
	identity  *identity.Service
	lists     *lists.Service
	notify    *notify.Service
	posting   *posting.Service
	push      *push.Service
	reading   *reading.Service
	social    *social.Service
}
