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

// TestStrikeParts checks which parts of a strike each viewer gets from each method.
func TestStrikeParts(t *testing.T) {
	const boss, chief = "boss/read write admin:read admin:write", "chief/read write admin:read admin:write"
	w := newWorld(t, memkv.New(memkv.Options{}), mastodon.Options{}, "ann", "bob", "boss", "chief", "eve")
	w.run([]step{
		{before: giveRole("boss", linnet.Moderator), as: "bob", do: "POST /api/v1/statuses", body: "status=buy+seeds", save: "s=id"},
		{before: giveRole("chief", linnet.Admin), as: "ann", do: "POST /api/v1/reports", body: "account_id={bob}&status_ids[]={s}", save: "report=id"},
		{before: setRules("Be kind.", "No spam."), as: boss, do: "POST /api/v1/linnet/admin/statuses/{s}/action", body: "type=delete_statuses&text=too+bright&rule_ids[]=2&report_id={report}"},
		{as: "bob", do: "GET /api/v1/linnet/strikes", want: []string{"#1"}, save: "strike=0.id"},
		{as: "bob", do: "POST /api/v1/linnet/strikes/{strike}/appeal", body: "text=only+a+bird"},
	})
	parts := []struct{ name, text string }{{"reason", "too bright"}, {"rule", "No spam."}, {"post", `"` + w.vars["s"] + `"`}, {"moderator", `"acct":"boss"`}, {"appeal", "only a bird"}, {"report", `"report_id":"` + w.vars["report"] + `"`}}
	const own, all = "reason rule post appeal", "reason rule post moderator appeal report"
	for do, by := range map[string]map[string]string{
		"GET /api/v1/linnet/strikes":                             {"bob": own},
		"GET /api/v1/linnet/strikes/{strike}":                    {"bob": own},
		"GET /api/v1/notifications?exclude_types[]=admin.report": {"bob": own},
		"GET /api/v2/notifications":                              {"bob": own},
		"GET /api/v1/linnet/admin/accounts/{bob}/strikes":        {boss: all, chief: all},
		"GET /api/v1/linnet/admin/appeals":                       {boss: all, chief: all},
		"GET /api/v1/accounts/{bob}":                             {},
		"GET /api/v1/reports":                                    {},
	} {
		for _, viewer := range []string{"bob", boss, chief, "ann", "eve", ""} {
			w.call(viewer, do, "", "")
			var found []string
			for _, p := range parts {
				if strings.Contains(w.last.Body.String(), p.text) {
					found = append(found, p.name)
				}
			}
			if got := strings.Join(found, " "); got != by[viewer] {
				t.Errorf("%q gets %q from %s, want %q: %.300s", viewer, got, do, by[viewer], w.last.Body.String())
			}
		}
	}
}
