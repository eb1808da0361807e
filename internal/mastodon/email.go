package mastodon

// resendConfirmation has the link by which an address is confirmed sent once more.
// https://docs.joinmastodon.org/methods/emails/#confirmation
func (a *API) resendConfirmation(r *request) (any, error) {
	address := r.in.text("email")
	if err := r.in.err(); err != nil {
		return nil, err
	}
	if err := a.svc.Emails.Resend(r.Context(), r.me(), address, a.opts.ClientAddr(r.Request)); err != nil {
		return nil, err
	}
	return struct{}{}, nil
}

// checkConfirmation tells whether nothing about an address is waited for.
func (a *API) checkConfirmation(r *request) (any, error) {
	e, err := a.svc.Emails.State(r.Context(), r.me())
	return e.Confirmed || e.Address == "", err
}
