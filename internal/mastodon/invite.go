package mastodon

import (
	"net/http"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
)

const invitePrefix = "/invite/"

// AsksForInvite reports whether an app asks about an invitation. Browsers get the page for
// signing up at the same path.
func AsksForInvite(r *http.Request) bool {
	accept := r.Header.Get("Accept")
	return strings.HasPrefix(r.URL.Path, invitePrefix) && strings.Contains(accept, "application/json") && !strings.Contains(accept, "text/html")
}

// invitation tells an app where to sign up with an invitation.
type invitation struct {
	InviteCode     string `json:"invite_code"`
	InstanceAPIURL string `json:"instance_api_url"`
}

func (a *API) getInvite(r *request.Request) (any, error) {
	code := r.PathValue("code")
	_, err := a.svc.Identity.CheckInvite(r.Context(), code)
	if linnet.KindOf(err) == linnet.Gone { // Mastodon's code
		return nil, &request.Problem{Code: http.StatusUnauthorized, Body: request.ErrorBody{Error: err.Error()}}
	}
	if err != nil {
		return nil, err
	}
	return invitation{code, a.base + "/api/v2/instance"}, nil
}
