package mastodon

import (
	"cmp"

	"linnet/internal/linnet"
)

// instanceV2 is the entity Instance.
// https://docs.joinmastodon.org/entities/Instance/
type instanceV2 struct {
	Domain        string                `json:"domain"`
	Title         string                `json:"title"`
	Version       string                `json:"version"`
	SourceURL     string                `json:"source_url"`
	Description   string                `json:"description"`
	Usage         instanceUsage         `json:"usage"`
	Thumbnail     instanceThumbnail     `json:"thumbnail"`
	Icon          []instanceIcon        `json:"icon"`
	Languages     []string              `json:"languages"`
	Configuration configurationV2       `json:"configuration"`
	Registrations instanceRegistrations `json:"registrations"`
	APIVersions   apiVersions           `json:"api_versions"`
	Contact       instanceContact       `json:"contact"`
	Rules         []rule                `json:"rules"`
}

type instanceUsage struct {
	Users struct {
		ActiveMonth int64 `json:"active_month"`
	} `json:"users"`
}

type instanceThumbnail struct {
	URL      string             `json:"url"`
	Blurhash *string            `json:"blurhash"`
	Versions *thumbnailVersions `json:"versions,omitempty"`
}

type thumbnailVersions struct {
	Half string `json:"@1x"`
	Full string `json:"@2x"`
}

// instanceIcon is the entity InstanceIcon.
// https://docs.joinmastodon.org/entities/Instance/#InstanceIcon
type instanceIcon struct {
	Src  string `json:"src"`
	Size string `json:"size"`
}

// thumbnail is the picture of the installation, or the drawn one.
func (a *API) thumbnail(p linnet.Picture) instanceThumbnail {
	if p.Name == "" {
		return instanceThumbnail{URL: a.bannerURL}
	}
	half := cmp.Or(p.Small, p.Name)
	return instanceThumbnail{URL: a.fileURL(half), Blurhash: nullable(p.Blurhash), Versions: &thumbnailVersions{a.fileURL(half), a.fileURL(p.Name)}}
}

func (a *API) icons(p linnet.Picture) []instanceIcon {
	if p.Name == "" {
		return []instanceIcon{}
	}
	return []instanceIcon{{Src: a.fileURL(p.Name), Size: "512x512"}}
}

// configurationV2 is what the newer document has beside the limits.
type configurationV2 struct {
	URLs struct {
		Streaming      string  `json:"streaming"`
		Status         *string `json:"status"`
		About          string  `json:"about"`
		PrivacyPolicy  *string `json:"privacy_policy"`
		TermsOfService *string `json:"terms_of_service"`
	} `json:"urls"`
	Vapid struct {
		PublicKey string `json:"public_key"`
	} `json:"vapid"`
	configuration
	Groups      groupLimits `json:"groups"`
	Translation struct {
		Enabled bool `json:"enabled"`
	} `json:"translation"`
	LimitedFederation bool            `json:"limited_federation"`
	TimelinesAccess   timelinesAccess `json:"timelines_access"`
}

// timelinesAccess says who may read what is the same for all.
// https://docs.joinmastodon.org/entities/Instance/#timelines_access
type timelinesAccess struct {
	LiveFeeds         feedAccess `json:"live_feeds"`
	HashtagFeeds      feedAccess `json:"hashtag_feeds"`
	TrendingLinkFeeds feedAccess `json:"trending_link_feeds"`
}

type feedAccess struct {
	Local  string `json:"local"`
	Remote string `json:"remote"`
}

// accessTo is that of an installation.
func accessTo(private bool) timelinesAccess {
	f := feedAccess{"public", "public"}
	if private {
		f = feedAccess{"authenticated", "authenticated"}
	}
	return timelinesAccess{f, f, f}
}

type instanceRegistrations struct {
	Enabled          bool    `json:"enabled"`
	ApprovalRequired bool    `json:"approval_required"`
	ReasonRequired   bool    `json:"reason_required"`
	Message          *string `json:"message"`
	MinAge           *int    `json:"min_age"`
	URL              *string `json:"url"`
}

// registrationsOf sends those who sign up to the page for it where that asks what apps cannot.
func (a *API) registrationsOf(in *linnet.Instance) instanceRegistrations {
	r := in.Registrations
	out := instanceRegistrations{Enabled: r.Anybody(), ApprovalRequired: r.Approval(), ReasonRequired: r.Approval()}
	if r.Anybody() && len(in.Questions) > 0 {
		page := a.base + "/signup"
		out.URL = &page
	}
	return out
}

type apiVersions struct {
	Mastodon int `json:"mastodon"`
	Linnet   int `json:"linnet"`
}

type instanceContact struct {
	Email   string   `json:"email"`
	Account *account `json:"account"`
}

func (a *API) getInstanceV2(r *request) (any, error) {
	v, err := a.describe(r)
	if err != nil {
		return nil, err
	}
	out := instanceV2{
		Domain: a.host, Title: v.Title, Version: a.version(), SourceURL: a.opts.SourceURL, Description: v.Description,
		Thumbnail: a.thumbnail(v.Thumbnail), Icon: a.icons(v.Icon), Languages: []string{"en"},
		Registrations: a.registrationsOf(&v.Instance),
		APIVersions:   apiVersions{Mastodon: apiVersion, Linnet: 1},
		Contact:       instanceContact{v.Contact, a.contactOf(&v)}, Rules: rulesOf(v.Rules),
	}
	if out.Configuration.Vapid.PublicKey, err = a.svc.Push.PublicKey(r.Context()); err != nil {
		return nil, err
	}
	out.Usage.Users.ActiveMonth = v.ActiveMonth
	out.Configuration.configuration = a.limits()
	out.Configuration.Groups = limitsOfGroups()
	out.Configuration.Translation.Enabled = a.svc.Translation.Enabled()
	out.Configuration.URLs.Streaming = a.streamingURL()
	out.Configuration.URLs.About = a.base + "/"
	if v.Privacy != "" {
		out.Configuration.URLs.PrivacyPolicy = nullable(a.base + "/privacy-policy")
	}
	if len(v.Terms) > 0 {
		out.Configuration.URLs.TermsOfService = nullable(a.base + "/terms")
	}
	out.Configuration.TimelinesAccess, out.Configuration.LimitedFederation = accessTo(v.Private), v.Private
	return out, nil
}
