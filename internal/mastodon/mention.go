package mastodon

// mentions is a timeline of Linnet's own: what mentions the user, whatever became
// of the notifications. docs/own-api.md describes it.
func (a *API) mentions(r *request) (any, error) {
	p := timelinePage(r.in)
	if err := r.in.err(); err != nil {
		return nil, err
	}
	s, err := a.svc.Notify.Mentions(r.Context(), r.me(), p)
	return a.statuses(r, s, err)
}
