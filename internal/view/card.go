package view

import "linnet/internal/linnet"

// renderedWeight returns the approximate memory of a rendered status: its HTML, the encoded form
// with the HTML again, its card and the text for filters.
func renderedWeight(_ linnet.ID, r *rendered) uint32 {
	n := 2000 + 4*len(r.view.HTML) + 400*len(r.view.MentionsOf) + picturedWeight(r.view.Pictured)
	for i := range r.view.Media { // the description is in the encoded form and in the text for filters
		n += 1000 + 3*len(r.view.Media[i].Description)
	}
	if c := r.view.Card; c != nil {
		n += 1500 + 2*(len(c.Link)+len(c.Title)+len(c.Description))
	}
	return uint32(n)
}
