package inbox

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// noticeTrim is the average number of notifications after which the set is cut to its maximum.
const noticeTrim = 32

// NoticeOps returns the operations that add a notification of a user.
func (s *Store) NoticeOps(user linnet.ID, n linnet.Notification) []kv.Op {
	key := record.NoticeKey(user, n)
	ops := []kv.Op{kv.Add{Key: key, Member: record.NoticeMember(n), Score: n.ID.Millis()}}
	if n.ID%noticeTrim == 0 {
		ops = append(ops, kv.Trim{Key: key, Keep: linnet.MaxNotifications})
	}
	return ops
}

// NewNotice generates the id of a notification.
func (s *Store) NewNotice(user linnet.ID, n linnet.Notification) linnet.Notification {
	n.ID = s.db.NewID(user.Shard(), 0)
	return n
}

// Mention records that a status mentions a user, with a notification and the operations in with, if
// notice isn't nil. It returns false if the mention was already recorded.
func (s *Store) Mention(ctx context.Context, user, status linnet.ID, notice *linnet.Notification, with ...kv.Op) (bool, error) {
	key := record.IDKey(record.KindMentioned, user)
	ops := []kv.Op{kv.Add{Key: key, Member: status.String(), Score: status.Millis()}}
	if notice != nil {
		ops = append(append(ops, s.NoticeOps(user, *notice)...), with...)
	}
	made, err := s.db.Txn(ctx, []kv.Cond{kv.NoMember{Key: key, Member: status.String()}, db.UserPresent(user)}, ops...)
	return made, err
}

// Unmention deletes the record of a mention in a deleted status, and its notification.
func (s *Store) Unmention(ctx context.Context, user, status linnet.ID) error {
	if err := s.db.Apply(ctx, kv.Remove{Key: record.IDKey(record.KindMentioned, user), Member: status.String()}); err != nil {
		return err
	}
	return s.RemoveNotices(ctx, user, status, func(n linnet.Notification) bool { return n.Status == status })
}

// NoLongerMentions deletes the record of a mention that an edit has removed, and its notification.
func (s *Store) NoLongerMentions(ctx context.Context, user, status linnet.ID) error {
	if err := s.db.Apply(ctx, kv.Remove{Key: record.IDKey(record.KindMentioned, user), Member: status.String()}); err != nil {
		return err
	}
	return s.RemoveNotices(ctx, user, status, func(n linnet.Notification) bool { return n.Type == linnet.NotifyMention && n.Status == status })
}

// Notices reads up to limit notifications of a user in a span, newest first. With held it includes
// filtered ones.
func (s *Store) Notices(ctx context.Context, user linnet.ID, sp db.Span, held bool) ([]linnet.Notification, error) {
	keys := []kv.Key{record.NoticesKey(user)}
	if held {
		keys = append(keys, record.HeldKey(user))
	}
	return s.noticesIn(ctx, sp, keys...)
}

func (s *Store) noticesIn(ctx context.Context, sp db.Span, keys ...kv.Key) ([]linnet.Notification, error) {
	qs := make([]kv.Query, len(keys))
	for i, key := range keys {
		qs[i] = sp.Query(key)
	}
	if err := s.db.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("read notifications: %w", err)
	}
	var out []linnet.Notification
	for _, q := range qs {
		r := q.(*kv.Range)
		for _, m := range r.Members {
			if n, ok := record.ParseNotice(m.Member); ok {
				n.Held = r.Key.Kind == record.KindHeld
				out = append(out, n)
			}
		}
	}
	slices.SortFunc(out, func(a, b linnet.Notification) int { return cmp.Compare(b.ID, a.ID) })
	if over := len(out) - sp.Limit; over > 0 && sp.Asc {
		return out[over:], nil
	}
	return out[:min(len(out), sp.Limit)], nil
}

// Notice returns a notification of a user, filtered or not.
func (s *Store) Notice(ctx context.Context, user, id linnet.ID) (linnet.Notification, bool, error) {
	sp := db.Span{Limit: 1, Above: id - 1, Below: id + 1}
	found, err := s.noticesIn(ctx, sp, record.NoticesKey(user), record.HeldKey(user))
	if err != nil || len(found) == 0 {
		return linnet.Notification{}, false, err
	}
	return found[0], found[0].ID == id, nil
}

// noticeLead is the maximum time by which a notification can precede its status, because the clocks
// of servers differ and ids are borrowed.
const noticeLead = time.Minute

