package posting

import (
	"context"
	"crypto/rand"
	"errors"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/store/statuses"
	"linnet/internal/task"
	"linnet/internal/view"
)

// Repost boosts a status. If me has boosted it, it returns that boost. v is the visibility of the
// boost, or nil for the default of me.
// https://docs.joinmastodon.org/methods/statuses/#boost
func (s *Service) Repost(ctx context.Context, me, id linnet.ID, v *linnet.Visibility) (linnet.StatusView, error) {
	st, err := s.view.Original(ctx, me, id)
	if err != nil {
		return linnet.StatusView{}, err
	}
	if !st.BoostableBy(me) {
		if st.Visibility == linnet.Direct {
			return linnet.StatusView{}, linnet.Errorf(linnet.Invalid, "Validation failed: a direct post can't be boosted")
		}
		return linnet.StatusView{}, linnet.Errorf(linnet.Invalid, "Validation failed: a followers-only post can't be boosted")
	}
	if err := s.social.MayApproach(ctx, me, st.Author); err != nil {
		return linnet.StatusView{}, err
	}
	for range core.PageRounds {
		out, err := s.repost(ctx, me, &st.Status, v)
		if errors.Is(err, statuses.ErrRepeated) {
			out, err = s.repostOf(store.Durable(ctx), me, st.ID)
		}
		if !errors.Is(err, view.ErrNoStatus) {
			return out, err
		}
		if st, err = s.view.Original(ctx, me, st.ID); err != nil { // otherwise only the boost was undone
			return linnet.StatusView{}, err
		}
	}
	return linnet.StatusView{}, linnet.Errorf(linnet.Conflict, "The post is being boosted and unboosted at the same time. Try again.")
}

// repost creates a boost. It returns ErrRepeated if there is one.
func (s *Service) repost(ctx context.Context, me linnet.ID, st *linnet.Status, v *linnet.Visibility) (linnet.StatusView, error) {
	b := s.st.Batch()
	ref := b.User(me)
	if err := b.Run(ctx); err != nil {
		return linnet.StatusView{}, core.StoreError(err)
	}
	if ref.User == nil {
		return linnet.StatusView{}, core.ErrNoUser
	}
	r := &linnet.Status{Author: me, RepostOf: st.ID, RepostAuthor: st.Author, Visibility: min(ref.User.Posting.Visibility, linnet.Private),
		Nonce: rand.Text(), Version: 1}
	if v != nil {
		r.Visibility = min(*v, linnet.Private)
	}
	if st.Visibility == linnet.Private {
		r.Visibility = linnet.Private
	}
	t, err := s.st.Statuses.CreateStatus(ctx, statuses.NewStatus{Status: r, After: st.ID, Task: func(id linnet.ID) (task.Task, error) {
		return s.tasks.New(me.Shard(), TaskPublish, publishArgs{Status: id})
	}})
	switch {
	case errors.Is(err, statuses.ErrRepeated):
		return linnet.StatusView{}, err
	case errors.Is(err, db.ErrDeleted):
		return linnet.StatusView{}, core.ErrNoUser
	case err != nil:
		return linnet.StatusView{}, core.StoreError(err)
	}
	s.tasks.Run(ctx, t)
	return s.view.Status(ctx, me, r.ID)
}

func (s *Service) repostOf(ctx context.Context, me, original linnet.ID) (linnet.StatusView, error) {
	ids, err := s.st.Statuses.RepostIDs(ctx, original, me)
	if err != nil {
		return linnet.StatusView{}, core.StoreError(err)
	}
	if ids[me] == 0 {
		return linnet.StatusView{}, view.ErrNoStatus
	}
	return s.view.Status(ctx, me, ids[me])
}

// Unrepost removes a boost and returns the original. id is the id of either.
// https://docs.joinmastodon.org/methods/statuses/#unreblog
func (s *Service) Unrepost(ctx context.Context, me, id linnet.ID) (linnet.StatusView, error) {
	st, err := s.view.Original(ctx, me, id)
	if err != nil {
		return linnet.StatusView{}, err
	}
	v, err := core.RetryDurable(ctx, func(ctx context.Context) (linnet.StatusView, error) { return s.repostOf(ctx, me, st.ID) })
	if err == nil {
		_, err = s.eraser.Erase(ctx, &v.Status, func(t task.Task) { s.tasks.Run(ctx, t) })
	}
	if err != nil && linnet.KindOf(err) != linnet.NotFound {
		return linnet.StatusView{}, err
	}
	return s.view.Status(ctx, me, st.ID)
}
