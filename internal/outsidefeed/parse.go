package outsidefeed

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mmcdole/gofeed"
	"github.com/mmcdole/gofeed/rss"

	"linnet/internal/linnet"
	"linnet/internal/text"
)

const (
	maxDepth   = 100      // nested elements of a document
	maxContent = 64 << 10 // bytes read of an item's HTML
	maxName    = 500      // bytes of a title before it is cut to a display name
	earliest   = 1990     // year of the earliest plausible date
)

var errNoFeed = errors.New("it is not a feed")

// document is a parsed feed.
type document struct {
	title, note   string
	site, picture string
	hub, topic    string // of WebSub; "" for none
	language      string
	every         time.Duration // the feed's hint; 0 for none
	items         []item        // newest first
}

// item is an item of a document.
type item struct {
	key      string // identifies the item
	hashes   []uint64
	title    string // plain text, one line
	text     string // plain text
	link     string // "" for none
	picture  string // address; "" for none
	alt      string // description of the picture
	language string
	at       time.Time // zero if unknown or implausible
}

// parseFeed parses a feed. at is its address.
func parseFeed(data []byte, at *url.URL, now time.Time) (d *document, err error) {
	if err := checkDepth(data); err != nil {
		return nil, err
	}
	defer func() { // a bug of the parser must not end the server
		if p := recover(); p != nil {
			d, err = nil, fmt.Errorf("%w: the parser failed: %v", errNoFeed, p)
		}
	}()
	p := gofeed.NewParser()
	p.KeepOriginalFeed = true
	f, err := p.Parse(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%w: %v", errNoFeed, err)
	}
	d = &document{title: line(f.Title), note: plain(f.Description).text, site: absolute(at, f.Link), language: f.Language, every: hint(f)}
	d.hub, d.topic = hubOf(f, data, at)
	if f.Image != nil {
		d.picture = absolute(at, f.Image.URL)
	}
	items := f.Items
	if len(items) > linnet.MaxFeedItems {
		items = items[:linnet.MaxFeedItems]
	}
	for _, i := range items {
		d.items = append(d.items, readItem(i, at, now))
	}
	identify(d.items, d.site)
	slices.SortStableFunc(d.items, func(a, b item) int { return cmp.Compare(dateOf(b, now), dateOf(a, now)) })
	return d, nil
}

// dateOf returns the date of an item for sorting. Items without a date come first, in the order of
// the feed, because they count as new.
func dateOf(i item, now time.Time) int64 {
	if i.at.IsZero() {
		return now.UnixMilli()
	}
	return i.at.UnixMilli()
}

func readItem(i *gofeed.Item, at *url.URL, now time.Time) (out item) {
	out.title, out.link, out.language = line(i.Title), absolute(at, i.Link), ""
	body := plain(cmp.Or(i.Description, i.Content))
	more := body
	if i.Content != "" && i.Description != "" {
		more = plain(i.Content)
	}
	out.text = body.text
	out.picture, out.alt = absolute(at, body.picture), body.alt
	if out.picture == "" {
		out.picture, out.alt = absolute(at, more.picture), more.alt
	}
	if out.picture == "" {
		out.picture = absolute(at, enclosed(i))
	}
	for _, t := range []*time.Time{i.PublishedParsed, i.UpdatedParsed} {
		if t != nil && out.at.IsZero() && t.UTC().Year() >= earliest && !t.After(now) {
			out.at = t.UTC().Truncate(time.Millisecond)
		}
	}
	if i.DublinCoreExt != nil && len(i.DublinCoreExt.Language) > 0 {
		out.language = i.DublinCoreExt.Language[0]
	}
	out.key = strings.TrimSpace(i.GUID)
	return out
}

// enclosed returns the address of a picture outside of an item's text, or "".
func enclosed(i *gofeed.Item) string {
	for _, e := range i.Enclosures {
		if e != nil && strings.HasPrefix(e.Type, "image/") {
			return e.URL
		}
	}
	if i.Image != nil {
		return i.Image.URL
	}
	for _, name := range []string{"content", "thumbnail"} {
		for _, m := range i.Extensions["media"][name] {
			if m.Attrs["medium"] == "image" || strings.HasPrefix(m.Attrs["type"], "image/") || name == "thumbnail" {
				return m.Attrs["url"]
			}
		}
	}
	for _, g := range i.Extensions["media"]["group"] {
		for _, m := range g.Children["thumbnail"] {
			return m.Attrs["url"]
		}
	}
	return ""
}

