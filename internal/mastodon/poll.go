package mastodon

import (
	"cmp"
	"strconv"

	"linnet/internal/linnet"
)

// poll is the entity Poll. It has the id of its status.
// https://docs.joinmastodon.org/entities/Poll/
type poll struct {
	ID          string       `json:"id"`
	ExpiresAt   string       `json:"expires_at"`
	Expired     bool         `json:"expired"`
	Multiple    bool         `json:"multiple"`
	VotesCount  int64        `json:"votes_count"`
	VotersCount int64        `json:"voters_count"`
	Options     []pollOption `json:"options"`
	Emojis      []emoji      `json:"emojis"`
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
func (a *API) poll(v *linnet.StatusView, viewer linnet.ID) *poll {
	p := v.PollView
	if p == nil {
		return nil
	}
	out := &poll{ID: p.ID.String(), ExpiresAt: timestamp(p.Expires), Expired: p.Ended, Multiple: p.Multiple,
		VotesCount: p.Votes, VotersCount: p.Voters, Options: make([]pollOption, len(p.Options)), Emojis: a.emojis(emojisIn(v.Pictured.Of(), p.Options))}
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
func (a *API) writePoll(w *buffer, v *linnet.StatusView, viewer linnet.ID) {
	if v.PollView == nil {
		w.text("null")
		return
	}
	w.value(a.poll(v, viewer))
}

func (a *API) getPoll(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	v, err := a.svc.View.Poll(r.Context(), r.me(), id)
	if err != nil {
		return nil, err
	}
	return a.poll(&v, r.me()), nil
}

func (a *API) votePoll(r *request) (any, error) {
	id, err := r.pathID()
	choices := r.in.wholeNumbers("choices")
	if err = cmp.Or(err, r.in.err()); err != nil {
		return nil, err
	}
	v, err := a.svc.Posting.Vote(r.Context(), r.me(), id, choices)
	if err != nil {
		return nil, err
	}
	return a.poll(&v, r.me()), nil
}

// pollDraft reads the poll of a new status, nil if there is none.
func pollDraft(in *input) *linnet.PollDraft {
	v := in.get("poll")
	if v == nil || v.kind == kindText && v.text == "" {
		return nil
	}
	p := in.object("poll")
	return &linnet.PollDraft{Options: p.texts("options"), Seconds: p.number("expires_in"), Multiple: p.flag("multiple"), HideTotals: p.flag("hide_totals")}
}

// wholeNumbers returns a list of whole numbers.
func (in *input) wholeNumbers(name string) []int {
	items := in.items(name)
	out := make([]int, 0, len(items))
	for _, v := range items {
		n, err := strconv.ParseInt(v.text, 10, 32)
		if err != nil || v.kind != kindText && v.kind != kindNumber {
			in.fault(name, "must be a list of integers")
			return nil
		}
		out = append(out, int(n))
	}
	return out
}
