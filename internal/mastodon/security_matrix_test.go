package mastodon_test

import (
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"linnet/internal/kv/memkv"
	"linnet/internal/mastodon"
)

// moreWays returns further ways to see a status.
func moreWays() []way {
	public := func(_, vis string) bool { return vis == "public" }
	direct := func(_, vis string) bool { return vis == "direct" }
	return []way{
		{do: "GET /api/v1/timelines/public?local=true&limit=40", shows: public},
		{do: "GET /api/v1/timelines/tag/none?any[]=matrix&limit=40", shows: public},
		{do: "GET /api/v1/timelines/tag/matrix?all[]=matrix&limit=40", shows: public},
		{do: "GET /api/v1/trends/statuses", shows: func(string, string) bool { return false }}, // see TestTrendingStatuses
		{do: "GET /api/v1/accounts/{ann}/statuses?exclude_reblogs=true&max_id=9000000000000000000"},
		{do: "GET /api/v1/accounts/{ann}/statuses?min_id=1&limit=40"},
		{do: "GET /api/v1/accounts/{follower}/statuses", shows: func(string, string) bool { return false }},
		{do: "GET /api/v1/statuses/{child}", shows: func(string, string) bool { return false }},
		{do: "GET /api/v1/notifications?types[]=mention&limit=80", login: true, shows: func(v, _ string) bool { return v == mentioned }},
		{do: "GET /api/v2/search?q={url}&resolve=true&type=statuses"},
		{do: "GET /api/v1/timelines/direct?limit=40", login: true, shows: direct},
		{do: "GET /api/v1/conversations?limit=40", login: true, shows: direct},
		{do: "GET /api/v1/timelines/list/1?limit=40", login: true, shows: func(v, vis string) bool { return v == follower && (vis == "public" || vis == "unlisted") }},
		{do: "GET /api/v1/linnet/timelines/catch_up?limit=40", login: true, shows: func(v, vis string) bool { return v == follower && vis != "direct" }},
		{do: "GET /api/v1/timelines/list/2?limit=40", login: true, shows: func(v, vis string) bool { return v == follower && vis != "direct" }},
	}
}

