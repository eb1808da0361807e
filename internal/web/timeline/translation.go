package timeline

import (
	"errors"

	"linnet/internal/linnet"
	"linnet/internal/web/page"
)

// translated replaces the status of a page by its translation. If that fails, the page shows the
// error and the original.
func (h *Pages) translated(c *page.Context, p *statusPage) error {
	t, err := h.Translation.Status(c.Request.Context(), c.Viewer(), p.Status.ID, c.Languages()...)
	var e *linnet.Error
	switch {
	case errors.As(err, &e) && e.Kind != linnet.Internal:
		p.Untranslated = e.In(c.Lang().Text)
		return nil
	case err != nil:
		return err
	}
	said := *p.Status.SharedStatus
	said.Status, said.HTML, said.Pictured = t.Status, t.HTML, t.Pictured
	said.Memo, said.Plain = nil, nil // encoded forms of the original
	p.Translation, p.Status.SharedStatus = &t, &said
	if v := p.Status.PollView; v != nil {
		poll := *v
		poll.Poll = t.Poll
		p.Status.PollView = &poll
	}
	return nil
}
