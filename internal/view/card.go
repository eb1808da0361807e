package view

import "linnet/internal/linnet"

// cardWeight returns the approximate memory of a card, including its encoded form.
func cardWeight(c *linnet.Card) int {
	if c == nil {
		return 0
	}
	return 1500 + 2*(len(c.Link)+len(c.Title)+len(c.Description))
}

// renderedWeight returns the approximate memory of a rendered status: its HTML, the encoded form
// with the HTML again, and the text for filters.
func renderedWeight(_ linnet.ID, r *rendered) uint32 {
	return uint32(2000 + 4*len(r.view.HTML) + 400*len(r.view.MentionsOf) + 1000*len(r.view.Media) + picturedWeight(r.view.Pictured) + cardWeight(r.view.Card))
}
