package mastodon_test

import (
	"fmt"
	"net/url"
	"strings"
)

func listScenarios() []scenario {
	return []scenario{
		{name: "lists", people: "ann bob cat", steps: []step{
			{as: "ann", do: "GET /api/v1/lists", want: []string{"#0"}},
			{as: "ann", do: "POST /api/v1/lists", body: "title=X&exclusive=1", want: []string{"exclusive=true"}, save: "x=id"},
			{as: "ann", do: "DELETE /api/v1/lists/{x}"},
			{as: "ann", do: "POST /api/v1/lists", body: "title=Friends", want: []string{"title=Friends", "replies_policy=list", "exclusive=false"}, save: "l=id"},
			{as: "ann", do: "POST /api/v1/lists", body: `{"title":"","replies_policy":"none"}`, code: 422, want: []string{"error~Validation failed"}},
			{as: "ann", do: "POST /api/v1/lists", body: "title=" + strings.Repeat("x", 256), code: 422},
			{as: "ann", do: "GET /api/v1/lists/{l}", want: []string{"title=Friends"}},
			{as: "bob", do: "GET /api/v1/lists/{l}", code: 404}, {do: "GET /api/v1/lists/{l}", code: 401},
			{as: "ann", do: "PUT /api/v1/lists/{l}", body: `{"title":"Pals","replies_policy":"followed"}`, want: []string{"title=Pals", "replies_policy=followed", "exclusive=false"}},
			{as: "ann", do: "PUT /api/v1/lists/{l}", body: "exclusive=true", want: []string{"title=Pals", "exclusive=true"}},
			{as: "ann", do: "GET /api/v1/lists", want: []string{"*.exclusive=true"}},
			{as: "ann", do: "PUT /api/v1/lists/{l}", body: "exclusive=false", want: []string{"title=Pals", "exclusive=false"}},
			{as: "bob", do: "PUT /api/v1/lists/{l}", body: "title=x", code: 404}, {as: "bob", do: "DELETE /api/v1/lists/{l}", code: 404},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=earlier", save: "a=id"},
			{as: "ann", do: "POST /api/v1/lists/{l}/accounts", body: "account_ids[]={bob}", want: []string{"={}"}},
			{as: "ann", do: "POST /api/v1/lists/{l}/accounts", body: `{"account_ids":["{cat}","{bob}"]}`, want: []string{"={}"}},
			{as: "ann", do: "POST /api/v1/lists/{l}/accounts", body: "account_ids[]=5", code: 404},
			{as: "bob", do: "POST /api/v1/lists/{l}/accounts", body: "account_ids[]={bob}", code: 404},
			{as: "ann", do: "GET /api/v1/lists/{l}/accounts", want: []string{"#2"}},
			{as: "ann", do: "GET /api/v1/lists/{l}/accounts?limit=0", want: []string{"#2"}},
			{as: "bob", do: "GET /api/v1/lists/{l}/accounts", code: 404}, {as: "ann", do: "GET /api/v1/accounts/{bob}/lists", want: []string{"*.id={l}"}},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=later", save: "b=id"},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=hidden&visibility=private"},
			{as: "ann", do: "GET /api/v1/timelines/list/{l}", want: []string{"*.id={b} {a}"}},
			{as: "bob", do: "GET /api/v1/timelines/list/{l}", code: 404},
			{as: "ann", do: "GET /api/v1/timelines/list/5", code: 404},
			{as: "ann", do: "GET /api/v1/timelines/home", want: []string{"#0"}},
			{as: "ann", do: "DELETE /api/v1/lists/{l}/accounts", body: "account_ids[]={bob}", want: []string{"={}"}},
			{as: "ann", do: "DELETE /api/v1/lists/{l}/accounts", body: `{"account_ids":["{bob}"]}`, want: []string{"={}"}},
			{as: "ann", do: "GET /api/v1/lists/{l}/accounts", want: []string{"*.acct=cat"}},
			{as: "ann", do: "GET /api/v1/timelines/list/{l}", want: []string{"#0"}},
			{as: "ann", do: "DELETE /api/v1/lists/{l}/accounts?account_ids[]={cat}", want: []string{"={}"}},
			{as: "ann", do: "GET /api/v1/lists/{l}/accounts", want: []string{"#0"}},
			{as: "ann", do: "DELETE /api/v1/lists/{l}", want: []string{"={}"}},
			{as: "ann", do: "GET /api/v1/lists/{l}", code: 404},
			{as: "ann", do: "GET /api/v1/timelines/list/{l}", code: 404},
		}},
		{name: "replies in lists", people: "ann bob cat", steps: []step{
			{as: "ann", do: "POST /api/v1/lists", body: "title=L", save: "l=id"},
			{as: "ann", do: "POST /api/v1/lists/{l}/accounts", body: "account_ids[]={bob}"},
			{as: "cat", do: "POST /api/v1/statuses", body: "status=x", save: "x=id"},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=r&in_reply_to_id={x}", save: "r=id"},
			{as: "ann", do: "GET /api/v1/timelines/list/{l}", want: []string{"#0"}},
			{as: "ann", do: "POST /api/v1/lists/{l}/accounts", body: "account_ids[]={cat}"},
			{as: "ann", do: "GET /api/v1/timelines/list/{l}", want: []string{"*.id={r} {x}"}},
			{as: "ann", do: "PUT /api/v1/lists/{l}", body: "replies_policy=none"},
			{as: "ann", do: "GET /api/v1/timelines/list/{l}", want: []string{"*.id={x}"}},
		}},
		{name: "pages of a list", people: "ann", steps: append([]step{
			{as: "ann", do: "POST /api/v1/lists", body: "title=L", save: "l=id"},
			{as: "ann", do: "POST /api/v1/lists/{l}/accounts", body: "account_ids[]={ann}"},
		}, pages("/api/v1/timelines/list/{l}")...)},
	}
}

