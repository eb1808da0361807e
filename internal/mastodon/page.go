package mastodon

import (
	"math"
	"net/url"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/wire"
)

// page reads the parameters of pagination. A limit above most is cut to it, as
// in Mastodon. Cursors are checked where they are used.
// https://docs.joinmastodon.org/api/guidelines/#pagination
func (in *input) page(usual, most int) linnet.Page {
	p := linnet.Page{
		Max:   in.cursor("max_id"),
		Since: in.cursor("since_id"),
		Min:   in.cursor("min_id"),
		Limit: min(in.limit(), most),
	}
	if p.Limit == 0 {
		p.Limit = usual
	}
	return p
}

// limit returns the parameter limit as Rails reads it: the number at its beginning, without
// its sign. It is 0 if there is none.
func (in *input) limit() int {
	v := in.get("limit")
	if v == nil {
		return 0
	}
	if v.kind != kindText && v.kind != kindNumber {
		in.fault("limit", "must be an integer")
		return 0
	}
	digits, n := strings.TrimLeft(strings.TrimSpace(v.text), "+-"), 0
	for i := 0; i < len(digits) && digits[i] >= '0' && digits[i] <= '9'; i++ {
		n = min(n*10+int(digits[i]-'0'), math.MaxInt32)
	}
	return n
}

func (in *input) cursor(name string) linnet.Cursor {
	v := in.get(name)
	if v == nil {
		return ""
	}
	if v.kind != kindText && v.kind != kindNumber {
		in.fault(name, "must be an id")
		return ""
	}
	return linnet.Cursor(v.text)
}

// paged turns a slice into its wire form and names the neighbouring pages in
// the Link header.
func paged[T, W any](r *request, s linnet.Slice[T], encode func(*T) W) []W {
	setLink(r, s.First, s.Next())
	return wire.Each(s.Items, encode)
}

// setLink names the pages below last and above first in the Link header.
func setLink(r *request, first, last linnet.Cursor) {
	if link := linkHeader(r.api.base, r.URL, first, last); link != "" {
		r.setHeader("Link", link)
	}
}

// linkHeader names the pages below last and above first, the older first, since
// some clients look only there. The URLs are absolute and free of commas and
// semicolons, at which some clients cut.
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

// queryWith is a query with a cursor, whose digits need no escaping.
func queryWith(query url.Values, name string, c linnet.Cursor) string {
	if len(query) == 0 {
		return name + "=" + string(c)
	}
	query.Set(name, string(c))
	defer query.Del(name)
	return query.Encode()
}
