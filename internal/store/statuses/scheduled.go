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

// Scheduled stores scheduled statuses and drafts. A scheduled status has its own record, with its
// uploads, an entry in the schedule of its author, and a scheduled task. A draft is a scheduled
// status without a time and a task. Publishing deletes all of them in the transaction that stores
// the status, so it happens once. The schedule is replaced conditionally on its version, so its
// limits hold with concurrent writers.
type Scheduled struct{ db *db.DB }

// TaskPublishScheduled is the kind of the task that publishes a scheduled status. Its arguments are
// a Due.
const TaskPublishScheduled = "publish-scheduled"

// Due identifies a scheduled status and its time.
type Due struct {
	ID linnet.ID `json:"id"`
	At int64     `json:"at"` // Unix milliseconds
}

// Admit determines whether a status can be scheduled in addition to others of its author.
type Admit func(others []record.ScheduleEntry) error

// PublishingID returns the id of the task that publishes a scheduled status. It depends on the
// time.
func PublishingID(s *linnet.Scheduled) string {
	return fmt.Sprintf("scheduled.%v.%d", s.ID, s.At.UnixMilli())
}

func publishing(s *linnet.Scheduled) []kv.Op {
	t, _ := task.NewLater(s.Owner.Shard(), PublishingID(s), TaskPublishScheduled, Due{s.ID, s.At.UnixMilli()}, s.At) // the arguments always encode
	return t.Ops()
}

// Add stores a status to be published at a time, with its uploads. from is its draft, which is
// deleted, or nil. It returns ErrDeleted if the user does not exist, ErrRepeated if the idempotency
// key was used, ErrDraft if the draft has changed, and ErrAttachment if an upload is missing.
func (s *Scheduled) Add(ctx context.Context, sc, from *linnet.Scheduled, idemHash string, admit Admit) error {
	for range db.MaxRaces {
		sc.ID, sc.Version = s.db.NewID(sc.Owner.Shard(), 0), 1
		all, err := s.schedule(ctx, sc.Owner)
		if err != nil {
			return err
		}
		conds, ops, key := []kv.Cond{db.Else(db.UserPresent(sc.Owner), db.ErrDeleted)}, publishing(sc), record.IdemKey(sc.Owner, idemHash)
		if idemHash != "" {
			conds = append(conds, db.Else(kv.Absent(key), ErrRepeated))
			ops = append(ops, kv.Put{Key: key, Data: record.Encode(record.Idem{Status: record.JID(sc.ID)}), Version: 1, TTL: IdempotencyTTL})
		}
		if from != nil {
			all.without(from.ID)
			conds = append(conds, db.Else(kv.VersionIs{Key: record.ScheduledKey(from.ID), Version: from.Version}, ErrDraft))
			ops = append(ops, kv.Delete{Key: record.ScheduledKey(from.ID)})
		}
		media := s.takes(&linnet.Status{Author: sc.Owner, Media: sc.Media}, from)
		conds = append(append(conds, media.conds...), kv.Absent(record.ScheduledKey(sc.ID)), all.unchanged())
		if err := admit(all.Entries); err != nil {
			return s.perhapsScheduled(ctx, sc.Owner, idemHash, err)
		}
		all.Entries = append(all.Entries, record.EntryOf(sc))
		ops = append(append(ops, media.ops...), kv.Put{Key: record.ScheduledKey(sc.ID), Data: record.EncodeScheduled(sc), Version: 1}, all.put())
		made, err := s.db.Txn(ctx, conds, ops...)
		if errors.Is(err, kv.ErrUnknown) {
			made, err = s.scheduledAs(ctx, sc)
		}
		if err != nil {
			return fmt.Errorf("schedule a status: %w", err)
		}
		if made {
			return nil
		}
	}
	return db.TooManyRaces("schedule of", sc.Owner)
}

// perhapsScheduled returns ErrRepeated if an earlier attempt has scheduled the same status, which
// may be the reason for the full schedule.
func (s *Scheduled) perhapsScheduled(ctx context.Context, user linnet.ID, idemHash string, err error) error {
	if idemHash == "" {
		return err
	}
	get := &kv.Get{Key: record.IdemKey(user, idemHash)}
	if rerr := s.db.Read(kv.Durable(ctx), get); rerr == nil && get.Version != 0 {
		return ErrRepeated
	}
	return err
}

// scheduledAs reports whether a scheduled status with a lost response was stored.
func (s *Scheduled) scheduledAs(ctx context.Context, sc *linnet.Scheduled) (bool, error) {
	found, err := s.List(kv.Durable(ctx), []linnet.ID{sc.ID})
	if err != nil {
		return false, err
	}
	if found[0] == nil {
		return false, kv.ErrUnavailable
	}
	return found[0].Nonce == sc.Nonce, nil
}

