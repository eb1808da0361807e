package mastodon

import (
	"slices"
	"time"

	"linnet/internal/linnet"
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
	return []none{}, r.in.err()
}

// never answers for what there never is one of: a report of a year, a list that is still
// being made when it was answered with.
func never(*API, *request) (any, error) { return nil, errNotFound() }

// annualReports are as of somebody of whom none was made.
// https://docs.joinmastodon.org/methods/annual_reports/
func annualReports(*API, *request) (any, error) {
	return struct {
		Reports  []none `json:"annual_reports"`
		Accounts []none `json:"accounts"`
		Statuses []none `json:"statuses"`
	}{[]none{}, []none{}, []none{}}, nil
}

// pageText is the entity ExtendedDescription, and PrivacyPolicy.
// https://docs.joinmastodon.org/entities/ExtendedDescription/
type pageText struct {
	UpdatedAt *string `json:"updated_at"`
	Content   string  `json:"content"` // HTML
}

// extendedDescription is empty: there is one description, which the instance document
// has.
func (a *API) extendedDescription(*request) (any, error) { return pageText{}, nil }

// privacyPolicy is what the administrator has written.
// https://docs.joinmastodon.org/methods/instance/#privacy_policy
func (a *API) privacyPolicy(r *request) (any, error) {
	v, err := a.svc.Identity.Instance(r.Context())
	if err != nil {
		return nil, err
	}
	at := timestamp(time.Unix(max(v.PrivacyAt.Unix(), 0), 0)) // Mastodon's is never null
	return pageText{&at, text.Page(v.Privacy)}, nil
}

// termsOfService is the entity TermsOfService.
// https://docs.joinmastodon.org/entities/TermsOfService/
type termsOfService struct {
	EffectiveDate string  `json:"effective_date"`
	Effective     bool    `json:"effective"`
	Content       string  `json:"content"` // HTML
	SucceededBy   *string `json:"succeeded_by"`
}

// terms are those of the day in the path, or those in force.
// https://docs.joinmastodon.org/methods/instance/#terms_of_service
func (a *API) terms(r *request) (any, error) {
	t, err := a.svc.Identity.Terms(r.Context(), r.PathValue("date"))
	if err != nil {
		return nil, err
	}
	return termsOfService{t.Date, t.Now || t.Past, text.Page(t.Text), nullable(t.Next)}, nil
}

type instanceLanguage struct {
	Code string `json:"code"`
	Name string `json:"name"`
}

// instanceLanguages are those that a status is offered to be written in.
func (a *API) instanceLanguages(*request) (any, error) {
	return each(slices.Clone(linnet.Languages()), func(l *linnet.Language) instanceLanguage { return instanceLanguage{l.Code, l.Name} }), nil
}

// userInfo is the document of OpenID Connect Core section 5.3.2, as far as OAuth
// clients of Mastodon know it.
// https://docs.joinmastodon.org/methods/oauth/#userinfo
type userInfo struct {
	Issuer            string `json:"iss"`
	Subject           string `json:"sub"`
	Name              string `json:"name"`
	PreferredUsername string `json:"preferred_username"`
	Profile           string `json:"profile"`
	Picture           string `json:"picture"`
}

func (a *API) userInfo(r *request) (any, error) {
	v, err := a.svc.View.User(r.Context(), r.me(), r.me())
	if err != nil {
		return nil, err
	}
	as := a.account(&v)
	return userInfo{a.base + "/", as.URL, v.Name, v.Login, as.URL, as.Avatar}, nil
}

// profile is the entity Profile: what can be changed of an account, as it was written.
// Pictures are null where none was uploaded.
// https://docs.joinmastodon.org/entities/Profile/
type profile struct {
	ID                 string         `json:"id"`
	DisplayName        string         `json:"display_name"`
	Note               string         `json:"note"`
	Fields             []accountField `json:"fields"`
	Avatar             *string        `json:"avatar"`
	AvatarStatic       *string        `json:"avatar_static"`
	AvatarDescription  string         `json:"avatar_description"`
	Header             *string        `json:"header"`
	HeaderStatic       *string        `json:"header_static"`
	HeaderDescription  string         `json:"header_description"`
	Locked             bool           `json:"locked"`
	Bot                bool           `json:"bot"`
	HideCollections    bool           `json:"hide_collections"`
	Discoverable       bool           `json:"discoverable"`
	Indexable          bool           `json:"indexable"`
	ShowMedia          bool           `json:"show_media"`
	ShowMediaReplies   bool           `json:"show_media_replies"`
	ShowFeatured       bool           `json:"show_featured"`
	AttributionDomains []string       `json:"attribution_domains"`
	FeaturedTags       []featuredTag  `json:"featured_tags"`
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
	source := a.credentialAccount(&v).Source
	var avatar, header *string
	if v.Avatar != "" {
		avatar = nullable(a.avatarURL(&v.User))
	}
	if v.Banner != "" {
		header = nullable(a.headerURL(&v.User))
	}
	return profile{Avatar: avatar, AvatarStatic: avatar, Header: header, HeaderStatic: header, ID: v.ID.String(), DisplayName: v.Name, Note: v.Note, Fields: source.Fields, Locked: v.Locked, Bot: v.Bot,
		AvatarDescription: v.AvatarAlt, HeaderDescription: v.BannerAlt, HideCollections: v.HideNetwork, Discoverable: v.Discoverable, Indexable: v.Indexable, ShowFeatured: true,
		AttributionDomains: source.AttributionDomains, FeaturedTags: each(tags, featuredTagOf)}, nil
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
