package store

import (
	"context"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// Entry is a member of an ordered set whose member is an id: who, and the score
// under which it stands.
type Entry struct {
	ID    linnet.ID
	Score int64
}

// Members reads a page of a set of ids, ordered by (score, id), newest first.
func (s *Store) Members(ctx context.Context, key kv.Key, p linnet.Page) ([]Entry, error) {
	r := &kv.Range{Key: key, Desc: true, Limit: min(p.Limit, kv.MaxRange)}
	if err := bound(&r.Below, p.Max); err != nil {
		return nil, err
	}
	if err := bound(&r.Above, p.Since); err != nil {
		return nil, err
	}
	if p.Min != "" {
		r.Desc = false
		if err := bound(&r.Above, p.Min); err != nil {
			return nil, err
		}
	}
	if err := s.kv.Read(ctx, r); err != nil {
		return nil, fmt.Errorf("read set %v: %w", key, err)
	}
	out := make([]Entry, 0, len(r.Members))
	for _, m := range r.Members {
		id, _ := record.SplitEntry(m.Member)
		out = append(out, Entry{ID: id, Score: m.Score})
	}
	if !r.Desc {
		reverse(out)
	}
	return out, nil
}

func bound(to **kv.Member, c linnet.Cursor) error {
	if c == "" {
		return nil
	}
	score, id, err := c.Edge()
	if err != nil {
		return err
	}
	m := kv.Member{Score: min(score, kv.MaxScore)}
	if id != 0 {
		m.Member = id.String()
	}
	*to = &m
	return nil
}

func reverse[T any](a []T) {
	for i, j := 0, len(a)-1; i < j; i, j = i+1, j-1 {
		a[i], a[j] = a[j], a[i]
	}
}

// After reads the next members of a set in rising order after a member (zero:
// from the beginning), and the member to go on from. It is how passes walk
// followers: the cursor is (score, member), because with the score alone a pass
// never gets past 1,000 followers of one instant.
func (s *Store) After(ctx context.Context, key kv.Key, from kv.Member, limit int) ([]linnet.ID, kv.Member, error) {
	r := &kv.Range{Key: key, Limit: limit}
	if from.Member != "" {
		r.Above = &from
	}
	if err := s.kv.Read(ctx, r); err != nil {
		return nil, from, fmt.Errorf("walk %v: %w", key, err)
	}
	ids := make([]linnet.ID, len(r.Members))
	for i, m := range r.Members {
		ids[i], _ = record.SplitEntry(m.Member)
		from = m
	}
	return ids, from, nil
}

// All reads a whole set of ids in rising order, at most limit, in steps of the
// port's range.
func (s *Store) All(ctx context.Context, key kv.Key, limit int) ([]linnet.ID, error) {
	var all []linnet.ID
	var from kv.Member
	for len(all) < limit {
		n := min(limit-len(all), kv.MaxRange)
		ids, next, err := s.After(ctx, key, from, n)
		if err != nil {
			return nil, err
		}
		all, from = append(all, ids...), next
		if len(ids) < n {
			break
		}
	}
	return all, nil
}
