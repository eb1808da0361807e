package statuses

import (
	"context"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// The last maxErased deletions of each author are recorded. For older ones the page looks as if
// the status had never existed. One deletion in erasedTrim trims the set.
const (
	maxErased  = 1000
	erasedTrim = 32
)

// erasedOps returns the changes that record a deletion. They are part of the deletion, so that it
// takes no further round trip. Reposts have no pages.
func (s *Store) erasedOps(st *linnet.Status) []kv.Op {
	if !st.Visibility.Open() || st.RepostOf != 0 || st.ForMembers() || st.Author.System() {
		return nil
	}
	key := record.ErasedKey(st.Author)
	ops := []kv.Op{kv.Add{Key: key, Member: st.ID.String(), Score: s.db.Now().UnixMilli()}}
	if st.ID%erasedTrim == 0 {
		ops = append(ops, kv.Trim{Key: key, Keep: maxErased})
	}
	return ops
}

// Erased reports whether an author has deleted a public status.
func (s *Store) Erased(ctx context.Context, author, status linnet.ID) (bool, error) {
	q := &kv.Scores{Key: record.ErasedKey(author), Members: []string{status.String()}}
	if err := s.db.Read(ctx, q); err != nil {
		return false, fmt.Errorf("read deleted statuses: %w", err)
	}
	return q.Found[0], nil
}
