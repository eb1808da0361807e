package wire

import (
	"cmp"
	"strconv"

	"linnet/internal/linnet"
)

// GroupLimits are the limits of groups in the instance document.
type GroupLimits struct {
	Kinds          []string `json:"kinds"`
	MaxOwned       int      `json:"max_owned"`
	MaxJoined      int      `json:"max_joined"`
	MaxChatMembers int      `json:"max_chat_members"`
}

// LimitsOfGroups returns the limits of groups.
func LimitsOfGroups() GroupLimits {
	l := GroupLimits{MaxOwned: linnet.MaxGroupsOwned, MaxJoined: linnet.MaxGroupsJoined, MaxChatMembers: linnet.MaxChatMembers}
	for k := linnet.PublicGroup; k <= linnet.Chat; k++ {
		l.Kinds = append(l.Kinds, k.String())
	}
	return l
}

// Rule is the entity Rule.
// https://docs.joinmastodon.org/entities/Rule/
type Rule struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	Hint string `json:"hint"`
	// Translations is empty, because rules have one language.
	Translations struct{} `json:"translations"`
}

// RulesOf encodes the rules of the server.
func RulesOf(texts []string) []Rule {
	rules := make([]Rule, len(texts))
	for i, text := range texts {
		rules[i] = Rule{ID: strconv.Itoa(i + 1), Text: text}
	}
	return rules
}

// Contact encodes the contact account, or returns nil.
func (e *Encoder) Contact(v *linnet.InstanceView) *Account {
	if v.ContactView == nil {
		return nil
	}
	out := e.Account(v.ContactView)
	return &out
}

// Configuration contains the limits in force. The limit of an unsupported feature is 0.
// https://docs.joinmastodon.org/entities/Instance/#configuration
type Configuration struct {
	Accounts struct {
		MaxFeaturedTags        int `json:"max_featured_tags"`
		MaxPinnedStatuses      int `json:"max_pinned_statuses"`
		MaxNoteLength          int `json:"max_note_length"`
		MaxDisplayNameLength   int `json:"max_display_name_length"`
		MaxAvatarAlt           int `json:"max_avatar_description_length"`
		MaxHeaderAlt           int `json:"max_header_description_length"`
		MaxProfileFields       int `json:"max_profile_fields"`
		ProfileFieldNameLimit  int `json:"profile_field_name_limit"`
		ProfileFieldValueLimit int `json:"profile_field_value_limit"`
	} `json:"accounts"`
	Statuses struct {
		MaxCharacters            int `json:"max_characters"`
		MaxMediaAttachments      int `json:"max_media_attachments"`
		CharactersReservedPerURL int `json:"characters_reserved_per_url"`
	} `json:"statuses"`
	MediaAttachments struct {
		DescriptionLimit    int      `json:"description_limit"`
		SupportedMimeTypes  []string `json:"supported_mime_types"`
		ImageSizeLimit      int      `json:"image_size_limit"`
		ImageMatrixLimit    int      `json:"image_matrix_limit"`
		VideoSizeLimit      int      `json:"video_size_limit"`
		VideoFrameRateLimit int      `json:"video_frame_rate_limit"`
		VideoMatrixLimit    int      `json:"video_matrix_limit"`
	} `json:"media_attachments"`
	Polls struct {
		MaxOptions             int `json:"max_options"`
		MaxCharactersPerOption int `json:"max_characters_per_option"`
		MinExpiration          int `json:"min_expiration"`
		MaxExpiration          int `json:"max_expiration"`
	} `json:"polls"`
}

// InstanceV1 is the entity V1::Instance, which older clients use.
// https://docs.joinmastodon.org/entities/V1_Instance/
type InstanceV1 struct {
	URI              string          `json:"uri"`
	Title            string          `json:"title"`
	ShortDescription string          `json:"short_description"`
	Description      string          `json:"description"`
	Email            string          `json:"email"`
	Version          string          `json:"version"`
	URLs             InstanceV1URLs  `json:"urls"`
	Stats            InstanceV1Stats `json:"stats"`
	Thumbnail        string          `json:"thumbnail"`
	Languages        []string        `json:"languages"`
	Registrations    bool            `json:"registrations"`
	ApprovalRequired bool            `json:"approval_required"`
	InvitesEnabled   bool            `json:"invites_enabled"`
	Configuration    Configuration   `json:"configuration"`
	ContactAccount   *Account        `json:"contact_account"`
	Rules            []Rule          `json:"rules"`
}

// InstanceV1URLs contains the URL of streams.
// https://docs.joinmastodon.org/entities/V1_Instance/#urls
type InstanceV1URLs struct {
	StreamingAPI string `json:"streaming_api"`
}

// InstanceV1Stats contains the statistics of an InstanceV1.
// https://docs.joinmastodon.org/entities/V1_Instance/#stats
type InstanceV1Stats struct {
	UserCount   int64 `json:"user_count"`
	StatusCount int64 `json:"status_count"`
	DomainCount int64 `json:"domain_count"`
}

// InstanceV2 is the entity Instance.
// https://docs.joinmastodon.org/entities/Instance/
type InstanceV2 struct {
	Domain        string                `json:"domain"`
	Title         string                `json:"title"`
	Version       string                `json:"version"`
	SourceURL     string                `json:"source_url"`
	Description   string                `json:"description"`
	Usage         InstanceUsage         `json:"usage"`
	Thumbnail     Thumbnail             `json:"thumbnail"`
	Icon          []InstanceIcon        `json:"icon"`
	Languages     []string              `json:"languages"`
	Configuration ConfigurationV2       `json:"configuration"`
	Registrations InstanceRegistrations `json:"registrations"`
	APIVersions   APIVersions           `json:"api_versions"`
	Contact       InstanceContact       `json:"contact"`
	Rules         []Rule                `json:"rules"`
}

