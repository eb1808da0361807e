package group

import (
	"fmt"

	"linnet/internal/linnet"
	"linnet/internal/posting"
	"linnet/internal/social"
	"linnet/internal/web/page"
)

// JoinRequest is a request to join a group, for a reader who can decide on it, or an invitation to
// the reader.
type JoinRequest struct {
	Who     linnet.UserView // who requests to join, or invites; zero for an unknown inviter
	Group   linnet.UserView
	Invites bool // an invitation
	Pending bool
	Member  bool // Who, or the invited reader, is in the group
}

// Face returns the user whose picture is shown. It is the group if the inviter is unknown.
func (j *JoinRequest) Face() linnet.UserView {
	if j.Who.ID == 0 {
		return j.Group
	}
	return j.Who
}

// JoinRequests returns the current states of the requests and invitations in messages of groups, by
// status. Other messages, and requests that the reader can no longer decide on, have none.
func (h *Pages) JoinRequests(c *page.Context, all []*linnet.StatusView) (map[linnet.ID]*JoinRequest, error) {
	var from []*linnet.StatusView
	var questions []social.Question
	for _, st := range all {
		if q, ok := posting.Question(st); ok {
			from, questions = append(from, st), append(questions, q)
		}
	}
	states, err := h.Groups.Questions(c.Request.Context(), c.Me.ID, questions)
	if err != nil {
		return nil, fmt.Errorf("look up requests to join: %w", err)
	}
	joins := make(map[linnet.ID]*JoinRequest, len(states))
	for i, s := range states {
		if s.Known {
			joins[from[i].ID] = &JoinRequest{Who: s.By, Group: from[i].By.UserView, Invites: questions[i].Invites, Pending: s.Pending, Member: s.Member}
		}
	}
	return joins, nil
}
