package statuses

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/task"
)

// IdempotencyTTL is the time for which an Idempotency-Key returns the same status.
const IdempotencyTTL = time.Hour

// NewStatus is a status to be created, with related changes.
type NewStatus struct {
	Status   *linnet.Status // CreateStatus generates its ID and sets its Version; Nonce must be set
	IdemHash string         // hash of the client's Idempotency-Key, or ""
	After    linnet.ID      // the new id is later than this, and than the author's earlier statuses
	Tags     []string       // folded tags of its public timelines
	Task     func(linnet.ID) (task.Task, error)
	Close    func(*linnet.Status) (task.Task, error) // returns the task that closes its poll; nil: no poll
	Card     func(*linnet.Status) (task.Task, error) // returns the task that fetches its link; nil: none
	While    []kv.Cond                               // conditions in the author's shard: ErrCondition, or their errors
	Dated    time.Time                               // its id is the first free one from this time on, even if the author has later statuses; zero for an id of the current time
	Once     bool                                    // of a boost: not again after it was undone
	From     *linnet.Scheduled                       // the scheduled status that this publishes, with its uploads; nil: none. ErrRace if it has changed, or ErrDraft for a draft
	Next     *linnet.Scheduled                       // with From: the draft that becomes a reply to this, as visible as it; nil: none. ErrDraft if it has changed
}

// ErrRepeated means that another attempt with the same idempotency key, or another repost of the
// same status, was first.
var ErrRepeated = errors.New("the action was already done")

// CreateStatus stores a status in one transaction in its author's shard: the record, the profile
// timeline, the counters, the idempotency record and the task that delivers it (create_status and
// post_status, listings 8.2 and 8.6, in one step).
func (s *Store) CreateStatus(ctx context.Context, n NewStatus) (task.Task, error) {
	st := n.Status
	st.Version = 1
	newest, known := s.db.Newest(st.Author)
	for try := range db.MaxRaces {
		if n.Dated.IsZero() {
			st.ID = s.db.NewID(st.Author.Shard(), max(n.After, newest))
		} else {
			st.ID, known = linnet.MakeID(n.Dated.Add(time.Duration(try)*time.Millisecond), st.Author.Shard(), 0), true
		}
		if st.Conversation == 0 {
			st.Conversation = st.ID
		}
		t, err := n.Task(st.ID)
		if err != nil {
			return t, err
		}
		data, fresh := record.EncodeStatus(st), s.db.BeginStatus(st)
		conds, ops := CreateChanges(n, st, data)
		later, err := n.later()
		if err != nil {
			return t, err
		}
		ops = append(ops, later...)
		more, err := s.repostChanges(ctx, st, true, n.Once)
		if err != nil {
			return t, err
		}
		was, err := s.Scheduled.unscheduled(ctx, n)
		if err != nil {
			return t, err
		}
		conds, ops = slices.Concat(conds, more.conds, was.conds), slices.Concat(ops, more.ops, was.ops, t.Ops())
		if !known {
			conds = append(conds, db.Else(kv.AllBelow{Key: record.PostsKey(st.Author), Score: st.ID.Millis()}, errOvertaken))
		}
		made, err := s.db.Txn(ctx, conds, ops...)
		if errors.Is(err, kv.ErrUnknown) {
			made, err = s.created(ctx, st)
		}
		switch {
		case made && n.Dated.IsZero():
			fresh.Written(st, data)
			return t, nil
		case made: // it may not be the author's newest status, so readers load the author again
			return t, nil
		case errors.Is(err, errOvertaken):
			if newest, err = s.newest(ctx, st.Author); err != nil {
				return t, err
			}
			known = true
		case err != nil:
			return t, fmt.Errorf("write a status: %w", err)
		case !n.Dated.IsZero():
			if again, err := s.repeats(ctx, st); err != nil || again {
				return t, cmp.Or(err, ErrRepeated)
			}
		}
		if st.Conversation == st.ID {
			st.Conversation = 0 // the id was refused; generate another one
		}
	}
	return task.Task{}, db.TooManyRaces("id of a status of", st.Author)
}

// repeats reports whether the id of a dated status belongs to an earlier attempt to post it.
func (s *Store) repeats(ctx context.Context, st *linnet.Status) (bool, error) {
	b := s.db.Batch()
	ref := b.Status(st.ID)
	if err := b.Run(ctx); err != nil {
		return false, err
	}
	return ref.Status != nil && ref.Status.Author == st.Author && ref.Status.Nonce == st.Nonce, nil
}