// showNothing are the routes that show no status, with the reason, or that are
// tested elsewhere.
var showNothing = map[string]string{
	"GET /health": "state", "GET /.well-known/nodeinfo": "the installation", "GET /nodeinfo/2.0": "counts of public acts", "GET /nodeinfo/2.1": "counts of public acts",
	"GET /.well-known/webfinger": "a login", "GET /.well-known/oauth-authorization-server": "the installation",
	"POST /api/v1/apps": "an app", "GET /api/v1/apps/verify_credentials": "an app", "POST /oauth/token": "a token", "POST /oauth/revoke": "nothing",
	"GET /api/v1/instance": "the installation", "GET /api/oembed": "an author's name, TestBehaviour/oembed", "GET /api/v2/instance": "the installation", "GET /api/v1/instance/rules": "the installation",
	"POST /api/v1/emails/confirmations": "nothing", "GET /api/v1/emails/check_confirmation": "a word about oneself",
	"GET /api/v1/custom_emojis": "nothing", "GET /api/v1/announcements": "what administrators write", "POST /api/v1/announcements/{id}/dismiss": "nothing",
	"PUT /api/v1/announcements/{id}/reactions/{name}": "nothing", "DELETE /api/v1/announcements/{id}/reactions/{name}": "nothing", "GET /api/v1/preferences": "one's own",
	"POST /api/v1/accounts": "a token", "GET /api/v1/accounts": "people", "GET /api/v1/accounts/verify_credentials": "people",
	"PATCH /api/v1/accounts/update_credentials": "people", "GET /api/v1/accounts/lookup": "people", "GET /api/v1/accounts/search": "people",
	"GET /api/v1/accounts/relationships": "people", "GET /api/v1/accounts/familiar_followers": "people", "GET /api/v1/accounts/{id}": "people",
	"GET /api/v1/accounts/{id}/followers": "people", "GET /api/v1/accounts/{id}/following": "people", "GET /api/v1/accounts/{id}/lists": "one's own lists",
	"GET /api/v1/accounts/{id}/endorsements": "people", "GET /api/v1/endorsements": "people", "POST /api/v1/accounts/{id}/note": "people",
	"GET /api/v1/accounts/{id}/featured_tags": "counts of public acts", "GET /api/v1/featured_tags": "one's own", "POST /api/v1/featured_tags": "one's own",
	"DELETE /api/v1/featured_tags/{id}": "TestForeignThings", "GET /api/v1/featured_tags/suggestions": "one's own",
	"POST /api/v1/accounts/{id}/endorse": "people", "POST /api/v1/accounts/{id}/unendorse": "people", "POST /api/v1/accounts/{id}/pin": "people",
	"POST /api/v1/accounts/{id}/unpin": "people", "POST /api/v1/statuses/{id}/pin": "TestActsOnWhatOneMayNotSee", "POST /api/v1/statuses/{id}/unpin": "TestActsOnWhatOneMayNotSee",
	"POST /api/v1/accounts/{id}/follow": "people", "POST /api/v1/accounts/{id}/unfollow": "people", "GET /api/v1/tags/{name}": "counts of public acts", "POST /api/v1/tags/{name}/follow": "TestFollowedTags", "POST /api/v1/tags/{name}/unfollow": "counts of public acts",
	"POST /api/v1/accounts/{id}/block": "people", "POST /api/v1/accounts/{id}/unblock": "people", "GET /api/v1/blocks": "people",
	"POST /api/v1/accounts/{id}/mute": "people", "POST /api/v1/accounts/{id}/unmute": "people", "GET /api/v1/mutes": "people",
	"POST /api/v1/linnet/timelines/catch_up": "nothing",
	"GET /api/v1/linnet/feeds":               "one's own feeds", "POST /api/v1/linnet/feeds": "one's own feeds",
	"GET /api/v1/linnet/feeds/{id}": "TestForeignThings", "PUT /api/v1/linnet/feeds/{id}": "TestForeignThings", "DELETE /api/v1/linnet/feeds/{id}": "TestForeignThings",
	"GET /api/v1/linnet/timelines/feed/{id}": "TestForeignThings, TestAuthorisationOfFeeds",
	"GET /api/v1/linnet/lists":               "one's own settings", "PATCH /api/v1/linnet/lists": "one's own settings",
	"GET /api/v1/lists": "one's own lists", "POST /api/v1/lists": "one's own lists",
	"POST /api/v1/accounts/{id}/remove_from_followers": "people", "GET /api/v1/follow_requests": "people who ask the caller",
	"POST /api/v1/follow_requests/{id}/authorize": "people", "POST /api/v1/follow_requests/{id}/reject": "people",
	"GET /api/v1/lists/{id}": "TestForeignThings", "PUT /api/v1/lists/{id}": "TestForeignThings", "DELETE /api/v1/lists/{id}": "TestForeignThings",
	"GET /api/v1/lists/{id}/accounts": "TestForeignThings", "POST /api/v1/lists/{id}/accounts": "TestForeignThings", "DELETE /api/v1/lists/{id}/accounts": "TestForeignThings",
	"GET /api/v1/accounts/{id}/collections": "people", "GET /api/v1/accounts/{id}/in_collections": "one's own", "POST /api/v1/collections": "people", "GET /api/v1/collections/{id}": "people",
	"PATCH /api/v1/collections/{id}": "TestBehaviour/collections", "PUT /api/v1/collections/{id}": "TestBehaviour/collections", "DELETE /api/v1/collections/{id}": "TestBehaviour/collections", "POST /api/v1/collections/{id}/items": "TestBehaviour/collections",
	"DELETE /api/v1/collections/{id}/items/{item}": "TestBehaviour/collections", "POST /api/v1/collections/{id}/items/{item}/revoke": "TestBehaviour/collections",
	"GET /api/v2/filters": "one's own filters", "POST /api/v2/filters": "one's own filters", "GET /api/v1/filters": "one's own filters", "POST /api/v1/filters": "one's own filters",
	"GET /api/v2/filters/{id}": "TestForeignThings", "PUT /api/v2/filters/{id}": "TestForeignThings", "DELETE /api/v2/filters/{id}": "TestForeignThings",
	"GET /api/v2/filters/{id}/{part}": "TestForeignThings", "POST /api/v2/filters/{id}/{part}": "TestForeignThings",
	"GET /api/v2/filters/keywords/{id}": "TestForeignThings", "PUT /api/v2/filters/keywords/{id}": "TestForeignThings", "DELETE /api/v2/filters/keywords/{id}": "TestForeignThings",
	"GET /api/v2/filters/statuses/{id}": "TestForeignThings", "DELETE /api/v2/filters/statuses/{id}": "TestForeignThings",
	"GET /api/v1/filters/{id}": "TestForeignThings", "PUT /api/v1/filters/{id}": "TestForeignThings", "DELETE /api/v1/filters/{id}": "TestForeignThings",
	"GET /api/v1/notifications/{id}": "TestForeignThings", "POST /api/v1/notifications/{id}/dismiss": "TestForeignThings", "DELETE /api/v1/notifications/{id}": "TestForeignThings",
	"POST /api/v1/notifications/dismiss": "nothing", "DELETE /api/v1/notifications/destroy_multiple": "nothing", "POST /api/v1/notifications/clear": "nothing",
	"GET /api/v2/notifications/{key}": "TestForeignThings", "POST /api/v2/notifications/{key}/dismiss": "TestForeignThings", "GET /api/v2/notifications/{key}/accounts": "TestForeignThings",
	"GET /api/v2/notifications/unread_count": "a count of one's own",
	"GET /api/v1/notifications/policy":       "one's own", "PUT /api/v1/notifications/policy": "one's own", "PATCH /api/v1/notifications/policy": "one's own",
	"GET /api/v2/notifications/policy": "one's own", "PUT /api/v2/notifications/policy": "one's own", "PATCH /api/v2/notifications/policy": "one's own", "GET /api/v1/notifications/requests/merged": "one's own",
	"GET /api/v1/notifications/requests/{id}": "TestForeignThings", "POST /api/v1/notifications/requests/{id}/accept": "TestForeignThings",
	"POST /api/v1/notifications/requests/{id}/dismiss": "TestForeignThings", "POST /api/v1/notifications/requests/accept": "nothing", "POST /api/v1/notifications/requests/dismiss": "nothing",
	"GET /api/v1/notifications/unread_count": "a count of one's own", "GET /api/v1/markers": "one's own", "POST /api/v1/markers": "one's own",
	"DELETE /api/v1/conversations/{id}": "TestForeignThings", "POST /api/v1/conversations/{id}/read": "TestForeignThings",
	"POST /api/v1/conversations/{id}/unread": "TestForeignThings", "GET /api/v1/linnet/conversations/{id}/statuses": "TestForeignThings",
	"POST /api/v1/statuses": "TestActsOnWhatOneMayNotSee", "PUT /api/v1/statuses/{id}": "TestActsOnWhatOneMayNotSee",
	"POST /api/v1/statuses/{id}/quotes/{quoting}/revoke": "TestActsOnWhatOneMayNotSee", "PUT /api/v1/statuses/{id}/interaction_policy": "TestActsOnWhatOneMayNotSee", "DELETE /api/v1/statuses/{id}": "TestActsOnWhatOneMayNotSee",
	"POST /api/v1/polls/{id}/votes": "TestActsOnWhatOneMayNotSee", "POST /api/v1/statuses/{id}/reblog": "TestActsOnWhatOneMayNotSee", "POST /api/v1/statuses/{id}/unreblog": "TestActsOnWhatOneMayNotSee",
	"GET /api/v1/streaming": "TestStreamsShowToWhomTheyMay", "GET /api/v1/streaming/health": "state",
	"POST /api/v1/reports": "TestReports", "GET /api/v1/admin/accounts": "TestStaffOnly", "GET /api/v2/admin/accounts": "TestStaffOnly", "GET /api/v1/admin/accounts/{id}": "TestStaffOnly",
	"POST /api/v1/admin/accounts/{id}/approve": "TestStaffOnly", "POST /api/v1/admin/accounts/{id}/reject": "TestStaffOnly", "POST /api/v1/admin/accounts/{id}/enable": "TestStaffOnly",
	"POST /api/v1/admin/accounts/{id}/unsilence": "TestStaffOnly", "POST /api/v1/admin/accounts/{id}/unsensitive": "TestStaffOnly", "POST /api/v1/admin/accounts/{id}/unsuspend": "TestStaffOnly", "POST /api/v1/admin/accounts/{id}/action": "TestStaffOnly", "DELETE /api/v1/admin/accounts/{id}": "TestStaffOnly",
	"GET /api/v1/admin/reports": "TestStaffOnly", "GET /api/v1/admin/reports/{id}": "TestStaffOnly", "PUT /api/v1/admin/reports/{id}": "TestStaffOnly",
	"POST /api/v1/admin/reports/{id}/assign_to_self": "TestStaffOnly", "POST /api/v1/admin/reports/{id}/unassign": "TestStaffOnly",
	"POST /api/v1/admin/reports/{id}/resolve": "TestStaffOnly", "POST /api/v1/admin/reports/{id}/reopen": "TestStaffOnly",
	"POST /api/v1/admin/measures": "TestStaffOnly", "GET /api/v1/linnet/admin/audit": "TestStaffOnly",
	"GET /api/v1/linnet/admin/accounts/{id}/strikes": "TestStaffOnly", "GET /api/v1/linnet/admin/appeals": "TestStaffOnly", "POST /api/v1/linnet/admin/strikes/{id}/approve": "TestStaffOnly",
	"POST /api/v1/linnet/admin/strikes/{id}/reject": "TestStaffOnly", "POST /api/v1/linnet/admin/statuses/{id}/action": "TestStaffOnly",
	"GET /api/v1/linnet/strikes": "TestBehaviour/strikes", "GET /api/v1/linnet/strikes/{id}": "TestBehaviour/strikes", "POST /api/v1/linnet/strikes/{id}/appeal": "TestBehaviour/strikes",
	"GET /api/v1/admin/trends/tags": "TestStaffOnly", "POST /api/v1/admin/trends/tags/{id}/approve": "TestStaffOnly", "POST /api/v1/admin/trends/tags/{id}/reject": "TestStaffOnly",
	"GET /api/v1/admin/trends/links": "TestStaffOnly", "POST /api/v1/admin/trends/links/{id}/approve": "TestStaffOnly", "POST /api/v1/admin/trends/links/{id}/reject": "TestStaffOnly",
	"GET /api/v1/admin/trends/statuses": "TestStaffOnly", "POST /api/v1/admin/trends/statuses/{id}/approve": "TestStaffOnly", "POST /api/v1/admin/trends/statuses/{id}/reject": "TestStaffOnly",
	"GET /api/v1/admin/trends/links/publishers": "TestStaffOnly", "POST /api/v1/admin/trends/links/publishers/{id}/approve": "TestStaffOnly", "POST /api/v1/admin/trends/links/publishers/{id}/reject": "TestStaffOnly",
	"GET /api/v1/admin/tags": "TestStaffOnly", "GET /api/v1/admin/tags/{id}": "TestStaffOnly", "PUT /api/v1/admin/tags/{id}": "TestStaffOnly",
	"GET /api/v1/trends": "tags that at least three people have used in public", "GET /api/v1/trends/tags": "tags that at least three people have used in public",
	"GET /api/v1/trends/links": "links that at least three people have shared in public", "GET /api/v1/timelines/link": "TestLinkTimeline of internal/app",
	"GET /api/v1/directory": "people", "GET /api/v1/suggestions": "people", "GET /api/v2/suggestions": "people", "DELETE /api/v1/suggestions/{id}": "people",
	"GET /api/v1/groups": "groups", "POST /api/v1/groups": "groups", "GET /api/v1/groups/relationships": "groups", "GET /api/v1/groups/{id}": "groups", "PUT /api/v1/groups/{id}": "groups",
	"DELETE /api/v1/groups/{id}/avatar": "groups", "DELETE /api/v1/groups/{id}/header": "groups",
	"DELETE /api/v1/groups/{id}": "groups", "POST /api/v1/groups/{id}/join": "groups", "POST /api/v1/groups/{id}/leave": "groups", "GET /api/v1/groups/{id}/memberships": "TestGroupsFromOutside",
	"GET /api/v1/groups/{id}/membership_requests": "TestGroupsFromOutside", "POST /api/v1/groups/{id}/membership_requests/{account}/authorize": "TestGroupsFromOutside",
	"POST /api/v1/groups/{id}/membership_requests/{account}/reject": "TestGroupsFromOutside", "POST /api/v1/groups/{id}/invites": "TestGroupsFromOutside",
	"GET /api/v1/groups/{id}/blocks": "TestGroupsFromOutside", "POST /api/v1/groups/{id}/blocks": "TestGroupsFromOutside", "DELETE /api/v1/groups/{id}/blocks": "TestGroupsFromOutside",
	"POST /api/v1/groups/{id}/kick": "TestGroupsFromOutside", "POST /api/v1/groups/{id}/promote": "TestGroupsFromOutside", "POST /api/v1/groups/{id}/demote": "TestGroupsFromOutside",
	"DELETE /api/v1/groups/{id}/statuses/{status}": "TestGroupsFromOutside", "GET /api/v1/timelines/group/{id}": "TestGroupsFromOutside",
	"GET /api/v1/instance/peers": "nothing", "GET /api/v1/instance/activity": "nothing", "GET /api/v1/instance/extended_description": "nothing", "GET /api/v1/instance/languages": "a table",
	"GET /api/v1/instance/translation_languages": "what is for everybody", "GET /api/v1/instance/privacy_policy": "what is for everybody", "GET /api/v1/instance/terms_of_service": "what is for everybody",
	"GET /api/v1/instance/terms_of_service/{date}": "what is for everybody", "GET /api/v1/annual_reports": "nothing", "GET /api/v1/annual_reports/{year}": "nothing", "POST /api/v1/annual_reports/{year}/read": "nothing", "GET /api/v1/annual_reports/{year}/state": "nothing", "POST /api/v1/annual_reports/{year}/generate": "nothing",
	"GET /api/v1_alpha/async_refreshes/{id}": "nothing", "POST /api/v1/tags/{name}/feature": "one's own", "POST /api/v1/tags/{name}/unfeature": "one's own", "GET /api/v1/instance/domain_blocks": "nothing", "GET /api/v1/domain_blocks": "nothing", "GET /api/v1/followed_tags": "one's own",
	"GET /api/v1/scheduled_statuses": "one's own", "GET /api/v1/scheduled_statuses/{id}": "TestForeignThings", "PUT /api/v1/scheduled_statuses/{id}": "TestForeignThings",
	"DELETE /api/v1/scheduled_statuses/{id}": "TestForeignThings", "GET /oauth/userinfo": "one's own", "GET /api/v1/profile": "one's own", "PATCH /api/v1/profile": "one's own", "PUT /api/v1/profile": "one's own",
	"POST /api/v1/statuses/{id}/translate": "TestTranslation", "DELETE /api/v1/profile/avatar": "one's own", "DELETE /api/v1/profile/header": "one's own",
	"GET /api/v1/admin/domain_blocks": "TestStaffOnly", "GET /api/v1/admin/domain_allows": "TestStaffOnly", "GET /api/v1/admin/email_domain_blocks": "TestStaffOnly",
	"GET /api/v1/admin/canonical_email_blocks": "TestStaffOnly", "GET /api/v1/admin/ip_blocks": "TestStaffOnly",
	"POST /api/v1/media": "one's own", "POST /api/v2/media": "one's own", "GET /api/v1/media/{id}": "TestBehaviour/pictures", "PUT /api/v1/media/{id}": "TestBehaviour/pictures", "DELETE /api/v1/media/{id}": "TestBehaviour/pictures",
	"POST /api/v1/push/subscription": "the session's own", "GET /api/v1/push/subscription": "the session's own", "PUT /api/v1/push/subscription": "the session's own", "DELETE /api/v1/push/subscription": "the session's own",
	"POST /api/v1/admin/email_domain_blocks": "TestStaffOnly", "GET /api/v1/admin/email_domain_blocks/{id}": "TestStaffOnly", "DELETE /api/v1/admin/email_domain_blocks/{id}": "TestStaffOnly",
	"POST /api/v1/admin/ip_blocks": "TestStaffOnly", "GET /api/v1/admin/ip_blocks/{id}": "TestStaffOnly", "DELETE /api/v1/admin/ip_blocks/{id}": "TestStaffOnly",
	"POST /api/v1/admin/canonical_email_blocks": "TestStaffOnly", "GET /api/v1/admin/canonical_email_blocks/{id}": "TestStaffOnly", "DELETE /api/v1/admin/canonical_email_blocks/{id}": "TestStaffOnly",
	"PUT /api/v1/admin/ip_blocks/{id}": "TestStaffOnly", "POST /api/v1/admin/canonical_email_blocks/test": "TestStaffOnly", "POST /api/v1/admin/dimensions": "TestStaffOnly", "POST /api/v1/admin/retention": "TestStaffOnly",
	"GET /api/v1/linnet/websub/{feed}/{token}": "TestHubRequests", "POST /api/v1/linnet/websub/{feed}/{token}": "TestHubRequests",
	"GET /invite/{code}":  "whoever has the drawn code",
	"GET /media/{file}":   "whoever has the drawn name, TestBehaviour/pictures_of_deleted_statuses",
	"GET /avatars/{file}": "a picture drawn from an id", "GET /headers/default.png": "a picture",
}

