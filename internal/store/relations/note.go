package relations

import (
	"context"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// Notes are stored in their writer's shard. A set contains the users with a note, so that the notes
// can be deleted with the writer.

// SetNote stores a note of a user about another. An empty text deletes it.
func (s *Store) SetNote(ctx context.Context, user, about linnet.ID, text string) error {
	noted := record.IDKey(record.KindNoted, user)
	ops := []kv.Op{kv.Delete{Key: record.NoteKey(user, about)}, kv.Remove{Key: noted, Member: about.String()}}
	if text != "" {
		ops = []kv.Op{kv.Put{Key: record.NoteKey(user, about), Data: []byte(text), Version: uint64(s.db.Now().UnixMilli())},
			kv.Add{Key: noted, Member: about.String(), Score: s.db.Now().UnixMilli()}}
	}
	if _, err := s.db.Txn(ctx, []kv.Cond{db.UserPresent(user)}, ops...); err != nil {
		return fmt.Errorf("write a note: %w", err)
	}
	return nil
}
