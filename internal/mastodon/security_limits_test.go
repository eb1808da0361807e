package mastodon_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"linnet/internal/kv/memkv"
	"linnet/internal/mastodon"
)

// strange returns JSON values that no parameter expects.
func strange() map[string]string {
	text := func(s string) string { b, _ := json.Marshal(s); return string(b) }
	return map[string]string{
		"long": text(strings.Repeat("a", 20_000)), "wide": text(strings.Repeat("\U0001F426", 6000)), "marks": text(strings.Repeat("e\u0301\u0301", 2000)),
		"NUL": text("a\x00b"), "lines": text("a\r\nSet-Cookie: b=c\r\n\r\n"), "braces": text("{1}:{2}:*"), "bidi": text("\u202eabc\u2066\u200b\ufeff\u2028"),
		"lone surrogate": `"\ud800"`, "markup": text(`"><script>alert(1)</script>`), "wildcards": text("*?[a-z]\\"), "blank": text(" \t\n"), "empty": `""`,
		"path": text("../../etc/passwd"), "mentions": text(strings.Repeat("@ann ", 300)), "tags": text(strings.Repeat("#a1 ", 300)),
		"max": "9223372036854775807", "over": "18446744073709551616", "huge": "1e400", "digits": strings.Repeat("9", 5000), "negative": "-1", "min": "-9223372036854775808",
		"fraction": "0.1", "id text": `"18446744073709551615"`, "null": "null", "true": "true", "object": `{"a":{"b":{"c":1}}}`, "list": `["a",1,null,{"x":[]},true]`,
		"many": "[" + strings.Repeat(`"12",`, 4999) + `"12"]`, "deep": strings.Repeat("[", 7) + strings.Repeat("]", 7), "rows": `[{"name":"` + strings.Repeat("x", 5000) + `","value":[]}]`,
		"numbered": `{"0":"a","4294967296":"b","-9223372036854775808":"c"}`,
	}
}

// TestStrangeParameters gives every route all parameters that any route reads, each with strange
// values, in every encoding; and each alone. The list of routes is the real one. The parameters
// are read from the source.
func TestStrangeParameters(t *testing.T) {
	names, err := mastodon.Parameters()
	if err != nil || len(names) < 50 {
		t.Fatalf("parameters %v, %v", names, err)
	}
	w := newWorld(t, memkv.New(memkv.Options{}), mastodon.Options{}, "ann", "bob")
	w.run([]step{{as: "ann", do: "POST /api/v1/lists", body: "title=x", save: "list=id"}, {as: "ann", do: "POST /api/v1/statuses", body: "status=x", save: "status=id"}})
	values := strange()
	for i, what := range slices.Sorted(maps.Keys(values)) {
		value := values[what]
		doc := bodies(names, value)
		for k, row := range w.api.(*mastodon.API).Rows() {
			who := "ann"
			if row.Path == "/api/v1/accounts" {
				who = "app"
			}
			do := row.Method + " " + w.real(row.Path)
			for kind, body := range doc {
				w.strangely(t, who, do, kind, body, what)
			}
			if len(value) > 100 { // short values may occur by chance
				continue
			}
			for j, name := range names {
				if testing.Short() && (i+j+k)%len(values) != 0 { // one value for each name, all together for all
					continue
				}
				w.strangely(t, who, do, "application/json", fmt.Sprintf("{%q:%s}", name, value), what+" "+name)
			}
		}
	}
}

// bodies returns documents in each encoding with one value for all names; "" is the query.
func bodies(names []string, value string) map[string]string {
	var v any
	text := value
	if json.Unmarshal([]byte(value), &v) == nil {
		if s, ok := v.(string); ok {
			text = s
		}
	}
	var doc []string
	form := url.Values{}
	var parts bytes.Buffer
	m := multipart.NewWriter(&parts)
	for _, n := range names {
		form.Set(n, text)
		form.Set(n+"[]", text)
		form.Set(n+"x[a][0][]", text)
		_ = m.WriteField(n, text)
		doc = append(doc, fmt.Sprintf("%q:%s", n, value))
	}
	_ = m.Close()
	query := form.Encode()
	if len(query) > 60_000 { // more than a server takes
		query = "q=" + url.QueryEscape(text)
	}
	return map[string]string{"application/json": "{" + strings.Join(doc, ",") + "}", "application/x-www-form-urlencoded": form.Encode(),
		m.FormDataContentType(): parts.String(), "": query}
}