// TestEveryRouteIsInTheMatrix fails for a route without a row.
func TestEveryRouteIsInTheMatrix(t *testing.T) {
	w := newWorld(t, memkv.New(memkv.Options{}), mastodon.Options{})
	api := w.api.(*mastodon.API)
	covered := map[string]bool{}
	for _, x := range slices.Concat(ways(), moreWays()) {
		method, path, _ := strings.Cut(hole.ReplaceAllString(x.do, "1"), " ")
		pattern := api.PatternOf(httptest.NewRequest(method, path, nil))
		if pattern == "" {
			t.Errorf("%s is no route", x.do)
		}
		covered[pattern] = true
	}
	for _, path := range streamPaths() {
		covered["GET /api/v1/streaming/"+path] = true
	}
	for p := range showNothing {
		if covered[p] || !slices.Contains(api.Patterns(), p) {
			t.Errorf("%s: shows something, or is gone", p)
		}
		covered[p] = true
	}
	for _, p := range api.Patterns() {
		if !covered[p] {
			t.Errorf("%s: nobody has said who may see what there", p)
		}
	}
}

// TestAuthorisationMore goes the further ways as TestAuthorisation does.
func TestAuthorisationMore(t *testing.T) {
	w := newWorld(t, memkv.New(memkv.Options{}), mastodon.Options{}, author, follower, mentioned, requester, other)
	prepareMatrix(w)
	for _, vis := range visibilities { // so that those are promoted that may be
		for _, s := range votes("{s_"+vis+"}", other, follower, mentioned, requester) {
			s.code = below500
			w.run([]step{s})
		}
	}
	for _, vis := range visibilities {
		w.vars["s"], w.vars["child"], w.vars["url"] = w.vars["s_"+vis], w.vars["child_"+vis], w.vars["url_"+vis]
		for _, viewer := range viewers {
			for _, way := range moreWays() {
				checkWay(t, w, way, viewer, vis)
			}
		}
	}
}

