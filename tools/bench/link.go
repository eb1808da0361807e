package bench

import (
	"net/http"
	"net/url"
	"strings"
)

// ends returns the cursors in the Link header of a page: the id of the newest item, for requests of
// newer ones, and the id of the oldest. Both are "" for an empty page. So no body has to be parsed.
// https://docs.joinmastodon.org/api/guidelines/#pagination
func ends(h http.Header) (newest, oldest string) {
	for _, link := range links(h) {
		switch link.rel {
		case "prev":
			newest = link.query.Get("min_id")
			if newest == "" {
				newest = link.query.Get("since_id")
			}
		case "next":
			oldest = link.query.Get("max_id")
		}
	}
	return newest, oldest
}

// nextQuery returns the query of the next page, or "".
func nextQuery(h http.Header) string {
	for _, link := range links(h) {
		if link.rel == "next" {
			return link.query.Encode()
		}
	}
	return ""
}

type link struct {
	rel   string
	query url.Values
}

// links parses the links of a Link header (RFC 8288) with their relations.
func links(h http.Header) []link {
	var out []link
	for _, part := range strings.Split(h.Get("Link"), ",") {
		address, params, ok := strings.Cut(part, ">")
		if !ok {
			continue
		}
		_, rel, ok := strings.Cut(params, `rel="`)
		if !ok {
			continue
		}
		rel, _, _ = strings.Cut(rel, `"`)
		_, query, _ := strings.Cut(address, "?")
		values, err := url.ParseQuery(query)
		if err != nil {
			continue
		}
		out = append(out, link{rel, values})
	}
	return out
}
