package mastodon

import (
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
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

func (a *API) instanceRules(r *request.Request) (any, error) {
	v, err := a.svc.Identity.Instance(r.Context())
	if err != nil {
		return nil, err
	}
	return wire.RulesOf(v.Rules), nil
}

func (a *API) limits() wire.Configuration {
	var c wire.Configuration
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