// TestActsOnWhatOneMayNotSee checks that viewers cannot reply to, boost or delete an invisible
// status, or learn of it. Only the author can delete it.
func TestActsOnWhatOneMayNotSee(t *testing.T) {
	w := newWorld(t, memkv.New(memkv.Options{}), mastodon.Options{}, author, follower, mentioned, requester, other)
	prepareMatrix(w)
	for _, vis := range visibilities {
		w.vars["s"] = w.vars["s_"+vis]
		for _, viewer := range viewers {
			for _, act := range []string{"DELETE /api/v1/statuses/{s}", "PUT /api/v1/statuses/{s}?status=mine", "POST /api/v1/statuses/{s}/reblog",
				"POST /api/v1/statuses/{s}/unreblog", "POST /api/v1/statuses/{s}/pin", "POST /api/v1/statuses/{s}/unpin", "POST /api/v1/polls/{s}/votes?choices[]=0", "POST /api/v1/statuses?status=answer&in_reply_to_id={s}",
				"POST /api/v1/statuses?status=quote&quoted_status_id={s}", "POST /api/v1/statuses/{s}/quotes/{s}/revoke", "PUT /api/v1/statuses/{s}/interaction_policy?quote_approval_policy=nobody"} {
				deletes := strings.HasPrefix(act, "DELETE") || strings.HasPrefix(act, "PUT")
				if deletes && viewer == author || maySee(viewer, vis) && !deletes {
					continue // may succeed: other tests check the result
				}
				want := 404
				if viewer == nobody {
					want = 401
				}
				w.call(viewer, act, "", "")
				if body := w.last.Body.String(); w.last.Code != want || want == 404 && (!strings.HasPrefix(body, `{"error":"Record not found"`) || strings.Contains(body, "marker")) {
					t.Errorf("%s of a %s status as %q: %d %s, want %d", act, vis, viewer, w.last.Code, body, want)
				}
			}
		}
		if vis != "deleted" {
			w.run([]step{{as: author, do: "GET /api/v1/statuses/{s}", want: []string{"content~marker-" + vis}}})
		}
	}
}

