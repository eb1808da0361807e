package mastodon_test

import (
	"strings"
	"testing"

	"linnet/internal/mastodon/streaming"
)

// requestScenarios returns scenarios about follow requests to locked accounts.
func requestScenarios() []scenario {
	locked := step{as: "ann", do: "PATCH /api/v1/accounts/update_credentials", body: "locked=true", want: []string{"locked=true", "source.follow_requests_count=0"}}
	relation := "GET /api/v1/accounts/relationships?id={ann}"
	return []scenario{
		{name: "follow requests", people: "ann bob cat", steps: []step{
			{as: "cat", do: "POST /api/v1/accounts/{ann}/follow", want: []string{"following=true", "requested=false"}},
			locked, {do: "GET /api/v1/accounts/{ann}", want: []string{"locked=true", "source!"}},
			{as: "cat", do: relation, want: []string{"0.following=true"}},
			{as: "bob", do: "POST /api/v1/accounts/{ann}/follow", want: []string{"id={ann}", "following=false", "requested=true", "requested_by=false", "showing_reblogs=true", "notifying=false"}},
			{as: "bob", do: "POST /api/v1/accounts/{ann}/follow", body: "reblogs=false&notify=true", want: []string{"requested=true", "showing_reblogs=false", "notifying=true"}},
			{as: "ann", do: "GET /api/v1/accounts/relationships?id={bob}", want: []string{"0.requested_by=true", "0.followed_by=false", "0.requested=false"}},
			{as: "ann", do: "GET /api/v1/accounts/verify_credentials", want: []string{"source.follow_requests_count=1", "followers_count=1"}},
			{as: "ann", do: "GET /api/v1/follow_requests", want: []string{"*.acct=bob"}}, {as: "bob", do: "GET /api/v1/follow_requests", want: []string{"#0"}},
			{as: "ann", do: "GET /api/v1/notifications", want: []string{"*.type=follow_request follow", "0.account.acct=bob", "0.status!"}},
			{as: "ann", do: "GET /api/v1/notifications?types[]=follow_request", want: []string{"*.account.acct=bob"}},
			{as: "ann", do: "POST /api/v1/statuses", body: "status=before&visibility=private", save: "p=id"},
			{as: "ann", do: "POST /api/v1/statuses", body: "status=open", save: "q=id"},
			{as: "bob", do: "GET /api/v1/statuses/{p}", code: 404},
			{as: "bob", do: "GET /api/v1/timelines/home", want: []string{"#0"}},
			{as: "bob", do: "GET /api/v1/notifications", want: []string{"#0"}},
			{as: "ann", do: "POST /api/v1/follow_requests/{bob}/authorize", want: []string{"id={bob}", "followed_by=true", "requested_by=false", "following=false"}},
			{as: "ann", do: "POST /api/v1/follow_requests/{bob}/authorize", code: 404, want: []string{"error=Record not found"}},
			{as: "ann", do: "POST /api/v1/follow_requests/{bob}/reject", code: 404}, {as: "ann", do: "GET /api/v1/follow_requests", want: []string{"#0"}},
			{as: "ann", do: "GET /api/v1/accounts/verify_credentials", want: []string{"source.follow_requests_count=0", "followers_count=2"}},
			{as: "ann", do: "GET /api/v1/notifications", want: []string{"*.type=follow follow", "0.account.acct=bob"}},
			{as: "bob", do: relation, want: []string{"0.following=true", "0.requested=false", "0.showing_reblogs=false", "0.notifying=true"}},
			{as: "bob", do: "GET /api/v1/statuses/{p}", want: []string{"id={p}"}},
			{as: "bob", do: "GET /api/v1/timelines/home", want: []string{"*.id={q} {p}"}},
			{as: "ann", do: "POST /api/v1/statuses", body: "status=after&visibility=private", save: "r=id"},
			{as: "bob", do: "GET /api/v1/notifications", want: []string{"*.status.id={r}"}},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/remove_from_followers", want: []string{"followed_by=false", "requested_by=false"}},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/remove_from_followers", want: []string{"followed_by=false"}},
			{as: "bob", do: relation, want: []string{"0.following=false", "0.requested=false", "0.notifying=false"}},
			{as: "bob", do: "GET /api/v1/statuses/{p}", code: 404},
			{as: "bob", do: "GET /api/v1/timelines/home", want: []string{"#0"}},
			{as: "bob", do: "GET /api/v1/notifications", want: []string{"#0"}},
			{as: "ann", do: "GET /api/v1/notifications", want: []string{"*.account.acct=cat"}},
		}},
		{name: "requests refused and taken back", people: "ann bob", steps: []step{
			locked, {as: "bob", do: "POST /api/v1/accounts/{ann}/follow", body: `{"notify":true}`},
			{as: "ann", do: "POST /api/v1/follow_requests/{bob}/reject", want: []string{"id={bob}", "requested_by=false", "followed_by=false"}},
			{as: "ann", do: "POST /api/v1/follow_requests/{bob}/reject", code: 404},
			{as: "ann", do: "POST /api/v1/follow_requests/{bob}/authorize", code: 404},
			{as: "bob", do: relation, want: []string{"0.following=false", "0.requested=false", "0.notifying=false"}},
			{as: "ann", do: "GET /api/v1/notifications", want: []string{"#0"}},
			{as: "bob", do: "POST /api/v1/accounts/{ann}/follow", want: []string{"requested=true", "notifying=false"}},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/remove_from_followers"}, {as: "bob", do: relation, want: []string{"0.requested=true"}},
			{as: "bob", do: "POST /api/v1/accounts/{ann}/unfollow", want: []string{"requested=false", "following=false"}},
			{as: "ann", do: "GET /api/v1/follow_requests", want: []string{"#0"}}, {as: "ann", do: "GET /api/v1/notifications", want: []string{"#0"}},
			{as: "ann", do: "POST /api/v1/follow_requests/{bob}/authorize", code: 404},
			{as: "ann", do: "POST /api/v1/follow_requests/{ann}/authorize", code: 404},
			{as: "ann", do: "POST /api/v1/follow_requests/5/reject", code: 404}, {as: "ann", do: "POST /api/v1/follow_requests/x/reject", code: 404},
			{as: "ann", do: "POST /api/v1/accounts/5/remove_from_followers", code: 404},
			{do: "GET /api/v1/follow_requests", code: 401}, {do: "POST /api/v1/follow_requests/{bob}/authorize", code: 401},
			{as: "ann/read:follows", do: "POST /api/v1/follow_requests/{bob}/reject", code: 403},
			{as: "ann/write:follows", do: "GET /api/v1/follow_requests", code: 403},
			{as: "ann/follow", do: "GET /api/v1/follow_requests", want: []string{"#0"}},
		}},
		{name: "unlocking", people: "ann bob cat", steps: []step{
			locked, {as: "bob", do: "POST /api/v1/accounts/{ann}/follow"}, {as: "cat", do: "POST /api/v1/accounts/{ann}/follow"},
			{as: "ann", do: "PATCH /api/v1/accounts/update_credentials", body: "note=still", want: []string{"locked=true", "source.follow_requests_count=2"}},
			{as: "ann", do: "PATCH /api/v1/accounts/update_credentials", body: `{"locked":false}`, want: []string{"locked=false"}},
			{as: "ann", do: "GET /api/v1/follow_requests", want: []string{"#0"}}, {do: "GET /api/v1/accounts/{ann}/followers", want: []string{"#2"}},
			{as: "bob", do: relation, want: []string{"0.following=true", "0.requested=false"}},
			{as: "ann", do: "GET /api/v1/notifications", want: []string{"*.type=follow follow"}},
			{as: "ann", do: "GET /api/v1/accounts/verify_credentials", want: []string{"source.follow_requests_count=0", "followers_count=2"}},
		}},
		{name: "pages of follow requests", people: "ann bob cat dan", steps: []step{
			locked, {as: "bob", do: "POST /api/v1/accounts/{ann}/follow"}, {as: "cat", do: "POST /api/v1/accounts/{ann}/follow"}, {as: "dan", do: "POST /api/v1/accounts/{ann}/follow"},
			{as: "ann", do: "GET /api/v1/follow_requests?limit=2", want: []string{"*.acct=dan cat", "Link~rel=\"next\""}},
			{before: follow("next"), as: "ann", do: "GET {next}", want: []string{"*.acct=bob", "Link~rel=\"prev\""}},
			{before: follow("prev"), as: "ann", do: "GET {prev}", want: []string{"*.acct=dan cat"}},
			{as: "ann", do: "GET /api/v1/follow_requests?limit=-1"},
		}},
	}
}

