package mastodon

import (
	"linnet/internal/mastodon/request"
)

// customEmojis are those that apps offer.
// https://docs.joinmastodon.org/methods/custom_emojis/
func (a *API) customEmojis(*request.Request) (any, error) {
	return a.enc.Emojis(a.svc.Core.Emojis().Offered()), nil
}