// errOvertaken means that the author already has a status with a later id, from another server
// whose clock is ahead or within the same millisecond.
var errOvertaken = errors.New("the author already has a later status")

// newest reads the newest status of a user of any kind, or 0.
func (s *Store) newest(ctx context.Context, user linnet.ID) (id linnet.ID, err error) {
	b := s.db.Batch()
	posts := b.Posts(user, db.Span{Limit: 1})
	if err := b.Run(ctx); err != nil {
		return 0, err
	}
	for _, p := range posts.Posts() {
		id = p.ID
	}
	return id, nil
}

// later returns the changes that schedule the status's later tasks.
func (n NewStatus) later() (ops []kv.Op, err error) {
	for _, of := range []func(*linnet.Status) (task.Task, error){n.Close, n.Card} {
		if of == nil {
			continue
		}
		t, err := of(n.Status)
		if err != nil {
			return nil, err
		}
		ops = append(ops, t.Ops()...)
	}
	return ops, nil
}

// CreateChanges returns the conditions and changes of a new status. The first condition is that the
// id is free. If it fails, another id is generated. The others carry their errors: the author, the
// caller's own, and repeated attempts.
func CreateChanges(n NewStatus, st *linnet.Status, data []byte) ([]kv.Cond, []kv.Op) {
	conds := []kv.Cond{kv.Absent(record.StatusKey(st.ID)), db.Else(db.UserPresent(st.Author), db.ErrDeleted)}
	conds = append(conds, db.AllElse(n.While, db.ErrCondition)...)
	ops := []kv.Op{
		kv.Put{Key: record.StatusKey(st.ID), Data: data, Version: 1},
		kv.Add{Key: record.PostsKey(st.Author), Member: record.ProfileEntry(st), Score: st.ID.Millis()},
	}
	ops = append(append(ops, countStatus(st, 1)...), ownTagOps(st, n.Tags, 1)...)
	if n.IdemHash != "" {
		key := record.IdemKey(st.Author, n.IdemHash)
		conds = append(conds, db.Else(kv.Absent(key), ErrRepeated))
		ops = append(ops, kv.Put{Key: key, Data: record.Encode(record.Idem{Status: record.JID(st.ID)}), Version: 1, TTL: IdempotencyTTL})
	}
	if n.From != nil { // see unscheduled
		return conds, ops
	}
	media := attach(st) // after the check for a repeated attempt, which finds them attached
	return append(conds, media.conds...), append(ops, media.ops...)
}

// countStatus counts a status for its author and the instance.
func countStatus(st *linnet.Status, by int64) []kv.Op {
	if !db.Counted(st) {
		return nil
	}
	return []kv.Op{kv.Incr{Key: record.CountsKey(st.Author), Name: "statuses", By: by},
		kv.Incr{Key: record.ShardKey(record.KindStats, st.Author.Shard()), Name: "statuses", By: by}}
}

type changes struct {
	conds []kv.Cond
	ops   []kv.Op
}

// repostChanges returns the changes of the owner's side of the repost relation, which are made
// together with the repost. With once there must never have been a boost.
func (s *Store) repostChanges(ctx context.Context, st *linnet.Status, live, once bool) (c changes, err error) {
	if st.RepostOf == 0 {
		return c, nil
	}
	h := record.Reposts().OwnerSide(st.Author, st.RepostOf)
	if err := s.db.ReadHalves(ctx, &h); err != nil {
		return c, err
	}
	if live && (h.IsLive || once && h.Version != 0) {
		return c, ErrRepeated
	}
	key := record.RepostKey(st.Author, st.RepostOf)
	c.ops = h.Set(live, max(s.db.Now().UnixMilli(), h.Version+1))
	if live {
		c.conds = db.AllElse(append([]kv.Cond{kv.Absent(key)}, h.Unchanged()...), ErrRepeated)
		c.ops = append(c.ops, kv.Put{Key: key, Data: record.Encode(record.Idem{Status: record.JID(st.ID)}), Version: 1})
	} else {
		c.ops = append(c.ops, kv.Delete{Key: key})
	}
	return c, nil
}

// created reports whether a status with a lost response was stored. It compares the nonce, because
// another server could have generated the same id.
func (s *Store) created(ctx context.Context, st *linnet.Status) (made bool, err error) {
	get := &kv.Get{Key: record.StatusKey(st.ID)}
	if err := s.db.Read(kv.Durable(ctx), get); err != nil {
		return false, err
	}
	if get.Version == 0 {
		return false, kv.ErrUnavailable
	}
	found, err := record.DecodeStatus(st.ID, get)
	return err == nil && found.Nonce == st.Nonce, err
}

