package identity

import (
	"context"
	"fmt"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/task"
)

// UnconfirmedAge is after how long a sign-up ends whose address nobody has confirmed, as
// Mastodon's do: what was given is forgotten. The name stays taken, as that of every account.
const UnconfirmedAge = 7 * 24 * time.Hour

// UnconfirmedArgs name a sign-up that waits for its address to be confirmed, in the task that
// ends it. When carries the time, if it is not the first such task of the account: ids of tasks are
// used once.
type UnconfirmedArgs struct {
	User linnet.ID `json:"user"`
	When int64     `json:"when,omitempty"` // Unix milliseconds
}

// lapses is the task that ends a sign-up at a time unless the address was confirmed by then.
func lapses(a UnconfirmedArgs, at time.Time) (task.Task, error) {
	return task.NewLater(a.User.Shard(), a.id(), TaskUnconfirmed, a, at)
}

func (a UnconfirmedArgs) id() string { return fmt.Sprintf("unconfirmed-%s-%d", a.User, a.When) }

// entered are the changes that take that task back.
func entered(id linnet.ID) []kv.Op { return task.Recall(id.Shard(), UnconfirmedArgs{User: id}.id()) }

// awaitConfirmation leaves the task.
func (s *Emails) awaitConfirmation(ctx context.Context, a UnconfirmedArgs, at time.Time) error {
	t, err := lapses(a, at)
	if err != nil {
		return err
	}
	if err := s.st.Sessions.Leave(ctx, t); err != nil {
		return err
	}
	s.tasks.Left(ctx, a.User.Shard())
	return nil
}

// Lapsed reports whether a sign-up is over: its account still waits for an address that nobody
// has confirmed. One to which a link was sent again that is still good has the time of that link.
func (s *Emails) Lapsed(ctx context.Context, a UnconfirmedArgs) (bool, error) {
	u, sec, err := s.mailed(ctx, a.User)
	if err != nil || u == nil || !u.Unapproved || !sec.Mail.Enters {
		return false, err
	}
	if until := time.UnixMilli(sec.Mail.Expires); sec.Mail.Expires != 0 && until.After(s.st.Now()) {
		return false, s.awaitConfirmation(ctx, UnconfirmedArgs{a.User, sec.Mail.Expires}, until)
	}
	return true, nil
}
