package posting

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/linnet"
)

// MuteThread ends notifications of replies and other actions in the thread of a status. Existing
// notifications stay.
// https://docs.joinmastodon.org/methods/statuses/#mute
func (s *Service) MuteThread(ctx context.Context, me, id linnet.ID) (linnet.StatusView, error) {
	return s.muteThread(ctx, me, id, true)
}

// UnmuteThread lets notifications of a thread come again.
func (s *Service) UnmuteThread(ctx context.Context, me, id linnet.ID) (linnet.StatusView, error) {
	return s.muteThread(ctx, me, id, false)
}

func (s *Service) muteThread(ctx context.Context, me, id linnet.ID, on bool) (linnet.StatusView, error) {
	st, err := s.target(ctx, me, id)
	if err != nil {
		return linnet.StatusView{}, err
	}
	if err := s.st.Relations.MuteThread(ctx, me, st.Conversation, on); err != nil {
		return linnet.StatusView{}, core.StoreError(err)
	}
	return s.view.Status(ctx, me, st.ID)
}
