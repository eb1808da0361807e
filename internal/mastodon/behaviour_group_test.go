package mastodon_test

import (
	"strings"
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/mastodon"
)

// groupScenarios returns scenarios about groups, in clients with and without support for groups.
func groupScenarios() []scenario {
	found := func(kind string) step {
		return step{as: "ann", do: "POST /api/v1/groups", body: "username=birds&display_name=Birds&note=of+all+kinds&kind=" + kind, save: "g=id",
			want: []string{"username=birds", "display_name=Birds", "note=<p>of all kinds</p>", "kind=" + kind, "members_count=1"}}
	}
	return []scenario{
		{name: "a public group", people: "ann bob cat", steps: []step{
			found("public"),
			{as: "ann", do: "POST /api/v1/groups", body: "username=Birds", code: 422},
			{as: "ann", do: "POST /api/v1/groups", body: "display_name=x", code: 422, want: []string{"details.username.0.error=ERR_BLANK"}},
			{as: "ann", do: "POST /api/v1/groups", body: "username=x&kind=secret", code: 422}, {do: "POST /api/v1/groups", body: "username=x", code: 401},
			{do: "GET /api/v1/groups/{g}", want: []string{"kind=public", "locked=false", "account_id={g}"}}, {do: "GET /api/v1/groups/{ann}", code: 404},
			{do: "GET /api/v1/accounts/{g}", want: []string{"group=true", "acct=birds", "bot=false"}}, {do: "GET /api/v1/accounts/{ann}", want: []string{"group=false"}},
			{as: "bob", do: "POST /api/v1/accounts/{g}/follow", want: []string{"following=true"}},
			{as: "cat", do: "POST /api/v1/groups/{g}/join", want: []string{"member=true", "role=member", "requested=false"}},
			{as: "bob", do: "GET /api/v1/groups/relationships?id[]={g}", want: []string{"#1", "0.member=true", "0.role=member"}},
			{as: "ann", do: "GET /api/v1/groups/relationships?id[]={g}", want: []string{"0.role=owner"}},
			{as: "bob", do: "GET /api/v1/groups", want: []string{"*.id={g}"}},
			{do: "GET /api/v1/groups/{g}/memberships", want: []string{"*.account.acct=cat bob ann", "*.role=member member owner"}}, {do: "GET /api/v1/groups/{g}/memberships?role=owner", want: []string{"*.account.acct=ann"}},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=@birds+a+wren", save: "s=id", want: []string{"group.id={g}", "group.username=birds"}},
			{do: "GET /api/v1/timelines/group/{g}", want: []string{"*.reblog.id={s}", "0.account.acct=birds"}}, {do: "GET /api/v1/accounts/{g}/statuses", want: []string{"*.reblog.id={s}"}},
			{as: "cat", do: "GET /api/v1/timelines/home", want: []string{"*.reblog.id={s}"}},
			{as: "cat", do: "GET /api/v1/lists", want: []string{"*.id=9{g}", "*.title=@birds"}},
			{as: "cat", do: "GET /api/v1/lists/9{g}", want: []string{"title=@birds"}},
			{as: "cat", do: "GET /api/v1/timelines/list/9{g}", want: []string{"*.reblog.id={s}"}},
			{as: "cat", do: "GET /api/v1/lists/9{g}/accounts", want: []string{"*.acct=birds"}},
			{as: "cat", do: "PUT /api/v1/lists/9{g}", body: "title=x", code: 403},
			{as: "cat", do: "POST /api/v1/lists/9{g}/accounts", body: "account_ids[]={ann}", code: 403},
			{as: "cat", do: "DELETE /api/v1/lists/9{g}/accounts", body: "account_ids[]={g}", code: 403},
			{as: "cat", do: "POST /api/v1/accounts/{g}/follow", body: "reblogs=false", want: []string{"following=true", "showing_reblogs=false"}},
			{as: "cat", do: "GET /api/v1/timelines/home", want: []string{"#0"}},
			{as: "cat", do: "GET /api/v1/timelines/list/9{g}", want: []string{"*.reblog.id={s}"}},
			{as: "bob", do: "POST /api/v1/groups/{g}/kick", body: "account_ids[]={cat}", code: 403},
			{as: "ann", do: "POST /api/v1/groups/{g}/promote", body: "account_ids[]={bob}&role=moderator", want: []string{"0.role=moderator"}},
			{as: "bob", do: "POST /api/v1/groups/{g}/kick", body: "account_ids[]={ann}", code: 403},
			{as: "bob", do: "POST /api/v1/groups/{g}/kick", body: "account_ids[]={cat}", want: []string{"={}"}},
			{as: "cat", do: "GET /api/v1/lists", want: []string{"#0"}},
			{as: "cat", do: "GET /api/v1/timelines/list/9{g}", code: 404},
			{as: "cat", do: "DELETE /api/v1/lists/9{g}", code: 404},
			{as: "bob", do: "POST /api/v1/groups/{g}/blocks", body: "account_ids[]={cat}", want: []string{"={}"}},
			{as: "bob", do: "GET /api/v1/groups/{g}/blocks", want: []string{"*.acct=cat"}},
			{as: "cat", do: "POST /api/v1/groups/{g}/join", code: 403},
			{as: "cat", do: "GET /api/v1/groups/relationships?id={g}", want: []string{"0.blocked_by=true", "0.member=false", "0.role=null"}},
			{as: "bob", do: "DELETE /api/v1/groups/{g}/blocks?account_ids[]={cat}", want: []string{"={}"}}, {as: "cat", do: "POST /api/v1/groups/{g}/join"},
			{as: "ann", do: "POST /api/v1/groups/{g}/leave", code: 422},
			{as: "ann", do: "POST /api/v1/groups/{g}/demote", body: "account_ids[]={ann}", code: 422},
			{as: "bob", do: "DELETE /api/v1/groups/{g}/statuses/{s}", want: []string{"={}"}}, {do: "GET /api/v1/timelines/group/{g}", want: []string{"#0"}}, {do: "GET /api/v1/statuses/{s}"},
			{as: "bob", do: "PUT /api/v1/groups/{g}", body: "display_name=x", code: 403},
			{as: "ann", do: "PUT /api/v1/groups/{g}", body: `{"display_name":"Wrens","kind":"announcement"}`, want: []string{"display_name=Wrens", "kind=announcement"}},
			{as: "cat", do: "POST /api/v1/statuses", body: "status=@birds+hm", want: []string{"group!"}},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=@birds+news", save: "n=id"},
			{do: "GET /api/v1/timelines/group/{g}", want: []string{"*.reblog.id={n}"}}, {as: "cat", do: "DELETE /api/v1/lists/9{g}", want: []string{"={}"}}, {as: "cat", do: "GET /api/v1/groups", want: []string{"#0"}},
			{as: "bob", do: "DELETE /api/v1/groups/{g}", code: 403},
			{as: "ann", do: "DELETE /api/v1/groups/{g}", want: []string{"={}"}}, {do: "GET /api/v1/groups/{g}", code: 404}, {do: "GET /api/v1/accounts/{g}", code: 404},
		}},
		{name: "groups are not people", people: "ann boss", steps: []step{
			found("public"), {as: "ann", do: "POST /api/v1/groups", body: "username=birdsong&kind=chat"},
			{do: "GET /nodeinfo/2.0", want: []string{"usage.users.total=2"}}, {do: "GET /nodeinfo/2.1", want: []string{"usage.users.total=2"}},
			{do: "GET /api/v1/instance", want: []string{"stats.user_count=2"}}, {do: "GET /api/v2/instance", want: []string{"usage.users.active_month=1"}},
			{do: "GET /api/v1/directory?order=new", want: []string{"*.acct=boss ann"}}, {as: "boss", do: "GET /api/v2/suggestions", want: []string{"#0"}},
			{before: giveRole("boss", linnet.Admin), as: boss, do: "GET /api/v1/admin/accounts", want: []string{"*.username=boss ann"}}, {as: boss, do: "GET /api/v2/admin/accounts", want: []string{"*.username=boss ann"}},
			{as: boss, do: "GET /api/v1/admin/accounts?groups=true", want: []string{"*.username=birdsong birds", "1.account.group=true"}},
			{as: boss, do: "GET /api/v1/admin/accounts?username=bird", want: []string{"#0"}},
			{as: boss, do: "GET /api/v2/admin/accounts?groups=true&username=birds", want: []string{"*.username=birdsong birds"}},
			{as: boss, do: "GET /api/v1/admin/accounts/{g}", want: []string{"username=birds"}},
			{do: "GET /api/v1/accounts/search?q=birds", code: 401}, {as: "boss", do: "GET /api/v1/accounts/search?q=birds", want: []string{"*.acct=birds"}},
		}},
		{name: "a private group", people: "ann bob cat", steps: []step{
			found("private"),
			{as: "bob", do: "POST /api/v1/accounts/{g}/follow", want: []string{"following=false", "requested=true"}},
			{as: "bob", do: "GET /api/v1/groups/relationships?id={g}", want: []string{"0.requested=true", "0.member=false"}},
			{as: "ann", do: "GET /api/v1/groups/{g}/membership_requests", want: []string{"*.acct=bob"}},
			{as: "bob", do: "GET /api/v1/groups/{g}/membership_requests", code: 403},
			{as: "bob", do: "POST /api/v1/groups/{g}/membership_requests/{bob}/authorize", code: 403},
			{as: "ann", do: "POST /api/v1/groups/{g}/membership_requests/{cat}/authorize", code: 404},
			{as: "bob", do: "GET /api/v1/timelines/group/{g}", code: 404},
			{as: "bob", do: "GET /api/v1/accounts/{g}"},
			{as: "bob", do: "GET /api/v1/accounts/{g}/statuses", want: []string{"#0"}},
			{as: "bob", do: "GET /api/v1/accounts/{g}/statuses?pinned=true", want: []string{"#0"}},
			{as: "bob", do: "GET /api/v1/accounts/{g}/followers", code: 404},
			{as: "ann", do: "POST /api/v1/groups/{g}/membership_requests/{bob}/authorize", want: []string{"={}"}},
			{as: "bob", do: "GET /api/v1/groups/{g}/memberships", want: []string{"*.account.acct=bob ann"}},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=@birds+for+us&visibility=direct", save: "s=id", want: []string{"visibility=private", "group.id={g}"}},
			{as: "ann", do: "GET /api/v1/timelines/group/{g}", want: []string{"*.reblog.id={s}", "0.visibility=private"}},
			{as: "ann", do: "GET /api/v1/timelines/home", want: []string{"*.reblog.id={s}"}},
			{as: "cat", do: "GET /api/v1/statuses/{s}", code: 404},
			{as: "cat", do: "POST /api/v1/statuses", body: "status=@birds+let+me+in&visibility=direct", code: 403},
			{as: "ann", do: "PUT /api/v1/groups/{g}", body: "kind=public", code: 422},
			{as: "cat", do: "GET /api/v1/accounts/{bob}/following", want: []string{"#0"}},
			{as: "ann", do: "GET /api/v1/accounts/{bob}/following", want: []string{"*.acct=birds"}},
			{as: "ann", do: "POST /api/v1/groups/{g}/blocks", body: "account_ids[]={bob}"},
			{as: "bob", do: "GET /api/v1/timelines/group/{g}", code: 404},
			{as: "bob", do: "GET /api/v1/timelines/home", want: []string{"*.id={s}"}},
		}},
		{name: "a chat", people: "ann bob cat", steps: []step{
			{as: "ann", do: "POST /api/v1/groups", body: "username=birds&kind=chat&account_ids[]={bob}", save: "g=id", want: []string{"kind=chat"}},
			{as: "cat", do: "GET /api/v1/groups/{g}", code: 404},
			{as: "cat", do: "GET /api/v1/accounts/{g}", code: 404},
			{as: "cat", do: "GET /api/v1/accounts/lookup?acct=birds", code: 404},
			{as: "cat", do: "POST /api/v1/accounts/{g}/follow", code: 404},
			{as: "bob", do: "GET /api/v1/groups/relationships?id={g}", want: []string{"0.invited=true", "0.member=false"}},
			{as: "bob", do: "GET /api/v1/timelines/group/{g}", code: 404},
			{as: "ann", do: "POST /api/v1/statuses", body: "status=@birds+before&visibility=direct", save: "b=id"}, {before: later, as: "bob", do: "POST /api/v1/accounts/{g}/follow", want: []string{"following=true"}},
			{as: "ann", do: "POST /api/v1/statuses", body: "status=@birds+hello&visibility=public", save: "s=id", want: []string{"visibility=direct"}},
			{as: "bob", do: "GET /api/v1/conversations", want: []string{"#2", "0.last_status.id={s}", "0.unread=true", "0.accounts.*.acct=birds", "1.last_status.content~invites you"}, save: "c=0.id"},
			{as: "cat", do: "GET /api/v1/conversations", want: []string{"#0"}},
			{as: "bob", do: "GET /api/v1/statuses/{s}"},
			{as: "bob", do: "GET /api/v1/statuses/{b}", code: 404},
			{as: "cat", do: "GET /api/v1/statuses/{s}", code: 404},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=hi&in_reply_to_id={s}&visibility=public", save: "r=id", want: []string{"visibility=direct", "group.id={g}"}},
			{as: "ann", do: "GET /api/v1/conversations", want: []string{"#1", "0.last_status.id={r}", "0.unread=true"}},
			{as: "bob", do: "POST /api/v1/conversations/{c}/read", want: []string{"unread=false", "last_status.id={r}"}},
			{as: "bob", do: "POST /api/v1/groups/{g}/leave", want: []string{"member=false"}},
			{as: "bob", do: "GET /api/v1/conversations", want: []string{"#1", "0.last_status.content~invites you"}},
			{as: "bob", do: "GET /api/v1/statuses/{s}", code: 404},
			{as: "bob", do: "GET /api/v1/groups/{g}", code: 404},
		}},
	}
}

