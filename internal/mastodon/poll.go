package mastodon

import (
	"cmp"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
)

func (a *API) getPoll(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	v, err := a.svc.View.Poll(r.Context(), r.Viewer(), id)
	if err != nil {
		return nil, err
	}
	return a.enc.Poll(&v, r.Viewer()), nil
}

func (a *API) votePoll(r *request.Request) (any, error) {
	id, err := r.PathID()
	choices := r.In.WholeNumbers("choices")
	if err = cmp.Or(err, r.In.Err()); err != nil {
		return nil, err
	}
	v, err := a.svc.Posting.Vote(r.Context(), r.Viewer(), id, choices)
	if err != nil {
		return nil, err
	}
	return a.enc.Poll(&v, r.Viewer()), nil
}

// pollDraft reads the poll of a new status, nil if there is none.
func pollDraft(in *request.Input) *linnet.PollDraft {
	v := in.Get("poll")
	if v == nil || v.Kind == request.KindText && v.Text == "" {
		return nil
	}
	p := in.Object("poll")
	return &linnet.PollDraft{Options: p.Strings("options"), Seconds: p.Number("expires_in"), Multiple: p.Flag("multiple"), HideTotals: p.Flag("hide_totals")}
}
