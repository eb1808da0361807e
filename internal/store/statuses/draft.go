package statuses

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// ErrDraft means that a draft was deleted or changed since its author read it.
var ErrDraft = errors.New("the draft was deleted or changed")

// SaveDraft stores a new draft, or replaces was if that has not changed. It attaches the draft's
// uploads. Uploads that it no longer has are stored for linnet.DetachedLife. It returns ErrDeleted
// if the user does not exist, ErrDraft if was has changed, and ErrAttachment if an upload is
// missing.
func (s *Scheduled) SaveDraft(ctx context.Context, sc, was *linnet.Scheduled, admit Admit) error {
	for range db.MaxRaces {
		made, err := s.saveDraft(ctx, sc, was, admit)
		if errors.Is(err, kv.ErrUnknown) {
			made, err = s.scheduledAs(ctx, sc)
		}
		if err != nil {
			return fmt.Errorf("save a draft: %w", err)
		}
		if made {
			return nil
		}
	}
	return db.TooManyRaces("drafts of", sc.Owner)
}

func (s *Scheduled) saveDraft(ctx context.Context, sc, was *linnet.Scheduled, admit Admit) (bool, error) {
	all, err := s.schedule(ctx, sc.Owner)
	if err != nil {
		return false, err
	}
	conds := []kv.Cond{db.Else(db.UserPresent(sc.Owner), db.ErrDeleted)}
	if was == nil {
		sc.ID, sc.Version = s.db.NewID(sc.Owner.Shard(), 0), 1
		conds = append(conds, kv.Absent(record.ScheduledKey(sc.ID)))
	} else {
		sc.ID, sc.Version = was.ID, was.Version+1
		conds = append(conds, db.Else(kv.VersionIs{Key: record.ScheduledKey(was.ID), Version: was.Version}, ErrDraft))
	}
	all.without(sc.ID)
	if was == nil {
		if err := admit(all.Entries); err != nil {
			return false, err
		}
	}
	all.Entries = append(all.Entries, record.EntryOf(sc))
	slices.SortFunc(all.Entries, func(a, b record.ScheduleEntry) int { return cmp.Compare(a.ID, b.ID) })
	media := s.takes(&linnet.Status{Author: sc.Owner, Media: sc.Media}, was)
	return s.db.Txn(ctx, slices.Concat(conds, media.conds, []kv.Cond{all.unchanged()}),
		append(media.ops, kv.Put{Key: record.ScheduledKey(sc.ID), Data: record.EncodeScheduled(sc), Version: sc.Version}, all.put())...)
}

// takes returns the conditions and changes by which a status attaches its uploads, also from a
// draft. The draft's other uploads are stored for a while.
func (s *Scheduled) takes(st *linnet.Status, from *linnet.Scheduled) changes {
	if from == nil {
		return attach(st)
	}
	fresh, left := &linnet.Status{Author: st.Author, Media: difference(st.Media, from.Media)}, &linnet.Status{Author: st.Author, Media: difference(from.Media, st.Media)}
	c := attach(fresh)
	c.ops = append(c.ops, detach(left, s.db.Now(), true)...)
	return c
}

// difference returns the uploads that are not among others.
func difference(all, others []linnet.Attachment) (out []linnet.Attachment) {
	for _, a := range all {
		if !slices.ContainsFunc(others, func(o linnet.Attachment) bool { return o.ID == a.ID }) {
			out = append(out, a)
		}
	}
	return out
}

// DeleteDraft deletes a draft if it has not changed, and stores its uploads for
// linnet.DetachedLife. It returns false if the draft was changed or deleted.
func (s *Scheduled) DeleteDraft(ctx context.Context, was *linnet.Scheduled) (bool, error) {
	same := false
	found, err := s.change(ctx, was.Owner, was.ID, func(now *linnet.Scheduled, _ []record.ScheduleEntry) (*linnet.Scheduled, []kv.Op, error) {
		if same = now.Version == was.Version; !same {
			return now, nil, nil
		}
		return nil, detach(&linnet.Status{Author: was.Owner, Media: now.Media}, s.db.Now(), true), nil
	})
	return same && found != nil, err
}
