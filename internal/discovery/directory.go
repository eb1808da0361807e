package discovery

import (
	"context"
	"slices"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store/db"
)

// directorySpare is the number of additional accounts read for a page, since some can be groups or
// hidden from the viewer.
const directorySpare = 40

// Directory returns discoverable users or groups. It leaves out accounts that the viewer blocks or
// mutes, and those that block the viewer. It ends after linnet.MaxDirectory accounts. The order by
// last status is accurate to about an hour.
// https://docs.joinmastodon.org/methods/directory/#get
func (s *Service) Directory(ctx context.Context, viewer linnet.ID, q linnet.DirectoryQuery) ([]linnet.UserView, error) {
	if q.Order == "" {
		q.Order = linnet.DirectoryActive
	}
	if q.Limit == 0 {
		q.Limit = linnet.MaxPage
	}
	q.Limit, q.Offset = min(max(q.Limit, 1), linnet.MaxUsersPage), max(q.Offset, 0)
	if q.Offset >= linnet.MaxDirectory {
		return nil, nil
	}
	var users []*db.UserRef
	for most, end := q.Offset+q.Limit+directorySpare, false; !end && len(users) < q.Offset+q.Limit; most *= 4 {
		ids, err := s.st.Accounts.Directory(ctx, q.Order, min(most, linnet.MaxDirectory))
		if err != nil {
			return nil, core.StoreError(err)
		}
		refs, reader, err := s.view.WithRelationships(ctx, viewer, ids)
		if err != nil {
			return nil, err
		}
		users = make([]*db.UserRef, 0, len(ids))
		for i, ref := range refs {
			if m := reader.Relationship(ids[i]); ref.User != nil && ref.User.Listed() && !m.Blocked() && !m.Mutes() {
				users = append(users, ref)
			}
		}
		users = slices.DeleteFunc(users, func(ref *db.UserRef) bool { return ref.User.Person() == q.Groups })
		end = len(ids) < most
	}
	users = users[min(q.Offset, len(users)):]
	out := make([]linnet.UserView, min(q.Limit, len(users)))
	for i := range out {
		out[i] = s.view.UserView(users[i])
	}
	return out, nil
}
