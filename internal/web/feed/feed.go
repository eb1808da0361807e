package feed

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/syndication"
	"linnet/internal/text"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/post"
	"linnet/internal/web/ui"
)

// encoders encode feeds, by the extension of their paths. A feed has only public posts and is the
// same for all readers. It doesn't depend on the time of the request, so its hash changes only with
// its content.
var encoders = map[string]func(*syndication.Feed) ([]byte, error){".rss": syndication.RSS, ".atom": syndication.Atom, ".json": syndication.JSON}

// PersonRoute returns the route of a feed below "/@login": of posts, of posts with replies, of
// media, or of posts with a tag.
func (h *Pages) PersonRoute(path string) page.Route {
	pattern, ext := "/@{login}", paths.FeedExt(path)
	_, rest, _ := strings.Cut(strings.TrimSuffix(path[len("/@"):], ext), "/")
	switch tag, tagged := strings.CutPrefix(rest, "tagged/"); {
	case rest == "":
	case rest == "with_replies" || rest == "media":
		pattern += "/" + rest
	case tagged && text.ValidTag(tag):
		pattern += "/tagged/{tag}"
	default:
		return page.Route{Pattern: "/@{login}/..."}
	}
	return page.Route{Pattern: pattern + ext, Get: h.personFeed, Program: true}
}

// TagRoute returns the route of the feed of a hashtag.
func (h *Pages) TagRoute(path string) page.Route {
	return page.Route{Pattern: "/tags/{tag}" + paths.FeedExt(path), Get: h.tagFeed, Program: true}
}

// A feed has feedDefault posts unless the client requests another number, at most feedMost. At most
// feedReads pages of the timeline are read for it.
const (
	feedDefault = 20
	feedMost    = 200
	feedReads   = 10
)

// personFeed serves the feed of a user's public posts, without boosts, unless the user has turned
// feeds off.
func (h *Pages) personFeed(c *page.Context) error {
	ctx, ext := c.Request.Context(), paths.FeedExt(c.Request.URL.Path)
	login, rest := c.PersonInPath()
	filter, here := paths.ProfileFilter(strings.TrimSuffix(rest, ext))
	filter.ExcludeReposts = true
	who, err := h.View.UserByLogin(ctx, 0, strings.TrimSuffix(login, ext))
	if err != nil {
		return page.OrNotFound(err, "look up a person")
	}
	if who.Hidden() || who.NoFeeds {
		return page.NotFound()
	}
	path := "/@" + url.PathEscape(who.Login) + here + ext
	if c.Request.URL.EscapedPath() != path {
		return c.Redirect(path)
	}
	f := &syndication.Feed{ID: who.URL + here, Title: ui.DisplayName(who) + " (@" + who.Login + "@" + who.Host + ")", Description: "Public posts by @" + who.Login + "@" + who.Host,
		Page: who.URL + strings.Replace(here, "/with_replies", "/replies", 1), Self: who.URL + here + ext, Author: &syndication.Author{Name: ui.DisplayName(who), URL: who.URL}, Updated: who.ID.Time()}
	if filter.Tag != "" {
		f.Title, f.Description = f.Title+" #"+filter.Tag, f.Description+" tagged #"+filter.Tag
	}
	err = fill(c, f, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
		return h.Reading.Profile(ctx, 0, who.ID, filter, p)
	})
	if err != nil {
		return fmt.Errorf("read a profile for a feed: %w", err)
	}
	return sendFeed(c, f, ext, who.Indexable)
}

// fill adds the public posts of a timeline until the feed has the requested number.
func fill(c *page.Context, f *syndication.Feed, read func(linnet.Page) (linnet.Slice[linnet.StatusView], error)) error {
	most, err := strconv.Atoi(c.Request.URL.Query().Get("limit"))
	if most = min(most, feedMost); err != nil || most < 1 {
		most = feedDefault
	}
	p := linnet.Page{Limit: linnet.MaxPage}
	for range feedReads {
		posts, err := read(p)
		if err != nil {
			return err
		}
		for _, st := range posts.Items {
			if len(f.Items) == most || st.Repost != nil || st.Visibility != linnet.Public || st.By.NoFeeds {
				continue
			}
			updated, attached := post.UpdatedAt(&st.Status), feedAttachments(c, &st)
			if updated.After(f.Updated) {
				f.Updated = updated
			}
			f.Items = append(f.Items, syndication.Item{ID: st.URI, URL: st.URL, Title: headline(st.SharedStatus), HTML: feedHTML(&st, attached), Language: st.Language,
				Author: syndication.Author{Name: ui.DisplayName(st.By.UserView), URL: st.By.URL}, Published: st.ID.Time(), Updated: updated, Tags: st.Tags, Attachments: attached})
		}
		if len(f.Items) == most || posts.Last == "" {
			return nil
		}
		p.Max = posts.Last
	}
	return nil
}

