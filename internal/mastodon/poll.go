package mastodon

import (
	"cmp"
	"strconv"

	"linnet/internal/linnet"
)

func (a *API) getPoll(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	v, err := a.svc.View.Poll(r.Context(), r.me(), id)
	if err != nil {
		return nil, err
	}
	return a.enc.Poll(&v, r.me()), nil
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
	return a.enc.Poll(&v, r.me()), nil
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
