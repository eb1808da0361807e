package posting

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/event"
	"linnet/internal/linnet"
	"linnet/internal/task"
)

// What staff do to the posts of others. Package moderation has checked the permissions. Everything
// here can run more than once.

// Remove deletes a status with its files.
func (s *Service) Remove(ctx context.Context, st *linnet.Status) error {
	_, err := s.eraser.Erase(ctx, st, func(t task.Task) { s.tasks.Run(ctx, t) })
	return err
}

// Mark marks a status as sensitive, which an edit can't undo, or takes that back. A status with a
// content warning stays sensitive.
func (s *Service) Mark(ctx context.Context, id linnet.ID, sensitive bool) error {
	now, done, err := s.st.Statuses.Quotes.Rewrite(ctx, id, func(st *linnet.Status) bool {
		if st.Marked == sensitive {
			return false
		}
		st.Marked, st.Sensitive = sensitive, sensitive || st.Warning != ""
		return true
	})
	if err != nil || !done {
		return core.StoreError(err)
	}
	return s.followMark(ctx, now)
}

// RemovePicture removes a picture from a status and its earlier versions, and deletes its files.
func (s *Service) RemovePicture(ctx context.Context, id, picture linnet.ID) error {
	now, removed, err := s.st.Statuses.RemovePicture(ctx, id, picture)
	if err != nil || removed == nil {
		return core.StoreError(err)
	}
	s.uploads.Detached(ctx, &linnet.Status{Author: now.Author, Former: []linnet.Attachment{*removed}}, false)
	return s.followMark(ctx, now)
}

// followMark updates the search index and trends after a change by staff, and notifies open
// streams. Nobody gets a notification of an edit.
func (s *Service) followMark(ctx context.Context, now *linnet.Status) error {
	s.view.ForgetText(now.ID)
	at := s.st.Now()
	if err := s.st.Statuses.Search.Enqueue(ctx, at, now.ID); err != nil {
		return core.StoreError(err)
	}
	if err := s.delivery.facts.Edited.Emit(ctx, event.Edited{Status: now, Queued: at}); err != nil {
		return err
	}
	emitChanged(ctx, s.core, now, at)
	return nil
}