// RemoveNotices deletes the notifications of a user that match. It searches those after a status,
// or with 0 all stored ones (MaxNotifications plus those not trimmed yet).
func (s *Store) RemoveNotices(ctx context.Context, user, since linnet.ID, match func(linnet.Notification) bool) error {
	sp := db.Span{Limit: kv.MaxRange}
	if since != 0 {
		sp.Since = since.Time().Add(-noticeLead).UnixMilli()
	}
	for range 4 + 2*linnet.MaxNotifications/kv.MaxRange {
		page, err := s.Notices(ctx, user, sp, true)
		if err != nil {
			return err
		}
		var ops []kv.Op
		for _, n := range page {
			if match(n) {
				ops = append(ops, kv.Remove{Key: record.NoticeKey(user, n), Member: record.NoticeMember(n)})
			}
		}
		if len(ops) > 0 {
			if err := s.db.Apply(ctx, ops...); err != nil {
				return fmt.Errorf("remove notifications: %w", err)
			}
		}
		if len(page) < kv.MaxRange {
			return nil
		}
		sp.Below = page[len(page)-1].ID
	}
	return nil
}

// ClearNotices deletes all notifications of a user. It doesn't delete the records of mentions.
func (s *Store) ClearNotices(ctx context.Context, user linnet.ID) error {
	return s.db.Apply(ctx, kv.Delete{Key: record.NoticesKey(user)}, kv.Delete{Key: record.HeldKey(user)})
}

// RemoveNotice removes one notification of a user.
func (s *Store) RemoveNotice(ctx context.Context, user linnet.ID, n linnet.Notification) error {
	return s.db.Apply(ctx, kv.Remove{Key: record.NoticeKey(user, n), Member: record.NoticeMember(n)})
}

// DropNotices deletes notifications of a user.
func (s *Store) DropNotices(ctx context.Context, user linnet.ID, ns []linnet.Notification) error {
	ops := make([]kv.Op, len(ns))
	for i, n := range ns {
		ops[i] = kv.Remove{Key: record.NoticeKey(user, n), Member: record.NoticeMember(n)}
	}
	return s.db.Apply(ctx, ops...)
}

// WatchNotice returns the notification of a subscriber about a status. It depends only on its
// arguments, including its time, so that a batch can run more than once.
func WatchNotice(user linnet.ID, st *linnet.Status) linnet.Notification {
	return linnet.Notification{ID: linnet.MakeID(st.ID.Time(), user.Shard(), uint8(st.ID&63)),
		Type: linnet.NotifyStatus, From: st.Author, Status: st.ID}
}

// PollNotice returns the notification that a poll has ended, for its author or a voter. It depends
// only on its arguments, including its time, so that a batch can run more than once.
func PollNotice(user linnet.ID, st *linnet.Status) linnet.Notification {
	return linnet.Notification{ID: linnet.MakeID(st.Poll.Expires, user.Shard(), uint8(st.ID&63)),
		Type: linnet.NotifyPoll, From: st.Author, Status: st.ID}
}

// EditNotice returns the notification of an edit at a time in Unix milliseconds, for a user who
// boosted the status. It depends only on its arguments, so that a batch can run more than once.
func EditNotice(user linnet.ID, st *linnet.Status, at int64) linnet.Notification {
	return linnet.Notification{ID: linnet.MakeID(time.UnixMilli(at), user.Shard(), uint8(st.ID&63)),
		Type: linnet.NotifyEdit, From: st.Author, Status: st.ID}
}

// NotifyEdited replaces EditNotices of earlier edits of a status by the latest one. It returns
// false if the user is deleted or has the notification already. The operations in with are written
// in the same transaction.
func (s *Store) NotifyEdited(ctx context.Context, user linnet.ID, st *linnet.Status, with ...kv.Op) (bool, error) {
	return s.notifyLast(ctx, user, st, func(at int64) linnet.Notification { return EditNotice(user, st, at) }, with...)
}

// QuotedNotice returns the EditNotice of a status for the author of a quote. It is a millisecond
// later, to differ from the one for a boost.
func QuotedNotice(user linnet.ID, st *linnet.Status, quote linnet.ID, at int64) linnet.Notification {
	return linnet.Notification{ID: linnet.MakeID(time.UnixMilli(at+1), user.Shard(), uint8(quote&63)),
		Type: linnet.NotifyQuoted, From: st.Author, Status: quote}
}

// NotifyQuoted is NotifyEdited with the QuotedNotice of a quote.
func (s *Store) NotifyQuoted(ctx context.Context, user linnet.ID, st *linnet.Status, quote linnet.ID, with ...kv.Op) (bool, error) {
	return s.notifyLast(ctx, user, st, func(at int64) linnet.Notification { return QuotedNotice(user, st, quote, at) }, with...)
}

