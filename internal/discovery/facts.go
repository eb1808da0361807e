package discovery

import (
	"context"

	"linnet/internal/event"
)

// Posted notes a new status for trends and adds it to the search index.
func (s *Service) Posted(_ context.Context, f event.Posted) error {
	s.trendWindow.posted(f.Status)
	s.search.posted(f.Status, f.Queued)
	return nil
}

// Edited notes an edited status for trends and updates the search index, on this server. Other
// servers read the queue of the index.
func (s *Service) Edited(_ context.Context, f event.Edited) error {
	s.trendWindow.changed(f.Status, false)
	s.search.posted(f.Status, f.Queued)
	return nil
}

// Deleted notes a deleted status for trends and deletes its promotions.
func (s *Service) Deleted(ctx context.Context, f event.Deleted) error {
	s.trendWindow.changed(f.Status, true)
	return s.erasePromotions(ctx, f.Status.ID)
}

// FirstVote notes a vote for trends.
func (s *Service) FirstVote(_ context.Context, f event.FirstVote) error {
	s.trendWindow.marked(f.Status, f.By)
	return nil
}

// VotesChanged promotes a status if its votes pass its next level. Below that it reads and writes
// nothing.
func (s *Service) VotesChanged(ctx context.Context, f event.VotesChanged) error {
	if !f.Status.Rises(f.Votes, s.st.Now()) {
		return nil
	}
	return s.promote(ctx, f.Status.ID, f.Status.Author, f.Status.Group)
}
