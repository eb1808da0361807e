package linnet

import "time"

// CardLife is how long what was found behind a link is taken for true, and its picture kept.
// A status posted later has it looked for again.
const CardLife = 14 * 24 * time.Hour

// Limits of what is taken over from a page, in characters, as far as it is text.
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
	Description string // may be empty, as all that follows
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

// Fetched is what is known of a link.
type Fetched struct {
	Card    *Card     // nil: nothing was found, or nobody has finished looking
	Until   time.Time // nobody looks for it again before
	Tries   int       // that have failed in a row
	Final   bool      // there is nothing to be waited for
	Version uint64    // 0: nothing is known
}
