package social

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/view"
)

// SetNote stores a private note of me about other. An empty note deletes it.
// https://docs.joinmastodon.org/methods/accounts/#note
func (s *Service) SetNote(ctx context.Context, me, other linnet.ID, note string) (linnet.Relationship, error) {
	note = core.Lines(note)
	if err := core.CheckText("comment", &note, linnet.MaxPersonNote); err != nil {
		return linnet.Relationship{}, err
	}
	if err := s.MustExist(ctx, me, other); err != nil {
		return linnet.Relationship{}, err
	}
	if err := s.st.Relations.SetNote(ctx, me, other, note); err != nil {
		return linnet.Relationship{}, core.StoreError(err)
	}
	return s.Relationship(ctx, me, other)
}

// Endorse features other on me's profile, or ends that. me must follow other.
// https://docs.joinmastodon.org/methods/accounts/#endorse
func (s *Service) Endorse(ctx context.Context, me, other linnet.ID, on bool) (linnet.Relationship, error) {
	if err := s.MustExist(ctx, me, other); err != nil {
		return linnet.Relationship{}, err
	}
	r, err := s.Relationship(ctx, me, other)
	if err != nil {
		return r, err
	}
	if on && !r.Following {
		return r, linnet.Errorf(linnet.Invalid, "Validation failed: you must already be following the person you want to endorse")
	}
	if err := s.st.Relations.SetMember(ctx, record.Endorsed, me, other, on); err != nil {
		return r, core.StoreError(err)
	}
	r.Endorsed = on
	return r, nil
}

// Endorsements returns the users that a user features, newest first. Users who are no longer
// followed or who share a block with the viewer are left out.
// https://docs.joinmastodon.org/methods/endorsements/#get
func (s *Service) Endorsements(ctx context.Context, viewer, of linnet.ID, p linnet.Page) (linnet.Slice[linnet.UserView], error) {
	if err := s.MustExist(ctx, viewer, of); err != nil {
		return linnet.Slice[linnet.UserView]{}, err
	}
	if open, err := s.view.WithoutBlocked(ctx, viewer, []linnet.ID{of}); err != nil || len(open) == 0 {
		return linnet.Slice[linnet.UserView]{}, err
	}
	p.Limit = min(max(p.Limit, 1), linnet.MaxUsersPage)
	return view.EntryPage(ctx, s.view, record.Endorsed.Key(of), p, view.UserID, func(ids []linnet.ID) ([]linnet.UserView, error) {
		b := s.st.Batch()
		followed := b.Related(record.Follows(), of, ids)
		if err := b.Run(ctx); err != nil {
			return nil, core.StoreError(err)
		}
		return s.view.WithoutBlocked(ctx, viewer, followed.Found())
	})
}
