package mastodon

import (
	"slices"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
	"linnet/internal/media"
	"linnet/internal/text"
)

// startTable lists what apps ask for when they start, of which much is truly empty
// here: there are no other servers, and nothing blocks any.
func (a *API) startTable() []request.Route {
	return []request.Route{
		request.Handle("GET /api/v1/instance/peers", request.Open(), nothing),
		request.Handle("GET /api/v1/instance/activity", request.Open(), nothing), // nothing is counted by week
		request.Handle("GET /api/v1/instance/extended_description", request.Open(), a.extendedDescription),
		request.Handle("GET /api/v1/instance/languages", request.Open(), a.instanceLanguages),
		request.Handle("GET /api/v1/instance/translation_languages", request.Open(), a.translationLanguages),
		request.Handle("GET /api/v1/instance/privacy_policy", request.Open(), a.privacyPolicy),
		request.Handle("GET /api/v1/instance/terms_of_service", request.Open(), a.terms),
		request.Handle("GET /api/v1/instance/terms_of_service/{date}", request.Open(), a.terms),
		request.Handle("GET /api/v1/instance/domain_blocks", request.Open(), nothing),
		request.Handle("GET /api/v1/domain_blocks", request.User("read:blocks"), nothing),
		request.Handle("GET /oauth/userinfo", request.User("read:accounts profile"), a.userInfo),
		request.Handle("GET /api/v1/profile", request.User("read:accounts profile"), a.getProfile),
		request.Handle("PATCH /api/v1/profile", request.WithFiles(request.User("write:accounts")), a.updateProfile),
		request.Handle("DELETE /api/v1/profile/avatar", request.User("write:accounts"), a.removePicture(media.Avatar)),
		request.Handle("DELETE /api/v1/profile/header", request.User("write:accounts"), a.removePicture(media.Banner)),
		request.Handle("GET /api/v1/annual_reports", request.User("read:accounts"), annualReports),
		request.Handle("GET /api/v1/annual_reports/{year}", request.User("read:accounts"), never),
		request.Handle("POST /api/v1/annual_reports/{year}/read", request.User("write:accounts"), never),
		request.Handle("GET /api/v1_alpha/async_refreshes/{id}", request.User("read"), never),
		request.Handle("GET /api/v1/admin/domain_blocks", request.User("admin:read:domain_blocks"), a.staff(linnet.ManageUsers, nothing)),
		request.Handle("GET /api/v1/admin/domain_allows", request.User("admin:read:domain_allows"), a.staff(linnet.ManageUsers, nothing)),
	}
}

// nothing answers with an empty list.
func nothing(r *request.Request) (any, error) {
	_ = request.AccountPage(r.In) // so that a wrong parameter is told, as where there is something
	return []wire.None{}, r.In.Err()
}

// never answers for what there never is one of: a report of a year, a list that is still
// being made when it was answered with.
func never(*request.Request) (any, error) { return nil, request.ErrNotFound() }

// annualReports are as of somebody of whom none was made.
// https://docs.joinmastodon.org/methods/annual_reports/
func annualReports(*request.Request) (any, error) {
	return struct {
		Reports  []wire.None `json:"annual_reports"`
		Accounts []wire.None `json:"accounts"`
		Statuses []wire.None `json:"statuses"`
	}{[]wire.None{}, []wire.None{}, []wire.None{}}, nil
}

// extendedDescription is empty: there is one description, which the instance document
// has.
func (a *API) extendedDescription(*request.Request) (any, error) { return wire.Page{}, nil }

// privacyPolicy is what the administrator has written.
// https://docs.joinmastodon.org/methods/instance/#privacy_policy
func (a *API) privacyPolicy(r *request.Request) (any, error) {
	v, err := a.svc.Identity.Instance(r.Context())
	if err != nil {
		return nil, err
	}
	at := wire.Timestamp(time.Unix(max(v.PrivacyAt.Unix(), 0), 0)) // Mastodon's is never null
	return wire.Page{UpdatedAt: &at, Content: text.Page(v.Privacy)}, nil
}

// terms are those of the day in the path, or those in force.
// https://docs.joinmastodon.org/methods/instance/#terms_of_service
func (a *API) terms(r *request.Request) (any, error) {
	t, err := a.svc.Identity.Terms(r.Context(), r.PathValue("date"))
	if err != nil {
		return nil, err
	}
	return wire.TermsOfService{EffectiveDate: t.Date, Effective: t.Now || t.Past, Content: text.Page(t.Text), SucceededBy: wire.Nullable(t.Next)}, nil
}

// instanceLanguages are those that a status is offered to be written in.
func (a *API) instanceLanguages(*request.Request) (any, error) {
	return wire.Each(slices.Clone(linnet.Languages()), func(l *linnet.Language) wire.Language { return wire.Language{Code: l.Code, Name: l.Name} }), nil
}

func (a *API) userInfo(r *request.Request) (any, error) {
	v, err := a.svc.View.User(r.Context(), r.Viewer(), r.Viewer())
	if err != nil {
		return nil, err
	}
	as := a.enc.Account(&v)
	return wire.UserInfo{Issuer: a.base + "/", Subject: as.URL, Name: v.Name, PreferredUsername: v.Login, Profile: as.URL, Picture: as.Avatar}, nil
}

func (a *API) getProfile(r *request.Request) (any, error) {
	v, err := a.svc.View.User(r.Context(), r.Viewer(), r.Viewer())
	if err != nil {
		return nil, err
	}
	tags, err := a.svc.Discovery.FeaturedTags(r.Context(), r.Viewer(), r.Viewer())
	if err != nil {
		return nil, err
	}
	source := a.enc.CredentialAccount(&v).Source
	var avatar, header *string
	if v.Avatar != "" {
		avatar = wire.Nullable(a.enc.AvatarURL(&v.User))
	}
	if v.Banner != "" {
		header = wire.Nullable(a.enc.HeaderURL(&v.User))
	}
	return wire.Profile{Avatar: avatar, AvatarStatic: avatar, Header: header, HeaderStatic: header, ID: v.ID.String(), DisplayName: v.Name, Note: v.Note, Fields: source.Fields, Locked: v.Locked, Bot: v.Bot,
		AvatarDescription: v.AvatarAlt, HeaderDescription: v.BannerAlt, HideCollections: v.HideNetwork, Discoverable: v.Discoverable, Indexable: v.Indexable, ShowFeatured: true,
		AttributionDomains: source.AttributionDomains, FeaturedTags: wire.Each(tags, wire.FeaturedTagOf)}, nil
}

// updateProfile changes what can be changed here. The rest may be sent back as it is,
// and is refused otherwise.
func (a *API) updateProfile(r *request.Request) (any, error) {
	change := a.profileChange(r.In)
	for name, now := range map[string]bool{"show_media": false, "show_media_replies": false, "show_featured": true} {
		if b := r.In.OptFlag(name); b != nil && *b != now {
			r.In.Fault(name, "can't be changed on this server")
		}
	}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	if err := a.setOwnPictures(r); err != nil {
		return nil, err
	}
	if _, err := a.svc.Social.UpdateProfile(r.Context(), r.Viewer(), change); err != nil {
		return nil, err
	}
	return a.getProfile(r)
}
