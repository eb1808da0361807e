package request

import (
	"math"
	"net/url"
	"strconv"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/wire"
)

// AccountPage reads the paging parameters of lists of accounts.
func AccountPage(in *Input) linnet.Page { return in.Page(40, linnet.MaxUsersPage) }

// Page reads the paging parameters. A limit above most is reduced to most, as in Mastodon. Cursors
// are checked by the services.
// https://docs.joinmastodon.org/api/guidelines/#pagination
func (in *Input) Page(usual, most int) linnet.Page {
	p := linnet.Page{
		Max:   in.cursor("max_id"),
		Since: in.cursor("since_id"),
		Min:   in.cursor("min_id"),
		Limit: min(in.Limit(), most),
	}
	if p.Limit == 0 {
		p.Limit = usual
	}
	return p
}

// Limit returns the parameter limit, parsed like Rails: the leading digits without a sign. It
// returns 0 if there are none.
func (in *Input) Limit() int {
	v := in.Get("limit")
	if v == nil {
		return 0
	}
	if v.Kind != KindText && v.Kind != KindNumber {
		in.Fault("limit", "must be an integer")
		return 0
	}
	digits, n := strings.TrimLeft(strings.TrimSpace(v.Text), "+-"), 0
	for i := 0; i < len(digits) && digits[i] >= '0' && digits[i] <= '9'; i++ {
		n = min(n*10+int(digits[i]-'0'), math.MaxInt32)
	}
	return n
}

func (in *Input) cursor(name string) linnet.Cursor {
	v := in.Get(name)
	if v == nil {
		return ""
	}
	if v.Kind != KindText && v.Kind != KindNumber {
		in.Fault(name, "must be an id")
		return ""
	}
	return linnet.Cursor(v.Text)
}

// Paged encodes a page, and sets the Link header to the next and previous pages.
func Paged[T, W any](r *Request, s linnet.Slice[T], encode func(*T) W) []W {
	SetLink(r, s.First, s.Next())
	return wire.Each(s.Items, encode)
}

// SetLink sets the Link header to the page below last and the page above first.
func SetLink(r *Request, first, last linnet.Cursor) {
	if link := linkHeader(r.base, r.URL, first, last); link != "" {
		r.SetHeader("Link", link)
	}
}

// linkHeader returns a Link header with the page below last and the page above first. The older
// page comes first, because some clients only read the first link. The URLs are absolute and have
// no commas or semicolons, at which some clients split.
func linkHeader(base string, asked *url.URL, first, last linnet.Cursor) string {
	if first == "" && last == "" {
		return ""
	}
	var query url.Values
	if asked.RawQuery != "" {
		query = asked.Query()
		for _, name := range [...]string{"max_id", "since_id", "min_id", tokenParam} {
			query.Del(name)
		}
	}
	path := strings.ReplaceAll(strings.ReplaceAll(asked.EscapedPath(), ",", "%2C"), ";", "%3B")
	var b strings.Builder
	b.Grow(2*(len(base)+len(path)) + len(asked.RawQuery) + 100)
	add := func(cursor, rel string, c linnet.Cursor) {
		if c == "" {
			return
		}
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		for _, s := range [...]string{"<", base, path, "?", queryWith(query, cursor, c), `>; rel="`, rel, `"`} {
			b.WriteString(s)
		}
	}
	add("max_id", "next", last)
	add("min_id", "prev", first)
	return b.String()
}

// queryWith returns a query with a cursor, whose digits need no escaping.
func queryWith(query url.Values, name string, c linnet.Cursor) string {
	if len(query) == 0 {
		return name + "=" + string(c)
	}
	query.Set(name, string(c))
	defer query.Del(name)
	return query.Encode()
}

// SetNextLink sets the Link header to the page after a cursor.
func (r *Request) SetNextLink(cursor string) {
	q := r.URL.Query()
	q.Set("cursor", cursor)
	q.Del(tokenParam)
	next := url.URL{Path: r.URL.Path, RawQuery: q.Encode()}
	r.SetHeader("Link", "<"+r.base+next.String()+`>; rel="next"`)
}

// SetOffsetLink sets the Link header to the pages before and after a page with an offset.
func (r *Request) SetOffsetLink(offset, limit int, more bool) {
	var links []string
	add := func(offset int, rel string) {
		q := r.URL.Query()
		q.Set("offset", strconv.Itoa(offset))
		q.Del(tokenParam)
		to := url.URL{Path: r.URL.Path, RawQuery: q.Encode()}
		links = append(links, "<"+r.base+to.String()+`>; rel="`+rel+`"`)
	}
	if more {
		add(offset+limit, "next")
	}
	if offset > 0 {
		add(max(offset-limit, 0), "prev")
	}
	if len(links) > 0 {
		r.SetHeader("Link", strings.Join(links, ", "))
	}
}

// TimelinePage reads the paging parameters of timelines.
func TimelinePage(in *Input) linnet.Page { return in.Page(linnet.DefaultPage, linnet.MaxPage) }

// Statuses returns a page of statuses as the response, and sets the Link header.
func Statuses(r *Request, s linnet.Slice[linnet.StatusView], err error) (any, error) {
	if err != nil {
		return nil, err
	}
	SetLink(r, s.First, s.Next())
	return wire.StatusList{Viewer: r.Viewer(), Views: s.Items}, nil
}