func notificationScenarios() []scenario {
	return []scenario{
		{name: "notifications", people: "ann bob cat", steps: []step{
			{as: "ann", do: "POST /api/v1/statuses", body: "status=a", save: "p=id"},
			{as: "bob", do: "POST /api/v1/accounts/{ann}/follow"},
			{as: "bob", do: "POST /api/v1/statuses/{p}/favourite"},
			{as: "cat", do: "POST /api/v1/statuses/{p}/reblog"},
			{as: "cat", do: "POST /api/v1/statuses", body: "status=@ann+hi&visibility=direct", save: "m=id"},
			{as: "ann", do: "POST /api/v1/statuses/{p}/favourite"},
			{as: "ann", do: "GET /api/v1/notifications", want: []string{"*.type=mention reblog favourite follow", "0.status.id={m}", "0.account.acct=cat", "0.group_key~ungrouped-", "0.created_at~Z",
				"1.status.id={p}", "3.status!", "3.account.acct=bob"}, save: "n=0.id"},
			{as: "ann", do: "GET /api/v1/notifications?limit=2", want: []string{"#2", "Link~rel=\"next\""}, save: "last=1.id"},
			{before: follow("next"), as: "ann", do: "GET {next}", want: []string{"*.type=favourite follow"}},
			{before: follow("prev"), as: "ann", do: "GET {prev}", want: []string{"*.type=mention reblog"}},
			{as: "ann", do: "GET /api/v1/notifications?types[]=follow&types[]=mention", want: []string{"*.type=mention follow"}},
			{as: "ann", do: "GET /api/v1/notifications?exclude_types[]=follow&exclude_types[]=poll", want: []string{"*.type=mention reblog favourite"}},
			{as: "ann", do: "GET /api/v1/notifications?account_id={bob}", want: []string{"*.type=favourite follow"}},
			{as: "ann", do: "GET /api/v1/notifications/{n}", want: []string{"id={n}", "type=mention"}},
			{as: "bob", do: "GET /api/v1/notifications/{n}", code: 404},
			{as: "bob", do: "POST /api/v1/notifications/{n}/dismiss", code: 404}, {as: "ann", do: "GET /api/v1/notifications/{n}"},
			{as: "ann", do: "POST /api/v1/notifications/{n}/dismiss", want: []string{"={}"}}, {as: "ann", do: "GET /api/v1/notifications/{n}", code: 404},
			{as: "bob", do: "POST /api/v1/statuses/{p}/unfavourite"}, {as: "ann", do: "GET /api/v1/notifications", want: []string{"*.type=reblog follow"}},
			{as: "ann", do: "POST /api/v1/notifications/clear", want: []string{"={}"}}, {as: "ann", do: "GET /api/v1/notifications", want: []string{"#0"}},
			{do: "GET /api/v1/notifications", code: 401}, {as: "ann/read:statuses", do: "GET /api/v1/notifications", code: 403},
		}},
		{name: "a followed person posts", people: "ann bob", steps: []step{
			{as: "ann", do: "POST /api/v1/accounts/{bob}/follow", body: "notify=true"},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=x", save: "x=id"},
			{as: "ann", do: "GET /api/v1/notifications", want: []string{"*.type=status", "0.status.id={x}"}},
			{as: "bob", do: "DELETE /api/v1/statuses/{x}"}, {as: "ann", do: "GET /api/v1/notifications", want: []string{"#0"}},
		}},
	}
}

