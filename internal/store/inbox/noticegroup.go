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

// ChatConversationID returns the id of a user's conversation in a chat. It depends only on its
// arguments, as other conversations depend on their participants.
func ChatConversationID(owner, chat linnet.ID) linnet.ID {
	h := sha256.Sum256(fmt.Appendf(nil, "chat.%d.%d", owner, chat))
	return linnet.ID(max(binary.BigEndian.Uint64(h[:])>>1, 1))
}

// ChatNotice is the notification of a member about a status in a chat. Its type is a mention, as
// clients expect it for direct messages. It depends only on its arguments.
func ChatNotice(user linnet.ID, st *linnet.Status) linnet.Notification {
	n := WatchNotice(user, st)
	n.Type = linnet.NotifyMention
	return n
}

// NotifyMember adds the ChatNotice of a status for a current member of a chat, with the operations
// in with. It returns false if the member has it already. It can run more than once.
func (s *Store) NotifyMember(ctx context.Context, st *linnet.Status, user linnet.ID, with ...kv.Op) (bool, error) {
	n := ChatNotice(user, st)
	made, err := s.db.Txn(ctx, []kv.Cond{kv.NoMember{Key: record.NoticesKey(user), Member: record.NoticeMember(n)},
		db.Related(record.Follows(), user, st.Group), db.UserPresent(user)}, append(s.NoticeOps(user, n), with...)...)
	return made, err
}

// UnnotifyMembers deletes the ChatNotice of a status for some members.
func (s *Store) UnnotifyMembers(ctx context.Context, st *linnet.Status, users []linnet.ID) error {
	ops := make([]kv.Op, len(users))
	for i, u := range users {
		ops[i] = kv.Remove{Key: record.NoticesKey(u), Member: record.NoticeMember(ChatNotice(u, st))}
	}
	return s.db.Apply(ctx, ops...)
}
