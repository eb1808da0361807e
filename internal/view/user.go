package view

import (
	"cmp"
	"context"
	"time"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store/db"
)

// lastPosted returns the time of a user's last status that isn't direct; zero for none.
func lastPosted(ref *db.UserRef) time.Time {
	if ref.Last == 0 {
		return time.Time{}
	}
	return ref.Last.Time()
}

// User returns a user.
func (s *Service) User(ctx context.Context, viewer, id linnet.ID) (linnet.UserView, error) {
	b := s.st.Batch()
	ref := b.User(id)
	requests := new(int64)
	if viewer == id {
		requests = b.RequestsTo(id)
	}
	if err := b.Run(ctx); err != nil {
		return linnet.UserView{}, core.StoreError(err)
	}
	if ref.User == nil || ref.User.Unapproved && viewer != id {
		return linnet.UserView{}, core.ErrNoUser
	}
	v := s.UserView(ref)
	if seen, err := s.Known(ctx, viewer, []linnet.UserView{v}, false); err != nil || len(seen) == 0 {
		return linnet.UserView{}, cmp.Or(err, error(core.ErrNoUser))
	}
	if v.Suspended {
		return v, nil
	}
	v.Requests = *requests
	inside, err := s.isInside(ctx, viewer, ref.User)
	if err != nil {
		return linnet.UserView{}, err
	}
	if inside {
		v.Statuses, v.LastStatusAt = max(ref.Statuses, 0), lastPosted(ref)
	}
	return v, nil
}

// Users returns the users among ids that exist and are not suspended, in that order.
func (s *Service) Users(ctx context.Context, viewer linnet.ID, ids []linnet.ID) ([]linnet.UserView, error) {
	b := s.st.Batch()
	refs := make([]*db.UserRef, len(ids))
	for i, id := range ids {
		refs[i] = b.User(id)
	}
	if err := b.Run(ctx); err != nil {
		return nil, core.StoreError(err)
	}
	out := make([]linnet.UserView, 0, len(ids))
	for _, ref := range refs {
		if ref.User != nil && !ref.User.Hidden() {
			out = append(out, s.UserView(ref))
		}
	}
	return s.Known(ctx, viewer, out, false)
}

// UserByLogin returns a user by login, with or without this server's host: "ann", "@ann",
// "ann@example.com".
func (s *Service) UserByLogin(ctx context.Context, viewer linnet.ID, login string) (linnet.UserView, error) {
	login, ok := s.core.LocalLogin(login)
	if !ok {
		return linnet.UserView{}, core.ErrNoUser
	}
	id, err := s.st.Accounts.UserByLogin(ctx, login)
	if err != nil {
		return linnet.UserView{}, core.StoreError(err)
	}
	if id == 0 {
		return linnet.UserView{}, core.ErrNoUser
	}
	return s.User(ctx, viewer, id)
}
