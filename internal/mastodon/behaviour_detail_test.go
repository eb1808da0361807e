package mastodon_test

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/core"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/mastodon"
)

// languageScenarios: an unknown language never costs a post.
func languageScenarios() []scenario {
	var steps []step
	for sent, want := range map[string]string{"zh-TW": "zh-TW", "zh-CN": "zh-CN", "zh-HK": "zh-HK", "nan-TW": "nan-TW", "pt-BR": "pt", "English": "null", "x": "null", "%F0%9F%90%A6": "null", strings.Repeat("x", 300): "null"} {
		steps = append(steps, step{as: "ann", do: "POST /api/v1/statuses", body: "status=in+" + sent + "&language=" + sent, want: []string{"language=" + want}})
	}
	return []scenario{{name: "languages of statuses", people: "ann bob", steps: append(steps, []step{
		{as: "bob", do: "PATCH /api/v1/accounts/update_credentials", body: "source[language]=fr"},
		{as: "bob", do: "POST /api/v1/statuses", body: "status=a&language=Klingon", want: []string{"language=fr"}, save: "s=id"},
		{as: "bob", do: "PUT /api/v1/statuses/{s}", body: "status=b&language=zh-TW", want: []string{"language=zh-TW"}},
		{as: "bob", do: "PUT /api/v1/statuses/{s}", body: "status=c&language=Klingon", want: []string{"language=zh-TW"}},
		{as: "ann", do: "POST /api/v1/accounts/{bob}/follow"},
		{as: "ann", do: "POST /api/v1/accounts/{bob}/follow", body: `{"languages":["zh-TW"]}`, want: []string{`languages=["zh-TW"]`}},
		{as: "ann", do: "GET /api/v1/timelines/home?limit=1", want: []string{"0.id={s}"}},
		{as: "ann", do: "POST /api/v1/accounts/{bob}/follow", body: `{"languages":["zh"]}`},
		{as: "ann", do: "GET /api/v1/timelines/home?limit=1", want: []string{"0.id={s}"}},
		{as: "ann", do: "POST /api/v1/accounts/{bob}/follow", body: `{"languages":["zh-CN"]}`},
		{as: "ann", do: "GET /api/v1/timelines/home?limit=1", want: []string{"0.account.acct=ann"}},
	}...)}}
}