// TestFollowRequestsAreHeard checks that a request and its follow are streamed at once, and that
// the requester gets no private status.
func TestFollowRequestsAreHeard(t *testing.T) {
	l := newLive(t, streaming.Limits{}, "ann", "bob")
	l.run([]step{{as: "ann", do: "PATCH /api/v1/accounts/update_credentials", body: "locked=true"}})
	ann, _ := l.dial("?stream=user&access_token="+l.as("ann"), nil)
	bob, _ := l.dial("?stream=user&access_token="+l.as("bob"), nil)
	l.settled(ann)
	l.settled(bob)
	told := func(kind string) {
		t.Helper()
		if h := l.hear(ann); h.Event != "notification" || !strings.Contains(h.Payload, `"type":"`+kind+`"`) || !strings.Contains(h.Payload, `"acct":"bob"`) {
			t.Errorf("got %+v, want %s by bob", h, kind)
		}
	}
	l.run([]step{{as: "bob", do: "POST /api/v1/accounts/{ann}/follow"}})
	told("follow_request")
	l.post("ann", "status=hidden&visibility=private")
	l.hear(ann) // her own
	l.settled(bob)
	l.run([]step{{as: "ann", do: "POST /api/v1/follow_requests/{bob}/authorize"}})
	told("follow")
	id := l.post("ann", "status=shown&visibility=private")
	if h := l.hear(bob); h.Event != "update" || !strings.Contains(h.Payload, id) {
		t.Errorf("got %+v, want the private status", h)
	}
}