// notifyLast replaces the notifications of earlier edits of a status by the latest one, which it
// gets from of.
func (s *Store) notifyLast(ctx context.Context, user linnet.ID, st *linnet.Status, of func(at int64) linnet.Notification, with ...kv.Op) (bool, error) {
	n := of(st.LastEdit())
	ops := append(s.NoticeOps(user, n), with...)
	for _, at := range st.Edits[:len(st.Edits)-1] {
		old := of(at)
		ops = append(ops, kv.Remove{Key: record.NoticeKey(user, old), Member: record.NoticeMember(old)})
	}
	return s.db.Txn(ctx, []kv.Cond{db.UserPresent(user), kv.NoMember{Key: record.NoticeKey(user, n), Member: record.NoticeMember(n)}}, ops...)
}

// NotifyPresent adds a notification of a user, with the operations in with. It returns false if the
// user is deleted. It can run more than once.
func (s *Store) NotifyPresent(ctx context.Context, user linnet.ID, n linnet.Notification, with ...kv.Op) (bool, error) {
	return s.db.Txn(ctx, []kv.Cond{db.UserPresent(user)}, append(s.NoticeOps(user, n), with...)...)
}

// NotifyWatchers adds the WatchNotice of a status to the notifications of each user, with the
// operations in with. It can run more than once.
func (s *Store) NotifyWatchers(ctx context.Context, st *linnet.Status, users []linnet.ID, with ...kv.Op) error {
	ops := with
	for _, u := range users {
		ops = append(ops, s.NoticeOps(u, WatchNotice(u, st))...)
	}
	return s.db.Apply(ctx, ops...)
}

// UnnotifyWatchers deletes the notifications of NotifyWatchers.
func (s *Store) UnnotifyWatchers(ctx context.Context, st *linnet.Status, users []linnet.ID) error {
	ops := make([]kv.Op, len(users))
	for i, u := range users {
		ops[i] = kv.Remove{Key: record.NoticesKey(u), Member: record.NoticeMember(WatchNotice(u, st))}
	}
	return s.db.Apply(ctx, ops...)
}

// Mentions reads a span of the statuses that mention a user, newest first.
func (s *Store) Mentions(ctx context.Context, user linnet.ID, sp db.Span) ([]linnet.ID, error) {
	return s.db.MergeSets(ctx, []kv.Key{record.IDKey(record.KindMentioned, user)}, sp)
}

// StaffNotice returns a notification for one member of staff; n has the id of its subject. It
// depends only on its arguments, so that a batch can run more than once.
func StaffNotice(user linnet.ID, n linnet.Notification) linnet.Notification {
	n.ID = linnet.MakeID(n.ID.Time(), user.Shard(), uint8(n.ID&63))
	return n
}

// HandledNotice returns the notification of the author of a resolved report. It depends only on the
// report, so that a batch can run more than once.
func HandledNotice(r *linnet.Report) linnet.Notification {
	return linnet.Notification{ID: linnet.MakeID(r.Resolved, r.By.Shard(), uint8(r.ID&63)), Type: linnet.NotifyHandled, From: r.By, Report: r.ID}
}

// Notify adds a notification of a user, with the operations in with. It can run more than once.
func (s *Store) Notify(ctx context.Context, user linnet.ID, n linnet.Notification, with ...kv.Op) error {
	return s.db.Apply(ctx, append(s.NoticeOps(user, n), with...)...)
}

// CollectedNotice returns the notification that a collection now shows a user. It depends only on
// its arguments, so that a batch can run more than once.
func CollectedNotice(c *linnet.Collection, user linnet.ID) linnet.Notification {
	item := c.Item(user).ID
	return linnet.Notification{ID: linnet.MakeID(item.Time(), user.Shard(), uint8(item&63)),
		Type: linnet.NotifyCollected, From: c.Owner, Collection: c.ID}
}

// CollectionNotice returns the notification of a change of a collection at a time in Unix
// milliseconds.
func CollectionNotice(c *linnet.Collection, user linnet.ID, at int64) linnet.Notification {
	return linnet.Notification{ID: linnet.MakeID(time.UnixMilli(at), user.Shard(), uint8(c.ID&63)),
		Type: linnet.NotifyCollectionEdited, From: c.Owner, Collection: c.ID}
}

// NotifyOnce adds a notification of a user in place of a former one, with the operations in with.
// It returns false if the user is deleted or has the notification already.
func (s *Store) NotifyOnce(ctx context.Context, user linnet.ID, n, former linnet.Notification, with ...kv.Op) (bool, error) {
	ops := append(s.NoticeOps(user, n), with...)
	if former.Type != "" {
		ops = append(ops, kv.Remove{Key: record.NoticesKey(user), Member: record.NoticeMember(former)}, kv.Remove{Key: record.HeldKey(user), Member: record.NoticeMember(former)})
	}
	return s.db.Txn(ctx, []kv.Cond{db.UserPresent(user), kv.NoMember{Key: record.NoticeKey(user, n), Member: record.NoticeMember(n)}}, ops...)
}
