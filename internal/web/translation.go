package web

import (
	"errors"

	"github.com/a-h/templ"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// Translate returns the path of the page with a translation; "" if none is offered, because
// translation is off or the reader reads the language.
func (r *postRow) Translate() string {
	if r.Me() == nil || r.Translation != nil || !r.c.Translates() || !r.S.Translatable() || r.S.Language == "" && !r.Opened {
		return ""
	}
	if r.S.Language != "" {
		for _, reads := range r.c.Languages() {
			if core.BaseLanguage(reads) == core.BaseLanguage(r.S.Language) {
				return ""
			}
		}
	}
	return paths.Post(r.S) + "?translate=1"
}

// translated replaces the status of a page by its translation. If that fails the page says so and
// shows the original.
func (h *timelinePages) translated(c *page.Context, p *statusPage) error {
	t, err := h.translation.Status(c.Request.Context(), c.Viewer(), p.Status.ID, c.Languages()...)
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

// languagePart is that as a part of a sentence.
func languagePart(code string) templ.Component {
	return ui.Within(`<bdi lang="`+templ.EscapeString(code)+`">`, ui.TextPart(languageName(code)), "</bdi>")
}

// languageName is what the speakers of a language call it; the code if that is not known.
func languageName(code string) string {
	for _, l := range linnet.Languages() {
		if l.Code == core.BaseLanguage(code) {
			return l.Name
		}
	}
	return code
}
