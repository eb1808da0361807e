package linnet

import "time"

// CardLife is how long a link preview and its picture are stored. A later status with the link
// fetches it again.
const CardLife = 14 * 24 * time.Hour

// Limits of the texts of a link preview, in characters.
const (
	MaxCardTitle       = 200
	MaxCardDescription = 400
	MaxCardName        = 100 // of a site, an author
)

// Card is what the page behind a link says of itself. It must not be modified.
// https://docs.joinmastodon.org/entities/PreviewCard/
type Card struct {
	Link        string // that was asked for, normalised
	Title       string
	Description string // this and the following can be empty
	Site        string
	Author      string
	AuthorURL   string
	Language    string // of the page, ISO 639
	Published   time.Time
	Fetched     time.Time
	Image       CardImage
}

// CardImage is the picture of a card; one without a name is none.
type CardImage struct {
	Name        string // of its file, which is there for CardLife
	Size        Size
	Blurhash    string
	Description string
}

// Shown is the card as it is shown at a time: without its picture when that is over.
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
	Tries   int       // that have failed in a row
	Final   bool      // the fetch is done
	Version uint64    // 0 if the link is unknown
}
