package mastodon_test

import (
	"slices"
	"strings"
	"testing"

	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/mastodon"
)

// moderate does to an account what a command would.
func moderate(login string, act linnet.Moderation) func(w *world) {
	return operate(login, linnet.Measure{Act: act})
}

// TestHiddenAuthors checks that statuses of a suspended author are in no response for any user.
// When the suspension ends everything is as before.
func TestHiddenAuthors(t *testing.T) {
	w := newWorld(t, memkv.New(memkv.Options{}), mastodon.Options{}, author, follower, mentioned, requester, other)
	prepareMatrix(w)
	w.run([]step{{as: follower, do: "POST /api/v1/statuses/{s_public}/reblog", save: "repost=id"}})
	all := slices.Concat(ways(), moreWays())
	moderate(author, linnet.Suspend)(w)
	for _, vis := range visibilities {
		w.vars["s"], w.vars["child"], w.vars["url"] = w.vars["s_"+vis], w.vars["child_"+vis], w.vars["url_"+vis]
		for _, viewer := range viewers {
			if viewer == author {
				continue // can't log in now
			}
			for _, x := range all {
				w.vars["list"] = w.vars["list_"+viewer]
				w.call(viewer, x.do, "", "")
				code, body := w.last.Code, w.last.Body.String()
				if strings.Contains(body, "marker-") || strings.Contains(body, `"id":"`+w.vars["s"]+`"`) || x.alone && code == 200 || code >= 500 {
					t.Errorf("%s as %q of a %s status: %d %.300s", x.do, viewer, vis, code, body)
				}
			}
		}
	}
	w.run([]step{
		{do: "GET /api/v1/statuses/{repost}", code: 404}, {as: follower, do: "GET /api/v1/statuses/{repost}", code: 404},
		{do: "GET /api/v1/accounts/{follower}/statuses", want: []string{"#0"}},
		{as: author, do: "GET /api/v1/timelines/home", code: 401}, {as: author, do: "GET /api/v1/accounts/verify_credentials", code: 401},
		{do: "GET /api/v1/accounts/{ann}", want: []string{"suspended=true", "username=ann", "display_name=", "note=", "followers_count=0", "fields#0"}},
		{do: "GET /api/v1/accounts/lookup?acct=ann", want: []string{"suspended=true"}},
		{do: "GET /api/v1/accounts?id[]={ann}", want: []string{"#0"}},
		{do: "GET /api/v1/accounts/{ann}/statuses", want: []string{"#0"}}, {do: "GET /api/v1/accounts/{ann}/following", want: []string{"#0"}},
		{do: "GET /api/v1/accounts/{ann}/followers", want: []string{"#0"}}, {as: other, do: "GET /api/v1/accounts/search?q=ann", want: []string{"#0"}},
		{as: other, do: "POST /api/v1/accounts/{ann}/follow", code: 404}, {do: "GET /.well-known/webfinger?resource=acct:ann@linnet.test", code: 404},
		{as: other, do: "POST /api/v1/statuses", body: "status=hello+@ann", want: []string{"mentions#0"}},
	})
	moderate(author, linnet.Unsuspend)(w)
	for _, vis := range visibilities {
		w.vars["s"], w.vars["child"], w.vars["url"] = w.vars["s_"+vis], w.vars["child_"+vis], w.vars["url_"+vis]
		for _, x := range ways() {
			if vis == "public" && strings.Contains(x.do, "q=marker") {
				x.shows = nil // the follower has reposted it
			}
			w.vars["list"] = w.vars["list_"+follower]
			checkWay(t, w, x, follower, vis)
		}
	}
	w.run([]step{{as: author, do: "GET /api/v1/accounts/verify_credentials", want: []string{"suspended!"}}})
}
