package web

import (
	"errors"

	"github.com/a-h/templ"
	"golang.org/x/text/language"

	"linnet/internal/core"
	"linnet/internal/linnet"
)

// reads are the languages that the reader is likely to read, the likeliest first: that in
// which they write, those that their browser names, English.
func (c *call) reads() []string {
	if c.languages == nil {
		if c.me != nil && c.me.Posting.Language != "" {
			c.languages = append(c.languages, c.me.Posting.Language)
		}
		named, _, _ := language.ParseAcceptLanguage(c.r.Header.Get("Accept-Language"))
		for _, tag := range named[:min(len(named), 8)] {
			c.languages = append(c.languages, tag.String())
		}
		c.languages = append(c.languages, "en")
	}
	return c.languages
}

// Translate is the page on which a status stands in another language; "" if that is not
// offered: nothing is translated here, or it is in a language that the reader names.
func (r *postRow) Translate() string {
	if r.Me() == nil || r.Translation != nil || !r.c.svc.Translation.Enabled() || !r.S.Translatable() || r.S.Language == "" && !r.Opened {
		return ""
	}
	if r.S.Language != "" {
		for _, reads := range r.c.reads() {
			if core.BaseLanguage(reads) == core.BaseLanguage(r.S.Language) {
				return ""
			}
		}
	}
	return postPath(r.S) + "?translate=1"
}

// translated puts a translation in the place of the status that a page is about. That it
// could not be had is said on the page, which shows the status as it is.
func (c *call) translated(p *statusPage) error {
	t, err := c.svc.Translation.Status(c.r.Context(), c.viewer(), p.Status.ID, c.reads()...)
	var e *linnet.Error
	switch {
	case errors.As(err, &e) && e.Kind != linnet.Internal:
		p.Untranslated = e.In(c.lang().Text)
		return nil
	case err != nil:
		return err
	}
	said := *p.Status.SharedStatus
	said.Status, said.HTML, said.Pictured = t.Status, t.HTML, t.Pictured
	said.Memo, said.Plain = nil, nil // what was made of the original
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
	return within(`<bdi lang="`+templ.EscapeString(code)+`">`, textPart(languageName(code)), "</bdi>")
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
