package statuses

import (
	"context"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// Of each author the last erasedKeep deletions are remembered: a page of what was
// deleted longer ago answers like one that never was. One deletion in erasedTrim
// cuts the set.
const (
	erasedKeep = 1000
	erasedTrim = 32
)

// erasedOps are what stays of a status when it is deleted. They go with the
// deletion, so that it takes no round trip more. Reposts have no page of their own.
func (s *Store) erasedOps(st *linnet.Status) []kv.Op {
	if st.Visibility > linnet.Unlisted || st.RepostOf != 0 || st.ForMembers() || st.Author.System() {
		return nil
	}
	key := record.ErasedKey(st.Author)
	ops := []kv.Op{kv.Add{Key: key, Member: st.ID.String(), Score: s.db.Now().UnixMilli()}}
	if st.ID%erasedTrim == 0 {
		ops = append(ops, kv.Trim{Key: key, Keep: erasedKeep})
	}
	return ops
}

// Erased reports whether an author has deleted a status that everybody could read.
func (s *Store) Erased(ctx context.Context, author, status linnet.ID) (bool, error) {
	q := &kv.Scores{Key: record.ErasedKey(author), Members: []string{status.String()}}
	if err := s.db.Read(ctx, q); err != nil {
		return false, fmt.Errorf("read the remains of a deleted status: %w", err)
	}
	return q.Found[0], nil
}
