package notify

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/linnet"
)

// TaskPush pushes a notification to the devices of its user. Its name and arguments are stored.
const TaskPush = "push"

// PushArgs identify the notification to push.
type PushArgs struct {
	User     linnet.ID `json:"user"`
	Notice   linnet.ID `json:"notice"`
	Sessions []string  `json:"sessions,omitempty"` // hashes of the remaining sessions; empty for all
	Try      int       `json:"try,omitempty"`      // number of earlier attempts
}

// Push is a notification to be pushed. The zero Push has none.
type Push = core.Job[PushArgs]

// NewPush returns the push of a notification. wanted is false for a user without a device
// (db.Batch.Pushed), and then it returns the zero Push. The caller writes its Ops with the
// notification, and then calls Push.
func (s *Service) NewPush(wanted bool, user, notice linnet.ID) (Push, error) {
	if !wanted {
		return Push{}, nil
	}
	return s.pusher.outbox.New(PushArgs{User: user, Notice: notice})
}

// Push starts pushes whose tasks have been written. It does not wait for them.
func (s *Service) Push(ctx context.Context, ps ...Push) { s.pusher.outbox.Begin(ctx, ps...) }
