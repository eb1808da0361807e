package posting

import (
	"context"
	"errors"
	"log/slog"

	"linnet/internal/core"
	"linnet/internal/event"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/social"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/store/relations"
	"linnet/internal/view"
)

// Marks manages favourites, bookmarks, pins and muted threads, and lists who favourited or boosted
// a post. It is safe for concurrent use.
type Marks struct {
	st     *store.Store
	log    *slog.Logger
	facts  *event.Facts
	view   *view.Service
	social *social.Service
}

// Favourite adds a status to the favourites of me.
// https://docs.joinmastodon.org/methods/statuses/#favourite
func (s *Marks) Favourite(ctx context.Context, me, id linnet.ID) (linnet.StatusView, error) {
	return s.favourite(ctx, me, id, true)
}

// Unfavourite removes a status from the favourites.
func (s *Marks) Unfavourite(ctx context.Context, me, id linnet.ID) (linnet.StatusView, error) {
	return s.favourite(ctx, me, id, false)
}

func (s *Marks) favourite(ctx context.Context, me, id linnet.ID, on bool) (linnet.StatusView, error) {
	seen, err := s.view.Original(ctx, me, id)
	if err != nil {
		return linnet.StatusView{}, err
	}
	st := &seen.Status
	c := relations.RelationChange{Kind: record.Favourites(), Owner: me, Other: st.ID, Live: on}
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
			s.log.Warn("cannot report votes", "status", v.ID, "err", err)
		}
	}
	return v, err
}

// FavouritedBy returns the users who favourited a status, latest first.
func (s *Marks) FavouritedBy(ctx context.Context, viewer, id linnet.ID, p linnet.Page) (linnet.Slice[linnet.UserView], error) {
	st, err := s.view.Original(ctx, viewer, id)
	if err != nil {
		return linnet.Slice[linnet.UserView]{}, err
	}
	return s.view.People(ctx, viewer, record.Favourites().CopyKey(st.ID), p)
}

// RepostedBy returns the users who boosted a status, latest first. A boost for followers only is
// returned to viewers who can see it.
func (s *Marks) RepostedBy(ctx context.Context, viewer, id linnet.ID, p linnet.Page) (linnet.Slice[linnet.UserView], error) {
	st, err := s.view.Original(ctx, viewer, id)
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

// Favourites returns the favourites of me, last added first.
func (s *Marks) Favourites(ctx context.Context, me linnet.ID, p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
	return s.marked(ctx, me, record.Favourites().OwnedKey(me), p)
}

// Bookmark adds a status to the private bookmarks of me.
func (s *Marks) Bookmark(ctx context.Context, me, id linnet.ID) (linnet.StatusView, error) {
	return s.bookmark(ctx, me, id, true)
}

// Unbookmark removes a status from the bookmarks.
func (s *Marks) Unbookmark(ctx context.Context, me, id linnet.ID) (linnet.StatusView, error) {
	return s.bookmark(ctx, me, id, false)
}

func (s *Marks) bookmark(ctx context.Context, me, id linnet.ID, on bool) (linnet.StatusView, error) {
	seen, err := s.view.Original(ctx, me, id)
	if err != nil {
		return linnet.StatusView{}, err
	}
	if err := s.st.Relations.SetMember(ctx, record.Bookmarks, me, seen.ID, on); err != nil {
		return linnet.StatusView{}, core.StoreError(err)
	}
	seen.Bookmarked = on
	return s.view.Again(ctx, me, seen)
}

// Bookmarks returns the bookmarks of me, newest first.
func (s *Marks) Bookmarks(ctx context.Context, me linnet.ID, p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
	return s.marked(ctx, me, record.Bookmarks.Key(me), p)
}

// marked returns a page of statuses in the order in which they were marked.
func (s *Marks) marked(ctx context.Context, me linnet.ID, key kv.Key, p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
	if p.Limit == 0 {
		p.Limit = linnet.DefaultPage
	}
	p.Limit = min(max(p.Limit, 1), linnet.MaxPage)
	return view.EntryPage(ctx, s.view, key, p, func(v *linnet.StatusView) linnet.ID { return v.ID },
		func(ids []linnet.ID) ([]linnet.StatusView, error) { return s.view.Statuses(ctx, me, ids) })
}

// MuteThread ends notifications of replies and other actions in the thread of a status. Existing
// notifications stay.
// https://docs.joinmastodon.org/methods/statuses/#mute
func (s *Marks) MuteThread(ctx context.Context, me, id linnet.ID) (linnet.StatusView, error) {
	return s.muteThread(ctx, me, id, true)
}

// UnmuteThread restores notifications of a thread.
func (s *Marks) UnmuteThread(ctx context.Context, me, id linnet.ID) (linnet.StatusView, error) {
	return s.muteThread(ctx, me, id, false)
}

func (s *Marks) muteThread(ctx context.Context, me, id linnet.ID, on bool) (linnet.StatusView, error) {
	st, err := s.view.Original(ctx, me, id)
	if err != nil {
		return linnet.StatusView{}, err
	}
	if err := s.st.Relations.MuteThread(ctx, me, st.Conversation, on); err != nil {
		return linnet.StatusView{}, core.StoreError(err)
	}
	return s.view.Status(ctx, me, st.ID)
}