// InstanceUsage contains the number of active users.
// https://docs.joinmastodon.org/entities/Instance/#usage
type InstanceUsage struct {
	Users struct {
		ActiveMonth int64 `json:"active_month"`
	} `json:"users"`
}

// Thumbnail is the picture of the server.
// https://docs.joinmastodon.org/entities/Instance/#thumbnail
type Thumbnail struct {
	URL         string             `json:"url"`
	Description string             `json:"description"`
	Blurhash    *string            `json:"blurhash"`
	Versions    *ThumbnailVersions `json:"versions,omitempty"`
}

// ThumbnailVersions are the URLs of a Thumbnail in two sizes.
// https://docs.joinmastodon.org/entities/Instance/#thumbnail-versions
type ThumbnailVersions struct {
	Half string `json:"@1x"`
	Full string `json:"@2x"`
}

// InstanceIcon is the entity InstanceIcon.
// https://docs.joinmastodon.org/entities/Instance/#InstanceIcon
type InstanceIcon struct {
	Src  string `json:"src"`
	Size string `json:"size"`
}

// Thumbnail encodes the picture of the server, or the default one.
func (e *Encoder) Thumbnail(in *linnet.Instance) Thumbnail {
	p := in.Thumbnail
	if p.Name == "" {
		return Thumbnail{URL: e.bannerURL}
	}
	half := cmp.Or(p.Small, p.Name)
	return Thumbnail{URL: e.FileURL(half), Description: in.ThumbnailAlt, Blurhash: Nullable(p.Blurhash), Versions: &ThumbnailVersions{e.FileURL(half), e.FileURL(p.Name)}}
}

// Icons encodes the icon of the server, if it has one.
func (e *Encoder) Icons(p linnet.Picture) []InstanceIcon {
	if p.Name == "" {
		return []InstanceIcon{}
	}
	return []InstanceIcon{{Src: e.FileURL(p.Name), Size: "512x512"}}
}

// ConfigurationV2 is the configuration of an InstanceV2.
// https://docs.joinmastodon.org/entities/Instance/#configuration
type ConfigurationV2 struct {
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
	Configuration
	Groups      GroupLimits `json:"groups"`
	Translation struct {
		Enabled bool `json:"enabled"`
	} `json:"translation"`
	LimitedFederation bool            `json:"limited_federation"`
	TimelinesAccess   TimelinesAccess `json:"timelines_access"`
}

// TimelinesAccess determines who can read public timelines.
// https://docs.joinmastodon.org/entities/Instance/#timelines_access
type TimelinesAccess struct {
	LiveFeeds         FeedAccess `json:"live_feeds"`
	HashtagFeeds      FeedAccess `json:"hashtag_feeds"`
	TrendingLinkFeeds FeedAccess `json:"trending_link_feeds"`
}

// FeedAccess determines who can read a kind of timeline: public or authenticated.
type FeedAccess struct {
	Local  string `json:"local"`
	Remote string `json:"remote"`
}

// AccessTo returns the access of a private or public server.
func AccessTo(private bool) TimelinesAccess {
	f := FeedAccess{"public", "public"}
	if private {
		f = FeedAccess{"authenticated", "authenticated"}
	}
	return TimelinesAccess{f, f, f}
}

// InstanceRegistrations describes how to sign up.
// https://docs.joinmastodon.org/entities/Instance/#registrations
type InstanceRegistrations struct {
	Enabled          bool    `json:"enabled"`
	ApprovalRequired bool    `json:"approval_required"`
	ReasonRequired   bool    `json:"reason_required"`
	Message          *string `json:"message"`
	MinAge           *int    `json:"min_age"`
	URL              *string `json:"url"`
}

// InstanceRegistrations describes how to sign up. It contains the URL of the sign-up page if there
// are questions, which apps cannot ask.
func (e *Encoder) InstanceRegistrations(in *linnet.Instance) InstanceRegistrations {
	r := in.Registrations
	out := InstanceRegistrations{Enabled: r.Anybody(), ApprovalRequired: r.Approval(), ReasonRequired: r.Approval()}
	if r.Anybody() && len(in.Questions) > 0 {
		page := e.base + "/signup"
		out.URL = &page
	}
	return out
}

// APIVersions are the versions of the API.
// https://docs.joinmastodon.org/entities/Instance/#api-versions
type APIVersions struct {
	Mastodon int `json:"mastodon"`
	Linnet   int `json:"linnet"`
}

// InstanceContact is the contact of the server.
// https://docs.joinmastodon.org/entities/Instance/#contact
type InstanceContact struct {
	Email   string   `json:"email"`
	Account *Account `json:"account"`
}

// Page is the entity ExtendedDescription or PrivacyPolicy.
// https://docs.joinmastodon.org/entities/ExtendedDescription/
type Page struct {
	UpdatedAt *string `json:"updated_at"`
	Content   string  `json:"content"` // HTML
}

// TermsOfService is the entity TermsOfService.
// https://docs.joinmastodon.org/entities/TermsOfService/
type TermsOfService struct {
	EffectiveDate string  `json:"effective_date"`
	Effective     bool    `json:"effective"`
	Content       string  `json:"content"` // HTML
	SucceededBy   *string `json:"succeeded_by"`
}

// Language is a language in which statuses can be written.
// https://docs.joinmastodon.org/methods/instance/#languages
type Language struct {
	Code string `json:"code"`
	Name string `json:"name"`
}
