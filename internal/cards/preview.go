package cards

import (
	"context"
	"time"

	"linnet/internal/core"
	"linnet/internal/linnet"
)

// Limits of previews per user. Links with a stored preview don't count.
const (
	previews      = 60
	previewWindow = time.Hour
)

// Preview returns the card that a post of me with a text would have. If its link has no stored
// preview, Preview starts fetching it and returns pending. The caller tries again later.
func (s *Service) Preview(ctx context.Context, me linnet.ID, text string) (c *linnet.Card, pending bool, err error) {
	link := s.linkOf(&linnet.Status{Text: text})
	if link == "" || !s.core.Cards() {
		return nil, false, nil
	}
	f, err := s.st.Statuses.Cards.Get(ctx, link)
	if err != nil {
		return nil, false, core.StoreError(err)
	}
	now := s.st.Now()
	if wait := f.Until.Sub(now); f.Card != nil || wait > 0 {
		return f.Card.Shown(now), f.Card == nil && !f.Final && wait <= leased, nil
	}
	if _, _, err := s.core.Allow(ctx, "preview", me.String(), previews, previewWindow); err != nil {
		return nil, false, err
	}
	j, err := s.outbox.New(Args{Link: link})
	if err == nil {
		err = s.st.Sessions.Leave(ctx, j.Task)
	}
	if err != nil {
		return nil, false, core.StoreError(err)
	}
	s.outbox.Begin(ctx, j)
	return nil, true, nil
}
