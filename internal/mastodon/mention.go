package mastodon

import (
	"linnet/internal/mastodon/request"
)

// mentions is a timeline of Linnet's own: what mentions the user, whatever became
// of the notifications. docs/own-api.md describes it.
func (a *API) mentions(r *request.Request) (any, error) {
	p := request.TimelinePage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := a.svc.Notify.Mentions(r.Context(), r.Viewer(), p)
	return a.statuses(r, s, err)
}
