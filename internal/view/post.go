package view

import (
	"context"
	"slices"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store/db"
)

// FindMentions looks up the users mentioned in a text by me, and which of them are groups. Unknown
// names, and users who block me or are blocked by me, stay plain text.
func (s *Service) FindMentions(ctx context.Context, me linnet.ID, names []string) (out []linnet.Mention, groups []*linnet.User, err error) {
	var logins []string
	for _, n := range names {
		if login, ok := s.core.LocalLogin(n); ok {
			logins = append(logins, login)
		}
	}
	ids, err := s.st.Accounts.UsersByLogin(ctx, logins)
	if err != nil {
		return nil, nil, core.StoreError(err)
	}
	b := s.st.Batch()
	reader := b.Reader(me)
	refs := make([]*db.UserRef, 0, len(ids))
	for _, id := range ids {
		if id != 0 {
			reader.AskRelationship(id)
			refs = append(refs, b.User(id))
		}
	}
	if err := b.Run(ctx); err != nil {
		return nil, nil, core.StoreError(err)
	}
	for _, ref := range refs {
		if u := ref.User; u != nil && !u.Hidden() && !u.ID.System() && u.Feed == "" && !reader.Relationship(u.ID).Blocked() && !slices.ContainsFunc(out, func(m linnet.Mention) bool { return m.ID == u.ID }) {
			out = append(out, linnet.Mention{ID: u.ID, Login: u.Login})
			if u.Group != linnet.NoGroup {
				groups = append(groups, u)
			}
		}
	}
	return out, groups, nil
}

// ForgetText removes the rendered text of a deleted status from the cache.
func (s *Service) ForgetText(id linnet.ID) { s.html.Delete(id) }
