package wire

import (
	"linnet/internal/linnet"
)

// poll is the entity Poll. It has the id of its status.
// https://docs.joinmastodon.org/entities/Poll/
type Poll struct {
	ID          string       `json:"id"`
	ExpiresAt   string       `json:"expires_at"`
	Expired     bool         `json:"expired"`
	Multiple    bool         `json:"multiple"`
	VotesCount  int64        `json:"votes_count"`
	VotersCount int64        `json:"voters_count"`
	Options     []pollOption `json:"options"`
	Emojis      []Emoji      `json:"emojis"`
	*pollVoted               // left out if nobody is logged in
}

type pollOption struct {
	Title      string `json:"title"`
	VotesCount *int64 `json:"votes_count"` // null while it is hidden
}

type pollVoted struct {
	Voted    bool  `json:"voted"`
	OwnVotes []int `json:"own_votes"`
}

// poll is what a status asks, as a viewer (0: nobody) sees it; nil if it asks nothing.
// Authors count as having voted: they cannot.
func (e *Encoder) Poll(v *linnet.StatusView, viewer linnet.ID) *Poll {
	p := v.PollView
	if p == nil {
		return nil
	}
	out := &Poll{ID: p.ID.String(), ExpiresAt: Timestamp(p.Expires), Expired: p.Ended, Multiple: p.Multiple,
		VotesCount: p.Votes, VotersCount: p.Voters, Options: make([]pollOption, len(p.Options)), Emojis: e.Emojis(emojisIn(v.Pictured.Of(), p.Options))}
	for i, title := range p.Options {
		out.Options[i].Title = title
		if p.Counts != nil {
			out.Options[i].VotesCount = &p.Counts[i]
		}
	}
	if viewer != 0 {
		out.pollVoted = &pollVoted{Voted: p.Voted || viewer == v.Author, OwnVotes: append([]int{}, p.Own...)}
	}
	return out
}

// writePoll appends what a status asks, or null.
func (e *Encoder) writePoll(w *buffer, v *linnet.StatusView, viewer linnet.ID) {
	if v.PollView == nil {
		w.text("null")
		return
	}
	w.value(e.Poll(v, viewer))
}
