package cards

import (
	"context"
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/idna"

	"linnet/internal/linnet"
	"linnet/internal/text"
)

// Wants reports whether a status should have a card: previews are on, and its text has a suitable
// link.
func (s *Service) Wants(st *linnet.Status) bool { return s.core.Cards() && s.linkOf(st) != "" }

// Reuse returns the card of a status after an edit if the link is the same, or nil.
func (s *Service) Reuse(now *linnet.Status) *linnet.Card {
	if now.Card == nil || now.Card.Link != s.linkOf(now) {
		return nil
	}
	return now.Card
}

// Known returns the cards of links, in order. A card is nil if the page was not fetched for a
// status. All are nil if link previews are off.
func (s *Service) Known(ctx context.Context, links []string) ([]*linnet.Card, error) {
	out := make([]*linnet.Card, len(links))
	if !s.core.Cards() {
		return out, nil
	}
	names := make([]string, len(links))
	for i, l := range links {
		names[i] = normal(l)
	}
	known, err := s.st.Statuses.Cards.List(ctx, names)
	for i, f := range known {
		out[i] = f.Card.Shown(s.st.Now())
	}
	return out, err
}

// linkOf returns the normalized first external link in the text of a status. It returns "" if there
// is none, or if the status has attachments or a quote, which are shown instead, as in Mastodon.
func (s *Service) linkOf(st *linnet.Status) string {
	if len(st.Media) > 0 || st.RepostOf != 0 || st.QuoteOf != 0 || !strings.Contains(st.Text, "://") {
		return ""
	}
	for _, l := range text.Parse(st.Text).Links() {
		if l := normal(l); l != "" && originOf(l) != s.own {
			return l
		}
	}
	return ""
}

// normal normalizes a link for fetching: no fragment, and a lower-case ASCII host. It returns ""
// for links that can't be fetched.
func normal(link string) string {
	u, err := url.Parse(link)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || u.Host == "" {
		return ""
	}
	name := u.Hostname()
	if _, err := netip.ParseAddr(name); err != nil {
		if name, err = idna.Lookup.ToASCII(name); err != nil {
			return ""
		}
		port := u.Port()
		if u.Host = name; port != "" {
			u.Host += ":" + port
		}
	}
	if u.Fragment, u.RawFragment = "", ""; u.Path == "" {
		u.Path = "/"
	}
	if out := u.String(); len(out) <= text.MaxURL {
		return out
	}
	return ""
}

// Domain returns the host of a typed domain or address, in lower-case ASCII without "www.". ok is
// false if it is invalid.
func Domain(typed string) (domain string, ok bool) {
	if u, err := url.Parse(typed); err == nil && u.Host != "" {
		typed = u.Hostname()
	}
	typed = strings.TrimPrefix(strings.TrimSuffix(strings.ToLower(strings.TrimSpace(typed)), "/"), "www.")
	domain, err := idna.Lookup.ToASCII(typed)
	return domain, err == nil && len(domain) <= 253 && strings.Contains(domain, ".") && !strings.HasPrefix(domain, ".") && !strings.HasSuffix(domain, ".")
}

// originOf returns the host of an address, with its port if given.
func originOf(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Host)
}

// hostOf returns the host of an address without a port, or "".
func hostOf(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}
