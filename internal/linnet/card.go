package linnet

import (
	"net/url"
	"time"
)

// CardLife is the time for which a link preview and its picture are stored. A later status with the
// link fetches it again.
const CardLife = 14 * 24 * time.Hour

// Limits of the texts of a link preview, in characters.
const (
	MaxCardTitle       = 200
	MaxCardDescription = 400
	MaxCardName        = 100 // of a site or author
)

// Card is the description of a page in its metadata. It must not be modified.
// https://docs.joinmastodon.org/entities/PreviewCard/
type Card struct {
	Link        string // requested link, normalized
	Title       string
	Description string // this and the following can be empty
	Site        string
	Author      string
	AuthorURL   string
	Claims      ID     // user that the page names as its author and who doesn't allow the site to do so; 0 for none
	Language    string // of the page, ISO 639
	Published   time.Time
	Fetched     time.Time
	Image       CardImage
}

// CardImage is the picture of a card. There is none if the name is empty.
type CardImage struct {
	Name        string // of its file, which exists for CardLife
	Size        Size
	Blurhash    string
	Description string
}

// Shown returns the card at a time. After CardLife it has no picture.
func (c *Card) Shown(now time.Time) *Card {
	if c == nil || c.Image.Name == "" || now.Sub(c.Fetched) < CardLife {
		return c
	}
	without := *c
	without.Image = CardImage{}
	return &without
}

// Fetched is the state of a link preview.
type Fetched struct {
	Card    *Card     // nil if nothing was found, or the fetch isn't done
	Until   time.Time // the link isn't fetched again before
	Tries   int       // number of consecutive failures
	Final   bool      // the fetch is done
	Version uint64    // 0 if the link is unknown
}

// MissesAttribution reports whether the page of a status names the viewer as its author, although
// the viewer doesn't allow the site to do so.
func (v *StatusView) MissesAttribution(viewer ID) bool {
	if v.Card == nil || viewer == 0 || v.Card.Claims != viewer {
		return false
	}
	u, err := url.Parse(v.Card.Link)
	return err == nil && !(v.Author == viewer && v.By.Attributed(u.Hostname())) // allowed since the page was fetched
}