// schedule is the schedule of a user as it was read.
type schedule struct {
	record.Schedule
	key     kv.Key
	version uint64
}

func (c *schedule) unchanged() kv.Cond { return kv.VersionIs{Key: c.key, Version: c.version} }

func (c *schedule) put() kv.Op {
	return kv.Put{Key: c.key, Data: record.Encode(c.Schedule), Version: c.version + 1}
}

// without removes an entry.
func (c *schedule) without(id linnet.ID) {
	c.Entries = slices.DeleteFunc(c.Entries, func(e record.ScheduleEntry) bool { return linnet.ID(e.ID) == id })
}

func (s *Scheduled) schedule(ctx context.Context, user linnet.ID, more ...kv.Query) (*schedule, error) {
	get := &kv.Get{Key: record.ScheduleKey(user)}
	if err := s.db.Read(ctx, append(more, get)...); err != nil {
		return nil, fmt.Errorf("read a schedule: %w", err)
	}
	c := &schedule{key: get.Key, version: get.Version}
	if get.Version == 0 {
		return c, nil
	}
	return c, record.Decode(get, &c.Schedule)
}

// Entries returns a user's scheduled statuses and drafts in the order of their ids.
func (s *Scheduled) Entries(ctx context.Context, user linnet.ID) ([]record.ScheduleEntry, error) {
	all, err := s.schedule(ctx, user)
	if err != nil {
		return nil, err
	}
	return all.Entries, nil
}

// List reads scheduled statuses. Missing ones are nil.
func (s *Scheduled) List(ctx context.Context, ids []linnet.ID) ([]*linnet.Scheduled, error) {
	qs, out := make([]kv.Query, len(ids)), make([]*linnet.Scheduled, len(ids))
	if len(ids) == 0 {
		return out, nil
	}
	for i, id := range ids {
		qs[i] = &kv.Get{Key: record.ScheduledKey(id)}
	}
	if err := s.db.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("read scheduled statuses: %w", err)
	}
	for i, q := range qs {
		get := q.(*kv.Get)
		if get.Version == 0 {
			continue
		}
		var err error
		if out[i], err = record.DecodeScheduled(ids[i], get); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// change replaces or deletes a scheduled status. f gets the current status, and returns the new one
// (nil: delete) with further changes. If f returns the current one, nothing is changed. change
// returns the previous status, or nil if there was none.
func (s *Scheduled) change(ctx context.Context, user, id linnet.ID, f func(was *linnet.Scheduled, others []record.ScheduleEntry) (now *linnet.Scheduled, ops []kv.Op, err error)) (*linnet.Scheduled, error) {
	var tried *linnet.Scheduled // possibly deleted or replaced, with a lost response
	for range db.MaxRaces {
		get := &kv.Get{Key: record.ScheduledKey(id)}
		all, err := s.schedule(ctx, user, get)
		if err != nil {
			return nil, err
		}
		if get.Version == 0 {
			return tried, nil
		}
		was, err := record.DecodeScheduled(id, get)
		if err != nil || was.Owner != user {
			return nil, err
		}
		all.without(id)
		now, ops, err := f(was, all.Entries)
		if err != nil || now == was {
			return was, err
		}
		if now == nil {
			ops = append(ops, kv.Delete{Key: get.Key})
		} else {
			now.Version = was.Version + 1
			all.Entries = append(all.Entries, record.EntryOf(now))
			slices.SortFunc(all.Entries, func(a, b record.ScheduleEntry) int { return cmp.Compare(a.ID, b.ID) })
			ops = append(ops, kv.Put{Key: get.Key, Data: record.EncodeScheduled(now), Version: now.Version})
		}
		made, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: get.Key, Version: get.Version}, all.unchanged()}, append(ops, all.put())...)
		switch {
		case errors.Is(err, kv.ErrUnknown):
			tried, ctx = was, kv.Durable(ctx)
		case err != nil:
			return nil, fmt.Errorf("change a scheduled status: %w", err)
		case made:
			return was, nil
		}
	}
	return nil, db.TooManyRaces("scheduled status", id)
}

