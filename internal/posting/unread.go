package posting

import (
	"context"
	"sync/atomic"
	"time"

	"linnet/internal/cache"
	"linnet/internal/linnet"
)

// unreadLook is the number of recent conversations among which unread ones are counted. A count is
// cached for unreadAge, because blocks and mutes change it too. If other servers change
// conversations, it is cached for sharedAge, because they only notify this server while a stream of
// the user is open.
const (
	unreadLook = 20
	unreadAge  = 30 * time.Second
	sharedAge  = 5 * time.Second
)

// unreadConversations caches the number of unread conversations per user. It is safe for concurrent
// use.
type unreadConversations struct {
	counts *cache.Cache[linnet.ID, int]
	epoch  atomic.Int64 // rises with each change, see keep
}

func newUnreadConversations(exclusive bool) *unreadConversations {
	age := sharedAge
	if exclusive {
		age = unreadAge
	}
	return &unreadConversations{counts: cache.New(cache.Options[linnet.ID, int]{Max: 50_000,
		TTL: age})}
}

// ForgetUnread is called when a conversation of a user's changes, here or elsewhere.
func (s *Service) ForgetUnread(user linnet.ID) { s.unread.forget(user) }

func (u *unreadConversations) forget(user linnet.ID) {
	u.epoch.Add(1)
	u.counts.Delete(user)
}

// keep caches a count unless a conversation has changed since epoch was read, because it could be
// one of this user.
func (u *unreadConversations) keep(user linnet.ID, n int, epoch int64) {
	u.counts.Set(user, n)
	if u.epoch.Load() != epoch {
		u.counts.Delete(user)
	}
}

// UnreadConversations counts me's unread conversations among the newest 20.
func (s *Service) UnreadConversations(ctx context.Context, me linnet.ID) (int, error) {
	if n, ok := s.unread.counts.Get(me); ok {
		return n, nil
	}
	epoch := s.unread.epoch.Load()
	all, err := s.Conversations(ctx, me, linnet.Page{Limit: unreadLook})
	if err != nil {
		return 0, err
	}
	n := 0
	for i := range all.Items {
		if all.Items[i].Unread {
			n++
		}
	}
	s.unread.keep(me, n, epoch)
	return n, nil
}
