package statuses

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// SearchPart is the size of a part of a packed segment, which is one value.
const SearchPart = 240 << 10

// searchLease is the lifetime of a server's lease for work on the search index.
const searchLease = time.Minute

// Search stores the search index.
type Search struct{ db *db.DB }

// IndexOps returns the changes that queue a status for indexing.
func IndexOps(id linnet.ID, at time.Time) []kv.Op {
	return []kv.Op{kv.Add{Key: record.SearchQueueKey(record.GlobalSlice(id)), Member: id.String(), Score: at.UnixMilli()}}
}

// Enqueue queues statuses for indexing, at most kv.MaxApply.
func (s *Search) Enqueue(ctx context.Context, at time.Time, ids ...linnet.ID) error {
	var ops []kv.Op
	for _, id := range ids {
		ops = append(ops, IndexOps(id, at)...)
	}
	if len(ops) == 0 {
		return nil
	}
	if err := s.db.Apply(ctx, ops...); err != nil {
		return fmt.Errorf("queue statuses to be indexed: %w", err)
	}
	return nil
}

// Queue reads the manifest and at most most queued statuses of each slice, from a time on (Unix
// milliseconds), in the order of queueing.
func (s *Search) Queue(ctx context.Context, since int64, most int) (*record.SearchManifest, []record.QueuedStatus, error) {
	get := &kv.Get{Key: record.SearchManifestKey()}
	qs := []kv.Query{get}
	for i := range record.GlobalSlices {
		qs = append(qs, &kv.Range{Key: record.SearchQueueKey(i), Above: &kv.Member{Score: since}, Limit: min(most, kv.MaxRange)})
	}
	var out []record.QueuedStatus
	for left := most; ; {
		if err := s.db.Read(ctx, qs...); err != nil {
			return nil, nil, fmt.Errorf("read the index queue: %w", err)
		}
		left -= kv.MaxRange
		var next []kv.Query
		for _, q := range qs {
			r, ok := q.(*kv.Range)
			if !ok {
				continue
			}
			for _, m := range r.Members {
				if id, ok := linnet.ParseID(m.Member); ok {
					out = append(out, record.QueuedStatus{ID: id, At: m.Score})
				}
			}
			if len(r.Members) == r.Limit && left > 0 {
				next = append(next, &kv.Range{Key: r.Key, Above: &r.Members[len(r.Members)-1], Limit: min(left, kv.MaxRange)})
			}
		}
		if qs = next; len(qs) == 0 {
			break
		}
	}
	m, err := record.DecodeSearchManifest(get)
	return m, out, err
}

// Dequeue removes indexed statuses from the queue, unless they were queued again.
func (s *Search) Dequeue(ctx context.Context, done []record.QueuedStatus) error {
	bySlice := map[int][]record.QueuedStatus{}
	for _, d := range done {
		slice := record.GlobalSlice(d.ID)
		bySlice[slice] = append(bySlice[slice], d)
	}
	for slice, all := range bySlice {
		key := record.SearchQueueKey(slice)
		for part := range slices.Chunk(all, kv.MaxConds) {
			if err := s.dequeue(ctx, key, part); err != nil {
				return fmt.Errorf("remove indexed statuses from the queue: %w", err)
			}
		}
	}
	return nil
}

func (s *Search) dequeue(ctx context.Context, key kv.Key, part []record.QueuedStatus) error {
	members := make([]string, len(part))
	for i, d := range part {
		members[i] = d.ID.String()
	}
	scores := &kv.Scores{Key: key, Members: members}
	for range db.MaxRaces {
		if err := s.db.Read(ctx, scores); err != nil {
			return err
		}
		var conds []kv.Cond
		var ops []kv.Op
		for i, m := range members {
			if scores.Found[i] && scores.Values[i] == part[i].At {
				conds = append(conds, kv.ScoreIs{Key: key, Member: m, Score: part[i].At})
				ops = append(ops, kv.Remove{Key: key, Member: m})
			}
		}
		if len(ops) == 0 {
			return nil
		}
		if made, err := s.db.Txn(ctx, conds, ops...); err != nil || made {
			return err
		}
	}
	return nil // it is indexed again
}

