package social

import (
	"context"
	"errors"
	"hash/fnv"
	"slices"
	"strings"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/store/relations"
	"linnet/internal/text"
)

// FollowedTags manages the tags that users follow. It is safe for concurrent use.
type FollowedTags struct {
	st   *store.Store
	core *core.Service
}

// Follow adds public posts with a tag to me's home timeline. The limit is MaxFollowedTags. It
// returns NotFound if name is not a valid tag.
// https://docs.joinmastodon.org/methods/tags/#follow
func (s *FollowedTags) Follow(ctx context.Context, me linnet.ID, name string) error {
	folded, err := tagNamed(name)
	if err != nil {
		return err
	}
	err = s.st.Relations.FollowTag(ctx, me, folded, linnet.MaxFollowedTags)
	switch {
	case errors.Is(err, relations.ErrLimit):
		return linnet.Errorf(linnet.Invalid, "Validation failed: You can follow at most %d hashtags. Unfollow one first", linnet.MaxFollowedTags)
	case errors.Is(err, db.ErrDeleted):
		return core.ErrNoUser
	}
	return s.changed(ctx, me, err)
}

// Unfollow makes me unfollow a tag. Posts that were shown only because of the tag disappear at
// once. https://docs.joinmastodon.org/methods/tags/#unfollow
func (s *FollowedTags) Unfollow(ctx context.Context, me linnet.ID, name string) error {
	folded, err := tagNamed(name)
	if err != nil {
		return err
	}
	return s.changed(ctx, me, s.st.Relations.UnfollowTag(ctx, me, folded))
}

// changed notifies the streams of me.
func (s *FollowedTags) changed(ctx context.Context, me linnet.ID, err error) error {
	if err == nil {
		s.core.Emit(ctx, me, core.Event{Type: core.EventReader, To: me})
	}
	return core.StoreError(err)
}

func tagNamed(name string) (folded string, err error) {
	if name = strings.TrimPrefix(strings.TrimSpace(name), "#"); !text.ValidTag(name) {
		return "", linnet.Errorf(linnet.NotFound, "Record not found")
	}
	return text.FoldTag(name), nil
}

// List returns the tags that me follows, newest first.
// https://docs.joinmastodon.org/methods/followed_tags/#get
func (s *FollowedTags) List(ctx context.Context, me linnet.ID, p linnet.Page) (out linnet.Slice[linnet.FollowedTag], err error) {
	var bounds [3]linnet.Cursor
	for i, c := range []linnet.Cursor{p.Max, p.Since, p.Min} {
		score, id, err := c.Scored()
		if err != nil {
			return out, err
		}
		if c != "" {
			bounds[i] = linnet.ScoredCursor(score, id)
		}
	}
	all, err := s.st.Relations.FollowedTags(ctx, me)
	if err != nil {
		return out, core.StoreError(err)
	}
	slices.SortFunc(all, func(a, b linnet.FollowedTag) int { // tags followed at the same time are sorted by their cursors
		if at := followedAt(a); at != followedAt(b) && later(at, followedAt(b)) == at {
			return -1
		}
		return 1
	})
	above := later(bounds[1], bounds[2])
	for _, t := range all {
		if at := followedAt(t); (bounds[0] == "" || later(at, bounds[0]) != at) && (above == "" || at != above && later(at, above) == at) {
			out.Items = append(out.Items, t)
		}
	}
	out.Items = linnet.CutPage(out.Items, p)
	if n := len(out.Items); n > 0 {
		out.First, out.Last = followedAt(out.Items[0]), followedAt(out.Items[n-1])
	}
	return out, nil
}

// followedAt returns the cursor of a followed tag.
func followedAt(t linnet.FollowedTag) linnet.Cursor {
	h := fnv.New64a()
	h.Write([]byte(t.Tag))
	return linnet.ScoredCursor(t.Since.UnixMilli(), linnet.ID(h.Sum64()>>1))
}

// later returns the later of two cursors. "" is the earliest. All cursors have the same number of
// digits after the time.
func later(a, b linnet.Cursor) linnet.Cursor {
	if len(a) > len(b) || len(a) == len(b) && a >= b {
		return a
	}
	return b
}

// Names returns the folded tags that me follows. It returns none if me is 0.
func (s *FollowedTags) Names(ctx context.Context, me linnet.ID) ([]string, error) {
	b := s.st.Batch()
	r := b.Reader(me)
	r.AskRelationships()
	err := b.Run(ctx)
	return r.FollowedTags(), core.StoreError(err)
}
