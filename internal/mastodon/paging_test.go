package mastodon_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/mastodon"
)

// pagedWays returns the path of a page with items for each route.
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
		"GET /api/v1/statuses/{id}/quotes":               "/api/v1/statuses/{s}/quotes",
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
		"GET /api/v1/admin/tags":                         "/api/v1/admin/tags",
		"GET /api/v1/admin/trends/links/publishers":      "/api/v1/admin/trends/links/publishers",
		"GET /api/v1/admin/email_domain_blocks":          "/api/v1/admin/email_domain_blocks",
		"GET /api/v1/admin/ip_blocks":                    "/api/v1/admin/ip_blocks",
		"GET /api/v1/admin/canonical_email_blocks":       "/api/v1/admin/canonical_email_blocks",
		"GET /api/v1/linnet/admin/audit":                 "/api/v1/linnet/admin/audit",
		"GET /api/v1/linnet/admin/accounts/{id}/strikes": "/api/v1/linnet/admin/accounts/{ann}/strikes",
		"GET /api/v1/linnet/admin/appeals":               "/api/v1/linnet/admin/appeals",
		"GET /api/v1/linnet/strikes":                     "/api/v1/linnet/strikes",
	}
}

// annAdmin is ann as a client with all permissions that lists need.
const annAdmin = "ann/read write admin:read admin:write"

// newPagedWorld has at least two entries in every list of pagedWays that ann can read.
func newPagedWorld(t *testing.T) *world {
	t.Helper()
	w := newWorld(t, memkv.New(memkv.Options{}), mastodon.Options{}, "ann", "bob", "gil", "cat", "hal", "dan", "joe", "eve", "ivy", "fay", "kay")
	both := func(first, second string, s step) []step {
		var out []step
		for _, who := range []string{first, second} {
			fill := strings.NewReplacer("{who}", "{"+who+"}", "{name}", who)
			out = append(out, step{as: fill.Replace(s.as), do: fill.Replace(s.do), body: fill.Replace(s.body)})
		}
		return out
	}
	warned := []step{{before: operate("ann", linnet.Measure{Act: linnet.Warn, Reason: "loud"}), as: "ann", do: "GET /api/v1/linnet/strikes", save: "strike=0.id"},
		{as: "ann", do: "POST /api/v1/linnet/strikes/{strike}/appeal", body: "text=no"}}
	w.run(slices.Concat(
		[]step{{before: giveRole("ann", linnet.Admin), as: "ann", do: "POST /api/v1/lists", body: "title=L", save: "list=id"}},
		both("bob", "gil", step{as: "{name}", do: "POST /api/v1/accounts/{ann}/follow"}),
		both("bob", "gil", step{as: "ann", do: "POST /api/v1/accounts/{who}/follow"}),
		both("bob", "gil", step{as: "ann", do: "POST /api/v1/accounts/{who}/endorse"}),
		both("bob", "gil", step{as: "ann", do: "POST /api/v1/lists/{list}/accounts", body: "account_ids[]={who}"}),
		[]step{{as: "ann", do: "PATCH /api/v1/accounts/update_credentials", body: "locked=true"}},
		both("cat", "hal", step{as: "{name}", do: "POST /api/v1/accounts/{ann}/follow"}),
		both("dan", "joe", step{as: "ann", do: "POST /api/v1/accounts/{who}/mute"}),
		both("eve", "ivy", step{as: "ann", do: "POST /api/v1/accounts/{who}/block"}),
		[]step{{as: "ann", do: "POST /api/v1/statuses", body: "status=a+%23tag", save: "s=id"}},
		both("bob", "gil", step{as: "{name}", do: "POST /api/v1/statuses", body: "status=@ann+%23tag"}),
		[]step{{as: "bob", do: "POST /api/v1/statuses", body: "status=@ann+again+%23tag", save: "m=id"}},
		both("bob", "gil", step{as: "{name}", do: "POST /api/v1/statuses/{s}/favourite"}),
		both("bob", "gil", step{as: "{name}", do: "POST /api/v1/statuses/{s}/reblog"}),
		both("bob", "gil", step{as: "{name}", do: "POST /api/v1/statuses", body: "status=quote&quoted_status_id={s}"}),
		both("s", "m", step{as: "ann", do: "POST /api/v1/statuses/{who}/favourite"}),
		both("s", "m", step{as: "ann", do: "POST /api/v1/statuses/{who}/bookmark"}),
		both("gil", "bob", step{as: "{name}", do: "POST /api/v1/statuses", body: "status=@ann+psst&visibility=direct"}),
		[]step{{as: "ann", do: "GET /api/v1/conversations", save: "talk=0.id"}, {as: "ann", do: "GET /api/v1/conversations", save: "d=0.last_status.id"},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=@ann+psst&visibility=direct&in_reply_to_id={d}"}},
		both("1", "2", step{as: "ann", do: "POST /api/v1/statuses", body: "status=later&scheduled_at=2100-01-0{name}"}),
		both("tag", "other", step{as: "ann", do: "POST /api/v1/tags/{name}/follow"}),
		[]step{{as: "ann", do: "GET /api/v2/notifications?types[]=favourite", save: "key=notification_groups.0.group_key"},
			{as: "ann", do: "PATCH /api/v2/notifications/policy", body: "for_not_following=filter"}},
		both("fay", "kay", step{as: "{name}", do: "POST /api/v1/statuses", body: "status=@ann+hello"}),
		[]step{{as: "ann", do: "POST /api/v1/groups", body: "username=owls&kind=private", save: "g=id"}, {as: "gil", do: "POST /api/v1/groups/{g}/join"},
			{as: "ann", do: "POST /api/v1/groups/{g}/membership_requests/{gil}/authorize"}},
		both("bob", "hal", step{as: "{name}", do: "POST /api/v1/groups/{g}/join"}),
		both("fay", "kay", step{as: "ann", do: "POST /api/v1/groups/{g}/blocks", body: "account_ids[]={who}"}),
		both("one", "two", step{as: "ann", do: "POST /api/v1/statuses", body: "status=@owls+{name}&visibility=private"}),
		both("dan", "joe", step{as: "bob", do: "POST /api/v1/reports", body: "account_id={who}&comment=odd"}),
		both("cat", "fay", step{as: annAdmin, do: "POST /api/v1/admin/accounts/{who}/action", body: "type=sensitive"}),
		both("a", "b", step{as: annAdmin, do: "POST /api/v1/admin/email_domain_blocks", body: "domain={name}.example"}),
		both("1", "2", step{as: annAdmin, do: "POST /api/v1/admin/ip_blocks", body: "ip=198.51.{name}.0/24&severity=sign_up_block"}),
		both("a", "b", step{as: annAdmin, do: "POST /api/v1/admin/canonical_email_blocks", body: "email={name}@spam.example"}),
		both("hen", "cock", step{as: annAdmin, do: "PUT /api/v1/admin/tags/{name}", body: "listable=false"}),
		both("bob", "gil", step{as: "{name}", do: "POST /api/v1/statuses", body: "status=https://a.test/+https://b.test/"}),
		[]step{{as: "hal", do: "POST /api/v1/statuses", body: "status=https://a.test/+https://b.test/"}, {before: handOn, do: "GET /api/v1/trends/links"}},
		warned, warned,
	))
	w.settle()
	return w
}

// Every page with an entry links to the next one, even the last: clients take a missing link for
// the end. An empty page has no link. A route is one with pages if it minds its cursor.
func TestEveryPageNamesTheNext(t *testing.T) {
	w := newPagedWorld(t)
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
		w.call(annAdmin, "GET "+way+"?max_id=soon", "", "")
		if minds := w.last.Code == http.StatusUnprocessableEntity && strings.Contains(w.last.Body.String(), "soon"); minds != known {
			t.Errorf("%s: whether it has pages is %v, in the table %v: %d %s", p, minds, known, w.last.Code, w.last.Body)
		}
		if !known {
			continue
		}
		w.call(annAdmin, "GET "+way, "", "")
		link := w.last.Header().Get("Link")
		if body := w.last.Body.String(); w.last.Code != 200 || len(body) < 20 || !strings.HasPrefix(link, "<https://linnet.test"+w.fill(way)+"?max_id=") ||
			!strings.Contains(link, `>; rel="next", <`) || !strings.Contains(link, `min_id=`) {
			t.Errorf("%s: %d, Link %q\n%.200s", p, w.last.Code, link, body)
			continue
		}
		last, _, _ := strings.Cut(strings.TrimPrefix(link, "<https://linnet.test"), ">")
		w.call(annAdmin, "GET "+last, "", "")
		if link := w.last.Header().Get("Link"); w.last.Code != 200 || w.last.Body.Len() > 100 || link != "" {
			t.Errorf("%s, behind the end: %d, Link %q\n%.200s", p, w.last.Code, link, w.last.Body)
		}
	}
}

