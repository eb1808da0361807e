package wire

import (
	"net/url"

	"linnet/internal/linnet"
)

// PreviewCard is the entity PreviewCard. Embedded content of the page is omitted.
// https://docs.joinmastodon.org/entities/PreviewCard/
type PreviewCard struct {
	URL              string       `json:"url"`
	Title            string       `json:"title"`
	Description      string       `json:"description"`
	Language         *string      `json:"language"`
	Type             string       `json:"type"`
	AuthorName       string       `json:"author_name"`
	AuthorURL        string       `json:"author_url"`
	Authors          []CardAuthor `json:"authors"`
	ProviderName     string       `json:"provider_name"`
	ProviderURL      string       `json:"provider_url"`
	HTML             string       `json:"html"`
	Width            int          `json:"width"`
	Height           int          `json:"height"`
	Image            *string      `json:"image"`
	ImageDescription string       `json:"image_description"`
	EmbedURL         string       `json:"embed_url"`
	Blurhash         *string      `json:"blurhash"`
	PublishedAt      *string      `json:"published_at"`
	// MissingAttribution is only known for the viewer of a status.
	MissingAttribution *bool `json:"missing_attribution"`
}

// CardAuthor is the entity PreviewCardAuthor. The URL of a local author is the profile. Account is
// null, because it would need a read for each card.
// https://docs.joinmastodon.org/entities/PreviewCardAuthor/
type CardAuthor struct {
	Name    string `json:"name"`
	URL     string `json:"url"`
	Account *None  `json:"account"`
}

// PreviewCard encodes a preview card, or returns nil.
func (e *Encoder) PreviewCard(c *linnet.Card) *PreviewCard {
	if c == nil {
		return nil
	}
	out := &PreviewCard{URL: c.Link, Title: c.Title, Description: c.Description, Language: Nullable(c.Language), Type: "link", AuthorName: c.Author, AuthorURL: c.AuthorURL,
		Authors: []CardAuthor{}, ProviderName: c.Site}
	if u, err := url.Parse(c.Link); err == nil {
		if out.ProviderURL = u.Scheme + "://" + u.Host; out.ProviderName == "" {
			out.ProviderName = u.Hostname()
		}
	}
	if c.Author != "" || c.AuthorURL != "" {
		out.Authors = append(out.Authors, CardAuthor{Name: c.Author, URL: c.AuthorURL})
	}
	out.PublishedAt = OptionalTime(c.Published)
	if i := c.Image; i.Name != "" {
		file := e.FileURL(i.Name)
		out.Image, out.ImageDescription, out.Blurhash, out.Width, out.Height = &file, i.Description, Nullable(i.Blurhash), i.Size.Width, i.Size.Height
	}
	return out
}

// noAttribution and missingAttribution are the member of a card in JSON, for other viewers and for
// the named author.
const (
	noAttribution      = `"missing_attribution":null`
	missingAttribution = `"missing_attribution":true`
)

// TrendLink is the entity Trends::Link.
// https://docs.joinmastodon.org/entities/PreviewCard/#trends-link
type TrendLink struct {
	PreviewCard
	History []HistoryDay `json:"history"`
}
