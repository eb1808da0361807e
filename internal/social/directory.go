package social

import (
	"context"
	"slices"

	"linnet/internal/linnet"
)

// directorySpare is how many more people are read than a page needs: as many may
// be barred to the viewer without making it short.
const directorySpare = 40

// Directory shows people who want to be found, without those whom the viewer
// blocks or mutes and those who block the viewer. It goes down to the first
// linnet.MaxDirectory people; behind them it ends. The order by
// last status is right to about an hour.
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
	most := min(q.Offset+q.Limit+directorySpare, linnet.MaxDirectory)
	if q.Groups {
		most = linnet.MaxDirectory
	}
	ids, err := s.st.Directory(ctx, q.Order, most)
	if err != nil {
		return nil, kvError(err)
	}
	users, err := s.approachable(ctx, viewer, ids)
	if err != nil {
		return nil, err
	}
	if q.Groups {
		users = slices.DeleteFunc(users, func(u linnet.UserView) bool { return u.Group == linnet.NoGroup })
	}
	users = users[min(q.Offset, len(users)):]
	users = users[:min(q.Limit, len(users))]
	return users, nil
}

// approachable shows those of ids who want to be found and with whom the viewer
// shares neither block nor mute, in order.
func (s *Service) approachable(ctx context.Context, viewer linnet.ID, ids []linnet.ID) ([]linnet.UserView, error) {
	refs, reader, err := s.withStances(ctx, viewer, ids)
	if err != nil {
		return nil, err
	}
	out := make([]linnet.UserView, 0, len(ids))
	for i, ref := range refs {
		if m := reader.Stance(ids[i]); ref.User != nil && ref.User.Listed() && !m.Barred() && !m.Mutes() {
			out = append(out, s.userView(ref))
		}
	}
	return out, nil
}