// TestLimitsOfPages checks that every list reads the parameter limit as Rails does: the number at
// its beginning without its sign. Without a number, or with 0, a page has its usual size, where
// Mastodon would return an empty page that looks like the end of the list.
func TestLimitsOfPages(t *testing.T) {
	w := newPagedWorld(t)
	entries := func(path, body string) int {
		t.Helper()
		w.call(annAdmin, "GET "+path, body, "")
		var list []json.RawMessage
		var grouped struct {
			Groups *[]json.RawMessage `json:"notification_groups"`
		}
		if w.last.Code == http.StatusOK && json.Unmarshal(w.last.Body.Bytes(), &list) == nil {
			return len(list)
		}
		if json.Unmarshal(w.last.Body.Bytes(), &grouped) != nil || grouped.Groups == nil {
			t.Errorf("%s %s: %d %.200s", path, body, w.last.Code, w.last.Body)
			return -1
		}
		return len(*grouped.Groups)
	}
	ways := pagedWays()
	ways["directory"] = "/api/v1/directory"
	for _, path := range ways {
		all := entries(path, "")
		if all < 2 {
			t.Errorf("%s has %d entries, too few for this test", path, all)
			continue
		}
		for sent, want := range map[string]int{"abc": all, "null": all, "": all, "0": all, "-0": all, "-": all, "x1": all,
			"-1": 1, "1": 1, "%2B1": 1, "%201": 1, "1.9": 1, "1e5": 1, "-1x": 1, "2x": 2, "-2": 2,
			"99999999999999999999": all, "-99999999999999999999": all} {
			if got := entries(path+"?limit="+sent, ""); got != want {
				t.Errorf("%s?limit=%s: %d entries, want %d of %d", path, sent, got, want, all)
			}
		}
		for body, want := range map[string]int{`{"limit":null}`: all, `{"limit":-1}`: 1, `{"limit":"abc"}`: all, `{"limit":"-1"}`: 1} {
			if got := entries(path, body); got != want {
				t.Errorf("%s %s: %d entries, want %d of %d", path, body, got, want, all)
			}
		}
	}
}
