package posting

import (
	"context"
	"crypto/rand"
	"errors"

	"linnet/internal/core"
	"linnet/internal/event"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/store/relations"
	"linnet/internal/store/statuses"
	"linnet/internal/task"
	"linnet/internal/view"
)

// target finds the status that an act on id concerns: the original, if id is a
// repost.
func (s *Service) target(ctx context.Context, me, id linnet.ID) (*linnet.Status, error) {
	v, err := s.targetView(ctx, me, id)
	if err != nil {
		return nil, err
	}
	return &v.Status, nil
}

func (s *Service) targetView(ctx context.Context, me, id linnet.ID) (linnet.StatusView, error) {
	v, err := s.view.Status(ctx, me, id)
	if err == nil && v.Repost != nil {
		return *v.Repost, nil
	}
	return v, err
}

// Favourite marks a status as a favourite.
// https://docs.joinmastodon.org/methods/statuses/#favourite
func (s *Service) Favourite(ctx context.Context, me, id linnet.ID) (linnet.StatusView, error) {
	return s.favourite(ctx, me, id, true)
}

// Unfavourite takes the mark away.
func (s *Service) Unfavourite(ctx context.Context, me, id linnet.ID) (linnet.StatusView, error) {
	return s.favourite(ctx, me, id, false)
}

func (s *Service) favourite(ctx context.Context, me, id linnet.ID, on bool) (linnet.StatusView, error) {
	seen, err := s.targetView(ctx, me, id)
	if err != nil {
		return linnet.StatusView{}, err
	}
	st := &seen.Status
	c := relations.EdgeChange{Kind: record.Favourites(), Owner: me, Other: st.ID, Live: on}
	if on {
		c.Conds = db.NoBlocks(me, st.Author)
	}
	async, wait := core.AsyncEvents(ctx)
	defer wait()
	_, err = s.social.Change(async, c)
	if errors.Is(err, db.ErrCondition) {
		return linnet.StatusView{}, s.social.BarredStatus(ctx, me, st)
	}
	if err != nil {
		return linnet.StatusView{}, core.StoreError(err)
	}
	seen.Favourited = on
	v, err := s.view.Again(ctx, me, seen)
	if err == nil && on && me != st.Author {
		// This count includes concurrent votes. If it fails, the next vote corrects it.
		if err := s.facts.VotesChanged.Emit(ctx, event.VotesChanged{Status: &v.Status, Votes: v.Votes()}); err != nil && ctx.Err() == nil {
			s.opt.Log.Warn("cannot report votes", "status", v.ID, "err", err)
		}
	}
	return v, err
}

// Repost reposts a status; repeated, it gives the first repost. v is its
// visibility, at most public; nil means the author's default.
// https://docs.joinmastodon.org/methods/statuses/#boost
func (s *Service) Repost(ctx context.Context, me, id linnet.ID, v *linnet.Visibility) (linnet.StatusView, error) {
	st, err := s.target(ctx, me, id)
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
		out, err := s.repost(ctx, me, st, v)
		if errors.Is(err, statuses.ErrRepeated) {
			out, err = s.repostOf(store.Durable(ctx), me, st.ID)
		}
		if !errors.Is(err, view.ErrNoStatus) {
			return out, err
		}
		if st, err = s.target(ctx, me, st.ID); err != nil { // else only the repost was taken back
			return linnet.StatusView{}, err
		}
	}
	return linnet.StatusView{}, linnet.Errorf(linnet.Conflict, "The post is being boosted and unboosted at the same time. Try again.")
}

// repost makes a repost; ErrRepeated if there is one.
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
	case errors.Is(err, db.ErrGone):
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

// Unrepost takes a repost back and shows the original; id is of either.
// https://docs.joinmastodon.org/methods/statuses/#unreblog
func (s *Service) Unrepost(ctx context.Context, me, id linnet.ID) (linnet.StatusView, error) {
	st, err := s.target(ctx, me, id)
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

// FavouritedBy shows who has a status as a favourite, the latest first.
func (s *Service) FavouritedBy(ctx context.Context, viewer, id linnet.ID, p linnet.Page) (linnet.Slice[linnet.UserView], error) {
	st, err := s.target(ctx, viewer, id)
	if err != nil {
		return linnet.Slice[linnet.UserView]{}, err
	}
	return s.view.People(ctx, viewer, record.Favourites().CopyKey(st.ID), p)
}

// RepostedBy shows the users who reposted a status, the latest first. A repost for followers only
// is shown to the viewers who can see it.
func (s *Service) RepostedBy(ctx context.Context, viewer, id linnet.ID, p linnet.Page) (linnet.Slice[linnet.UserView], error) {
	st, err := s.target(ctx, viewer, id)
	if err != nil {
		return linnet.Slice[linnet.UserView]{}, err
	}
	return view.EntryPage(ctx, s.view, record.Reposts().CopyKey(st.ID), view.UsersPage(p), view.UserID, func(ids []linnet.ID) ([]linnet.UserView, error) {
		ids, err := s.view.VisibleReposters(ctx, viewer, st.ID, ids)
		if err != nil {
			return nil, err
		}
		return s.view.WithoutBlocked(ctx, viewer, ids)
	})
}

// Favourites shows me's favourites, the latest mark first.
func (s *Service) Favourites(ctx context.Context, me linnet.ID, p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
	return s.marked(ctx, me, record.Favourites().OwnedKey(me), p)
}

// Bookmark adds a status to the private bookmarks of me.
func (s *Service) Bookmark(ctx context.Context, me, id linnet.ID) (linnet.StatusView, error) {
	return s.bookmark(ctx, me, id, true)
}

// Unbookmark takes a status out of the bookmarks.
func (s *Service) Unbookmark(ctx context.Context, me, id linnet.ID) (linnet.StatusView, error) {
	return s.bookmark(ctx, me, id, false)
}

func (s *Service) bookmark(ctx context.Context, me, id linnet.ID, on bool) (linnet.StatusView, error) {
	seen, err := s.targetView(ctx, me, id)
	if err != nil {
		return linnet.StatusView{}, err
	}
	if err := s.st.Relations.Keep(ctx, record.Bookmarks, me, seen.ID, on); err != nil {
		return linnet.StatusView{}, core.StoreError(err)
	}
	seen.Bookmarked = on
	return s.view.Again(ctx, me, seen)
}

// Bookmarks returns the bookmarks of me, newest first.
func (s *Service) Bookmarks(ctx context.Context, me linnet.ID, p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
	return s.marked(ctx, me, record.Bookmarks.Key(me), p)
}

// marked shows a page of statuses that are ordered by when they were marked.
func (s *Service) marked(ctx context.Context, me linnet.ID, key kv.Key, p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
	if p.Limit == 0 {
		p.Limit = linnet.DefaultPage
	}
	p.Limit = min(max(p.Limit, 1), linnet.MaxPage)
	return view.EntryPage(ctx, s.view, key, p, func(v *linnet.StatusView) linnet.ID { return v.ID },
		func(ids []linnet.ID) ([]linnet.StatusView, error) { return s.view.Statuses(ctx, me, ids) })
}
