package moderation

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/timeline"
)

// Acts returns the audit log, newest first.
func (s *Service) Acts(ctx context.Context, by linnet.Actor, p linnet.Page) (out linnet.Slice[linnet.ActView], err error) {
	if err := s.core.Authorize(ctx, by, linnet.ViewAuditLog); err != nil {
		return out, err
	}
	if p.Limit == 0 {
		p.Limit = 100
	}
	sp, err := timeline.Span(p, accountsMost)
	if err != nil {
		return out, err
	}
	acts, err := s.st.Staff.Acts(ctx, sp)
	if err != nil {
		return out, core.StoreError(err)
	}
	l := s.view.Loader(0)
	for _, a := range acts {
		for _, id := range []linnet.ID{a.By, a.On} {
			if id != 0 {
				l.WantUser(id)
			}
		}
	}
	if err := l.Run(ctx); err != nil {
		return out, err
	}
	for _, a := range acts {
		out.Items = append(out.Items, linnet.ActView{Act: a, ByUser: l.Whole(a.By), OnUser: l.Whole(a.On)})
	}
	if n := len(acts); n > 0 {
		out.First, out.Last = linnet.CursorOf(acts[0].ID), linnet.CursorOf(acts[n-1].ID)
		if n < sp.Limit && !sp.Asc {
			out.End()
		}
	}
	return out, nil
}
