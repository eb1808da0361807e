package posting

import (
	"context"
	"slices"

	"linnet/internal/core"
	"linnet/internal/event"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/timeline"
)

// editArgs are the arguments of the task after an edit.
type editArgs struct {
	eraseArgs       // the previous version; its cursor iterates over the users who boosted it
	At        int64 `json:"at"` // when it was edited, in Unix milliseconds
}

// Stages after an edit: users who boosted the status are notified, then the authors of quotes.
const (
	stageNotify       timeline.Stage = "told"
	stageQuotes       timeline.Stage = "quotes"
	stageClosedQuotes timeline.Stage = "closed-quotes"
)

// editedPass is the number of users that one batch notifies.
const editedPass = 100

// followEdit updates the tags, mentions and conversations of the status, and notifies users who
// boosted or quoted it, one batch at a time. It stops if a later edit has its own task.
func (s *delivery) followEdit(ctx context.Context, a editArgs) (*editArgs, error) {
	st, err := s.updateIndexes(ctx, a.status())
	if err != nil || st == nil || st.LastEdit() != a.At {
		return nil, err
	}
	if a.Stage != stageNotify && a.Stage != stageQuotes && a.Stage != stageClosedQuotes {
		now := s.st.Now()
		if err := s.st.Statuses.Search.Enqueue(ctx, now, st.ID); err != nil {
			return nil, err
		}
		if err := s.facts.Edited.Emit(ctx, event.Edited{Status: st, Queued: now}); err != nil {
			return nil, err
		}
		s.core.Emit(ctx, st.Author, core.Event{Type: linnet.EventEdit, Status: st.ID, Edited: a.At})
	}
	for budget := editedPass; budget > 0; {
		key, notify, then := record.Reposts().CopyKey(st.ID), s.notify.NotifyEdited, stageQuotes
		switch a.Stage {
		case stageQuotes:
			key, notify, then = record.QuotesKey(st.ID), s.notify.NotifyQuoted, stageClosedQuotes
		case stageClosedQuotes:
			key, notify, then = record.ClosedQuotesKey(st.ID), s.notify.NotifyQuoted, timeline.StageDone
		default:
			a.Stage = stageNotify
		}
		ids, last, err := s.st.After(ctx, key, a.From, editedPass)
		if err != nil {
			return nil, err
		}
		if err := notify(ctx, st, ids); err != nil {
			return nil, err
		}
		a.Cursor, budget = a.Next(len(ids) == editedPass, last, then), budget-len(ids)
		if a.Stage == timeline.StageDone {
			return nil, nil
		}
	}
	return &a, nil
}

// updateIndexes updates the tags, mentions and conversations of a status to its current text.
// Concurrent calls in any order give the same result, because each reads the status again after its
// changes. It returns nil if the status is deleted, and then removes all entries.
func (s *delivery) updateIndexes(ctx context.Context, before ...*linnet.Status) (*linnet.Status, error) {
	for range db.MaxRaces {
		st, err := s.st.Statuses.Status(ctx, before[0].ID)
		if err != nil {
			return nil, err
		}
		if st == nil {
			return nil, s.removeFromIndexes(ctx, before)
		}
		if err := s.updateIndexesTo(ctx, before, st); err != nil {
			return nil, err
		}
		again, err := s.st.Statuses.Status(ctx, st.ID)
		if err != nil {
			return nil, err
		}
		if again != nil && again.LastEdit() == st.LastEdit() {
			return again, nil
		}
		before = append(before, st)
	}
	return nil, db.TooManyRaces("edits of", before[0].ID)
}

// updateIndexesTo removes the entries of earlier versions of a status and adds the entries of the
// current one.
func (s *delivery) updateIndexesTo(ctx context.Context, before []*linnet.Status, st *linnet.Status) error {
	_, tags := timeline.PublicTimelines(st)
	var removed []string
	for _, was := range before {
		_, had := timeline.PublicTimelines(was)
		removed = append(removed, had...)
		for _, who := range mentionedIDs(was) {
			if slices.Contains(mentionedIDs(st), who) {
				continue
			}
			if err := s.st.Inbox.NoLongerMentions(ctx, who, st.ID); err != nil {
				return err
			}
		}
		if st.Visibility == linnet.Direct && !st.ForMembers() && !samePeople(was, st) {
			if err := s.conversations.remove(ctx, was); err != nil {
				return err
			}
			if err := s.conversations.add(ctx, st); err != nil {
				return err
			}
		}
	}
	if err := s.st.Statuses.Retag(ctx, st, tags, removed); err != nil {
		return err
	}
	return s.notify.NotifyMentioned(ctx, st)
}

// samePeople reports whether two direct statuses belong to the same conversations.
func samePeople(a, b *linnet.Status) bool {
	x, y := partners(a.Author, mentionedIDs(a)), partners(b.Author, mentionedIDs(b))
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

// removeFromIndexes removes a deleted status from the tags, mentions and conversations of its
// versions.
func (s *delivery) removeFromIndexes(ctx context.Context, before []*linnet.Status) error {
	for _, was := range before {
		_, tags := timeline.PublicTimelines(was)
		if err := s.st.Statuses.Retag(ctx, was, nil, tags); err != nil {
			return err
		}
		for _, who := range mentionedIDs(was) {
			if err := s.st.Inbox.NoLongerMentions(ctx, who, was.ID); err != nil {
				return err
			}
		}
		if was.Visibility == linnet.Direct && !was.ForMembers() {
			if err := s.conversations.remove(ctx, was); err != nil {
				return err
			}
		}
	}
	return nil
}
