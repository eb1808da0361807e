package mastodon_test

import (
	"net/http"
	"strings"
	"testing"

	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/mastodon"
)

// paged are the ways to a page with something on it, by route.
func pagedWays() map[string]string {
	return map[string]string{
		"GET /api/v1/accounts/{id}/statuses":             "/api/v1/accounts/{ann}/statuses",
		"GET /api/v1/accounts/{id}/followers":            "/api/v1/accounts/{ann}/followers",
		"GET /api/v1/accounts/{id}/following":            "/api/v1/accounts/{ann}/following",
		"GET /api/v1/accounts/{id}/endorsements":         "/api/v1/accounts/{ann}/endorsements",
		"GET /api/v1/endorsements":                       "/api/v1/endorsements",
		"GET /api/v1/follow_requests":                    "/api/v1/follow_requests",
		"GET /api/v1/blocks":                             "/api/v1/blocks",
		"GET /api/v1/mutes":                              "/api/v1/mutes",
		"GET /api/v1/statuses/{id}/favourited_by":        "/api/v1/statuses/{s}/favourited_by",
		"GET /api/v1/statuses/{id}/reblogged_by":         "/api/v1/statuses/{s}/reblogged_by",
		"GET /api/v1/followed_tags":                      "/api/v1/followed_tags",
		"GET /api/v1/scheduled_statuses":                 "/api/v1/scheduled_statuses",
		"GET /api/v1/favourites":                         "/api/v1/favourites",
		"GET /api/v1/bookmarks":                          "/api/v1/bookmarks",
		"GET /api/v1/timelines/home":                     "/api/v1/timelines/home",
		"GET /api/v1/timelines/public":                   "/api/v1/timelines/public",
		"GET /api/v1/timelines/tag/{tag}":                "/api/v1/timelines/tag/tag",
		"GET /api/v1/timelines/direct":                   "/api/v1/timelines/direct",
		"GET /api/v1/timelines/list/{id}":                "/api/v1/timelines/list/{list}",
		"GET /api/v1/linnet/timelines/mentions":          "/api/v1/linnet/timelines/mentions",
		"GET /api/v1/lists/{id}/accounts":                "/api/v1/lists/{list}/accounts",
		"GET /api/v1/notifications":                      "/api/v1/notifications",
		"GET /api/v2/notifications":                      "/api/v2/notifications",
		"GET /api/v2/notifications/{key}/accounts":       "/api/v2/notifications/{key}/accounts",
		"GET /api/v1/notifications/requests":             "/api/v1/notifications/requests",
		"GET /api/v1/conversations":                      "/api/v1/conversations",
		"GET /api/v1/linnet/conversations/{id}/statuses": "/api/v1/linnet/conversations/{talk}/statuses",
		"GET /api/v1/groups/{id}/memberships":            "/api/v1/groups/{g}/memberships",
		"GET /api/v1/groups/{id}/membership_requests":    "/api/v1/groups/{g}/membership_requests",
		"GET /api/v1/groups/{id}/blocks":                 "/api/v1/groups/{g}/blocks",
		"GET /api/v1/timelines/group/{id}":               "/api/v1/timelines/group/{g}",
		"GET /api/v1/admin/accounts":                     "/api/v1/admin/accounts",
		"GET /api/v2/admin/accounts":                     "/api/v2/admin/accounts",
		"GET /api/v1/admin/reports":                      "/api/v1/admin/reports",
		"GET /api/v1/admin/email_domain_blocks":          "/api/v1/admin/email_domain_blocks",
		"GET /api/v1/admin/ip_blocks":                    "/api/v1/admin/ip_blocks",
		"GET /api/v1/admin/canonical_email_blocks":       "/api/v1/admin/canonical_email_blocks",
		"GET /api/v1/linnet/admin/audit":                 "/api/v1/linnet/admin/audit",
	}
}

