package mastodon

import (
	"linnet/internal/mastodon/request"
)

// resendConfirmation has the link by which an address is confirmed sent once more.
// https://docs.joinmastodon.org/methods/emails/#confirmation
func (a *API) resendConfirmation(r *request.Request) (any, error) {
	address := r.In.String("email")
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	if err := a.svc.Emails.Resend(r.Context(), r.Viewer(), address, a.srv.ClientAddr(r.Request)); err != nil {
		return nil, err
	}
	return struct{}{}, nil
}

// checkConfirmation tells whether nothing about an address is waited for.
func (a *API) checkConfirmation(r *request.Request) (any, error) {
	e, err := a.svc.Emails.State(r.Context(), r.Viewer())
	return e.Confirmed || e.Address == "", err
}
