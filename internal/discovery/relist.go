package discovery

import (
	"context"
	"slices"

	"linnet/internal/linnet"
	"linnet/internal/store/db"
	"linnet/internal/store/statuses"
	"linnet/internal/timeline"
)

// relistBatch is the number of statuses that one step of Relist reads.
const relistBatch = 500

// Relist removes the statuses of a silenced or suspended user from the public timeline and from the
// timelines of tags and links. For other users it adds them again. It handles the newest statuses
// below an id (0 for all) and returns the id where the next step continues, or 0 at the end. Steps
// can be repeated. After two opposite decisions the later one applies.
func (s *Trends) Relist(ctx context.Context, user, below linnet.ID) (next linnet.ID, err error) {
	for {
		before, err := s.strangersSee(ctx, user)
		if err != nil {
			return 0, err
		}
		if next, err = s.relist(ctx, user, below, before); err != nil {
			return 0, err
		}
		if after, err := s.strangersSee(ctx, user); err != nil || after == before {
			return next, err
		}
	}
}

// strangersSee reports whether public timelines show a user's posts.
func (s *Trends) strangersSee(ctx context.Context, user linnet.ID) (bool, error) {
	u, err := s.st.UserNow(ctx, user)
	return u != nil && !u.Hidden() && !u.Silenced, err
}

// relist is one step of Relist for a known state of the user.
func (s *Trends) relist(ctx context.Context, user, below linnet.ID, listed bool) (next linnet.ID, err error) {
	b := s.st.Batch()
	ref := b.Posts(user, db.Span{Below: below, Limit: relistBatch})
	if err := b.Run(ctx); err != nil {
		return 0, err
	}
	posts := ref.Posts()
	var ids []linnet.ID
	for _, p := range posts {
		if p.Visibility == linnet.Public && !p.Repost && !p.Imported {
			ids = append(ids, p.ID)
		}
	}
	found, err := s.existing(ctx, ids)
	if err != nil {
		return 0, err
	}
	if err := s.list(ctx, found, listed); err != nil {
		return 0, err
	}
	if listed { // a status that was deleted in the meantime may have been added again
		still, err := s.existing(ctx, ids)
		if err != nil {
			return 0, err
		}
		deleted := slices.DeleteFunc(found, func(st *linnet.Status) bool {
			return slices.ContainsFunc(still, func(o *linnet.Status) bool { return o.ID == st.ID })
		})
		if err := s.list(ctx, deleted, false); err != nil {
			return 0, err
		}
	}
	if len(posts) == relistBatch {
		next = posts[len(posts)-1].ID
	}
	return next, nil
}

// existing reads statuses and skips deleted ones.
func (s *Trends) existing(ctx context.Context, ids []linnet.ID) (out []*linnet.Status, err error) {
	b := s.st.Batch()
	refs := make([]*db.RecordRef, len(ids))
	for i, id := range ids {
		refs[i] = b.StatusRecord(id)
	}
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	for _, ref := range refs {
		if ref.Status != nil {
			out = append(out, ref.Status)
		}
	}
	return out, nil
}

// list adds statuses to their public timelines, or removes them.
func (s *Trends) list(ctx context.Context, sts []*linnet.Status, listed bool) error {
	if len(sts) == 0 {
		return nil
	}
	public := make([]statuses.Public, len(sts))
	for i, st := range sts {
		public[i].Status = st
		public[i].Global, public[i].Tags = timeline.PublicTimelines(st)
	}
	if err := s.st.Statuses.List(ctx, public, listed); err != nil {
		return err
	}
	if listed {
		return s.enterLinks(ctx, noted{again: sts})
	}
	return s.enterLinks(ctx, noted{deleted: sts})
}