// TestForeignThings checks that lists, filters, notifications and conversations exist only for
// their owner, on every route with their id.
func TestForeignThings(t *testing.T) {
	w := newWorld(t, memkv.New(memkv.Options{}), mastodon.Options{}, author, other)
	w.run([]step{
		{as: author, do: "POST /api/v1/lists", body: "title=hers", save: "list=id"},
		{as: author, do: "POST /api/v1/lists/{list}/accounts", body: "account_ids[]={other}"},
		{as: other, do: "POST /api/v1/accounts/{ann}/follow"},
		{as: author, do: "GET /api/v1/notifications", save: "notice=0.id"},
		{as: author, do: "POST /api/v1/statuses", body: "status=@other+hers&visibility=direct"},
		{as: author, do: "GET /api/v1/conversations", save: "talk=0.id"},
		{as: other, do: "POST /api/v1/statuses", body: "status=a", save: "s=id"},
		{as: author, do: "POST /api/v1/featured_tags", body: "name=hers", save: "featured=id"},
		{as: author, do: "POST /api/v1/linnet/feeds", body: "title=hers", save: "feed=id"},
		{as: author, do: "POST /api/v1/statuses", body: "status=hers&scheduled_at=2100-01-01", save: "scheduled=id"},
		{as: author, do: "POST /api/v2/filters", body: "title=hers&context[]=home&keywords_attributes[][keyword]=w", save: "filter=id"},
		{as: author, do: "GET /api/v2/filters/{filter}", save: "keyword=keywords.0.id"},
		{as: author, do: "POST /api/v2/filters/{filter}/statuses", body: "status_id={s}", save: "filtered=id"},
	})
	for _, row := range w.api.(*mastodon.API).Rows() {
		var path string
		switch {
		case strings.Contains(row.Path, "lists/{id}"), strings.Contains(row.Path, "list/{id}"):
			path = strings.Replace(row.Path, "{id}", w.vars["list"], 1)
		case strings.Contains(row.Path, "/feeds/{id}"), strings.Contains(row.Path, "/feed/{id}"):
			path = strings.Replace(row.Path, "{id}", w.vars["feed"], 1)
		case strings.Contains(row.Path, "featured_tags/{id}"):
			path = strings.Replace(row.Path, "{id}", w.vars["featured"], 1)
		case strings.Contains(row.Path, "scheduled_statuses/{id}"):
			path = strings.Replace(row.Path, "{id}", w.vars["scheduled"], 1)
		case strings.Contains(row.Path, "conversations/{id}"):
			path = strings.Replace(row.Path, "{id}", w.vars["talk"], 1)
		case strings.Contains(row.Path, "filters/keywords/{id}"), strings.Contains(row.Path, "v1/filters/{id}"):
			path = strings.Replace(row.Path, "{id}", w.vars["keyword"], 1)
		case strings.Contains(row.Path, "filters/statuses/{id}"):
			path = strings.Replace(row.Path, "{id}", w.vars["filtered"], 1)
		case strings.Contains(row.Path, "filters/{id}"):
			path = strings.NewReplacer("{id}", w.vars["filter"], "{part}", "keywords").Replace(row.Path)
		case strings.Contains(row.Path, "notifications/{id}"):
			path = strings.Replace(row.Path, "{id}", w.vars["notice"], 1)
		case strings.Contains(row.Path, "notifications/requests/{id}"):
			path = strings.Replace(row.Path, "{id}", w.vars["notice"], 1)
		case strings.Contains(row.Path, "notifications/{key}"):
			path = strings.Replace(row.Path, "{key}", "ungrouped-"+w.vars["notice"], 1)
		default:
			continue
		}
		for _, who := range []string{other, nobody} {
			w.call(who, row.Method+" "+path, "title=his&keyword=his&phrase=his&account_ids[]={other}", "")
			if want := map[string]int{other: 404, nobody: 401}[who]; w.last.Code != want &&
				!(strings.HasSuffix(path, "/dismiss") && w.last.Code == 200 && w.last.Body.String() == "{}" && who == other) {
				t.Errorf("%s %s as %q: %d %s", row.Method, row.Path, who, w.last.Code, w.last.Body)
			}
		}
	}
	w.run([]step{
		{as: author, do: "GET /api/v1/lists/{list}", want: []string{"title=hers"}},
		{as: author, do: "GET /api/v1/lists/{list}/accounts", want: []string{"#1"}},
		{as: author, do: "GET /api/v1/notifications/{notice}", want: []string{"type=follow"}},
		{as: author, do: "GET /api/v1/conversations", want: []string{"*.id={talk}", "0.unread=false"}}, {as: author, do: "GET /api/v1/featured_tags", want: []string{"*.id={featured}"}},
		{as: author, do: "GET /api/v2/filters/{filter}", want: []string{"title=hers", "keywords.*.keyword=w", "statuses.*.status_id={s}"}},
	})
}