// tagFeed serves the feed of public posts with a tag, without posts by users who have turned feeds
// off.
func (h *Pages) tagFeed(c *page.Context) error {
	name := strings.TrimPrefix(c.Request.URL.Path, "/tags/")
	ext := paths.FeedExt(name)
	tag := strings.TrimSuffix(name, ext)
	if !text.ValidTag(tag) {
		return page.NotFound()
	}
	address := c.URL.String() + "/tags/" + url.PathEscape(tag)
	f := &syndication.Feed{ID: address, Title: "#" + tag, Description: "Public posts tagged #" + tag, Page: address, Self: address + ext}
	err := fill(c, f, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
		return h.Reading.Tag(c.Request.Context(), 0, linnet.TagQuery{Tag: tag}, p)
	})
	if err != nil {
		return page.OrNotFound(err, "read a tag for a feed")
	}
	return sendFeed(c, f, ext, false)
}

// headlineMost is the maximum length of a headline in characters.
const headlineMost = 80

// headline returns the title of a status: its warning, or the beginning of its text or of its first
// media description.
func headline(st *linnet.SharedStatus) string {
	if st.Warning != "" {
		return "CW: " + st.Warning
	}
	line := strings.Join(strings.Fields(st.Text), " ")
	for i := 0; line == "" && i < len(st.Media); i++ {
		line = strings.Join(strings.Fields(st.Media[i].Description), " ")
	}
	if rs := []rune(line); len(rs) > headlineMost {
		line = strings.TrimSpace(string(rs[:headlineMost-1])) + "…"
	}
	if line == "" {
		line = "Post by " + ui.DisplayName(st.By.UserView)
	}
	return line
}

// sendFeed sends a feed, or 304 if the client has the current version.
func sendFeed(c *page.Context, f *syndication.Feed, ext string, listed bool) error {
	c.AllowAnyOrigin()
	if f.Updated.IsZero() {
		f.Updated = time.Unix(0, 0)
	}
	format, ok := paths.FeedFormatOf(ext)
	if !ok {
		return page.NotFound()
	}
	body, err := encoders[ext](f)
	if err != nil {
		return fmt.Errorf("write a feed: %w", err)
	}
	return sendTagged(c, format.Type+"; charset=utf-8", body, listed)
}

// sendTagged sends a document with an ETag. Caches must revalidate it. RFC 9110 section 13.1.2.
func sendTagged(c *page.Context, kind string, body []byte, listed bool) error {
	sum := sha256.Sum256(body)
	tag := `W/"` + hex.EncodeToString(sum[:12]) + `"`
	h := c.Writer.Header()
	page.SecureHeaders(h, "")
	h.Set("Cache-Control", "no-cache")
	if c.Me != nil {
		h.Set("Cache-Control", "private, no-cache")
	}
	h.Set("ETag", tag)
	if !listed {
		h.Set("X-Robots-Tag", "noindex")
	}
	if noneMatch(c.Request.Header.Values("If-None-Match"), tag) {
		c.Writer.WriteHeader(http.StatusNotModified)
		return nil
	}
	h.Set("Content-Type", kind)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	c.Writer.WriteHeader(http.StatusOK)
	if c.Request.Method != http.MethodHead {
		_, _ = c.Writer.Write(body) // the client may have disconnected
	}
	return nil
}

// noneMatch reports whether one of the client's ETags matches the current one, by weak comparison.
func noneMatch(have []string, tag string) bool {
	for _, line := range have {
		for t := range strings.SplitSeq(line, ",") {
			t = strings.TrimSpace(t)
			if t == "*" || strings.TrimPrefix(t, "W/") == strings.TrimPrefix(tag, "W/") {
				return true
			}
		}
	}
	return false
}