func searchScenarios() []scenario {
	return []scenario{
		{name: "search for the beginning of a tag", people: "ann bob cat", steps: []step{
			{as: "ann", do: "POST /api/v1/statuses", body: "status=%23birdhouse+%23birdsong+%23Bird", save: "a=id"},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=%23BirdSong+%23%C3%89tude+%232026goals"},
			{as: "cat", do: "POST /api/v1/statuses", body: "status=%23birdsong+%23%E6%97%A5%E6%9C%AC%E8%AA%9E+%23birch"},
			{as: "cat", do: "POST /api/v1/statuses", body: "status=%23birdhouse"},
			{do: "GET /api/v2/search?q=bir&type=hashtags", want: []string{"hashtags.*.name=birdsong birdhouse bird birch", "hashtags.0.history.0.uses=3", "hashtags.0.history.0.accounts=3"}},
			{do: "GET /api/v2/search?q=BIRD&type=hashtags", want: []string{"hashtags.*.name=bird birdsong birdhouse"}},
			{do: "GET /api/v2/search?q=%23birdh&type=hashtags", want: []string{"hashtags.*.name=birdhouse"}},
			{do: "GET /api/v2/search?q=b&type=hashtags&limit=2", want: []string{"hashtags.*.name=birdsong birdhouse"}}, {do: "GET /api/v2/search?q=b&type=hashtags&limit=2&offset=2", want: []string{"hashtags.*.name=bird birch"}},
			{do: "GET /api/v2/search?q=etu&type=hashtags", want: []string{"hashtags.*.name=etude"}}, {do: "GET /api/v2/search?q=%C3%89TU&type=hashtags", want: []string{"hashtags.*.name=etude"}},
			{do: "GET /api/v2/search?q=%E6%97%A5&type=hashtags", want: []string{"hashtags#1"}}, {do: "GET /api/v2/search?q=2026&type=hashtags", want: []string{"hashtags.*.name=2026goals"}},
			{do: "GET /api/v2/search?q=rdsong&type=hashtags", want: []string{"hashtags#0"}}, {do: "GET /api/v2/search?q=bird+song&type=hashtags", want: []string{"hashtags#0"}}, {do: "GET /api/v2/search?q=%23&type=hashtags", want: []string{"hashtags#0"}},
			{as: "ann", do: "DELETE /api/v1/statuses/{a}"},
			{do: "GET /api/v2/search?q=bird&type=hashtags", want: []string{"hashtags.*.name=birdsong birdhouse", "hashtags.0.history.0.uses=2"}},
		}},
		{name: "search", people: "ann Annabel bob", steps: []step{
			{as: "ann", do: "POST /api/v1/statuses", body: "status=A+Zebra+crossing+%23stripes", save: "p=id"},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=zebra+too", save: "q=id"},
			{as: "ann", do: "PATCH /api/v1/accounts/update_credentials", body: "display_name=Queen+Mab"},
			{do: "GET /api/v2/search?q=ann&type=accounts", want: []string{"accounts.*.acct=ann Annabel", "statuses#0", "hashtags#0"}},
			{do: "GET /api/v2/search?q=@ann&resolve=True", want: []string{"accounts.0.acct=ann"}}, {do: "GET /api/v2/search?q=@ann@linnet.test&resolve=true", want: []string{"accounts.0.acct=ann"}},
			{do: "GET /api/v2/search?q=ann@elsewhere.test&type=accounts", want: []string{"accounts#0"}},
			{do: "GET /api/v2/search?q=mab&type=accounts", want: []string{"accounts.*.acct=ann"}}, {do: "GET /api/v2/search?q=https://linnet.test/@bob", want: []string{"accounts.*.acct=bob"}},
			{do: "GET /api/v2/search?q=stripes&type=hashtags", want: []string{"hashtags.*.name=stripes", "hashtags.0.history.0.uses=1"}}, {do: "GET /api/v2/search?q=%23stripes", want: []string{"hashtags.0.name=stripes"}},
			{as: "ann", do: "GET /api/v2/search?q=zebra&type=statuses", want: []string{"statuses.*.id={p}"}}, {do: "GET /api/v2/search?q=zebra&type=statuses", want: []string{"statuses#0"}},
			{as: "ann", do: "GET /api/v2/search?q=from:me&type=statuses", want: []string{"statuses.*.id={p}"}},
			{as: "ann", do: "GET /api/v2/search?q=crossing+FROM:ME&type=statuses", want: []string{"statuses.*.id={p}"}},
			{as: "ann", do: "GET /api/v2/search?q=from:@ann@linnet.test+zebra&type=statuses", want: []string{"statuses.*.id={p}"}},
			{as: "ann", do: "GET /api/v2/search?q=from:me+okapi&type=statuses", want: []string{"statuses#0"}},
			{as: "ann", do: "GET /api/v2/search?q=from:bob+zebra&type=statuses", want: []string{"statuses#0"}}, {do: "GET /api/v2/search?q=from:me&type=statuses", want: []string{"statuses#0"}},
			{do: "GET /api/v2/search?q=https://linnet.test/@bob/{q}", want: []string{"statuses.*.id={q}"}}, {do: "GET /api/v2/search?q=", want: []string{"accounts#0"}},
			{do: "GET /api/v2/search?q=ann&type=accounts&limit=1&offset=1", want: []string{"accounts.*.acct=Annabel"}},
			{as: "ann", do: "POST /api/v1/accounts/{Annabel}/follow"},
			{as: "ann", do: "GET /api/v2/search?q=ann&type=accounts&following=true", want: []string{"accounts.*.acct=Annabel"}},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=hidden+okapi+%23stripesonly&visibility=direct", save: "s=id"}, {do: "GET /api/v2/search?q=stripeso&type=hashtags", want: []string{"hashtags#0"}},
			{as: "ann", do: "GET /api/v2/search?q=https://linnet.test/@bob/{s}&type=statuses", want: []string{"statuses#0"}},
		}},
		{name: "search for words of statuses", people: "ann bob", steps: []step{
			{as: "ann", do: "POST /api/v1/statuses", body: "status=sandpiper+hidden"},
			{as: "bob", do: "GET /api/v2/search?q=sandpiper&type=statuses", want: []string{"statuses#0"}},
			{as: "bob", do: "PATCH /api/v1/accounts/update_credentials", body: "indexable=true", want: []string{"indexable=true"}},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=sandpiper+one", save: "p=id"},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=Sandpipers+two", save: "q=id"},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=sandpiper+three&visibility=unlisted"},
			{as: "ann", do: "GET /api/v2/search?q=sandpip*+-hidden&type=statuses", want: []string{"statuses.*.id={q} {p}"}},
			{as: "ann", do: "GET /api/v2/search?q=sandpiper+from:bob&type=statuses", want: []string{"statuses.*.id={p}"}},
			{as: "ann", do: "GET /api/v2/search?q=sandpip*+from:bob&type=statuses&max_id={q}", want: []string{"statuses.*.id={p}"}},
			{as: "ann", do: "GET /api/v2/search?q=sandpip*+from:bob&type=statuses&min_id={p}", want: []string{"statuses.*.id={q}"}},
			{as: "ann", do: "GET /api/v2/search?q=sandpip*+from:bob&type=statuses&limit=1&offset=1", want: []string{"statuses.*.id={p}"}},
			{as: "ann", do: "GET /api/v2/search?q=sandpiper+in:library&type=statuses", want: []string{"statuses#1"}},
			{as: "ann", do: "GET /api/v2/search?q=before:soon&type=statuses", code: 422},
			{as: "ann", do: "GET /api/v2/search?q=before:soon", want: []string{"statuses#0"}}, {do: "GET /api/v2/search?q=sandpiper&type=statuses", want: []string{"statuses#0"}},
			{as: "bob", do: "PATCH /api/v1/accounts/update_credentials", body: "indexable=false", want: []string{"indexable=false"}},
			{as: "ann", do: "GET /api/v2/search?q=sandpip*+from:bob&type=statuses", want: []string{"statuses#0"}},
		}},
		{name: "search for a login that begins very many others", people: crowded("anna", 300) + " anna xavier Xenia", steps: exactLoginSteps()},
	}
}

