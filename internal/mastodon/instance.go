package mastodon

import (
	"slices"
	"time"

	"linnet/internal/core"
	"linnet/internal/identity"
	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
	"linnet/internal/media"
	"linnet/internal/notify"
	"linnet/internal/text"
	"linnet/internal/translation"
	"linnet/internal/uploads"
)

// instanceHandler handles the description of the server.
// https://docs.joinmastodon.org/methods/instance/
type instanceHandler struct {
	site        site
	enc         *wire.Encoder
	settings    *identity.Settings
	push        *notify.Pusher
	uploads     *uploads.Service
	core        *core.Service
	translation *translation.Service
}

func (h *instanceHandler) routes() []request.Route {
	return []request.Route{
		request.Handle("GET /api/v1/instance", request.Open(), h.getV1),
		request.Handle("GET /api/v2/instance", request.Open(), h.getV2),
		request.Handle("GET /api/v1/instance/rules", request.Open(), h.rules),
		request.Handle("GET /api/v1/custom_emojis", request.Open(), h.customEmojis),
		request.Handle("GET /api/v1/instance/peers", request.Open(), nothing),
		request.Handle("GET /api/v1/instance/activity", request.Open(), nothing), // there are no weekly statistics
		request.Handle("GET /api/v1/instance/extended_description", request.Open(), h.extendedDescription),
		request.Handle("GET /api/v1/instance/languages", request.Open(), h.languages),
		request.Handle("GET /api/v1/instance/translation_languages", request.Open(), h.translationLanguages),
		request.Handle("GET /api/v1/instance/privacy_policy", request.Open(), h.privacyPolicy),
		request.Handle("GET /api/v1/instance/terms_of_service", request.Open(), h.terms),
		request.Handle("GET /api/v1/instance/terms_of_service/{date}", request.Open(), h.terms),
		request.Handle("GET /api/v1/instance/domain_blocks", request.Open(), nothing),
		request.Handle("GET /api/v1/domain_blocks", request.User("read:blocks"), nothing),
		request.Handle("GET /api/v1/annual_reports", request.User("read:accounts"), annualReports),
		request.Handle("GET /api/v1/annual_reports/{year}", request.User("read:accounts"), never),
		request.Handle("POST /api/v1/annual_reports/{year}/read", request.User("write:accounts"), never),
		request.Handle("GET /api/v1/annual_reports/{year}/state", request.User("read:accounts"), annualReportState),
		request.Handle("POST /api/v1/annual_reports/{year}/generate", request.User("write:accounts"), noAnnualReport),
		request.Handle("GET /api/v1_alpha/async_refreshes/{id}", request.User("read"), never),
	}
}

// customEmojis returns the custom emoji that apps offer.
// https://docs.joinmastodon.org/methods/custom_emojis/
func (h *instanceHandler) customEmojis(*request.Request) (any, error) {
	return h.enc.Emojis(h.core.Emojis().Offered()), nil
}

func (h *instanceHandler) rules(r *request.Request) (any, error) {
	v, err := h.settings.Instance(r.Context())
	if err != nil {
		return nil, err
	}
	return wire.RulesOf(v.Rules), nil
}

