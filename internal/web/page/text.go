package page

import (
	"context"
	"net/url"
	"strings"
	"time"

	"golang.org/x/text/language"

	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
	"linnet/internal/wording"
)

// Lang returns the language of the reader's account, or else of the browser. Texts are English in
// the code and are translated by Tr, Trn and TrIn, see package locale.
func (c *Context) Lang() *locale.Language {
	if c.language != nil {
		return c.language
	}
	if c.language = c.Opts.Lang; c.language != nil {
		return c.language
	}
	if c.language = appLanguage(c); c.language == nil && c.Me != nil {
		c.language = locale.Named(c.Me.Appearance.Language)
	}
	if c.language == nil {
		c.language = locale.Preferred(c.Request.Header.Get("Accept-Language"))
	}
	return c.language
}

// appLanguage returns the language that an app requests for its authorization page and the login
// before it. It returns nil if there is none.
// https://docs.joinmastodon.org/methods/oauth/#authorize
func appLanguage(c *Context) *locale.Language {
	u := c.Request.URL
	if u.Path != paths.Authorize {
		next, err := url.Parse(c.NextPath())
		if err != nil || next.Path != paths.Authorize {
			return nil
		}
		u = next
	}
	code, _, _ := strings.Cut(strings.ReplaceAll(u.Query().Get("lang"), "_", "-"), "-")
	return locale.Named(strings.ToLower(code))
}

// ForReader returns a context for rendering times and texts for the reader.
func (c *Context) ForReader(ctx context.Context) context.Context {
	return ui.WithReader(ctx, ui.Reader{Zone: c.Zone(), Lang: c.Lang(), Now: c.Opts.Now})
}

// Tr translates a text into the reader's language.
func (c *Context) Tr(text string, values ...any) string { return c.Lang().Text(text, values...) }

// Trn translates a text about the number n into the reader's language.
func (c *Context) Trn(n int64, one, other string, values ...any) string {
	return c.Lang().Count(n, one, other, values...)
}

// TrIn is like Tr, for an English word with several meanings.
func (c *Context) TrIn(context, text string) string { return c.Lang().InContext(context, text) }

// Num formats a number with separators between thousands.
func (c *Context) Num(n int64) string { return c.Lang().Number(n) }

// Message returns a message in the reader's language, with times in the reader's zone.
func (c *Context) Message(m wording.Message) string { return m.In(c.Lang().At(c.Zone())) }

// say returns the function that translates messages, with times in the reader's zone.
func say(c *Context) linnet.Say { return c.Lang().At(c.Zone()).Text }

// ErrorText returns the message of an error as a sentence in the reader's language.
func (c *Context) ErrorText(e *linnet.Error) string { return c.Lang().Sentence(e.Plain(say(c))) }

// FieldErrorText returns the error of an input as a sentence in the reader's language. The subject
// completes messages such as "is too short", which have the form for API clients. Complete messages
// stay as they are.
func (c *Context) FieldErrorText(subject string, f linnet.Field) string {
	said := f.In(say(c))
	if subject != "" && f.Msg != "" && 'a' <= f.Msg[0] && f.Msg[0] <= 'z' {
		said = c.Tr("%s %s", subject, said)
	}
	return c.Lang().Sentence(said)
}

// zoneCookie is the name of the cookie in which the script stores the time zone of the browser.
const zoneCookie = "zone"

// Zone returns the time zone of the reader's account, or else of the browser, or else UTC.
func (c *Context) Zone() *time.Location {
	if c.timeZone != nil {
		return c.timeZone
	}
	c.timeZone = time.UTC
	if c.Me == nil { // pages are the same for all visitors
		return c.timeZone
	}
	name := c.Me.Appearance.Zone
	if name == "" {
		if cookie, err := c.Request.Cookie(zoneCookie); err == nil {
			name, _ = url.QueryUnescape(cookie.Value)
		}
	}
	if at := c.zoneNamed(name); at != nil {
		c.timeZone = at
	}
	return c.timeZone
}

// zoneNamed returns the zone with an IANA name, or nil. It caches zones, of which there are a few
// hundred.
func (s *Site) zoneNamed(name string) *time.Location {
	if known, ok := s.zones.Load(name); ok {
		return known.(*time.Location)
	}
	at, err := time.LoadLocation(name)
	if err != nil || name == "" || name == "Local" { // the last is the server's
		return nil
	}
	s.zones.Store(name, at)
	return at
}

// YesNo returns "yes" or "no" in the reader's language.
func YesNo(c *Context, yes bool) string { return ui.Either(yes, c.Tr("yes"), c.Tr("no")) }

// Together joins a number and its unit with a non-breaking space.
func Together(s string) string { return strings.ReplaceAll(s, " ", "\u00a0") }

// ByteCount formats a number of bytes with a binary unit.
func (c *Context) ByteCount(n int64) string {
	if n < 1<<10 {
		return c.Tr("%d bytes", n)
	}
	v, unit := float64(n)/(1<<10), locale.Mark("%.1f KiB")
	for _, next := range []string{locale.Mark("%.1f MiB"), locale.Mark("%.1f GiB"), locale.Mark("%.1f TiB")} {
		if v < 1<<10 {
			break
		}
		v, unit = v/(1<<10), next
	}
	return Together(c.Tr(unit, v))
}

// FileSize formats the size of a file in kB, MB or GB.
func (c *Context) FileSize(n int64) string {
	switch {
	case n >= 10<<30:
		return c.Tr("%s GB", c.Num(n>>30))
	case n >= 10<<20:
		return c.Tr("%s MB", c.Num(n>>20))
	}
	return c.Tr("%s kB", c.Num((n+1023)>>10))
}

// Translates reports whether readers can have posts translated.
func Translates(c *Context) bool { return c.svc.Translation.Enabled() }

// Languages returns the languages of the reader, most likely first: the posting language, the
// browser's languages, English.
func (c *Context) Languages() []string {
	if c.languages == nil {
		if c.Me != nil && c.Me.Posting.Language != "" {
			c.languages = append(c.languages, c.Me.Posting.Language)
		}
		named, _, _ := language.ParseAcceptLanguage(c.Request.Header.Get("Accept-Language"))
		for _, tag := range named[:min(len(named), 8)] {
			c.languages = append(c.languages, tag.String())
		}
		c.languages = append(c.languages, "en")
	}
	return c.languages
}

// MaxChars returns the maximum length of a post in characters.
func (c *Context) MaxChars() int { return c.svc.Core.StatusChars() }
