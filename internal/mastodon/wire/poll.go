package wire

import (
	"linnet/internal/linnet"
)

// Poll is the entity Poll. Its id is the id of the status.
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
	*pollVoted               // omitted without a viewer
}

type pollOption struct {
	Title      string `json:"title"`
	VotesCount *int64 `json:"votes_count"` // null while hidden
}

type pollVoted struct {
	Voted    bool  `json:"voted"`
	OwnVotes []int `json:"own_votes"`
}

// Poll encodes the poll of a status for a viewer, or returns nil. Authors count as having voted,
// because they cannot vote.
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

// writePoll appends the poll of a status, or null.
func (e *Encoder) writePoll(w *buffer, v *linnet.StatusView, viewer linnet.ID) {
	if v.PollView == nil {
		w.text("null")
		return
	}
	w.value(e.Poll(v, viewer))
}
