package posting

import (
	"context"
	"sync/atomic"
	"time"

	"linnet/internal/cache"
	"linnet/internal/linnet"
)

// unreadLook is among how many of a user's newest conversations unread ones are
// counted. A count that nothing has changed is kept for unreadAge, since blocks and
// mutes have to do with it too; for sharedAge where other servers change
// conversations, of which a server hears only while somebody listens to it.
const (
	unreadLook = 20
	unreadAge  = 30 * time.Second
	sharedAge  = 5 * time.Second
)

// unreadConversations keeps how many conversations users have not read, so that a page
// that shows it costs nothing while nothing happens. It is safe for concurrent use.
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

// keep keeps a count, unless anything has changed since epoch was read: it may
// have been this user's.
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