// crowded returns n logins, each a prefix with a number.
func crowded(login string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, " %s%03d", login, i)
	}
	return b.String()
}

// exactLoginSteps search for anna, a user with fewer followers than others with a longer login.
func exactLoginSteps() []step {
	steps := []step{{as: "xavier", do: "POST /api/v1/accounts/{anna007}/follow"}}
	for _, q := range []string{"anna", "ANNA", "@anna", "@Anna", "anna@linnet.test", "@anna@linnet.test", "@anna@LINNET.test"} {
		q = url.QueryEscape(q)
		steps = append(steps,
			step{as: "xavier", do: "GET /api/v1/accounts/search?limit=2&q=" + q, want: []string{"0.acct=anna", "1.acct=anna007"}},
			step{do: "GET /api/v2/search?type=accounts&limit=40&q=" + q, want: []string{"accounts.0.acct=anna", "accounts.1.acct=anna007", "accounts#40"}})
	}
	for _, c := range [][2]string{{"x", "xavier Xenia"}, {"X", "xavier Xenia"}, {"@x", "xavier Xenia"}, {"xe", "Xenia"}, {"q", ""}, {"anna299", "anna299"}, {"https://linnet.test/@anna", "anna"}} {
		q, want := c[0], c[1]
		steps = append(steps,
			step{as: "anna", do: "GET /api/v1/accounts/search?q=" + q, want: []string{"*.acct=" + want}},
			step{do: "GET /api/v2/search?type=accounts&q=" + q, want: []string{"accounts.*.acct=" + want}})
	}
	return append(steps, step{as: "anna", do: "GET /api/v1/accounts/search?q=a", want: []string{"0.acct=anna007", "#25"}},
		step{as: "xavier", do: "GET /api/v1/accounts/search?q=anna&following=true", want: []string{"*.acct=anna007"}})
}
