package mastodon

import (
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

func (a *API) getInstanceV2(r *request.Request) (any, error) {
	v, err := a.describe(r)
	if err != nil {
		return nil, err
	}
	out := wire.InstanceV2{
		Domain: a.host, Title: v.Title, Version: a.version(), SourceURL: a.opts.SourceURL, Description: v.Description,
		Thumbnail: a.enc.Thumbnail(v.Thumbnail), Icon: a.enc.Icons(v.Icon), Languages: []string{"en"},
		Registrations: a.enc.InstanceRegistrations(&v.Instance),
		APIVersions:   wire.APIVersions{Mastodon: apiVersion, Linnet: 1},
		Contact:       wire.InstanceContact{Email: v.Contact, Account: a.enc.Contact(&v)}, Rules: wire.RulesOf(v.Rules),
	}
	if out.Configuration.Vapid.PublicKey, err = a.svc.Push.PublicKey(r.Context()); err != nil {
		return nil, err
	}
	out.Usage.Users.ActiveMonth = v.ActiveMonth
	out.Configuration.Configuration = a.limits()
	out.Configuration.Groups = wire.LimitsOfGroups()
	out.Configuration.Translation.Enabled = a.svc.Translation.Enabled()
	out.Configuration.URLs.Streaming = a.streamingURL()
	out.Configuration.URLs.About = a.base + "/"
	if v.Privacy != "" {
		out.Configuration.URLs.PrivacyPolicy = wire.Nullable(a.base + "/privacy-policy")
	}
	if len(v.Terms) > 0 {
		out.Configuration.URLs.TermsOfService = wire.Nullable(a.base + "/terms")
	}
	out.Configuration.TimelinesAccess, out.Configuration.LimitedFederation = wire.AccessTo(v.Private), v.Private
	return out, nil
}
