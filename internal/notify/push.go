package notify

import (
	"context"
	"crypto/rand"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/task"
)

// TaskPush pushes a notification to the devices of its user. Its name and arguments are stored.
const TaskPush = "push"

// pushHold is how long a push is reserved for the server that created it. After that another server
// sends it.
const pushHold = 2 * time.Minute

// PushArgs name the notification that is pushed.
type PushArgs struct {
	User     linnet.ID `json:"user"`
	Notice   linnet.ID `json:"notice"`
	Sessions []string  `json:"sessions,omitempty"` // hashes of the remaining sessions; empty for all
	Try      int       `json:"try,omitempty"`      // number of earlier attempts
}

// Push is a push that is under way: a task that is left for later (task.NewLater), written
// with its notification, which the server that wrote it does before. The zero Push is none.
type Push struct {
	Args PushArgs
	Task task.Task
	Due  time.Time
}

// Ops are the changes that leave the task, none of the zero Push.
func (p Push) Ops() []kv.Op {
	if p.Args.User == 0 {
		return nil
	}
	return p.Task.Ops()
}

// NewPush is the push of a notification, none if it is not wanted: to people without a
// device (db.Batch.Pushed). The caller writes its Ops with the notification, and calls
// Push then.
func (s *Service) NewPush(wanted bool, user, notice linnet.ID) (Push, error) {
	if !wanted {
		return Push{}, nil
	}
	return s.leavePush(PushArgs{User: user, Notice: notice}, s.pushAfter())
}

// leavePush returns a push with these arguments that is due after a while.
func (s *Service) leavePush(a PushArgs, after time.Duration) (Push, error) {
	due := s.st.Now().Add(after).Truncate(time.Millisecond)
	t, err := task.NewLater(a.User.Shard(), rand.Text(), TaskPush, a, due)
	return Push{a, t, due}, err
}

// pushAfter: a server that leaves tasks to others leaves pushes at once.
func (s *Service) pushAfter() time.Duration {
	if s.handOver {
		return 0
	}
	return pushHold
}

// Push lets pushes begin whose tasks have been written. It does not wait for them.
func (s *Service) Push(ctx context.Context, ps ...Push) {
	for _, p := range ps {
		switch {
		case p.Args.User == 0:
		case s.handOver:
			s.tasks.Left(ctx, p.Task.Shard)
		default:
			s.pusher.begin(p)
		}
	}
}
