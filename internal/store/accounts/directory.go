package accounts

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// The directory is stored in slices by user. Each slice has its highest users in an order.
const (
	DirectorySliceSize = kv.MaxRange
)

// IndexDirectory adds users to the directory or removes them, by their current record: users who
// don't exist or aren't Listed are removed. It can run more than once. It checks again before it
// returns, so that concurrent calls can't leave an older state.
func (s *Store) IndexDirectory(ctx context.Context, ids ...linnet.ID) (err error) {
	for range db.MaxRaces {
		if len(ids) == 0 {
			return nil
		}
		if ids, err = s.indexDirectory(ctx, ids); err != nil {
			return fmt.Errorf("update the profile directory: %w", err)
		}
	}
	return db.TooManyRaces("directory entry of user", ids[0])
}

// DirectoryPosition is the position of a user in the directory.
type DirectoryPosition struct {
	User    linnet.ID
	Listed  bool
	Active  int64  // milliseconds of the last status that is not direct, or of the sign-up
	version uint64 // version of the record with these values
}

// DirectoryPositions reads the current positions of users.
func (s *Store) DirectoryPositions(ctx context.Context, ids []linnet.ID) ([]DirectoryPosition, error) {
	records, qs := make([]*kv.Get, len(ids)), make([]kv.Query, 0, 2*len(ids))
	last := make([]*kv.Range, len(ids))
	for i, id := range ids {
		records[i] = &kv.Get{Key: record.UserKey(id)}
		last[i] = db.Span{Limit: db.NewestRead}.Query(record.PostsKey(id))
		qs = append(qs, records[i], last[i])
	}
	if err := s.db.Read(ctx, qs...); err != nil {
		return nil, err
	}
	all := make([]DirectoryPosition, len(ids))
	for i, id := range ids {
		u, err := foundBy(id, records[i])
		if err != nil {
			return nil, err
		}
		all[i] = DirectoryPosition{User: id, Listed: u != nil && u.Listed(), Active: id.Millis(), version: records[i].Version}
		for _, m := range last[i].Members {
			if p := record.ParsePost(id, m.Member); p.Visibility != linnet.Direct {
				all[i].Active = max(all[i].Active, m.Score)
				break
			}
		}
	}
	return all, nil
}

// indexDirectory returns the users whose records have changed in the meantime.
func (s *Store) indexDirectory(ctx context.Context, ids []linnet.ID) (again []linnet.ID, err error) {
	all, err := s.DirectoryPositions(ctx, ids)
	if err != nil {
		return nil, err
	}
	var ops []kv.Op
	for _, st := range all {
		ops = append(ops, directoryOps(st)...)
	}
	if err := s.db.Apply(ctx, ops...); err != nil {
		return nil, err
	}
	after := make([]kv.Query, len(ids))
	for i, id := range ids {
		after[i] = &kv.Get{Key: record.UserKey(id)}
	}
	if err := s.db.Read(ctx, after...); err != nil {
		return nil, err
	}
	for i, id := range ids {
		if after[i].(*kv.Get).Version != all[i].version {
			again = append(again, id)
		}
	}
	return again, nil
}

// directoryOps returns the operations for a user.
func directoryOps(st DirectoryPosition) []kv.Op {
	slice, member := record.DirectorySlice(st.User), st.User.String()
	active, signed := record.DirectoryKey(linnet.DirectoryActive, slice), record.DirectoryKey(linnet.DirectoryNew, slice)
	if !st.Listed {
		return []kv.Op{kv.Remove{Key: active, Member: member}, kv.Remove{Key: signed, Member: member}}
	}
	ops := []kv.Op{kv.Add{Key: active, Member: member, Score: st.Active}, kv.Add{Key: signed, Member: member, Score: st.User.Millis()}}
	if st.User%16 == 0 { // one in sixteen trims
		ops = append(ops, kv.Trim{Key: active, Keep: DirectorySliceSize}, kv.Trim{Key: signed, Keep: DirectorySliceSize})
	}
	return ops
}

// Directory reads the first n people of the directory, at most MostRead. It merges the slices. It
// first reads twice a fair share of n from each slice. If a slice may have more, it reads n from
// all.
func (s *Store) Directory(ctx context.Context, order linnet.DirectoryOrder, n int) ([]linnet.ID, error) {
	n = min(n, kv.MaxRange)
	share := min(n, 2*n/record.DirectorySlices+directorySpare)
	ids, whole, err := s.directory(ctx, order, n, share)
	if err == nil && !whole {
		ids, _, err = s.directory(ctx, order, n, n)
	}
	return ids, err
}

// directorySpare is the number of entries of a slice that are read beyond twice its fair share.
const directorySpare = 4

// directory merges the first share entries of each slice and returns the first n. It returns false
// if a slice may have other entries among them.
func (s *Store) directory(ctx context.Context, order linnet.DirectoryOrder, n, share int) (ids []linnet.ID, whole bool, err error) {
	qs := make([]kv.Query, record.DirectorySlices)
	for i := range qs {
		qs[i] = &kv.Range{Key: record.DirectoryKey(order, i), Desc: true, Limit: share}
	}
	if err := s.db.Read(ctx, qs...); err != nil {
		return nil, false, fmt.Errorf("read the profile directory: %w", err)
	}
	all := make([]db.Entry, 0, len(qs)*share)
	var cut *db.Entry // the highest of the last entries of slices that may have more
	for _, q := range qs {
		var last db.Entry
		members := q.(*kv.Range).Members
		for _, m := range members {
			if id, ok := linnet.ParseID(m.Member); ok {
				last = db.Entry{ID: id, Score: m.Score}
				all = append(all, last)
			}
		}
		if len(members) == share && share < n && (cut == nil || byRank(last, *cut) < 0) {
			cut = &last
		}
	}
	slices.SortFunc(all, byRank)
	all = all[:min(n, len(all))]
	ids = make([]linnet.ID, len(all))
	for i := range ids {
		ids[i] = all[i].ID
	}
	return ids, cut == nil || len(all) == n && byRank(all[n-1], *cut) <= 0, nil
}

// byRank orders entries of the directory, the highest first.
func byRank(a, b db.Entry) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.ID, a.ID)) }