// Reschedule changes the time of a scheduled status. It returns the result, or nil if there is
// none.
func (s *Scheduled) Reschedule(ctx context.Context, user, id linnet.ID, at time.Time, admit Admit) (out *linnet.Scheduled, err error) {
	_, err = s.change(ctx, user, id, func(was *linnet.Scheduled, others []record.ScheduleEntry) (*linnet.Scheduled, []kv.Op, error) {
		if out = was; was.At.Equal(at) && was.Failed == "" {
			return was, nil, nil
		}
		now := *was
		now.At, now.Failed, out = at, "", &now
		return out, append(task.Recall(user.Shard(), PublishingID(was)), publishing(out)...), admit(others)
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// changeMedia changes an upload in one of a user's scheduled statuses. It returns the result, or
// nil if there is none.
func (s *Scheduled) changeMedia(ctx context.Context, user, picture linnet.ID, change func(*linnet.Attachment)) (out *linnet.Attachment, err error) {
	entries, err := s.Entries(ctx, user)
	if err != nil {
		return nil, err
	}
	var ids []linnet.ID
	for _, e := range entries {
		if e.At != 0 {
			ids = append(ids, linnet.ID(e.ID))
		}
	}
	all, err := s.List(ctx, ids)
	if err != nil {
		return nil, err
	}
	at := func(sc *linnet.Scheduled) int {
		return slices.IndexFunc(sc.Media, func(m linnet.Attachment) bool { return m.ID == picture })
	}
	i := slices.IndexFunc(all, func(sc *linnet.Scheduled) bool { return sc != nil && at(sc) >= 0 })
	if i < 0 {
		return nil, nil
	}
	_, err = s.change(ctx, user, all[i].ID, func(was *linnet.Scheduled, _ []record.ScheduleEntry) (*linnet.Scheduled, []kv.Op, error) {
		j := at(was)
		if out = nil; j < 0 {
			return was, nil, nil
		}
		now := *was
		now.Media = slices.Clone(was.Media)
		out = &now.Media[j]
		change(out)
		return &now, nil, nil
	})
	return out, err
}

// Fail records the reason why a status could not be published.
func (s *Scheduled) Fail(ctx context.Context, sc *linnet.Scheduled, why string) error {
	_, err := s.change(ctx, sc.Owner, sc.ID, func(was *linnet.Scheduled, _ []record.ScheduleEntry) (*linnet.Scheduled, []kv.Op, error) {
		if !was.At.Equal(sc.At) || was.Failed != "" {
			return was, nil, nil
		}
		now := *was
		now.Failed = why
		return &now, nil, nil
	})
	return err
}

// Remove deletes a scheduled status and stores its uploads for linnet.DetachedLife, so that it can
// be written again. It returns the status, or nil if there was none.
func (s *Scheduled) Remove(ctx context.Context, user, id linnet.ID) (*linnet.Scheduled, error) {
	return s.change(ctx, user, id, func(was *linnet.Scheduled, _ []record.ScheduleEntry) (*linnet.Scheduled, []kv.Op, error) {
		return nil, append(task.Recall(user.Shard(), PublishingID(was)), detach(&linnet.Status{Author: user, Media: was.Media}, s.db.Now(), true)...), nil
	})
}

// Forget deletes at most limit scheduled statuses of a deleted user, and returns their number.
func (s *Scheduled) Forget(ctx context.Context, user linnet.ID, limit int) (int, error) {
	all, err := s.schedule(kv.Durable(ctx), user)
	if err != nil {
		return 0, err
	}
	first := all.Entries[:min(limit, len(all.Entries))]
	for _, e := range first {
		if _, err := s.Remove(ctx, user, linnet.ID(e.ID)); err != nil {
			return 0, err
		}
	}
	return len(first), nil
}

// unscheduled returns the conditions and changes that remove a scheduled status or draft when it is
// published. They ensure that it is published once and unchanged. Otherwise the transaction returns
// ErrRace, or ErrDraft for a draft.
func (s *Scheduled) unscheduled(ctx context.Context, n NewStatus) (c changes, err error) {
	sc := n.From
	if sc == nil {
		return c, nil
	}
	all, err := s.schedule(ctx, sc.Owner)
	if err != nil {
		return c, err
	}
	key := record.ScheduledKey(sc.ID)
	if same := (kv.VersionIs{Key: key, Version: sc.Version}); sc.IsDraft() { // another draft may have been written
		c.conds = []kv.Cond{db.Else(same, ErrDraft), all.unchanged()}
	} else {
		c.conds = db.AllElse([]kv.Cond{same, all.unchanged()}, db.ErrRace)
	}
	media := s.takes(n.Status, sc)
	all.without(sc.ID)
	c.conds, c.ops = append(c.conds, media.conds...), append(media.ops, kv.Delete{Key: key}, all.put())
	if n.Next != nil {
		reply := *n.Next
		reply.Draft.InReplyTo, reply.Draft.Visibility, reply.Version = n.Status.ID, &n.Status.Visibility, n.Next.Version+1
		key := record.ScheduledKey(reply.ID)
		c.conds = append(c.conds, db.Else(kv.VersionIs{Key: key, Version: n.Next.Version}, ErrDraft))
		c.ops = append(c.ops, kv.Put{Key: key, Data: record.EncodeScheduled(&reply), Version: reply.Version})
	}
	return c, nil
}