// later waits until the clock has passed all ids, some of which are ahead of it.
func later(w *world) {
	w.settle()
	for last := w.svc.Store().NewID(0, 0).Millis(); w.svc.Store().Now().UnixMilli() <= last; {
		continue
	}
}

// TestGroupsFromOutside: a private group shows a stranger nothing but itself, and
// a chat not even that, on every route that there is for groups.
func TestGroupsFromOutside(t *testing.T) {
	w := newWorld(t, memory(t), mastodon.Options{}, "ann", "bob", "out")
	w.run([]step{
		{as: "ann", do: "POST /api/v1/groups", body: "username=priv&kind=private", save: "private=id"},
		{as: "ann", do: "POST /api/v1/groups", body: "username=chatty&kind=chat", save: "chat=id"},
		{as: "ann", do: "POST /api/v1/statuses", body: "status=@priv+marker&visibility=direct", save: "s=id"},
		{as: "ann", do: "POST /api/v1/statuses", body: "status=@chatty+marker&visibility=direct", save: "c=id"},
	})
	open := map[string]bool{"GET /api/v1/groups/{id}": true, "POST /api/v1/groups/{id}/join": true, "POST /api/v1/groups/{id}/leave": true}
	for _, row := range w.api.(*mastodon.API).Rows() {
		if !strings.Contains(row.Path, "groups/{id}") && !strings.Contains(row.Path, "group/{id}") {
			continue
		}
		for kind, status := range map[string]string{"private": "s", "chat": "c"} {
			do := row.Method + " " + strings.NewReplacer("{id}", w.vars[kind], "{account}", w.vars["bob"], "{status}", w.vars[status]).Replace(row.Path)
			for _, who := range []string{"out", ""} {
				w.call(who, do, "account_ids[]={bob}&display_name=x", "")
				code, body := w.last.Code, w.last.Body.String()
				fine := code == 404 || code == 401 && who == "" || kind == "private" && (code == 403 || open[row.Method+" "+row.Path] && code == 200)
				if !fine || strings.Contains(body, "marker") || kind == "chat" && strings.Contains(body, "chatty") || strings.Contains(body, `"acct":"ann"`) {
					t.Errorf("%s of a %s group as %q: %d %s", row.Method+" "+row.Path, kind, who, code, body)
				}
			}
		}
	}
	w.run([]step{{as: "out", do: "GET /api/v2/search?q=priv&type=accounts", want: []string{"accounts.*.acct=priv"}}, {as: "out", do: "GET /api/v2/search?q=chatty&type=accounts", want: []string{"accounts#0"}},
		{do: "GET /.well-known/webfinger?resource=acct:chatty@linnet.test", code: 404}, {as: "out", do: "GET /api/v1/accounts?id[]={chat}", want: []string{"#0"}}, {as: "out", do: "GET /api/v1/accounts/relationships?id[]={chat}", want: []string{"#0"}},
		{as: "out", do: "GET /api/v1/accounts/{ann}/following", want: []string{"#0"}},
		{as: "ann", do: "GET /api/v1/accounts/{ann}/following", want: []string{"#2"}},
		{as: "out", do: "POST /api/v1/lists", body: "title=l", save: "l=id"},
		{as: "out", do: "POST /api/v1/lists/{l}/accounts", body: "account_ids[]={chat}", code: 404},
		{as: "out", do: "POST /api/v1/accounts/{chat}/mute", code: 404},
		{as: "out", do: "POST /api/v1/accounts/{chat}/block", code: 404},
		{as: "out", do: "POST /api/v1/accounts/{chat}/note", body: "comment=x", code: 404},
		{as: "out", do: "GET /api/v1/accounts/{chat}/followers", code: 404},
		{as: "out", do: "GET /api/v1/accounts/{chat}/statuses", code: 404},
		{as: "out", do: "GET /api/v1/accounts/{chat}/lists", code: 404},
		{as: "out", do: "GET /api/v1/accounts/{chat}/endorsements", code: 404}, {as: "out", do: "POST /api/v1/statuses", body: "status=@chatty+hi", want: []string{"mentions#0"}}, {as: "out", do: "POST /api/v1/accounts/{chat}/unfollow", code: 404}})
}
