package cards

import (
	"context"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"linnet/internal/linnet"
)

// Limit of fetched pages per user, however often they save their profile.
const (
	perUser  = 20
	userTime = time.Hour
)

// Verifies reports whether a profile has links to check: if the server fetches pages, and there are
// fields that can be verified and aren't.
//
// A field can be verified if its value is only the https address of a page. http is allowed within
// networks that the operator permits, for development. Its host must be ASCII, because letters of
// other alphabets can look alike, and must not be this server. These are Mastodon's rules:
// https://docs.joinmastodon.org/user/profile/#verification
func (s *Service) Verifies(u *linnet.User) bool { return s.core.Cards() && len(s.unverified(u)) > 0 }

// unverified returns the values that can be verified.
func (s *Service) unverified(u *linnet.User) (links []string) {
	for _, f := range u.Fields {
		if !f.Verified.IsZero() {
			continue
		}
		at, err := url.Parse(f.Value)
		if err == nil && s.safe(at) && strings.EqualFold(hostOf(normal(f.Value)), at.Hostname()) && originOf(f.Value) != s.own {
			links = append(links, f.Value)
		}
	}
	return links
}

// safe reports whether the content of an address comes from its owner.
func (s *Service) safe(u *url.URL) bool {
	return u.Scheme == "https" || u.Scheme == "http" && s.pages.Allowed(u)
}

// verify checks the unverified links of a profile. wait is the delay before another attempt; 0 for
// none.
func (s *Service) verify(ctx context.Context, a Args) (wait time.Duration, err error) {
	if on, err := s.core.CardsNow(ctx); err != nil || !on {
		return 0, err
	}
	b := s.st.Batch()
	ref := b.User(a.User)
	if err := b.Run(ctx); err != nil || ref.User == nil || ref.User.Hidden() {
		return 0, err
	}
	for _, link := range s.unverified(ref.User) {
		w, err := s.verifyLink(ctx, ref.User, link, a.Try)
		if err != nil {
			return 0, err
		}
		wait = max(wait, w)
	}
	return wait, nil
}

func (s *Service) verifyLink(ctx context.Context, u *linnet.User, link string, try int) (wait time.Duration, err error) {
	_, reset, err := s.core.Allow(ctx, "verify_links", u.ID.String(), perUser, userTime)
	if linnet.KindOf(err) == linnet.TooMany {
		return max(reset.Sub(s.st.Now()), crowded), nil
	}
	if err != nil {
		return 0, err
	}
	if !s.hosts.admit(hostOf(link), s.st.Now()) {
		return crowded, nil
	}
	a, outcome, err := s.ask(ctx, normal(link))
	if err != nil {
		s.opt.Log.Debug("fetched profile link", "host", hostOf(link), "outcome", outcome, "err", err)
	}
	profiles := []string{s.opt.PublicURL + "/@" + u.Login, s.opt.PublicURL + "/users/" + u.Login} // the page, and the permanent name
	switch {
	case outcome == failed:
		return waits(try), nil
	case outcome != found || !s.safe(a.at) || originOf(a.at.String()) == s.own || !linksBack(a.data, a.contentType, profiles):
		return 0, nil
	}
	return 0, s.st.Accounts.VerifyLink(ctx, u.ID, link, s.st.Now().Truncate(time.Millisecond))
}

// linksBack reports whether a page has an a or link element with rel="me" that leads to one of some
// profiles. It reads only data. Data that isn't a page has no such element.
// https://microformats.org/wiki/rel-me
func linksBack(data []byte, contentType string, profiles []string) bool {
	z := html.NewTokenizer(decoded(data, contentType))
	z.SetMaxBuf(maxTag)
	for {
		switch z.Next() {
		case html.ErrorToken:
			return false
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			if tag := atom.Lookup(name); more && (tag == atom.A || tag == atom.Link) && leadsBack(z, profiles) {
				return true
			}
		}
	}
}

// leadsBack reads the attributes of an element. Of two with the same name, the first counts.
func leadsBack(z *html.Tokenizer, profiles []string) bool {
	var rel, href string
	var said, led bool
	for more := true; more; {
		var k, v []byte
		k, v, more = z.TagAttr()
		switch {
		case string(k) == "rel" && !said:
			rel, said = string(v), true
		case string(k) == "href" && !led:
			href, led = string(v), true
		}
	}
	for _, token := range strings.Fields(rel) {
		if strings.EqualFold(token, "me") {
			return leadsTo(href, profiles)
		}
	}
	return false
}

// leadsTo reports whether an address is one of some profiles, regardless of case and of slashes at
// the end.
func leadsTo(href string, profiles []string) bool {
	got := profileName(href)
	for _, p := range profiles {
		if got != "" && got == profileName(p) {
			return true
		}
	}
	return false
}

// profileName returns the form of an address for comparisons of profiles. It returns "" if it has
// more parts than a profile's address.
func profileName(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" {
		return ""
	}
	host, scheme := strings.ToLower(u.Host), strings.ToLower(u.Scheme)
	switch scheme {
	case "https":
		host = strings.TrimSuffix(host, ":443")
	case "http":
		host = strings.TrimSuffix(host, ":80")
	}
	return scheme + "://" + host + strings.ToLower(strings.TrimRight(u.Path, "/"))
}
