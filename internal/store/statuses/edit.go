package statuses

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/task"
)

// Edit is a change of a status by its author, with what else belongs to it.
type Edit struct {
	Was, Now *linnet.Status      // as it was read, and as it is to be; the last of Now.Edits is when
	While    []kv.Cond           // have to hold in the author's shard: db.ErrCondition
	Taken    []linnet.Attachment // of its pictures, those that were attached to nothing
	From, To []string            // folded tags under which it stood in public, and is to stand
	Task     task.Task
	Card     *task.Task // what fetches the page behind its link; nil: that is known, or there is none
	Close    *task.Task // of a poll that is to close at another time than before: what closes it
}

// Status reads a status past what is kept; nil if there is none.
func (s *Store) Status(ctx context.Context, id linnet.ID) (*linnet.Status, error) {
	get := &kv.Get{Key: record.StatusKey(id)}
	if err := s.db.Read(ctx, get); err != nil {
		return nil, fmt.Errorf("read status: %w", err)
	}
	if get.Version == 0 {
		return nil, nil
	}
	return record.DecodeStatus(id, get)
}

// EditStatus writes what a status says from now on in one transaction in its author's
// shard: the record, what it said before, its entries there and the task that tells
// others. ErrRace if it has changed since it was read, or is gone; ErrAttachment if a
// picture that was to be attached is not there any more; ErrGone if its author is gone.
func (s *Store) EditStatus(ctx context.Context, e Edit) error {
	conds, ops := e.changes()
	ops = append(ops, e.Task.Ops()...)
	if e.Card != nil {
		ops = append(ops, e.Card.Ops()...)
	}
	made, err := s.db.Txn(ctx, conds, ops...)
	if errors.Is(err, kv.ErrUnknown) {
		made, err = s.edited(ctx, e.Now)
	}
	if err != nil && !errors.Is(err, db.ErrRace) && !errors.Is(err, ErrAttachment) && !errors.Is(err, db.ErrGone) && !errors.Is(err, db.ErrCondition) {
		return fmt.Errorf("edit status: %w", err)
	}
	if err == nil && !made {
		return db.ErrRace
	}
	return err
}

// changes are those of the record and of what its author finds it by.
func (e *Edit) changes() (conds []kv.Cond, ops []kv.Op) {
	id, author := e.Was.ID, e.Was.Author
	media := attach(&linnet.Status{Author: author, Media: e.Taken})
	conds = append([]kv.Cond{db.Else(kv.VersionIs{Key: record.StatusKey(id), Version: e.Was.Version}, db.ErrRace), db.Else(db.UserPresent(author), db.ErrGone)}, media.conds...)
	conds = append(conds, db.AllElse(e.While, db.ErrCondition)...)
	ops = append(media.ops,
		kv.Put{Key: record.StatusKey(id), Data: record.EncodeStatus(e.Now), Version: e.Was.Version + 1},
		kv.Put{Key: record.VersionKey(id, len(e.Was.Edits)), Data: record.EncodeVersion(e.Was), Version: 1})
	if was, now := record.ProfileEntry(e.Was), record.ProfileEntry(e.Now); was != now {
		ops = append(ops, kv.Remove{Key: record.PostsKey(author), Member: was}, kv.Add{Key: record.PostsKey(author), Member: now, Score: id.Millis()})
	}
	ops = append(ops, ownTagOps(e.Was, without(e.From, e.To), -1)...)
	ops = append(ops, ownTagOps(e.Now, without(e.To, e.From), 1)...)
	return conds, append(ops, e.pollChanges()...)
}

// without are those of all that are not among others.
func without(all, others []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(t string) bool { return slices.Contains(others, t) })
}

// pollChanges forget votes for another question, and let the poll be closed when it
// expires.
func (e *Edit) pollChanges() (ops []kv.Op) {
	was, now := e.Was.Poll, e.Now.Poll
	if was == nil && now == nil {
		return nil
	}
	if was != nil && (now == nil || !was.SameQuestion(now)) {
		ops = append(ops, kv.Delete{Key: record.BallotsKey(e.Was.ID)}, kv.Delete{Key: record.VotersKey(e.Was.ID)})
	}
	if was != nil && (now == nil || e.Close != nil) {
		ops = append(ops, task.Recall(e.Was.ID.Shard(), ClosingID(e.Was))...)
	}
	if e.Close != nil {
		ops = append(ops, e.Close.Ops()...)
	}
	return ops
}

// edited finds out whether an edit whose answer was lost was written.
func (s *Store) edited(ctx context.Context, now *linnet.Status) (bool, error) {
	found, err := s.Status(kv.Durable(ctx), now.ID)
	if err != nil {
		return false, err
	}
	if found == nil {
		return false, db.ErrRace
	}
	at := len(now.Edits) - 1
	if len(found.Edits) > at && found.Edits[at] == now.Edits[at] {
		return true, nil
	}
	if found.Version > now.Version { // somebody else was first
		return false, db.ErrRace
	}
	return false, kv.ErrUnavailable
}

// Versions reads what a status said before it was edited, oldest first; ErrGone if some
// of that is not there any more.
func (s *Store) Versions(ctx context.Context, st *linnet.Status) ([]*linnet.Status, error) {
	gets, out := make([]kv.Query, len(st.Edits)), make([]*linnet.Status, len(st.Edits))
	if len(gets) == 0 {
		return nil, nil
	}
	for i := range gets {
		gets[i] = &kv.Get{Key: record.VersionKey(st.ID, i)}
	}
	if err := s.db.Read(ctx, gets...); err != nil {
		return nil, fmt.Errorf("read versions of a status: %w", err)
	}
	for i, q := range gets {
		get := q.(*kv.Get)
		if get.Version == 0 {
			return nil, db.ErrGone
		}
		var err error
		if out[i], err = record.DecodeStatus(st.ID, get); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// forgetVersions are the changes that remove what a status said before.
func forgetVersions(st *linnet.Status) (ops []kv.Op) {
	for i := range st.Edits {
		ops = append(ops, kv.Delete{Key: record.VersionKey(st.ID, i)})
	}
	return ops
}

// Retag enters a public status under its folded tags, and takes it from under others.
func (s *Store) Retag(ctx context.Context, st *linnet.Status, tags, gone []string) error {
	if gone = without(gone, tags); len(gone) > 0 {
		ops := make([]kv.Op, len(gone))
		for i, t := range gone {
			ops[i] = kv.Remove{Key: record.TagKey(t), Member: record.TagMember(st)}
		}
		if err := s.db.Apply(ctx, ops...); err != nil {
			return fmt.Errorf("take a status from under tags: %w", err)
		}
		if err := s.forgetTags(ctx, gone); err != nil {
			return err
		}
	}
	if len(tags) == 0 {
		return nil
	}
	return s.PublishTags(ctx, st, tags)
}