// identify sets the keys and hashes of items: of the guid, the link, and the title with the date or
// text. Guids and links that several items share don't count.
func identify(items []item, site string) {
	guids, links := map[string]int{}, map[string]int{}
	for i := range items {
		guids[items[i].key]++
		links[normal(items[i].link)]++
	}
	home := normal(site)
	for n := range items {
		i := &items[n]
		said := cmp.Or(i.title, i.text)
		if i.at.IsZero() {
			said = i.title + "\n" + i.text
		} else {
			said += "\n" + i.at.Format(time.RFC3339)
		}
		guid, link := i.key, normal(i.link)
		i.key = "text " + said
		if i.title != "" || i.text != "" {
			i.hashes = append(i.hashes, hash(i.key))
		}
		if link != "" && link != home && links[link] == 1 {
			i.key = "link " + link
			i.hashes = append(i.hashes, hash(i.key))
		}
		if guid != "" && guids[guid] == 1 {
			i.key = "guid " + guid
			i.hashes = append(i.hashes, hash(i.key))
		}
	}
}

func hash(s string) uint64 {
	sum := sha256.Sum256([]byte(s))
	return binary.BigEndian.Uint64(sum[:])
}

// normal returns a link without the parts that change when a site republishes its items: scheme,
// "www.", fragment, trailing slash and tracking parameters. It returns "" for "".
func normal(link string) string {
	u, err := url.Parse(link)
	if err != nil || u.Host == "" {
		return ""
	}
	q := u.Query()
	for k := range q {
		if strings.HasPrefix(k, "utm_") {
			q.Del(k)
		}
	}
	out := strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.") + strings.TrimSuffix(u.EscapedPath(), "/")
	if len(q) > 0 {
		out += "?" + q.Encode()
	}
	return out
}

// absolute returns the absolute http or https address of a link, or "".
func absolute(at *url.URL, link string) string {
	link = strings.TrimSpace(link)
	if link == "" || len(link) > text.MaxURL {
		return ""
	}
	u, err := at.Parse(link)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil {
		return ""
	}
	if out := u.String(); len(out) <= text.MaxURL && !strings.ContainsAny(out, " <>\"") {
		return out
	}
	return ""
}

// line returns a title, which can contain HTML, as one line.
func line(s string) string {
	if len(s) > maxContent {
		s = strings.ToValidUTF8(s[:maxContent], "")
	}
	s = strings.Join(strings.Fields(plain(s).text), " ")
	return strings.ToValidUTF8(s[:min(len(s), maxName)], "")
}

// hint returns the time between two changes that a feed names, or 0.
func hint(f *gofeed.Feed) (every time.Duration) {
	if r, ok := f.OriginalFeed().(*rss.Feed); ok {
		if n, err := strconv.Atoi(strings.TrimSpace(r.TTL)); err == nil && n > 0 && n < 1e6 {
			every = time.Duration(n) * time.Minute
		}
	}
	period := func(name string) string {
		for _, e := range f.Extensions["sy"][name] {
			return strings.TrimSpace(e.Value)
		}
		return ""
	}
	units := map[string]time.Duration{"hourly": time.Hour, "daily": 24 * time.Hour, "weekly": 7 * 24 * time.Hour, "monthly": 30 * 24 * time.Hour, "yearly": 365 * 24 * time.Hour}
	if unit := units[strings.ToLower(period("updatePeriod"))]; unit > 0 {
		n, err := strconv.Atoi(period("updateFrequency"))
		if err != nil || n < 1 {
			n = 1
		}
		every = max(every, unit/time.Duration(n))
	}
	return every
}

// checkDepth returns an error for a document whose elements are nested too deeply, because parsers
// are recursive. It doesn't count elements in comments and CDATA sections.
func checkDepth(data []byte) error {
	if first := bytes.TrimLeft(data, "\xef\xbb\xbf \t\r\n"); len(first) > 0 && first[0] == '{' {
		return nil // the JSON decoder has a limit
	}
	depth := 0
	for {
		i := bytes.IndexByte(data, '<')
		if i < 0 {
			return nil
		}
		data = data[i+1:]
		var end string
		switch {
		case bytes.HasPrefix(data, []byte("!--")):
			end = "-->"
		case bytes.HasPrefix(data, []byte("![CDATA[")):
			end = "]]>"
		case bytes.HasPrefix(data, []byte("!")), bytes.HasPrefix(data, []byte("?")):
			end = ">"
		case bytes.HasPrefix(data, []byte("/")):
			end, depth = ">", max(depth-1, 0)
		default:
			end, depth = ">", depth+1
		}
		i = bytes.Index(data, []byte(end))
		if i < 0 {
			return nil
		}
		if end == ">" && i > 0 && data[i-1] == '/' && data[0] != '/' {
			depth--
		}
		if depth > maxDepth {
			return fmt.Errorf("%w: its elements are nested too deeply", errNoFeed)
		}
		data = data[i+len(end):]
	}
}
