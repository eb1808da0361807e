package view

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store/db"
)

// Skip names the kinds of statuses that a timeline leaves out.
type Skip struct {
	Silenced bool // by silenced authors
	Unwanted bool // by blocked and muted authors
	Direct   bool // direct messages
}

// Sift returns the ids that may be visible to the viewer. It reads the statuses, their authors and
// the viewer's relations to them, but nothing that is only needed for display. View makes the final
// decision.
func (s *Service) Sift(ctx context.Context, viewer linnet.ID, ids []linnet.ID, skip Skip) (map[linnet.ID]bool, error) {
	b := s.st.Batch()
	refs := make([]*db.RecordRef, len(ids))
	for i, id := range ids {
		refs[i] = b.StatusRecord(id)
	}
	if err := b.Run(ctx); err != nil {
		return nil, core.StoreError(err)
	}
	b = s.st.Batch()
	reader := b.Reader(viewer)
	users := map[linnet.ID]*db.UserRef{}
	for _, ref := range refs {
		if ref.Status == nil {
			continue
		}
		for _, id := range []linnet.ID{ref.Status.Author, ref.Status.RepostAuthor} {
			if users[id] == nil && id != 0 {
				users[id] = b.User(id)
				reader.AskPerson(id)
			}
		}
	}
	if err := b.Run(ctx); err != nil {
		return nil, core.StoreError(err)
	}
	seen := make(map[linnet.ID]bool, len(ids))
	for i, ref := range refs {
		seen[ids[i]] = ref.Status != nil && mayShow(ref.Status, viewer, users, reader, skip)
	}
	return seen, nil
}

// mayShow reports whether the data read by Sift lets the viewer see a status.
func mayShow(st *linnet.Status, viewer linnet.ID, users map[linnet.ID]*db.UserRef, reader *db.Reader, skip Skip) bool {
	if skip.Direct && st.Visibility == linnet.Direct {
		return false
	}
	for _, id := range []linnet.ID{st.Author, st.RepostAuthor} {
		if id == 0 || id == viewer && viewer != 0 {
			continue
		}
		u, m := users[id].User, reader.Person(id)
		if u == nil || u.Hidden() || m.BlockedBy() {
			return false
		}
		if skip.Silenced && u.Silenced && id == st.Author || skip.Unwanted && (m.Blocks() || m.Mutes()) {
			return false
		}
	}
	return st.ForMembers() || readable(st, viewer, reader.Person(st.Author))
}
