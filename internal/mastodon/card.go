package mastodon

import (
	"net/url"

	"linnet/internal/linnet"
)

// card is the entity PreviewCard. Nothing of what a page would have embedded is passed on.
// https://docs.joinmastodon.org/entities/PreviewCard/
type card struct {
	URL              string       `json:"url"`
	Title            string       `json:"title"`
	Description      string       `json:"description"`
	Language         *string      `json:"language"`
	Type             string       `json:"type"`
	AuthorName       string       `json:"author_name"`
	AuthorURL        string       `json:"author_url"`
	Authors          []cardAuthor `json:"authors"`
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
}

// cardAuthor is the entity PreviewCardAuthor. Who is an author here has the address of the
// profile in URL; the account is not looked up for each card.
// https://docs.joinmastodon.org/entities/PreviewCardAuthor/
type cardAuthor struct {
	Name    string `json:"name"`
	URL     string `json:"url"`
	Account *none  `json:"account"`
}

// card is the wire form of a card, null if there is none.
func (a *API) card(c *linnet.Card) *card {
	if c == nil {
		return nil
	}
	out := &card{URL: c.Link, Title: c.Title, Description: c.Description, Language: nullable(c.Language), Type: "link", AuthorName: c.Author, AuthorURL: c.AuthorURL,
		Authors: []cardAuthor{}, ProviderName: c.Site}
	if u, err := url.Parse(c.Link); err == nil {
		if out.ProviderURL = u.Scheme + "://" + u.Host; out.ProviderName == "" {
			out.ProviderName = u.Hostname()
		}
	}
	if c.Author != "" || c.AuthorURL != "" {
		out.Authors = append(out.Authors, cardAuthor{Name: c.Author, URL: c.AuthorURL})
	}
	if !c.Published.IsZero() {
		at := timestamp(c.Published)
		out.PublishedAt = &at
	}
	if i := c.Image; i.Name != "" {
		file := a.fileURL(i.Name)
		out.Image, out.ImageDescription, out.Blurhash, out.Width, out.Height = &file, i.Description, nullable(i.Blurhash), i.Size.Width, i.Size.Height
	}
	return out
}

// statusCard is the card of a status, {} if it has none.
// https://docs.joinmastodon.org/methods/statuses/#card
func (a *API) statusCard(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	v, err := a.svc.View.Status(r.Context(), r.me(), id)
	if err != nil {
		return nil, err
	}
	if c := a.card(v.Card); c != nil {
		return c, nil
	}
	return empty{}, nil
}
