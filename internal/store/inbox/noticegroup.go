package inbox

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// ChatConversationID is the id of the conversation that a user has in a chat. It follows from
// the two, as that of others follows from their people.
func ChatConversationID(owner, chat linnet.ID) linnet.ID {
	h := sha256.Sum256(fmt.Appendf(nil, "chat.%d.%d", owner, chat))
	return linnet.ID(max(binary.BigEndian.Uint64(h[:])>>1, 1))
}

// ChatNotice is the notification by which a member hears of a status in a chat: one
// of a mention, as clients know it for direct messages. It follows from the two.
func ChatNotice(user linnet.ID, st *linnet.Status) linnet.Notification {
	n := WatchNotice(user, st)
	n.Type = linnet.NotifyMention
	return n
}

// NotifyMember gives a member of a chat its ChatNotice of a status, for as long as
// they are in it, with what goes with it. It reports false, and may be repeated, if they
// have it already.
func (s *Store) NotifyMember(ctx context.Context, st *linnet.Status, user linnet.ID, with ...kv.Op) (bool, error) {
	n := ChatNotice(user, st)
	made, err := s.db.Txn(ctx, []kv.Cond{kv.NoMember{Key: record.NoticesKey(user), Member: record.NoticeMember(n)},
		db.Related(record.Follows(), user, st.Group), db.UserPresent(user)}, append(s.NoticeOps(user, n), with...)...)
	return made, err
}

// UnnotifyMembers takes the ChatNotice of a status from some members.
func (s *Store) UnnotifyMembers(ctx context.Context, st *linnet.Status, users []linnet.ID) error {
	ops := make([]kv.Op, len(users))
	for i, u := range users {
		ops[i] = kv.Remove{Key: record.NoticesKey(u), Member: record.NoticeMember(ChatNotice(u, st))}
	}
	return s.db.Apply(ctx, ops...)
}