// Every page on which something stands names the next, be it the last one: a client
// takes its absence for the end of what there ever will be. A page on which nothing
// stands, behind it, names none. A route is one with pages if it minds its cursor.
func TestEveryPageNamesTheNext(t *testing.T) {
	w := newWorld(t, memkv.New(memkv.Options{}), mastodon.Options{}, "ann", "bob", "cat", "dan", "eve", "fay")
	const ann = "ann/read write admin:read admin:write"
	w.run([]step{
		{before: giveRole("ann", linnet.Admin), as: "bob", do: "POST /api/v1/accounts/{ann}/follow"}, {as: "ann", do: "POST /api/v1/accounts/{bob}/follow"},
		{as: "ann", do: "POST /api/v1/accounts/{bob}/endorse"}, {as: "ann", do: "PATCH /api/v1/accounts/update_credentials", body: "locked=true"},
		{as: "cat", do: "POST /api/v1/accounts/{ann}/follow"}, {as: "ann", do: "POST /api/v1/accounts/{dan}/mute"}, {as: "ann", do: "POST /api/v1/accounts/{eve}/block"},
		{as: "ann", do: "POST /api/v1/statuses", body: "status=a+%23tag", save: "s=id"}, {as: "bob", do: "POST /api/v1/statuses", body: "status=@ann+%23tag", save: "m=id"},
		{as: "ann", do: "POST /api/v1/statuses/{s}/favourite"}, {as: "bob", do: "POST /api/v1/statuses/{s}/favourite"}, {as: "bob", do: "POST /api/v1/statuses/{s}/reblog"}, {as: "ann", do: "POST /api/v1/statuses/{m}/bookmark"},
		{as: "bob", do: "POST /api/v1/statuses", body: "status=@ann+psst&visibility=direct"}, {as: "ann", do: "GET /api/v1/conversations", save: "talk=0.id"},
		{as: "ann", do: "POST /api/v1/statuses", body: "status=later&scheduled_at=2100-01-01"},
		{as: "ann", do: "POST /api/v1/tags/tag/follow"},
		{as: "ann", do: "POST /api/v1/lists", body: "title=L", save: "list=id"}, {as: "ann", do: "POST /api/v1/lists/{list}/accounts", body: "account_ids[]={bob}"},
		{as: "ann", do: "GET /api/v2/notifications?types[]=favourite", save: "key=notification_groups.0.group_key"},
		{as: "ann", do: "PATCH /api/v2/notifications/policy", body: "for_not_following=filter"}, {as: "fay", do: "POST /api/v1/statuses", body: "status=@ann+hello"},
		{as: "ann", do: "POST /api/v1/groups", body: "username=owls&kind=private", save: "g=id"}, {as: "bob", do: "POST /api/v1/groups/{g}/join"}, {as: "ann", do: "POST /api/v1/groups/{g}/blocks", body: "account_ids[]={fay}"},
		{as: "ann", do: "POST /api/v1/statuses", body: "status=@owls+hoo&visibility=private"},
		{as: "bob", do: "POST /api/v1/reports", body: "account_id={cat}&comment=odd"}, {as: ann, do: "POST /api/v1/admin/accounts/{fay}/action", body: "type=sensitive"},
		{as: ann, do: "POST /api/v1/admin/email_domain_blocks", body: "domain=spam.example"}, {as: ann, do: "POST /api/v1/admin/ip_blocks", body: "ip=198.51.100.0/24&severity=sign_up_block"},
		{as: ann, do: "POST /api/v1/admin/canonical_email_blocks", body: "email=a@spam.example"},
	})
	ways := pagedWays()
	for _, p := range w.api.(*mastodon.API).Patterns() {
		method, path, _ := strings.Cut(p, " ")
		if method != http.MethodGet || strings.Contains(path, "streaming") {
			continue
		}
		way, known := ways[p]
		if !known {
			way = strings.NewReplacer("{id}", "{ann}", "{part}", "keywords", "{key}", "ungrouped-1", "{name}", "x", "{file}", "x").Replace(path)
		}
		w.call(ann, "GET "+way+"?max_id=soon", "", "")
		if minds := w.last.Code == http.StatusUnprocessableEntity && strings.Contains(w.last.Body.String(), "soon"); minds != known {
			t.Errorf("%s: whether it has pages is %v, in the table %v: %d %s", p, minds, known, w.last.Code, w.last.Body)
		}
		if !known {
			continue
		}
		w.call(ann, "GET "+way, "", "")
		link := w.last.Header().Get("Link")
		if body := w.last.Body.String(); w.last.Code != 200 || len(body) < 20 || !strings.HasPrefix(link, "<https://linnet.test"+w.fill(way)+"?max_id=") ||
			!strings.Contains(link, `>; rel="next", <`) || !strings.Contains(link, `min_id=`) {
			t.Errorf("%s: %d, Link %q\n%.200s", p, w.last.Code, link, body)
			continue
		}
		last, _, _ := strings.Cut(strings.TrimPrefix(link, "<https://linnet.test"), ">")
		w.call(ann, "GET "+last, "", "")
		if link := w.last.Header().Get("Link"); w.last.Code != 200 || w.last.Body.Len() > 100 || link != "" {
			t.Errorf("%s, behind the end: %d, Link %q\n%.200s", p, w.last.Code, link, w.last.Body)
		}
	}
}
