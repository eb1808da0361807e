package mastodon

import (
	"slices"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/wire"
	"linnet/internal/media"
	"linnet/internal/text"
)

// startTable lists what apps ask for when they start, of which much is truly empty
// here: there are no other servers, and nothing blocks any.
func startTable() []route {
	return []route{
		{"GET /api/v1/instance/peers", open(), noLimit, nothing},
		{"GET /api/v1/instance/activity", open(), noLimit, nothing}, // nothing is counted by week
		{"GET /api/v1/instance/extended_description", open(), noLimit, (*API).extendedDescription},
		{"GET /api/v1/instance/languages", open(), noLimit, (*API).instanceLanguages},
		{"GET /api/v1/instance/translation_languages", open(), noLimit, (*API).translationLanguages},
		{"GET /api/v1/instance/privacy_policy", open(), noLimit, (*API).privacyPolicy},
		{"GET /api/v1/instance/terms_of_service", open(), noLimit, (*API).terms},
		{"GET /api/v1/instance/terms_of_service/{date}", open(), noLimit, (*API).terms},
		{"GET /api/v1/instance/domain_blocks", open(), noLimit, nothing},
		{"GET /api/v1/domain_blocks", user("read:blocks"), noLimit, nothing},
		{"GET /oauth/userinfo", user("read:accounts profile"), noLimit, (*API).userInfo},
		{"GET /api/v1/profile", user("read:accounts profile"), noLimit, (*API).getProfile},
		{"PATCH /api/v1/profile", uploading(user("write:accounts")), noLimit, (*API).updateProfile},
		{"DELETE /api/v1/profile/avatar", user("write:accounts"), noLimit, removePicture(media.Avatar)},
		{"DELETE /api/v1/profile/header", user("write:accounts"), noLimit, removePicture(media.Banner)},
		{"GET /api/v1/annual_reports", user("read:accounts"), noLimit, annualReports},
		{"GET /api/v1/annual_reports/{year}", user("read:accounts"), noLimit, never},
		{"POST /api/v1/annual_reports/{year}/read", user("write:accounts"), noLimit, never},
		{"GET /api/v1_alpha/async_refreshes/{id}", user("read"), noLimit, never},
		{"GET /api/v1/admin/domain_blocks", user("admin:read:domain_blocks"), noLimit, staff(linnet.ManageUsers, nothing)},
		{"GET /api/v1/admin/domain_allows", user("admin:read:domain_allows"), noLimit, staff(linnet.ManageUsers, nothing)},
	}
}

// nothing answers with an empty list.
func nothing(_ *API, r *request) (any, error) {
	_ = accountPage(r.in) // so that a wrong parameter is told, as where there is something
	return []wire.None{}, r.in.err()
}

// never answers for what there never is one of: a report of a year, a list that is still
// being made when it was answered with.
func never(*API, *request) (any, error) { return nil, errNotFound() }

// annualReports are as of somebody of whom none was made.
// https://docs.joinmastodon.org/methods/annual_reports/
func annualReports(*API, *request) (any, error) {
	return struct {
		Reports  []wire.None `json:"annual_reports"`
		Accounts []wire.None `json:"accounts"`
		Statuses []wire.None `json:"statuses"`
	}{[]wire.None{}, []wire.None{}, []wire.None{}}, nil
}

// extendedDescription is empty: there is one description, which the instance document
// has.
func (a *API) extendedDescription(*request) (any, error) { return wire.Page{}, nil }

// privacyPolicy is what the administrator has written.
// https://docs.joinmastodon.org/methods/instance/#privacy_policy
func (a *API) privacyPolicy(r *request) (any, error) {
	v, err := a.svc.Identity.Instance(r.Context())
	if err != nil {
		return nil, err
	}
	at := wire.Timestamp(time.Unix(max(v.PrivacyAt.Unix(), 0), 0)) // Mastodon's is never null
	return wire.Page{UpdatedAt: &at, Content: text.Page(v.Privacy)}, nil
}

// terms are those of the day in the path, or those in force.
// https://docs.joinmastodon.org/methods/instance/#terms_of_service
func (a *API) terms(r *request) (any, error) {
	t, err := a.svc.Identity.Terms(r.Context(), r.PathValue("date"))
	if err != nil {
		return nil, err
	}
	return wire.TermsOfService{EffectiveDate: t.Date, Effective: t.Now || t.Past, Content: text.Page(t.Text), SucceededBy: wire.Nullable(t.Next)}, nil
}

// instanceLanguages are those that a status is offered to be written in.
func (a *API) instanceLanguages(*request) (any, error) {
	return wire.Each(slices.Clone(linnet.Languages()), func(l *linnet.Language) wire.Language { return wire.Language{Code: l.Code, Name: l.Name} }), nil
}

func (a *API) userInfo(r *request) (any, error) {
	v, err := a.svc.View.User(r.Context(), r.me(), r.me())
	if err != nil {
		return nil, err
	}
	as := a.enc.Account(&v)
	return wire.UserInfo{Issuer: a.base + "/", Subject: as.URL, Name: v.Name, PreferredUsername: v.Login, Profile: as.URL, Picture: as.Avatar}, nil
}

func (a *API) getProfile(r *request) (any, error) {
	v, err := a.svc.View.User(r.Context(), r.me(), r.me())
	if err != nil {
		return nil, err
	}
	tags, err := a.svc.Discovery.FeaturedTags(r.Context(), r.me(), r.me())
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
func (a *API) updateProfile(r *request) (any, error) {
	change := a.profileChange(r.in)
	for name, now := range map[string]bool{"show_media": false, "show_media_replies": false, "show_featured": true} {
		if b := r.in.optFlag(name); b != nil && *b != now {
			r.in.fault(name, "can't be changed on this server")
		}
	}
	if err := r.in.err(); err != nil {
		return nil, err
	}
	if err := r.setPictures(r.ownPicture); err != nil {
		return nil, err
	}
	if _, err := a.svc.Social.UpdateProfile(r.Context(), r.me(), change); err != nil {
		return nil, err
	}
	return a.getProfile(r)
}
