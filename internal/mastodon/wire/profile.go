package wire

import (
	"strconv"
	"time"

	"linnet/internal/linnet"
)

// FeaturedTag is the entity FeaturedTag. The count is a string, and the date has no time.
// https://docs.joinmastodon.org/entities/FeaturedTag/
type FeaturedTag struct {
	ID       string  `json:"id"`
	Name     string  `json:"name"`
	URL      string  `json:"url"`
	Statuses string  `json:"statuses_count"`
	LastAt   *string `json:"last_status_at"`
}

// FeaturedTagOf encodes a featured tag.
func FeaturedTagOf(t *linnet.FeaturedTag) FeaturedTag {
	out := FeaturedTag{ID: t.ID.String(), Name: t.Name, URL: t.URL, Statuses: strconv.FormatInt(t.Statuses, 10)}
	if !t.LastAt.IsZero() {
		day := t.LastAt.UTC().Format(time.DateOnly)
		out.LastAt = &day
	}
	return out
}

// UserInfo contains the claims of OpenID Connect Core section 5.3.2 that Mastodon has.
// https://docs.joinmastodon.org/methods/oauth/#userinfo
type UserInfo struct {
	Issuer            string `json:"iss"`
	Subject           string `json:"sub"`
	Name              string `json:"name"`
	PreferredUsername string `json:"preferred_username"`
	Profile           string `json:"profile"`
	Picture           string `json:"picture"`
}

// Profile is the entity Profile, with unprocessed texts. Pictures are null unless they were
// uploaded.
// https://docs.joinmastodon.org/entities/Profile/
type Profile struct {
	ID                 string        `json:"id"`
	DisplayName        string        `json:"display_name"`
	Note               string        `json:"note"`
	Fields             []Field       `json:"fields"`
	Avatar             *string       `json:"avatar"`
	AvatarStatic       *string       `json:"avatar_static"`
	AvatarDescription  string        `json:"avatar_description"`
	Header             *string       `json:"header"`
	HeaderStatic       *string       `json:"header_static"`
	HeaderDescription  string        `json:"header_description"`
	Locked             bool          `json:"locked"`
	Bot                bool          `json:"bot"`
	HideCollections    bool          `json:"hide_collections"`
	Discoverable       bool          `json:"discoverable"`
	Indexable          bool          `json:"indexable"`
	ShowMedia          bool          `json:"show_media"`
	ShowMediaReplies   bool          `json:"show_media_replies"`
	ShowFeatured       bool          `json:"show_featured"`
	AttributionDomains []string      `json:"attribution_domains"`
	FeaturedTags       []FeaturedTag `json:"featured_tags"`
}
