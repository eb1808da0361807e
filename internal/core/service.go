package core

import (
	"sync/atomic"

	"linnet/internal/event"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// Service has the shared functions of all services. It is safe for concurrent use.
type Service struct {
	st  *store.Store
	opt Options

	facts *event.Facts

	bus   kv.Bus
	meter kv.Meter
	state kv.State

	Hostname  string
	meters    *meters
	unsecured error // see Unsecured
	settings  atomic.Pointer[settings]
	emojis    atomic.Pointer[linnet.EmojiSet] // see Emojis

	roles atomic.Pointer[linnet.RoleSet] // see Roles

	TagRules *TagRules

	announcements atomic.Pointer[linnet.AnnouncementSet] // see Announcements
	cursors       atomic.Pointer[[]byte]                 // see cursorKey
}
