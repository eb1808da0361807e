package mastodon

import (
	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
	"linnet/internal/posting"
	"linnet/internal/view"
)

// pollHandler handles polls.
// https://docs.joinmastodon.org/methods/polls/
type pollHandler struct {
	enc   *wire.Encoder
	view  *view.Service
	polls *posting.Polls
}

func (h *pollHandler) routes() []request.Route {
	return []request.Route{
		request.Handle("GET /api/v1/polls/{id}", request.Anyone("read:statuses"), h.get),
		request.Handle("POST /api/v1/polls/{id}/votes", request.User("write:statuses"), h.vote),
	}
}

func (h *pollHandler) get(r *request.Request) (any, error) {
	return request.ByID(r, h.view.Poll, func(v *linnet.StatusView) *wire.Poll { return h.enc.Poll(v, r.Viewer()) })
}

func (h *pollHandler) vote(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	choices := r.In.WholeNumbers("choices")
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	v, err := h.polls.Vote(r.Context(), r.Viewer(), id, choices)
	if err != nil {
		return nil, err
	}
	return h.enc.Poll(&v, r.Viewer()), nil
}

// pollDraft reads the poll of a new status, or returns nil.
func pollDraft(in *request.Input) *linnet.PollDraft {
	v := in.Get("poll")
	if v == nil || v.Kind == request.KindText && v.Text == "" {
		return nil
	}
	p := in.Object("poll")
	return &linnet.PollDraft{Options: p.Strings("options"), Seconds: p.Number("expires_in"), Multiple: p.Flag("multiple"), HideTotals: p.Flag("hide_totals")}
}
