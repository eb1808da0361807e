package mastodon

import (
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

func (a *API) getInstanceV1(r *request.Request) (any, error) {
	v, err := a.describe(r)
	if err != nil {
		return nil, err
	}
	return wire.InstanceV1{
		URI: a.host, Title: v.Title, ShortDescription: v.Description, Description: v.Description, Email: v.Contact,
		Version: a.version(), URLs: wire.InstanceV1URLs{StreamingAPI: a.streamingURL()},
		// The domain is its own and only one: this installation does not federate.
		Stats:     wire.InstanceV1Stats{UserCount: v.People, StatusCount: v.Statuses, DomainCount: 1},
		Thumbnail: a.enc.Thumbnail(v.Thumbnail).URL, Languages: []string{"en"}, Registrations: v.Registrations.Anybody(),
		ApprovalRequired: v.Registrations.Approval(), InvitesEnabled: v.Registrations.Invites(),
		Configuration: a.limits(), ContactAccount: a.enc.Contact(&v), Rules: wire.RulesOf(v.Rules),
	}, nil
}
