package mastodon_test

import (
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/explore"
)

// handOn writes what the server has noted lately, which it does at intervals.
func handOn(w *world) {
	w.t.Helper()
	if err := w.svc.Trends.HandOn(w.t.(*testing.T).Context()); err != nil {
		w.t.Fatal(err)
	}
}

// noTrends switches trends off.
func noTrends(w *world) {
	w.t.Helper()
	if _, err := w.svc.Settings.ChangeInstance(w.t.(*testing.T).Context(), linnet.Operator(), linnet.InstanceChange{Trends: new(bool)}); err != nil {
		w.t.Fatal(err)
	}
}

func exploreScenarios() []scenario {
	const mod = "dan/read admin:read admin:write"
	const publishers, twoLinks = "/api/v1/admin/trends/links/publishers", "status=https://news.test/a+https://blog.news.test/b"
	blogPost := explore.TagID("https://blog.news.test/b")
	const link = "/api/v1/timelines/link?url=https%3A%2F%2Fnews.test%2Fa%3Fb%23d"
	return []scenario{
		{name: "directory", people: "ann bob cat", steps: []step{
			{do: "GET /api/v1/directory?order=new", want: []string{"*.acct=cat bob ann", "0.last_status_at=null"}},
			{as: "ann", do: "POST /api/v1/statuses", body: "status=hello"},
			{before: handOn, do: "GET /api/v1/directory?local=true", want: []string{"0.acct=ann"}},
			{do: "GET /api/v1/directory?order=new&offset=1&limit=1", want: []string{"*.acct=bob"}},
			{as: "bob", do: "PATCH /api/v1/accounts/update_credentials", body: "discoverable=false"},
			{do: "GET /api/v1/directory?order=new", want: []string{"*.acct=cat ann"}},
			{as: "cat", do: "POST /api/v1/accounts/{ann}/mute"},
			{as: "cat", do: "GET /api/v1/directory", want: []string{"*.acct=cat"}},
			{do: "GET /api/v1/directory?order=best", code: 422}, {do: "GET /api/v1/directory?offset=-1", code: 422},
			{do: "GET /api/v1/directory?offset=5000", want: []string{"#0"}},
		}},
		{name: "trends", people: "ann bob cat dan", steps: []step{
			{do: "GET /api/v1/trends/tags", want: []string{"#0"}}, {do: "GET /api/v1/trends/links", want: []string{"#0"}}, {do: "GET /api/v1/trends/statuses", want: []string{"#0"}},
			{as: "ann", do: "POST /api/v1/statuses", body: "status=%23Spring+https://news.test/a?b%23c", save: "s=id"},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=%23spring+%23rare+https://news.test/a?b"},
			{as: "ann", do: "POST /api/v1/statuses", body: "status=%23rare"}, {as: "ann", do: "POST /api/v1/statuses", body: "status=%23rare+again"},
			{before: handOn, do: "GET /api/v1/trends/tags", want: []string{"#0"}},
			{as: "cat", do: "POST /api/v1/statuses", body: "status=%23spring+https://news.test/a?b"},
			{as: "bob", do: "POST /api/v1/statuses/{s}/favourite"},
			{as: "cat", do: "POST /api/v1/statuses/{s}/reblog"},
			{as: "cat", do: "POST /api/v1/statuses/{s}/favourite"},
			{as: "ann", do: "POST /api/v1/statuses/{s}/favourite"},
			{before: handOn, do: "GET /api/v1/trends/statuses", want: []string{"#0"}},
			{as: "dan", do: "POST /api/v1/statuses/{s}/favourite"},
			{before: handOn, do: "GET /api/v1/trends/statuses", want: []string{"*.id={s}"}},
			{do: "GET /api/v1/trends/tags", want: []string{"*.name=spring", "#1", "0.history.0.uses=3", "0.history.0.accounts=3", "0.history.6.uses=0", "0.url=https://linnet.test/tags/spring"}},
			{do: "GET /api/v1/trends?limit=5", want: []string{"*.name=spring"}}, {do: "GET /api/v1/trends/tags?offset=1", want: []string{"#0"}},
			{do: "GET /api/v1/trends/links", want: []string{"#1", "0.url=https://news.test/a?b", "0.title=news.test/a", "0.type=link", "0.provider_name=news.test", "0.image=null", "0.history.0.accounts=3"}},
			{do: "GET " + link, want: []string{"#3", "2.id={s}"}}, {do: "GET " + link + "&limit=2", want: []string{"#2", "*.account.acct=cat bob"}}, {do: "GET " + link + "&min_id={s}&limit=1", want: []string{"*.account.acct=bob"}},
			{do: "GET /api/v1/timelines/link?url=https%3A%2F%2Fnews.test%2Fa", code: 404}, {do: "GET /api/v1/timelines/link", code: 404}, {do: "GET " + link + "&max_id=x", code: 422},
			{do: "GET /api/v1/tags/spring", want: []string{"history.0.uses=3", "history.0.accounts=3"}},
			{do: "GET /api/v1/trends/tags?limit=-1"},
			{as: "bob", do: "POST /api/v1/accounts/{ann}/mute"},
			{as: "bob", do: "GET /api/v1/trends/statuses", want: []string{"#0"}},
			{as: "cat", do: "GET /api/v1/trends/statuses", want: []string{"#1", "0.favourited=true"}},
			{as: "bob", do: "GET " + link, want: []string{"*.account.acct=cat bob"}},
			{as: "cat", do: "GET " + link, want: []string{"#3", "2.favourited=true"}},
			{as: "bob/read:lists", do: "GET " + link, code: 403},
			{before: giveRole("dan", linnet.Moderator), as: mod, do: "GET /api/v1/admin/trends/tags", want: []string{"#1", "0.name=spring", "0.trendable=true", "0.requires_review=false"}, save: "t=0.id"},
			{as: mod, do: "POST /api/v1/admin/trends/tags/{t}/reject", want: []string{"id={t}", "name=spring", "trendable=false", "history.0.uses=3"}},
			{as: mod, do: "POST /api/v1/admin/trends/tags/{t}/reject"},
			{do: "GET /api/v1/trends/tags", want: []string{"#0"}}, {as: mod, do: "GET /api/v1/admin/trends/tags", want: []string{"#1", "0.trendable=false"}},
			{as: mod, do: "GET /api/v1/linnet/admin/audit", want: []string{"#3", "0.action=hide_trend", "0.detail=hashtag spring", "0.account.acct=dan", "1.action=role"}},
			{as: mod, do: "POST /api/v1/admin/trends/tags/{t}/approve", want: []string{"trendable=true"}}, {do: "GET /api/v1/trends/tags", want: []string{"*.name=spring"}},
			{as: mod, do: "GET /api/v1/admin/trends/links", want: []string{"#1", "0.url=https://news.test/a?b", "0.trendable=true"}, save: "l=0.id"},
			{as: mod, do: "POST /api/v1/admin/trends/links/{l}/reject", want: []string{"trendable=false", "title=news.test/a"}}, {do: "GET /api/v1/trends/links", want: []string{"#0"}}, {do: "GET " + link, code: 404},
			{as: mod, do: "POST /api/v1/admin/trends/links/{l}/approve", want: []string{"trendable=true"}}, {do: "GET /api/v1/trends/links", want: []string{"#1"}},
			{as: mod, do: "GET /api/v1/admin/trends/links/publishers", want: []string{"#1", "0.domain=news.test", "0.trendable=true", "0.requires_review=false", "0.reviewed_at=null"}, save: "p=0.id"},
			{as: mod, do: "POST /api/v1/admin/trends/links/publishers/{p}/reject", want: []string{"id={p}", "domain=news.test", "trendable=false"}},
			{do: "GET /api/v1/trends/links", want: []string{"#0"}}, {do: "GET " + link, code: 404}, {as: mod, do: "GET /api/v1/admin/trends/links", want: []string{"#1", "0.trendable=false"}},
			{as: mod, do: "GET /api/v1/admin/trends/links/publishers?max_id={p}", want: []string{"#0"}}, {as: mod, do: "GET /api/v1/admin/trends/links/publishers?max_id=x", code: 422},
			{as: mod, do: "GET /api/v1/linnet/admin/audit?limit=1", want: []string{"0.action=hide_trend", "0.detail=site news.test"}},
			{as: mod, do: "POST /api/v1/admin/trends/links/publishers/{p}/approve", want: []string{"trendable=true"}}, {do: "GET /api/v1/trends/links", want: []string{"#1"}},
			{as: mod, do: "POST /api/v1/admin/trends/links/publishers/1/approve", code: 404}, {as: "cat/admin:read admin:write", do: "POST /api/v1/admin/trends/links/publishers/{p}/reject", code: 403},
			{as: mod, do: "POST /api/v1/admin/trends/links/{l}/reject"},
			{as: mod, do: "POST /api/v1/admin/trends/statuses/{s}/reject", want: []string{"id={s}"}},
			{as: "cat", do: "GET /api/v1/trends/statuses", want: []string{"#0"}},
			{as: "cat", do: "GET /api/v1/statuses/{s}"},
			{as: mod, do: "GET /api/v1/admin/trends/statuses", want: []string{"*.id={s}"}},
			{as: mod, do: "POST /api/v1/admin/trends/statuses/{s}/approve", want: []string{"id={s}"}},
			{as: "cat", do: "GET /api/v1/trends/statuses", want: []string{"*.id={s}"}},
			{as: mod, do: "POST /api/v1/admin/trends/tags/1/reject", code: 404},
			{as: mod, do: "POST /api/v1/admin/trends/links/x/approve", code: 404},
			{as: mod, do: "POST /api/v1/admin/trends/statuses/1/reject", code: 404},
			{as: "cat/admin:read admin:write", do: "POST /api/v1/admin/trends/tags/{t}/reject", code: 403},
			{as: "cat/admin:read admin:write", do: "GET /api/v1/admin/trends/links", code: 403},
			{before: noTrends, do: "GET /api/v1/trends/statuses", want: []string{"#0"}}, {do: "GET /api/v1/trends/tags", want: []string{"#0"}}, {do: "GET /api/v1/trends/links", want: []string{"#0"}},
		}},
		{name: "publishers", people: "ann bob cat dan", steps: []step{
			{as: "ann", do: "POST /api/v1/statuses", body: twoLinks}, {as: "bob", do: "POST /api/v1/statuses", body: twoLinks}, {as: "cat", do: "POST /api/v1/statuses", body: twoLinks},
			{before: giveRole("dan", linnet.Moderator), as: mod, do: "GET " + publishers, want: []string{"#0"}},
			{before: handOn, as: mod, do: "GET " + publishers, want: []string{"*.domain=blog.news.test news.test"}, save: "blog=0.id"},
			{as: mod, do: "GET " + publishers + "?max_id={blog}", save: "news=0.id"},
			{as: mod, do: "POST " + publishers + "/{news}/reject", want: []string{"domain=news.test", "trendable=false"}},
			{as: mod, do: "GET " + publishers, want: []string{"*.trendable=false false"}}, {do: "GET /api/v1/trends/links", want: []string{"#0"}},
			{as: mod, do: "POST " + publishers + "/{blog}/approve", want: []string{"domain=blog.news.test", "trendable=true"}},
			{as: mod, do: "GET " + publishers, want: []string{"*.trendable=true false"}}, {do: "GET /api/v1/trends/links", want: []string{"*.url=https://blog.news.test/b"}},
			{as: mod, do: "POST " + publishers + "/{blog}/reject", want: []string{"trendable=false"}}, {do: "GET /api/v1/trends/links", want: []string{"#0"}},
			{as: mod, do: "POST /api/v1/admin/trends/links/" + blogPost + "/approve", want: []string{"trendable=true"}}, {do: "GET /api/v1/trends/links", want: []string{"*.url=https://blog.news.test/b"}},
			{as: mod, do: "POST /api/v1/admin/trends/links/" + blogPost + "/reject"}, {do: "GET /api/v1/trends/links", want: []string{"#0"}},
			{as: mod, do: "POST " + publishers + "/{news}/approve", want: []string{"trendable=true"}},
			{as: mod, do: "GET " + publishers, want: []string{"*.trendable=false true"}},
		}},
		{name: "admin tags", people: "ann dan", steps: []step{
			{as: "ann", do: "POST /api/v1/statuses", body: "status=good %23Spring", save: "s=id"},
			{before: giveRole("dan", linnet.Moderator), as: mod, do: "GET /api/v1/admin/tags", want: []string{"#0"}},
			{as: mod, do: "GET /api/v1/admin/tags/Spring", want: []string{"name=spring", "trendable=true", "usable=true", "listable=true", "requires_review=false", "history.0.uses=1"}, save: "t=id"},
			{do: "GET /api/v1/tags/spring", want: []string{"id={t}"}}, {as: mod, do: "GET /api/v1/admin/tags/{t}", code: 404},
			{do: "GET /api/v2/search?type=hashtags&q=spr", want: []string{"hashtags.0.name=spring"}},
			{as: mod, do: "PUT /api/v1/admin/tags/spring", body: "listable=false", want: []string{"id={t}", "listable=false", "usable=true", "trendable=true", "history.0.uses=1"}},
			{do: "GET /api/v2/search?type=hashtags&q=spr", want: []string{"hashtags=[]"}}, {do: "GET /api/v1/timelines/tag/spring", want: []string{"#1"}},
			{as: mod, do: "PUT /api/v1/admin/tags/{t}", body: "usable=false&trendable=false", want: []string{"listable=false", "usable=false", "trendable=false"}},
			{as: "ann", do: "POST /api/v1/statuses", body: "status=no %23SPRING", code: 422, want: []string{"error~#spring, which this server doesn't allow"}},
			{as: "ann", do: "POST /api/v1/statuses", body: "status=later %23spring&scheduled_at=2100-01-01T00:00:00Z", code: 422},
			{as: "ann", do: "PUT /api/v1/statuses/{s}", body: "status=still good %23Spring", want: []string{"tags.0.name=spring"}},
			{as: "ann", do: "POST /api/v1/statuses", body: "status=good %23summer", save: "s2=id"},
			{as: "ann", do: "PUT /api/v1/statuses/{s2}", body: "status=bad %23spring", code: 422},
			{as: mod, do: "GET /api/v1/admin/tags", want: []string{"#1", "0.id={t}", "0.usable=false", "0.history.0.uses=1"}}, {as: mod, do: "GET /api/v1/admin/tags?max_id={t}", want: []string{"#0"}},
			{as: mod, do: "GET /api/v1/linnet/admin/audit", want: []string{"0.action=hide_trend", "1.action=change_tag", "1.detail=hashtag spring: Allowed in posts: “on” → “off”", "2.detail=hashtag spring: Shown in search: “on” → “off”"}},
			{as: mod, do: "PUT /api/v1/admin/tags/{t}", body: "usable=true&trendable=true&listable=true", want: []string{"usable=true", "trendable=true", "listable=true"}},
			{as: mod, do: "GET /api/v1/admin/tags", want: []string{"#0"}}, {as: "ann", do: "POST /api/v1/statuses", body: "status=yes %23SPRING"},
			{as: mod, do: "PUT /api/v1/admin/tags/12", body: "usable=false", code: 404},
			{as: "ann/admin:read admin:write", do: "PUT /api/v1/admin/tags/spring", body: "usable=false", code: 403},
		}},
		{name: "suggestions", people: "ann bob cat dan eve", steps: []step{
			{as: "ann", do: "POST /api/v1/accounts/{bob}/follow"}, {as: "ann", do: "POST /api/v1/accounts/{cat}/follow"},
			{as: "bob", do: "POST /api/v1/accounts/{cat}/follow"}, {as: "bob", do: "POST /api/v1/accounts/{dan}/follow"},
			{as: "cat", do: "POST /api/v1/accounts/{dan}/follow"}, {as: "cat", do: "POST /api/v1/accounts/{eve}/follow"},
			{as: "ann", do: "GET /api/v2/suggestions", want: []string{"*.account.acct=dan eve", "0.source=past_interactions", "0.sources.0=friends_of_friends", "0.sources.1=most_followed"}},
			{as: "ann", do: "GET /api/v1/suggestions?limit=1", want: []string{"*.acct=dan"}},
			{as: "ann", do: "DELETE /api/v1/suggestions/{dan}"},
			{as: "ann", do: "GET /api/v2/suggestions", want: []string{"*.account.acct=eve"}},
			{as: "ann", do: "DELETE /api/v1/suggestions/7", code: 404},
			{as: "eve", do: "PATCH /api/v1/accounts/update_credentials", body: "discoverable=false"},
			{as: "ann", do: "GET /api/v2/suggestions", want: []string{"#0"}},
			{as: "eve", do: "GET /api/v2/suggestions", want: []string{"*.account.acct=dan cat bob", "0.source=global", "0.sources.0=most_followed"}},
			{do: "GET /api/v2/suggestions", code: 401}, {as: "ann/read:statuses", do: "GET /api/v2/suggestions", code: 403},
		}},
	}
}
