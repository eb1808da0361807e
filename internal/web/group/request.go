package group

import (
	"fmt"

	"linnet/internal/linnet"
	"linnet/internal/posting"
	"linnet/internal/web/page"
)

// JoinRequest is a request to join a group, pending or not, for a reader who can decide on it.
type JoinRequest struct {
	Who, Group linnet.UserView
	Pending    bool
	Member     bool // the user is in the group
}

// JoinRequest returns the current state of the request in a group's message. It returns nil for
// other messages, or if the reader can no longer decide on it.
func (h *Pages) JoinRequest(c *page.Context, st *linnet.StatusView) (*JoinRequest, error) {
	login, ok := posting.JoinRequest(st)
	if !ok {
		return nil, nil
	}
	who, err := h.View.UserByLogin(c.Request.Context(), c.Me.ID, login)
	j := JoinRequest{Who: who, Group: st.By.UserView}
	if err == nil {
		j.Pending, j.Member, err = h.Groups.RequestState(c.Request.Context(), c.Me.ID, st.Author, who.ID)
	}
	switch {
	case page.Refusal(err) != nil:
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("look up a request to join: %w", err)
	}
	return &j, nil
}