// strangely sends a request and checks the response: no internal error, JSON, of a limited size,
// and no header from the input.
func (w *world) strangely(t *testing.T, who, do, kind, body, what string) {
	t.Helper()
	method, path, _ := strings.Cut(do, " ")
	if kind == "" {
		path, body = path+"?"+body, ""
	}
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	r.Header.Set("Authorization", "Bearer "+w.as(who))
	rec := httptest.NewRecorder()
	w.api.ServeHTTP(rec, r)
	if rec.Code >= 500 && rec.Code != http.StatusNotImplemented || // which oEmbed asks for
		!json.Valid(rec.Body.Bytes()) || rec.Body.Len() > 4<<20 || rec.Header().Get("Set-Cookie") != "" {
		t.Errorf("%s with %s (%.20s): %d, %d bytes: %.200s", do, what, kind, rec.Code, rec.Body.Len(), rec.Body)
	}
}

// TestStrangeHeaders checks that no header causes a server error.
func TestStrangeHeaders(t *testing.T) {
	w := newWorld(t, memkv.New(memkv.Options{}), mastodon.Options{}, "ann")
	for _, name := range []string{"Authorization", "Idempotency-Key", "Content-Type", "Content-Length", "Cookie", "Origin", "Access-Control-Request-Headers",
		"X-Forwarded-For", "Host", "Upgrade", "Sec-Websocket-Protocol", "Accept-Encoding", "If-None-Match", "Range"} {
		for _, value := range []string{"", " ", strings.Repeat("a", 30_000), "a\x00b", "a\r\nX-Evil: 1", "{1}:*", "\u202e", "\xff", "Bearer ", "Bearer " + strings.Repeat("x", 5000),
			"Bearer 000-{}:", "Basic " + strings.Repeat("A", 5000), "Basic %%%", "Basic Og==", "multipart/form-data; boundary=" + strings.Repeat("b", 100), "-1", "bytes=0-" + strings.Repeat("9", 40), "websocket"} {
			for _, do := range []string{"POST /api/v1/statuses", "GET /api/v1/timelines/home", "POST /oauth/token", "GET /api/v1/streaming", "OPTIONS /api/v1/statuses", "GET /avatars/{ann}.svg"} {
				method, path, _ := strings.Cut(w.fill(do), " ")
				r := httptest.NewRequest(method, path, strings.NewReader("status=x"))
				r.Header.Set("Authorization", "Bearer "+w.as("ann"))
				r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
				r.Header[name] = []string{value}
				rec := httptest.NewRecorder()
				w.api.ServeHTTP(rec, r)
				if rec.Code >= 500 && rec.Code != 501 {
					t.Errorf("%s with %s %.40q: %d %s", do, name, value, rec.Code, rec.Body)
				}
			}
		}
	}
}

