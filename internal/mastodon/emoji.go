package mastodon

// customEmojis are those that apps offer.
// https://docs.joinmastodon.org/methods/custom_emojis/
func (a *API) customEmojis(*request) (any, error) {
	return a.enc.Emojis(a.svc.Core.Emojis().Offered()), nil
}
