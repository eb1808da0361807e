package identity

import (
	"linnet/internal/cache"
	"linnet/internal/core"
	"linnet/internal/event"
	"linnet/internal/linnet"
	"linnet/internal/notify"
	"linnet/internal/store"
	"linnet/internal/task"
	"linnet/internal/uploads"
	"linnet/internal/view"
)

// Service manages accounts, sessions, apps, invitations and the settings of the server. It is safe
// for concurrent use.
type Service struct {
	st    *store.Store
	opt   core.Options
	tasks *task.Queue
	facts *event.Facts

	core    *core.Service
	uploads *uploads.Service
	view    *view.Service
	notify  *notify.Service
	emails  *Emails

	security *Security

	active *cache.Cache[linnet.ID, int64] // day on which a user was last marked active, see activeAgain
	hasher *hasher
	decoy  string // hash to compare with when a login is unknown
	totals totalsCache
}