// readingScenarios returns scenarios about parameters, which are parsed as Rails parses them.
func readingScenarios() []scenario {
	return []scenario{
		{name: "limits and booleans as Rails reads them", people: "ann bob", steps: []step{
			{as: "ann", do: "POST /api/v1/statuses", body: "status=a"},
			{as: "ann", do: "POST /api/v1/statuses", body: "status=b&visibility=direct", save: "b=id"},
			{as: "ann", do: "POST /api/v1/statuses", body: "status=c"},
			{as: "ann", do: "GET /api/v1/timelines/home?limit=-1", want: []string{"#1"}},
			{as: "ann", do: "GET /api/v1/timelines/home?limit=2x", want: []string{"#2"}},
			{as: "ann", do: "GET /api/v1/timelines/home?limit=abc", want: []string{"#3"}},
			{as: "ann", do: "GET /api/v1/timelines/home?limit=null", want: []string{"#3"}},
			{as: "ann", do: "GET /api/v1/timelines/home", body: `{"limit":null}`, want: []string{"#3"}},
			{as: "ann", do: "GET /api/v1/timelines/home?limit=99999999999999999999", want: []string{"#3"}},
			{as: "ann", do: "GET /api/v1/timelines/home?limit[]=1", code: 422},
			{as: "ann", do: "GET /api/v1/trends/tags?limit=-1"},
			{as: "ann", do: "GET /api/v2/search?q=ann&limit=-1", want: []string{"accounts#1"}},
			{do: "GET /api/v1/timelines/public?local=yes", want: []string{"#2"}}, {do: "GET /api/v1/timelines/public?remote=yes", want: []string{"#0"}}, {do: "GET /api/v1/timelines/public?remote=False", want: []string{"#2"}}, {do: "GET /api/v1/timelines/public?remote[]=1", code: 422},
			{as: "ann", do: "GET /api/v1/accounts/{ann}/statuses", want: []string{"#3"}},
			{as: "ann", do: "GET /api/v1/accounts/{ann}/statuses?exclude_direct=true", want: []string{"#2"}},
			{as: "ann", do: "GET /api/v1/accounts/{ann}/statuses?exclude_direct=false", want: []string{"#3"}},
		}},
		{name: "notifications from bots", people: "ann bob", steps: []step{
			{as: "ann", do: "PATCH /api/v2/notifications/policy", body: "for_bots=drop", want: []string{"for_bots=drop", "for_not_following=accept"}},
			{as: "ann", do: "GET /api/v2/notifications/policy", want: []string{"for_bots=drop"}},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=@ann+one"},
			{as: "ann", do: "GET /api/v1/notifications", want: []string{"#1"}},
			{as: "bob", do: "PATCH /api/v1/accounts/update_credentials", body: "bot=true"},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=@ann+two"},
			{as: "ann", do: "GET /api/v1/notifications", want: []string{"#1"}},
			{as: "ann", do: "PATCH /api/v2/notifications/policy", body: "for_bots=some", code: 422},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/follow"},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=@ann+three"},
			{as: "ann", do: "GET /api/v1/notifications", want: []string{"#2"}},
		}},
		{name: "addresses of accounts and statuses", people: "ann anna", steps: addressSteps()},
		{name: "privacy policy and familiar followers", people: "ann", steps: []step{
			{do: "GET /api/v1/instance/privacy_policy", want: []string{"content=", "updated_at~Z"}},
			{as: "ann", do: "GET /api/v1/accounts/familiar_followers?" + strings.Repeat("id[]={ann}&", 3), want: []string{"#1"}},
		}},
		{name: "votes in several turns", people: "ann bob cat", steps: []step{
			{as: "ann", do: "POST /api/v1/statuses", body: `{"status":"?","poll":{"options":["a","b","c"],"expires_in":3600,"multiple":true}}`, save: "p=id"},
			{as: "bob", do: "POST /api/v1/polls/{p}/votes", body: "choices[]=0", want: []string{"votes_count=1", "voters_count=1", "own_votes=[0]"}},
			{as: "bob", do: "POST /api/v1/polls/{p}/votes", body: "choices[]=0", code: 422},
			{as: "bob", do: "POST /api/v1/polls/{p}/votes", body: "choices[]=0&choices[]=1", code: 422},
			{as: "bob", do: "POST /api/v1/polls/{p}/votes", body: "choices[]=2", want: []string{"votes_count=2", "voters_count=1", "own_votes=[0,2]", "options.*.votes_count=1 0 1"}},
			{as: "cat", do: "POST /api/v1/polls/{p}/votes", body: "choices[]=1&choices[]=2", want: []string{"votes_count=4", "voters_count=2", "options.*.votes_count=1 1 2"}},
			{as: "ann", do: "POST /api/v1/statuses", body: `{"status":"?","poll":{"options":["a","b"],"expires_in":3600}}`, save: "q=id"},
			{as: "bob", do: "POST /api/v1/polls/{q}/votes", body: "choices[]=0"},
			{as: "bob", do: "POST /api/v1/polls/{q}/votes", body: "choices[]=1", code: 422},
		}},
	}
}

// addressSteps look up what every address of an account and a status names.
func addressSteps() []step {
	steps := []step{{as: "ann", do: "POST /api/v1/statuses", body: "status=a", save: "s=id"}}
	const host = "https://linnet.test"
	for _, address := range []string{host + "/@ann", host + "/@ann/", host + "/@ann?utm_source=x", host + "/users/ann", host + "/users/ann/", "http://LINNET.test/@ANN"} {
		steps = append(steps, step{as: "anna", do: "GET /api/v2/search?resolve=true&q=" + escaped(address), want: []string{"accounts.*.acct=ann", "statuses#0"}},
			step{do: "GET /.well-known/webfinger?resource=" + escaped(address), want: []string{"subject=acct:ann@linnet.test"}}, step{do: "GET /api/oembed?url=" + escaped(address), code: 404})
	}
	for _, address := range []string{host + "/@ann/{s}", host + "/@ann/{s}/", host + "/@ann/{s}?utm_campaign=a#x", host + "/users/ann/statuses/{s}", host + "/@ann/{s}/embed", host + "/users/ann/statuses/{s}/?x"} {
		steps = append(steps, step{as: "anna", do: "GET /api/v2/search?q=" + escaped(address), want: []string{"accounts#0", "statuses.*.id={s}"}},
			step{do: "GET /.well-known/webfinger?resource=" + escaped(address), code: 404}, step{do: "GET /api/oembed?url=" + escaped(address), want: []string{"author_url=https://linnet.test/@ann"}})
	}
	for _, address := range []string{"https://other.test/@ann", host + "/tags/ann", host + "/@ann/{s}/history", host + "/@ann/x", host, host + "/users", "ftp://linnet.test/@ann"} {
		steps = append(steps, step{do: "GET /.well-known/webfinger?resource=" + escaped(address), code: 404}, step{do: "GET /api/oembed?url=" + escaped(address), code: 404})
	}
	return steps
}

// escaped escapes an address for a query, but for the names of saved values.
func escaped(s string) string {
	return strings.NewReplacer(":", "%3A", "/", "%2F", "?", "%3F", "#", "%23", "=", "%3D", "&", "%26", "@", "%40").Replace(s)
}