// Lease acquires or renews the lease for work on the search index for a minute. It returns
// false if another server has it.
func (s *Search) Lease(ctx context.Context, holder string) (bool, error) {
	key := record.SearchLeaseKey()
	get := &kv.Get{Key: key}
	if err := s.db.Read(ctx, get); err != nil {
		return false, err
	}
	var l record.SearchLease
	if get.Version != 0 {
		if err := record.Decode(get, &l); err != nil {
			return false, err
		}
		if l.Holder != holder {
			return false, nil
		}
	}
	made, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: key, Version: get.Version}},
		kv.Put{Key: key, Data: record.Encode(record.SearchLease{Holder: holder}), Version: get.Version + 1, TTL: searchLease})
	if errors.Is(err, kv.ErrUnknown) {
		return false, nil // the next call tries again
	}
	return made, err
}

// PutManifest stores the manifest if it has not changed since it was read, and updates its
// Version.
func (s *Search) PutManifest(ctx context.Context, m *record.SearchManifest) (bool, error) {
	key := record.SearchManifestKey()
	made, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: key, Version: m.Version}},
		kv.Put{Key: key, Data: record.Encode(m), Version: m.Version + 1})
	if errors.Is(err, kv.ErrUnknown) {
		return false, nil // the next read shows the outcome
	}
	if err == nil && made {
		m.Version++
	}
	return made, err
}

// Manifest reads the manifest. There may be none.
func (s *Search) Manifest(ctx context.Context) (*record.SearchManifest, error) {
	get := &kv.Get{Key: record.SearchManifestKey()}
	if err := s.db.Read(ctx, get); err != nil {
		return nil, err
	}
	return record.DecodeSearchManifest(get)
}

// PutParts stores a packed segment.
func (s *Search) PutParts(ctx context.Context, name string, packed []byte) error {
	n := 0
	for part := range slices.Chunk(packed, SearchPart) {
		if err := s.db.Apply(ctx, kv.Put{Key: record.SearchPartKey(name, n), Data: part, Version: 1}); err != nil {
			return fmt.Errorf("write a segment: %w", err)
		}
		n++
	}
	return nil
}

// SearchPartsOf returns the number of parts of a packed segment.
func SearchPartsOf(packed []byte) int { return (len(packed) + SearchPart - 1) / SearchPart }

// Parts reads a packed segment. It skips missing parts.
func (s *Search) Parts(ctx context.Context, name string, parts int) ([]byte, error) {
	packed := make([]byte, 0, parts*SearchPart)
	for n := range parts {
		get := &kv.Get{Key: record.SearchPartKey(name, n)}
		if err := s.db.Read(ctx, get); err != nil {
			return nil, fmt.Errorf("read a segment: %w", err)
		}
		packed = append(packed, get.Data...)
	}
	return packed, nil
}

// RemoveParts deletes a segment.
func (s *Search) RemoveParts(ctx context.Context, name string, parts int) error {
	for n := range parts {
		if err := s.db.Apply(ctx, kv.Delete{Key: record.SearchPartKey(name, n)}); err != nil {
			return fmt.Errorf("remove a segment: %w", err)
		}
	}
	return nil
}

// Library returns a user's latest favourites, bookmarks and reposts, at most most of each, in
// ascending order of the statuses.
func (s *Search) Library(ctx context.Context, user linnet.ID, most int) ([]linnet.ID, error) {
	var ids []linnet.ID
	keys := []kv.Key{record.Favourites().OwnedKey(user), record.Bookmarks.Key(user), record.Reposts().OwnedKey(user)}
	var qs []kv.Query
	for _, k := range keys {
		qs = append(qs, &kv.Range{Key: k, Desc: true, Limit: min(most, kv.MaxRange)})
	}
	for left := most; len(qs) > 0; {
		if err := s.db.Read(ctx, qs...); err != nil {
			return nil, fmt.Errorf("read the statuses a user interacted with: %w", err)
		}
		left -= kv.MaxRange
		var next []kv.Query
		for _, q := range qs {
			r := q.(*kv.Range)
			for _, m := range r.Members {
				id, _ := record.SplitEntry(m.Member)
				ids = append(ids, id)
			}
			if len(r.Members) == r.Limit && left > 0 {
				next = append(next, &kv.Range{Key: r.Key, Desc: true, Below: &r.Members[len(r.Members)-1], Limit: min(left, kv.MaxRange)})
			}
		}
		qs = next
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}
