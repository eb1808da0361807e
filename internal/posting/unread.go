package posting

import (
	"context"
	"time"

	"linnet/internal/linnet"
)

// unreadLook is the number of recent conversations among which unread ones are counted. A count is
// cached for unreadAge only, because blocks and mutes change it too. With several servers it is
// cached for sharedAge, because others only notify this server while a stream of the user is open.
const (
	unreadLook = 20
	unreadAge  = 30 * time.Second
	sharedAge  = 5 * time.Second
)

// ForgetUnread drops the cached count of a user whose conversations changed, here or on another
// server.
func (s *Conversations) ForgetUnread(user linnet.ID) {
	s.epoch.Add(1)
	s.unread.Delete(user)
}

// Unread returns the number of unread conversations among me's newest 20.
func (s *Conversations) Unread(ctx context.Context, me linnet.ID) (int, error) {
	if n, ok := s.unread.Get(me); ok {
		return n, nil
	}
	epoch := s.epoch.Load()
	all, err := s.List(ctx, me, linnet.Page{Limit: unreadLook})
	if err != nil {
		return 0, err
	}
	n := 0
	for i := range all.Items {
		if all.Items[i].Unread {
			n++
		}
	}
	s.unread.Set(me, n)
	if s.epoch.Load() != epoch { // the change may concern this user
		s.unread.Delete(me)
	}
	return n, nil
}