// TestEveryLimit goes to each limit and one beyond: at it the answer is not 422,
// beyond it is.
func TestEveryLimit(t *testing.T) {
	a := func(n int) string { return strings.Repeat("a", n) }
	list := func(name, value string) func(n int) string {
		return func(n int) string { return strings.TrimSuffix(strings.Repeat(name+"[]="+value+"&", n), "&") }
	}
	ids := func(name string) func(n int) string {
		return func(n int) string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, "%s[]=%d&", name, 1000+i)
			}
			return b.String()
		}
	}
	text := func(form string) func(n int) string { return func(n int) string { return form + a(n) } }
	fields := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "fields_attributes[%d][name]=n&fields_attributes[%d][value]=v&", i, i)
		}
		return b.String()
	}
	const update = "PATCH /api/v1/accounts/update_credentials"
	for _, c := range []struct {
		do   string
		most int
		body func(n int) string
	}{
		{"POST /api/v1/statuses", 500, text("status=")},
		{"POST /api/v1/statuses", 499, text("status=x&spoiler_text=")},
		{"POST /api/v1/statuses", 50, func(n int) string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, "%%23t%d ", i)
			}
			return "status=" + b.String()
		}},
		{"PUT /api/v1/media/{pic}", 10_000, text("description=")}, {"PUT /api/v1/media/{pic}", 48 << 10 / 6, func(n int) string { return "description=" + strings.Repeat("%3C", n) }},
		{update, 40, text("display_name=")}, {update, 500, text("note=")}, {update, 4, fields},
		{update, 255, text("fields_attributes[0][name]=n&fields_attributes[0][value]=")}, {update, 255, text("fields_attributes[0][value]=v&fields_attributes[0][name]=")},
		{"POST /api/v1/lists", 255, text("title=")}, {"PUT /api/v1/lists/{list}", 255, text("title=")},
		{"POST /api/v2/filters", 256, text("context[]=home&title=")}, {"PUT /api/v2/filters/{filter}", 256, text("title=")},
		{"POST /api/v2/filters", 512, text("context[]=home&title=x&keywords_attributes[][keyword]=")}, {"POST /api/v2/filters/{filter}/keywords", 512, text("keyword=")},
		{"PUT /api/v2/filters/{filter}", 200, list("keywords_attributes[][keyword]=", "w")}, {"POST /api/v1/filters", 512, text("context[]=home&phrase=")},
		{"POST /api/v1/lists/{list}/accounts", 200, ids("account_ids")}, {"DELETE /api/v1/lists/{list}/accounts", 200, ids("account_ids")},
		{"POST /api/v1/apps", 100, text("redirect_uris=https://a.test/&client_name=")},
		{"POST /api/v1/apps", 2000 - len("https://a.test/"), text("client_name=x&redirect_uris=https://a.test/")},
		{"POST /api/v1/apps", 2000 - len("https://a.test/"), text("client_name=x&redirect_uris=https://a.test/&website=https://a.test/")},
		{"POST /api/v1/apps", 20, list("client_name=x&redirect_uris", "https://a.test/")},
		{"GET /api/v1/accounts", 40, ids("id")}, {"GET /api/v1/statuses", 40, ids("id")}, {"GET /api/v1/accounts/relationships", 80, ids("id")}, {"GET /api/v1/accounts/familiar_followers", 200, ids("id")},
		{"GET /api/v1/timelines/tag/x", 4, list("any", "a")}, {"GET /api/v1/timelines/tag/x", 4, list("all", "a")}, {"GET /api/v1/timelines/tag/x", 4, list("none", "a")},
	} {
		w := newWorld(t, memkv.New(memkv.Options{}), mastodon.Options{}, "ann", "bob")
		w.run([]step{{as: "ann", do: "POST /api/v1/lists", body: "title=x", save: "list=id"}, {as: "ann", do: "POST /api/v2/filters", body: "title=x&context[]=home", save: "filter=id"}})
		if strings.Contains(c.do, "{pic}") {
			w.run([]step{upload("ann", "pic")})
		}
		for n, beyond := range map[int]bool{c.most: false, c.most + 1: true} {
			do, body := c.do, strings.ReplaceAll(c.body(n), " ", "%20")
			if strings.HasPrefix(do, "GET") {
				do, body = do+"?"+body, ""
			}
			if w.call("ann", do, body, ""); (w.last.Code == 422) != beyond || w.last.Code >= 500 {
				t.Errorf("%s with %d (%.60s): %d %.300s", c.do, n, c.body(1), w.last.Code, w.last.Body)
			}
		}
	}
}