// TestRefusalHeaders: what a 429 says is of the limit that refused.
func TestRefusalHeaders(t *testing.T) {
	w := newLimitedWorld(t, memkv.New(memkv.Options{}), mastodon.Options{}, core.Rates{Token: 200, User: 500, Address: -1, Paging: -1, Delete: 2, SignUp: -1, Apps: -1, Pictures: -1, Media: -1, Mail: -1}, true, "ann")
	for name, do := range map[string]func(i int) string{
		"posts of a new account": func(int) string { return "POST /api/v1/statuses" }, "deletions": func(int) string { return "DELETE /api/v1/statuses/5" },
	} {
		var sent time.Time
		for i := range 100 {
			sent = time.Now()
			if w.call("ann", do(i), "status=n+"+strconv.Itoa(i), ""); w.last.Code == http.StatusTooManyRequests {
				break
			}
		}
		h := w.last.Header()
		reset, err := time.Parse(time.RFC3339, h.Get("X-Ratelimit-Reset"))
		seconds, _ := strconv.Atoi(h.Get("Retry-After"))
		wait := time.Duration(seconds) * time.Second
		if w.last.Code != 429 || err != nil || h.Get("X-Ratelimit-Remaining") != "0" || time.Until(reset) > wait+2*time.Second || reset.Sub(sent) < wait-2*time.Second {
			t.Errorf("%s: %d %v, reset in %v", name, w.last.Code, h, time.Until(reset))
		}
		if limit := h.Get("X-Ratelimit-Limit"); limit == "200" || limit == "500" || name == "deletions" && limit != "2" {
			t.Errorf("%s: limit %q", name, limit)
		}
	}
}

// TestInlinePictures: avatars may be data: URIs, in every encoding of the body.
func TestInlinePictures(t *testing.T) {
	w := newWorld(t, memkv.New(memkv.Options{}), mastodon.Options{}, "ann")
	uri := "data:image/png;base64," + base64.StdEncoding.EncodeToString([]byte(square(64, 64)))
	for kind, body := range map[string]string{
		"application/json": `{"avatar":"` + uri + `"}`, "application/x-www-form-urlencoded": "header=" + strings.NewReplacer("+", "%2B", "/", "%2F").Replace(uri),
		"multipart/form-data; boundary=x": "--x\r\nContent-Disposition: form-data; name=\"avatar\"\r\n\r\n" + uri + "\r\n--x--\r\n",
	} {
		r := httptest.NewRequest("PATCH", "/api/v1/accounts/update_credentials", strings.NewReader(body))
		r.Header.Set("Content-Type", kind)
		r.Header.Set("Authorization", "Bearer "+w.as("ann"))
		rec := httptest.NewRecorder()
		if w.api.ServeHTTP(rec, r); rec.Code != 200 || !strings.Contains(rec.Body.String(), "/media/") {
			t.Errorf("%s: %d %s", kind, rec.Code, rec.Body)
		}
	}
	w.run([]step{{as: "ann", do: "PATCH /api/v1/accounts/update_credentials", body: `{"avatar":"data:image/png;base64,!!"}`, code: 422}, {as: "ann", do: "PATCH /api/v1/accounts/update_credentials", body: `{"avatar":"data:image/png,x"}`, code: 422},
		{as: "ann", do: "PATCH /api/v1/accounts/update_credentials", body: `{"avatar":"data:image/png;base64,AAAA"}`, code: 422}})
	const update = "PATCH /api/v1/accounts/update_credentials"
	w.run([]step{
		{as: "ann", do: update, body: "avatar_description=A+bird&header_description=A+hedge", want: []string{"avatar_description=A bird", "header_description=A hedge"}},
		{as: "bob", do: "GET /api/v1/accounts/{ann}", want: []string{"avatar_description=A bird", "header_description=A hedge"}},
		{as: "ann", do: update, body: "avatar_description=" + strings.Repeat("x", linnet.MaxProfileAlt+1), code: 422, want: []string{"error~Avatar description"}},
		{as: "ann", do: "DELETE /api/v1/profile/avatar", want: []string{"avatar_description=", "header_description=A hedge"}},
		{as: "ann", do: update, body: "header_description=", want: []string{"header_description="}},
	})
	old := strings.Repeat("x", linnet.MaxProfileAlt+1) // an earlier version allowed this
	apptest.StoreDescriptions(t, w.svc.Store(), w.ids["ann"], old)
	w.run([]step{
		{as: "ann", do: update, body: "note=hello&avatar_description=" + old, want: []string{"source.note=hello", "avatar_description=" + old}},
		{as: "ann", do: update, body: "avatar_description=" + old + "y", code: 422, want: []string{"error~Avatar description"}},
	})
}
