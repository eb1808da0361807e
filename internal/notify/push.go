package notify

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/linnet"
)

// TaskPush pushes a notification to the devices of its user. Its name and arguments are stored.
const TaskPush = "push"

// PushArgs name the notification that is pushed.
type PushArgs struct {
	User     linnet.ID `json:"user"`
	Notice   linnet.ID `json:"notice"`
	Sessions []string  `json:"sessions,omitempty"` // hashes of the remaining sessions; empty for all
	Try      int       `json:"try,omitempty"`      // number of earlier attempts
}

// Push is a notification to be pushed. The zero Push is none.
type Push = core.Job[PushArgs]

// NewPush returns the push of a notification, or none if it is not wanted, because the user has no
// device (db.Batch.Pushed). The caller writes its Ops with the notification, and then calls Push.
func (s *Service) NewPush(wanted bool, user, notice linnet.ID) (Push, error) {
	if !wanted {
		return Push{}, nil
	}
	return s.pusher.outbox.New(PushArgs{User: user, Notice: notice})
}

// Push starts pushes whose tasks have been written. It does not wait for them.
func (s *Service) Push(ctx context.Context, ps ...Push) { s.pusher.outbox.Begin(ctx, ps...) }