// DeleteStatus deletes a status, which was in the public timelines of some folded tags, in one
// transaction in its author's shard, with the task that cleans up elsewhere (listing 8.8). Its
// uploads are deleted with it. With keepMedia, uploads of the current version are withheld for
// linnet.DetachedLife, so that the author can attach them to another status. It returns false if
// the status was already deleted. Otherwise the caller runs the task. It returns ErrRace if the
// status has changed since it was read.
func (s *Store) DeleteStatus(ctx context.Context, st *linnet.Status, tags []string, keepMedia bool, t task.Task) (bool, error) {
	ops := []kv.Op{
		kv.Delete{Key: record.StatusKey(st.ID)},
		kv.Delete{Key: record.TallyKey(st.ID)},
		kv.Remove{Key: record.PostsKey(st.Author), Member: record.ProfileEntry(st)},
	}
	ops = slices.Concat(ops, countStatus(st, -1), ownTagOps(st, tags, -1), s.erasedOps(st), forgetPoll(st), forgetVersions(st), detach(st, s.db.Now(), keepMedia))
	more, err := s.repostChanges(ctx, st, false, false)
	if err != nil {
		return false, err
	}
	ops = append(append(ops, more.ops...), t.Ops()...)
	key := record.StatusKey(st.ID)
	made, err := s.db.Txn(ctx, []kv.Cond{kv.Present{Key: key}, db.Else(kv.VersionIs{Key: key, Version: st.Version}, db.ErrRace)}, ops...)
	if errors.Is(err, kv.ErrUnknown) {
		made, err = s.deleted(ctx, st.ID)
	}
	if err != nil {
		return false, fmt.Errorf("delete a status: %w", err)
	}
	return made, nil
}

// deleted reports whether a deletion with a lost response was made.
func (s *Store) deleted(ctx context.Context, id linnet.ID) (made bool, err error) {
	get := &kv.Get{Key: record.StatusKey(id)}
	if err := s.db.Read(kv.Durable(ctx), get); err != nil {
		return false, err
	}
	if get.Version != 0 {
		return false, kv.ErrUnavailable
	}
	return true, nil
}

// RepostIDs returns, by user, the reposts that some users made of a status.
func (s *Store) RepostIDs(ctx context.Context, original linnet.ID, users ...linnet.ID) (map[linnet.ID]linnet.ID, error) {
	qs := make([]kv.Query, len(users))
	for i, id := range users {
		qs[i] = &kv.Get{Key: record.RepostKey(id, original)}
	}
	if err := s.db.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("read reposts: %w", err)
	}
	out := make(map[linnet.ID]linnet.ID, len(users))
	for i, id := range users {
		get := qs[i].(*kv.Get)
		if get.Version == 0 {
			continue
		}
		var r record.Idem
		if err := record.Decode(get, &r); err != nil {
			return nil, err
		}
		out[id] = linnet.ID(r.Status)
	}
	return out, nil
}

// ForgetRelations deletes the records of other users' actions on a deleted status.
func (s *Store) ForgetRelations(ctx context.Context, id linnet.ID) error {
	return s.db.Apply(ctx, kv.Delete{Key: record.RepliesKey(id)}, kv.Delete{Key: record.ClosedRepliesKey(id)},
		kv.Delete{Key: record.QuotesKey(id)}, kv.Delete{Key: record.ClosedQuotesKey(id)},
		kv.Delete{Key: record.Favourites().CopyKey(id)}, kv.Delete{Key: record.IDKey(record.Favourites().Copied+".gone", id)},
		kv.Delete{Key: record.Reposts().CopyKey(id)}, kv.Delete{Key: record.IDKey(record.Reposts().Copied+".gone", id)},
		kv.Delete{Key: record.TallyKey(id)}, kv.Delete{Key: record.PromotedKey(id)})
}

// ForgetFavourites removes a deleted status from users' favourites.
func (s *Store) ForgetFavourites(ctx context.Context, id linnet.ID, users []linnet.ID) error {
	ops := make([]kv.Op, len(users))
	for i, u := range users {
		ops[i] = kv.Remove{Key: record.Favourites().OwnedKey(u), Member: id.String()}
	}
	return s.db.Apply(ctx, ops...)
}
