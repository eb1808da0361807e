package mastodon

import (
	"net/http"
	"strings"

	"linnet/internal/core"
	"linnet/internal/identity"
	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

// registrationHandler handles sign-ups, the confirmation of e-mail addresses and invitations.
// https://docs.joinmastodon.org/methods/accounts/#create
type registrationHandler struct {
	base     string
	srv      *request.Server
	identity *identity.Service
	apps     *identity.Apps
	invites  *identity.Invites
	emails   *identity.Emails
}

func (h *registrationHandler) routes() []request.Route {
	return []request.Route{
		request.Handle("POST /api/v1/accounts", request.App("write:accounts"), h.create).Limited(core.RateSignUp),
		request.Handle("POST /api/v1/emails/confirmations", request.Pending("write:accounts"), h.resend),
		request.Handle("GET /api/v1/emails/check_confirmation", request.Pending("read:accounts"), h.confirmed),
	}
}

func (h *registrationHandler) create(r *request.Request) (any, error) {
	in := linnet.SignUp{
		Login: r.In.String("username"), Password: r.In.String("password"), Email: r.In.String("email"),
		Agreed: r.In.Flag("agreement"), Language: core.Language(r.In.String("locale")), Reason: r.In.String("reason"), Invite: r.In.String("invite_code"),
		From: h.srv.ClientAddr(r.Request),
	}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	u, err := h.identity.Register(r.Context(), in)
	if err != nil {
		return nil, err
	}
	t, err := h.apps.UserToken(h.srv.WithVisitor(r), u.ID, r.Session.App, r.Session.Scopes)
	if err != nil {
		return nil, err
	}
	return wire.TokenOf(t), nil
}

// resend sends the confirmation link again.
// https://docs.joinmastodon.org/methods/emails/#confirmation
func (h *registrationHandler) resend(r *request.Request) (any, error) {
	address := r.In.String("email")
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	if err := h.emails.Resend(r.Context(), r.Viewer(), address, h.srv.ClientAddr(r.Request)); err != nil {
		return nil, err
	}
	return wire.Empty{}, nil
}

// confirmed reports whether no confirmation is pending.
// https://docs.joinmastodon.org/methods/emails/#check_confirmation
func (h *registrationHandler) confirmed(r *request.Request) (any, error) {
	e, err := h.emails.State(r.Context(), r.Viewer())
	return e.Confirmed || e.Address == "", err
}

const invitePrefix = "/invite/"

// AsksForInvite reports whether an app requests an invitation. Browsers get the sign-up page at
// the same path.
func AsksForInvite(r *http.Request) bool {
	accept := r.Header.Get("Accept")
	return strings.HasPrefix(r.URL.Path, invitePrefix) && strings.Contains(accept, "application/json") && !strings.Contains(accept, "text/html")
}

// invitation is the response with an invitation for apps.
type invitation struct {
	InviteCode     string `json:"invite_code"`
	InstanceAPIURL string `json:"instance_api_url"`
}

// inviteRoute returns the route of invitations, whose path it shares with a page.
func (h *registrationHandler) inviteRoute() request.Route {
	return request.Handle("GET "+invitePrefix+"{code}", request.Open(), h.invite)
}

func (h *registrationHandler) invite(r *request.Request) (any, error) {
	code := r.PathValue("code")
	_, err := h.invites.Check(r.Context(), code)
	if linnet.KindOf(err) == linnet.Gone { // Mastodon's code
		return nil, &request.Problem{Code: http.StatusUnauthorized, Body: request.ErrorBody{Error: err.Error()}}
	}
	if err != nil {
		return nil, err
	}
	return invitation{code, h.base + "/api/v2/instance"}, nil
}
