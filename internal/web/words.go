package web

import (
	"context"
	"net/url"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
	"linnet/internal/wording"
)

// Pages are in the language of their reader: that of the account, or else one of the browser. Texts
// are English in the code and are translated by tr, trn and similar functions, see package locale.

// lang is the reader's language.
func (c *call) lang() *locale.Language {
	if c.speaks != nil {
		return c.speaks
	}
	if c.speaks = c.opts.lang; c.speaks != nil {
		return c.speaks
	}
	if c.speaks = c.appLanguage(); c.speaks == nil && c.me != nil {
		c.speaks = locale.Named(c.me.Appearance.Language)
	}
	if c.speaks == nil {
		c.speaks = locale.Preferred(c.r.Header.Get("Accept-Language"))
	}
	return c.speaks
}

// appLanguage is the language that an app wants for the page on which it is let in, and for the
// log-in that leads there; nil if it wants none.
// https://docs.joinmastodon.org/methods/oauth/#authorize
func (c *call) appLanguage() *locale.Language {
	u := c.r.URL
	if u.Path != paths.Authorize {
		next, err := url.Parse(c.next())
		if err != nil || next.Path != paths.Authorize {
			return nil
		}
		u = next
	}
	code, _, _ := strings.Cut(strings.ReplaceAll(u.Query().Get("lang"), "_", "-"), "-")
	return locale.Named(strings.ToLower(code))
}

// forReader returns a context for rendering times and texts for the reader.
func (c *call) forReader(ctx context.Context) context.Context {
	return ui.WithReader(ctx, ui.Reader{Zone: c.zone(), Lang: c.lang(), Now: c.opts.Now})
}

// tr is a text in the reader's language.
func (c *call) tr(text string, values ...any) string { return c.lang().Text(text, values...) }

// trn is a text about a number in the reader's language.
func (c *call) trn(n int64, one, other string, values ...any) string {
	return c.lang().Count(n, one, other, values...)
}

// trIn is tr for a word that means several things in English.
func (c *call) trIn(context, text string) string { return c.lang().InContext(context, text) }

// num writes a number with its thousands apart.
func (c *call) num(n int64) string { return c.lang().Number(n) }

// said is a message in the reader's language, with its times in the reader's zone.
func (c *call) said(m wording.Message) string { return m.In(c.lang().At(c.zone())) }

// say says messages of which the parts are given, with their times in the reader's zone.
func (c *call) say() linnet.Say { return c.lang().At(c.zone()).Text }

// told returns the message of an error as a sentence in the reader's language.
func (c *call) told(e *linnet.Error) string { return c.lang().Sentence(e.Plain(c.say())) }

// wrong returns the error of an input as a sentence in the reader's language. The subject completes
// messages such as "is too short", which have the form for API clients. Complete messages stay as
// they are.
func (c *call) wrong(subject string, f linnet.Field) string {
	said := f.In(c.say())
	if subject != "" && f.Msg != "" && 'a' <= f.Msg[0] && f.Msg[0] <= 'z' {
		said = c.tr("%s %s", subject, said)
	}
	return c.lang().Sentence(said)
}