func (h *instanceHandler) limits() wire.Configuration {
	var c wire.Configuration
	c.Accounts.MaxFeaturedTags, c.Accounts.MaxPinnedStatuses = linnet.MaxFeaturedTags, linnet.MaxPins
	c.Accounts.MaxNoteLength = linnet.MaxNote
	c.Accounts.MaxDisplayNameLength = linnet.MaxDisplayName
	c.Accounts.MaxAvatarAlt, c.Accounts.MaxHeaderAlt = linnet.MaxProfileAlt, linnet.MaxProfileAlt
	c.Accounts.MaxProfileFields = linnet.MaxProfileFields
	c.Accounts.ProfileFieldNameLimit = linnet.MaxFieldChars
	c.Accounts.ProfileFieldValueLimit = linnet.MaxFieldChars
	c.Statuses.MaxCharacters = h.core.StatusChars()
	c.Statuses.CharactersReservedPerURL = linnet.URLChars
	c.MediaAttachments.SupportedMimeTypes = []string{"image/jpeg", "image/png", "image/gif", "image/webp"}
	if h.uploads.ReadsHEIF() {
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

func (h *instanceHandler) getV1(r *request.Request) (any, error) {
	v, err := describe(r, h.settings)
	if err != nil {
		return nil, err
	}
	return wire.InstanceV1{
		URI: h.site.host, Title: v.Title, ShortDescription: v.Description, Description: v.Description, Email: v.Contact,
		Version: h.site.version(), URLs: wire.InstanceV1URLs{StreamingAPI: h.site.streamingURL()},
		// The server is its only domain, because it does not federate.
		Stats:     wire.InstanceV1Stats{UserCount: v.People, StatusCount: v.Statuses, DomainCount: 1},
		Thumbnail: h.enc.Thumbnail(&v.Instance).URL, Languages: []string{"en"}, Registrations: v.Registrations.Anybody(),
		ApprovalRequired: v.Registrations.Approval(), InvitesEnabled: v.Registrations.Invites(),
		Configuration: h.limits(), ContactAccount: h.enc.Contact(&v), Rules: wire.RulesOf(v.Rules),
	}, nil
}

func (h *instanceHandler) getV2(r *request.Request) (any, error) {
	v, err := describe(r, h.settings)
	if err != nil {
		return nil, err
	}
	out := wire.InstanceV2{
		Domain: h.site.host, Title: v.Title, Version: h.site.version(), SourceURL: h.site.sourceURL, Description: v.Description,
		Thumbnail: h.enc.Thumbnail(&v.Instance), Icon: h.enc.Icons(v.Icon), Languages: []string{"en"},
		Registrations: h.enc.InstanceRegistrations(&v.Instance),
		APIVersions:   wire.APIVersions{Mastodon: apiVersion, Linnet: 1},
		Contact:       wire.InstanceContact{Email: v.Contact, Account: h.enc.Contact(&v)}, Rules: wire.RulesOf(v.Rules),
	}
	if out.Configuration.Vapid.PublicKey, err = h.push.PublicKey(r.Context()); err != nil {
		return nil, err
	}
	out.Usage.Users.ActiveMonth = v.ActiveMonth
	out.Configuration.Configuration = h.limits()
	out.Configuration.Groups = wire.LimitsOfGroups()
	out.Configuration.Translation.Enabled = h.translation.Enabled()
	out.Configuration.URLs.Streaming = h.site.streamingURL()
	out.Configuration.URLs.About = h.site.base + "/"
	if v.Privacy != "" {
		out.Configuration.URLs.PrivacyPolicy = wire.Nullable(h.site.base + "/privacy-policy")
	}
	if len(v.Terms) > 0 {
		out.Configuration.URLs.TermsOfService = wire.Nullable(h.site.base + "/terms")
	}
	out.Configuration.TimelinesAccess, out.Configuration.LimitedFederation = wire.AccessTo(v.Private), v.Private
	return out, nil
}

// describe returns the description of the server. For a private server it has no users and no
// statistics.
func describe(r *request.Request, settings *identity.Settings) (linnet.InstanceView, error) {
	v, err := settings.Instance(r.Context())
	if v.Private {
		v.People, v.Groups, v.ActiveMonth, v.Statuses, v.ContactView = 0, 0, 0, 0, nil
	}
	return v, err
}

// nothing returns an empty list.
func nothing(r *request.Request) (any, error) {
	_ = request.AccountPage(r.In) // so that a bad parameter is refused
	return []wire.None{}, r.In.Err()
}

// never handles objects that do not exist on this server.
func never(*request.Request) (any, error) { return nil, request.ErrNotFound() }

// annualReports returns an empty list of annual reports.
// https://docs.joinmastodon.org/methods/annual_reports/
func annualReports(*request.Request) (any, error) {
	return struct {
		Reports  []wire.None `json:"annual_reports"`
		Accounts []wire.None `json:"accounts"`
		Statuses []wire.None `json:"statuses"`
	}{[]wire.None{}, []wire.None{}, []wire.None{}}, nil
}

// annualReportState answers that there is no report of the year for the user.
// https://docs.joinmastodon.org/methods/annual_reports/#get-state
func annualReportState(*request.Request) (any, error) {
	return struct {
		State string `json:"state"`
	}{"ineligible"}, nil
}

// noAnnualReport does nothing, as Mastodon does for a year without a report.
func noAnnualReport(*request.Request) (any, error) { return wire.Empty{}, nil }

// extendedDescription is empty, because the server only has the description in the instance
// document.
func (h *instanceHandler) extendedDescription(*request.Request) (any, error) { return wire.Page{}, nil }

// privacyPolicy returns the privacy policy.
// https://docs.joinmastodon.org/methods/instance/#privacy_policy
func (h *instanceHandler) privacyPolicy(r *request.Request) (any, error) {
	v, err := h.settings.Instance(r.Context())
	if err != nil {
		return nil, err
	}
	at := wire.Timestamp(time.Unix(max(v.PrivacyAt.Unix(), 0), 0)) // never null, as in Mastodon
	return wire.Page{UpdatedAt: &at, Content: text.Page(v.Privacy)}, nil
}

// terms returns the terms of service of the date in the path, or the current ones.
// https://docs.joinmastodon.org/methods/instance/#terms_of_service
func (h *instanceHandler) terms(r *request.Request) (any, error) {
	t, err := h.settings.Terms(r.Context(), r.PathValue("date"))
	if err != nil {
		return nil, err
	}
	return wire.TermsOfService{EffectiveDate: t.Date, Effective: t.Now || t.Past, Content: text.Page(t.Text), SucceededBy: wire.Nullable(t.Next)}, nil
}

// languages returns the languages in which statuses can be written.
// https://docs.joinmastodon.org/methods/instance/#languages
func (h *instanceHandler) languages(*request.Request) (any, error) {
	return wire.Each(slices.Clone(linnet.Languages()), func(l *linnet.Language) wire.Language { return wire.Language{Code: l.Code, Name: l.Name} }), nil
}

func (h *instanceHandler) translationLanguages(r *request.Request) (any, error) {
	return h.translation.Languages(r.Context()), nil
}
