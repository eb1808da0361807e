package statuses

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// closedFlags mark entries of replies that are not public (see entry).
var closedFlags = string([]byte{record.FlagPrivate, record.FlagDirect, record.FlagMembers})

// RepliesOf returns the set and the counter of the parent that a reply belongs to.
func RepliesOf(st *linnet.Status) (set kv.Key, counter string) {
	if !st.Visibility.Open() || st.ForMembers() {
		return record.ClosedRepliesKey(st.ThreadParent()), record.ClosedCounter
	}
	return record.RepliesKey(st.ThreadParent()), "replies"
}

// AddReply adds a reply to its parent, with the count. It may be repeated. A reply to a deleted
// parent is marked (Orphan).
func (s *Store) AddReply(ctx context.Context, st *linnet.Status) error {
	err := s.addReply(ctx, st)
	if errors.Is(err, db.ErrDeleted) {
		return s.Orphan(ctx, st.ThreadParent(), 0, st.ID)
	}
	return err
}

// addReply is AddReply that returns db.ErrDeleted if the parent does not exist.
func (s *Store) addReply(ctx context.Context, st *linnet.Status) error {
	parent := st.ThreadParent()
	key, counter := RepliesOf(st)
	conds := []kv.Cond{db.Else(kv.Present{Key: record.StatusKey(parent)}, db.ErrDeleted), kv.NoMember{Key: key, Member: record.PostEntry(st)}}
	if counter == record.ClosedCounter { // an earlier release has added it to the public replies
		conds = append(conds, kv.NoMember{Key: record.RepliesKey(parent), Member: record.PostEntry(st)})
	}
	_, err := s.db.Txn(ctx, conds,
		kv.Add{Key: key, Member: record.PostEntry(st), Score: st.ID.Millis()},
		kv.Incr{Key: record.TallyKey(parent), Name: counter, By: 1})
	return err
}

// Orphan marks the replies to a deleted parent, and adds them as replies to under, the status above
// that parent, so that its thread still shows them. If under is 0 or does not exist, they are in no
// thread. Each is marked in its own transaction. Orphan may be repeated.
func (s *Store) Orphan(ctx context.Context, parent, under linnet.ID, replies ...linnet.ID) error {
	for range db.MaxRaces {
		if len(replies) == 0 {
			return nil
		}
		qs := make([]kv.Query, len(replies))
		for i, id := range replies {
			qs[i] = &kv.Get{Key: record.StatusKey(id)}
		}
		if err := s.db.Read(ctx, qs...); err != nil {
			return fmt.Errorf("read replies: %w", err)
		}
		var again []linnet.ID
		for i, id := range replies {
			done, err := s.orphan(ctx, parent, under, id, qs[i].(*kv.Get))
			if err != nil {
				return fmt.Errorf("detach a reply from its deleted parent: %w", err)
			}
			if !done {
				again = append(again, id)
			}
		}
		replies = again
	}
	return db.TooManyRaces("reply", replies[0])
}

// orphan marks one reply. done is false if it has changed since it was read. The record is written
// first, so that a deletion of the reply knows the set to remove it from.
func (s *Store) orphan(ctx context.Context, parent, under, id linnet.ID, get *kv.Get) (done bool, err error) {
	if get.Version == 0 {
		return true, nil
	}
	st, err := record.DecodeStatus(id, get)
	switch {
	case err != nil:
		return false, err
	case st.ThreadParent() == parent:
		st.Orphaned, st.Under = true, under
		made, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: get.Key, Version: get.Version}},
			kv.Put{Key: get.Key, Data: record.EncodeStatus(st), Version: get.Version + 1})
		if err != nil || !made {
			return false, err
		}
	case !st.Orphaned || st.Under != under:
		return true, nil
	}
	if under == 0 {
		return true, nil
	}
	if err := s.addReply(ctx, st); errors.Is(err, db.ErrDeleted) {
		return true, nil
	} else if err != nil {
		return false, err
	}
	again := &kv.Get{Key: get.Key}
	if err := s.db.Read(ctx, again); err != nil || again.Version != 0 {
		return true, err
	}
	return true, s.RemoveReply(ctx, st) // it was deleted in the meantime
}

// RemoveReply removes a reply from its parent. It may be repeated.
func (s *Store) RemoveReply(ctx context.Context, st *linnet.Status) error {
	key, counter := RepliesOf(st)
	if err := s.removeReply(ctx, st, key, counter); err != nil || counter != record.ClosedCounter {
		return err
	}
	return s.removeReply(ctx, st, record.RepliesKey(st.ThreadParent()), "replies")
}

func (s *Store) removeReply(ctx context.Context, st *linnet.Status, key kv.Key, counter string) error {
	_, err := s.db.Txn(ctx, []kv.Cond{kv.Present{Key: record.StatusKey(st.ThreadParent())}, kv.HasMember{Key: key, Member: record.PostEntry(st)}},
		kv.Remove{Key: key, Member: record.PostEntry(st)},
		kv.Incr{Key: record.TallyKey(st.ThreadParent()), Name: counter, By: -1})
	return err
}

// Replies is a query for direct replies to a status, oldest first.
type Replies struct {
	To     linnet.ID
	After  linnet.ID // only later ones; 0 for all
	Closed bool      // replies that are not public, instead of public ones
	Limit  int       // 1 to MostRead

	Found []linnet.ID // the result
	Last  linnet.ID   // position for the next query; 0 at the end
	Read  int         // number of entries read
}

// Replies runs several queries in one round trip. It leaves out entries of earlier releases among
// the public replies that are not public.
func (s *Store) Replies(ctx context.Context, asks ...*Replies) error {
	qs := make([]kv.Query, len(asks))
	for i, a := range asks {
		key := record.RepliesKey(a.To)
		if a.Closed {
			key = record.ClosedRepliesKey(a.To)
		}
		qs[i] = db.Span{Above: a.After, Asc: true, Limit: a.Limit}.Query(key)
	}
	if err := s.db.Read(ctx, qs...); err != nil {
		return fmt.Errorf("read replies: %w", err)
	}
	for i, a := range asks {
		members := qs[i].(*kv.Range).Members
		a.Read = len(members)
		for _, m := range members {
			id, flags := record.SplitEntry(m.Member)
			if a.Closed || !strings.ContainsAny(flags, closedFlags) {
				a.Found = append(a.Found, id)
			}
			a.Last = id
		}
		if len(members) < a.Limit {
			a.Last = 0
		}
	}
	return nil
}
