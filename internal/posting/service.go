package posting

import (
	"linnet/internal/cards"
	"linnet/internal/core"
	"linnet/internal/event"
	"linnet/internal/kv"
	"linnet/internal/notify"
	"linnet/internal/reading"
	"linnet/internal/social"
	"linnet/internal/store"
	"linnet/internal/task"
	"linnet/internal/timeline"
	"linnet/internal/uploads"
	"linnet/internal/view"
)

// Service manages statuses. It is safe for concurrent use.
type Service struct {
	schedule
	drafts
	deletion
	Old OldPosts // deletes old posts

	st    *store.Store
	opt   core.Options
	tasks *task.Queue
	facts *event.Facts
	meter kv.Meter

	core     *core.Service
	uploads  *uploads.Service
	cards    *cards.Service
	timeline *timeline.Service
	view     *view.Service
	reading  *reading.Service
	notify   *notify.Service
	social   *social.Service
	groups   *social.Groups
	eraser   *Eraser

	unread *unreadConversations
	fanout []step // the table of fan-out, fixed
}
