package staff

import (
	"context"
	"errors"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/task"
)

// TaskAnnounce is the kind of task that publishes the start and end of an announcement. Its
// arguments are an Announced.
const TaskAnnounce = "announce"

// Announced identifies a version of an announcement.
type Announced struct {
	ID      linnet.ID `json:"id"`
	Version uint64    `json:"version"`
	Over    bool      `json:"over,omitempty"`
}

// Announcements reads all announcements.
func (s *Store) Announcements(ctx context.Context) (*linnet.AnnouncementSet, error) {
	mark := &kv.Get{Key: record.AnnouncementsMarkKey()} // first, so that newer announcements are read again
	index := &kv.Range{Key: record.AnnouncementsKey(), Limit: kv.MaxRange}
	if err := s.db.Read(ctx, mark, index); err != nil {
		return nil, fmt.Errorf("read announcements: %w", err)
	}
	ids, qs := make([]linnet.ID, len(index.Members)), make([]kv.Query, len(index.Members))
	for i, m := range index.Members {
		ids[i], _ = linnet.ParseID(m.Member)
		qs[i] = &kv.Get{Key: record.AnnouncementKey(ids[i])}
	}
	if len(qs) > 0 {
		if err := s.db.Read(ctx, qs...); err != nil {
			return nil, fmt.Errorf("read announcements: %w", err)
		}
	}
	all := make([]linnet.Announcement, 0, len(qs))
	for i, q := range qs {
		get := q.(*kv.Get)
		if get.Version == 0 { // deleted in the meantime
			continue
		}
		a, err := record.DecodeAnnouncement(ids[i], get)
		if err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	return linnet.NewAnnouncementSet(mark.Version, all), nil
}

// WriteAnnouncement writes an announcement changed by change, or creates one if id is 0, with the
// tasks that publish its start and end. change gets the number of other announcements. It returns
// ErrDeleted if there is none with the id.
func (s *Store) WriteAnnouncement(ctx context.Context, id linnet.ID, change func(a *linnet.Announcement, others int) error) (*linnet.Announcement, error) {
	fresh := id == 0
	if fresh {
		id = s.db.NewID(0, 0)
	}
	for range db.MaxRaces {
		set, err := s.Announcements(kv.Durable(ctx))
		if err != nil {
			return nil, err
		}
		a, others := linnet.Announcement{ID: id}, len(set.All)
		if found := set.Find(id); found != nil {
			a, others = *found, others-1
		} else if !fresh {
			return nil, db.ErrDeleted
		}
		before := a
		if err := change(&a, others); err != nil {
			return nil, err
		}
		a.Version++
		made, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: record.AnnouncementKey(id), Version: before.Version}, kv.VersionIs{Key: record.AnnouncementsMarkKey(), Version: set.Version}},
			s.announcementOps(&a, &before, set.Version+1)...)
		switch {
		case errors.Is(err, kv.ErrUnknown): // repeating the write is harmless
		case err != nil:
			return nil, fmt.Errorf("write an announcement: %w", err)
		case made:
			return &a, nil
		}
	}
	return nil, db.TooManyRaces("announcement", id)
}

// announcementOps returns the operations that write an announcement.
func (s *Store) announcementOps(a, before *linnet.Announcement, mark uint64) []kv.Op {
	ops := []kv.Op{kv.Put{Key: record.AnnouncementKey(a.ID), Data: record.EncodeAnnouncement(a), Version: a.Version},
		kv.Add{Key: record.AnnouncementsKey(), Member: a.ID.String(), Score: a.ID.Millis()},
		kv.Put{Key: record.AnnouncementsMarkKey(), Data: []byte("{}"), Version: mark}}
	ops = append(ops, recallAnnouncement(before)...)
	now := s.db.Now()
	for _, over := range []bool{false, true} {
		at := a.Published
		if over {
			at = a.Over()
		}
		if a.Published.IsZero() || at.IsZero() || !at.After(now) {
			continue
		}
		t, _ := task.NewLater(0, announceID(a, over), TaskAnnounce, Announced{ID: a.ID, Version: a.Version, Over: over}, at) // never fails
		ops = append(ops, t.Ops()...)
	}
	return ops
}

// announceID returns the id of the task for a version of an announcement.
func announceID(a *linnet.Announcement, over bool) string {
	return fmt.Sprintf("announce.%v.%d.%v", a.ID, a.Version, over)
}

func recallAnnouncement(a *linnet.Announcement) []kv.Op {
	if a.Version == 0 {
		return nil
	}
	return append(task.Recall(0, announceID(a, false)), task.Recall(0, announceID(a, true))...)
}

