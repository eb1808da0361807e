package mastodon

import (
	"strconv"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/media"
)

// mastodonVersion is the Mastodon whose calls are served: clients refuse calls
// that are newer than this number. apiVersion likewise: 2 announces grouped
// notifications, the policy and requests, 3 and 4 domains of an author and media that are
// deleted, 5 and 6 the filters that blur and the rest of Mastodon 4.4, 7 quotes.
const (
	mastodonVersion = "4.5.0"
	apiVersion      = 7
)

// version returns the version that clients read. It begins with Mastodon's.
func (a *API) version() string {
	if a.opts.Plain {
		return mastodonVersion
	}
	return mastodonVersion + " (compatible; Linnet " + a.opts.Version + ")"
}

// streamingURL is the public URL with the scheme of WebSockets.
func (a *API) streamingURL() string {
	return "ws" + strings.TrimPrefix(a.base, "http")
}

type rule struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	Hint string `json:"hint"`
	// Translations are in other languages, by their code: rules are written in one.
	Translations struct{} `json:"translations"`
}

func rulesOf(texts []string) []rule {
	rules := make([]rule, len(texts))
	for i, text := range texts {
		rules[i] = rule{ID: strconv.Itoa(i + 1), Text: text}
	}
	return rules
}

func (a *API) instanceRules(r *request) (any, error) {
	v, err := a.svc.Identity.Instance(r.Context())
	if err != nil {
		return nil, err
	}
	return rulesOf(v.Rules), nil
}

// contactOf is the person to turn to, or null.
func (a *API) contactOf(v *linnet.InstanceView) *account {
	if v.ContactView == nil {
		return nil
	}
	out := a.account(v.ContactView)
	return &out
}

// configuration is what clients count with: the limits in force. What does not
// exist here has the limit 0.
type configuration struct {
	Accounts struct {
		MaxFeaturedTags        int `json:"max_featured_tags"`
		MaxPinnedStatuses      int `json:"max_pinned_statuses"`
		MaxNoteLength          int `json:"max_note_length"`
		MaxDisplayNameLength   int `json:"max_display_name_length"`
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

func (a *API) limits() configuration {
	var c configuration
	c.Accounts.MaxFeaturedTags, c.Accounts.MaxPinnedStatuses = linnet.MaxFeaturedTags, linnet.MaxPins
	c.Accounts.MaxNoteLength = linnet.MaxNote
	c.Accounts.MaxDisplayNameLength = linnet.MaxDisplayName
	c.Accounts.MaxProfileFields = linnet.MaxProfileFields
	c.Accounts.ProfileFieldNameLimit = linnet.MaxFieldChars
	c.Accounts.ProfileFieldValueLimit = linnet.MaxFieldChars
	c.Statuses.MaxCharacters = a.svc.Core.StatusChars()
	c.Statuses.CharactersReservedPerURL = linnet.URLChars
	c.MediaAttachments.SupportedMimeTypes = []string{"image/jpeg", "image/png", "image/gif", "image/webp"}
	if a.svc.Uploads.ReadsHEIF() {
		c.MediaAttachments.SupportedMimeTypes = append(c.MediaAttachments.SupportedMimeTypes, "image/heic", "image/heif", "image/avif")
	}
	c.MediaAttachments.SupportedMimeTypes = append(c.MediaAttachments.SupportedMimeTypes, "video/mp4", "video/webm", "video/quicktime",
		"audio/mpeg", "audio/mp3", "audio/ogg", "audio/flac", "audio/x-flac", "audio/mp4", "audio/m4a", "audio/x-m4a")
	c.MediaAttachments.VideoSizeLimit, c.MediaAttachments.VideoFrameRateLimit, c.MediaAttachments.VideoMatrixLimit = media.MaxFilmBytes, media.MaxFrameRate, media.MaxFilmPixels
	c.MediaAttachments.DescriptionLimit = linnet.MaxAltText
	c.MediaAttachments.ImageSizeLimit, c.MediaAttachments.ImageMatrixLimit = media.MaxBytes, media.MaxPixels
	c.Statuses.MaxMediaAttachments = linnet.MaxAttachments
	c.Polls.MaxOptions, c.Polls.MaxCharactersPerOption = linnet.MaxPollOptions, linnet.MaxPollOptionChars
	c.Polls.MinExpiration, c.Polls.MaxExpiration = linnet.MinPollSeconds, linnet.MaxPollSeconds
	return c
}
