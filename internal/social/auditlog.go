package social

import (
	"context"

	"linnet/internal/linnet"
)

// Acts shows the log of what moderators did, the latest first.
func (s *Service) Acts(ctx context.Context, by linnet.ID, p linnet.Page) (out linnet.Slice[linnet.ActView], err error) {
	if err := s.mayRead(ctx, by, linnet.Moderator); err != nil {
		return out, err
	}
	if p.Limit == 0 {
		p.Limit = 100
	}
	sp, err := span(p, accountsMost)
	if err != nil {
		return out, err
	}
	acts, err := s.st.Acts(ctx, sp)
	if err != nil {
		return out, kvError(err)
	}
	l := s.loader(0)
	for _, a := range acts {
		for _, id := range []linnet.ID{a.By, a.On} {
			if id != 0 {
				l.wantUser(id)
			}
		}
	}
	if err := l.run(ctx); err != nil {
		return out, err
	}
	for _, a := range acts {
		out.Items = append(out.Items, linnet.ActView{Act: a, ByUser: l.whole(a.By), OnUser: l.whole(a.On)})
	}
	if n := len(acts); n > 0 {
		out.First, out.Last = linnet.CursorOf(acts[0].ID), linnet.CursorOf(acts[n-1].ID)
		if n < sp.Limit && !sp.Asc {
			out.End()
		}
	}
	return out, nil
}

// whole is the view of somebody for moderators, nil if there is nobody.
func (l *loader) whole(id linnet.ID) *linnet.UserView {
	ref := l.user(id)
	if ref == nil || ref.User == nil || ref.User.Login == "" {
		return nil
	}
	v := l.s.fullView(ref)
	return &v
}