// RemoveAnnouncement deletes an announcement with all reactions, and returns it; nil if there is
// none.
func (s *Store) RemoveAnnouncement(ctx context.Context, id linnet.ID) (*linnet.Announcement, error) {
	for range db.MaxRaces {
		set, err := s.Announcements(kv.Durable(ctx))
		if err != nil {
			return nil, err
		}
		a := set.Find(id)
		if a == nil {
			return nil, nil
		}
		ops := append(recallAnnouncement(a), kv.Delete{Key: record.AnnouncementKey(id)}, kv.Remove{Key: record.AnnouncementsKey(), Member: id.String()},
			kv.Put{Key: record.AnnouncementsMarkKey(), Data: []byte("{}"), Version: set.Version + 1},
			kv.Delete{Key: record.ReactionsKey(id)}, kv.Delete{Key: record.ReactionNamesKey(id)}, kv.Delete{Key: record.ReactionCountsKey(id)})
		made, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: record.AnnouncementKey(id), Version: a.Version}, kv.VersionIs{Key: record.AnnouncementsMarkKey(), Version: set.Version}}, ops...)
		if err != nil {
			return nil, fmt.Errorf("remove an announcement: %w", err)
		}
		if made {
			return a, nil
		}
	}
	return nil, db.TooManyRaces("announcement", id)
}

// Dismiss records that a user has dismissed an announcement. It returns ErrDeleted if the user
// doesn't exist.
func (s *Store) Dismiss(ctx context.Context, user, id linnet.ID) error {
	if err := s.note(ctx, record.AnnouncedKey(user), user, id); err != nil {
		return fmt.Errorf("dismiss an announcement: %w", err)
	}
	return nil
}

// notedMost is the size of a user's sets of announcements at which deleted ones are removed.
const notedMost = 2 * linnet.MaxAnnouncements

// note adds an announcement to one of a user's sets.
func (s *Store) note(ctx context.Context, key kv.Key, user, id linnet.ID) error {
	have := &kv.Range{Key: key, Limit: notedMost + 1}
	mine := &kv.Scores{Key: key, Members: []string{id.String()}}
	if err := s.db.Read(ctx, have, mine); err != nil {
		return err
	}
	score := s.db.Now().UnixMilli()
	if mine.Found[0] {
		score = mine.Values[0]
	}
	ops := []kv.Op{kv.Add{Key: key, Member: id.String(), Score: score}}
	if len(have.Members) > notedMost { // read first: members without a record are deleted announcements
		set, err := s.Announcements(ctx)
		if err != nil {
			return err
		}
		for _, m := range have.Members {
			if other, _ := linnet.ParseID(m.Member); other != id && set.Find(other) == nil {
				ops = append(ops, kv.Remove{Key: key, Member: m.Member})
			}
		}
	}
	_, err := s.db.Txn(ctx, []kv.Cond{db.Else(db.UserPresent(user), db.ErrDeleted)}, ops...)
	return err
}

// AnnouncementStates has a user's state of announcements: which are dismissed, and the reactions to
// each.
type AnnouncementStates struct {
	Read      []bool
	Reactions []linnet.ReactionSet
}

// AnnouncementState reads the state of some announcements in one round trip. With user 0 it reads
// only reactions.
func (s *Store) AnnouncementState(ctx context.Context, user linnet.ID, ids []linnet.ID) (*AnnouncementStates, error) {
	read := &kv.Scores{Key: record.AnnouncedKey(user)}
	qs := make([]kv.Query, 0, 3*len(ids)+1)
	for _, id := range ids {
		read.Members = append(read.Members, id.String())
		qs = append(qs, &kv.Get{Key: record.ReactionNamesKey(id)}, &kv.Counters{Key: record.ReactionCountsKey(id), Names: record.ReactionCounters()},
			&kv.Scores{Key: record.ReactionsKey(id), Members: []string{user.String()}})
	}
	if user != 0 {
		qs = append(qs, read)
	}
	if err := s.db.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("read reactions: %w", err)
	}
	t := &AnnouncementStates{Read: read.Found, Reactions: make([]linnet.ReactionSet, len(ids))}
	if user == 0 {
		t.Read = make([]bool, len(ids))
	}
	for i := range ids {
		set, err := reactionSet(qs[3*i].(*kv.Get), qs[3*i+1].(*kv.Counters), qs[3*i+2].(*kv.Scores))
		if err != nil {
			return nil, err
		}
		t.Reactions[i] = set
	}
	return t, nil
}

func reactionSet(names *kv.Get, counts *kv.Counters, mine *kv.Scores) (set linnet.ReactionSet, err error) {
	var r record.ReactionNames
	if names.Version != 0 {
		if err := record.Decode(names, &r); err != nil {
			return set, err
		}
	}
	set.Names, set.Counts = r.Names, counts.Values
	if mine.Found[0] {
		set.Mine = uint32(mine.Values[0])
	}
	return set, nil
}
