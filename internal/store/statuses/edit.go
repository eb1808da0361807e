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

// Edit is a change of a status by its author, with related changes.
type Edit struct {
	Was, Now *linnet.Status      // before and after the edit; the last of Now.Edits is its time
	While    []kv.Cond           // conditions in the author's shard: db.ErrCondition
	Taken    []linnet.Attachment // its new uploads
	From, To []string            // folded tags of its public timelines before and after
	Task     task.Task
	Card     *task.Task // fetches its link preview; nil if it is known or there is no link
	Close    *task.Task // closes a poll with a new end
}

// Status reads a status past the caches, or returns nil.
func (s *Store) Status(ctx context.Context, id linnet.ID) (*linnet.Status, error) {
	get := &kv.Get{Key: record.StatusKey(id)}
	if err := s.db.Read(ctx, get); err != nil {
		return nil, fmt.Errorf("read a status: %w", err)
	}
	if get.Version == 0 {
		return nil, nil
	}
	return record.DecodeStatus(id, get)
}

// EditStatus stores the new version of a status in one transaction in its author's shard: the
// record, the previous version, its entries there, and the task for the other shards. It returns
// ErrRace if the status was changed or deleted since it was read, ErrAttachment if an upload is
// missing, and ErrDeleted if its author does not exist.
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
	if err != nil && !errors.Is(err, db.ErrRace) && !errors.Is(err, ErrAttachment) && !errors.Is(err, db.ErrDeleted) && !errors.Is(err, db.ErrCondition) {
		return fmt.Errorf("edit a status: %w", err)
	}
	if err == nil && !made {
		return db.ErrRace
	}
	return err
}

// changes returns the changes of the record and of its entries in the author's shard.
func (e *Edit) changes() (conds []kv.Cond, ops []kv.Op) {
	id, author := e.Was.ID, e.Was.Author
	media := attach(&linnet.Status{Author: author, Media: e.Taken})
	conds = append([]kv.Cond{db.Else(kv.VersionIs{Key: record.StatusKey(id), Version: e.Was.Version}, db.ErrRace), db.Else(db.UserPresent(author), db.ErrDeleted)}, media.conds...)
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

// without returns the elements of all that are not among others.
func without(all, others []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(t string) bool { return slices.Contains(others, t) })
}

// pollChanges returns the changes that delete votes for a former poll, and schedule the closing of
// the new one.
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

// edited reports whether an edit with a lost response was stored.
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
	if found.Version > now.Version { // another edit was first
		return false, db.ErrRace
	}
	return false, kv.ErrUnavailable
}

// Versions reads the earlier versions of a status, oldest first. It returns ErrDeleted if some are
// missing.
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
			return nil, db.ErrDeleted
		}
		var err error
		if out[i], err = record.DecodeStatus(st.ID, get); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// forgetVersions returns the changes that delete the earlier versions.
func forgetVersions(st *linnet.Status) (ops []kv.Op) {
	for i := range st.Edits {
		ops = append(ops, kv.Delete{Key: record.VersionKey(st.ID, i)})
	}
	return ops
}

// Retag adds a public status to the timelines of its folded tags, and removes it from others.
func (s *Store) Retag(ctx context.Context, st *linnet.Status, tags, removed []string) error {
	if removed = without(removed, tags); len(removed) > 0 {
		ops := make([]kv.Op, len(removed))
		for i, t := range removed {
			ops[i] = kv.Remove{Key: record.TagKey(t), Member: record.TagMember(st)}
		}
		if err := s.db.Apply(ctx, ops...); err != nil {
			return fmt.Errorf("remove a status from hashtags: %w", err)
		}
		if err := s.Tags.forget(ctx, removed); err != nil {
			return err
		}
	}
	if len(tags) == 0 {
		return nil
	}
	return s.PublishTags(ctx, st, tags)
}
