package mastodon_test

import "slices"

// votes returns steps in which users favourite a status.
func votes(status string, by ...string) []step {
	var steps []step
	for _, who := range by {
		steps = append(steps, step{as: who, do: "POST /api/v1/statuses/" + status + "/favourite"})
	}
	return steps
}

func rankScenarios() []scenario {
	return []scenario{
		{name: "top", people: "ann bob cat dan eve fay", steps: slices.Concat(
			[]step{
				{as: "bob", do: "POST /api/v1/accounts/{ann}/follow"},
				{as: "bob", do: "GET /api/v1/lists", want: []string{"#0"}}, {as: "bob", do: "PATCH /api/v1/linnet/lists", body: "top=true"},
				{as: "bob", do: "GET /api/v1/lists", want: []string{"*.title=Top", "*.id=1", "0.replies_policy=list", "0.exclusive=false"}},
				{as: "bob", do: "GET /api/v1/lists/1", want: []string{"title=Top"}}, {do: "GET /api/v1/lists/1", code: 401},
				{as: "ann", do: "POST /api/v1/statuses", body: "status=a&visibility=unlisted", save: "a=id"},
				{as: "ann", do: "POST /api/v1/statuses", body: "status=b", save: "b=id"},
				{as: "ann", do: "POST /api/v1/statuses", body: "status=c", save: "c=id"},
				{as: "ann", do: "POST /api/v1/statuses", body: "status=d&visibility=private", save: "d=id"},
				{as: "cat", do: "POST /api/v1/accounts/{ann}/follow"},
				{as: "dan", do: "POST /api/v1/accounts/{ann}/follow"},
				{as: "eve", do: "POST /api/v1/accounts/{ann}/follow"},
				{as: "fay", do: "POST /api/v1/accounts/{ann}/follow"},
				{as: "bob", do: "GET /api/v1/timelines/list/1", want: []string{"#0", "Link!"}},
			},
			votes("{a}", "cat", "dan", "eve", "fay"), votes("{b}", "cat", "dan", "eve", "fay"), votes("{d}", "cat", "dan", "eve", "fay"),
			[]step{
				{as: "cat", do: "POST /api/v1/statuses/{c}/reblog"}, {as: "dan", do: "POST /api/v1/statuses/{c}/reblog"},
				{as: "bob", do: "GET /api/v1/timelines/list/1", want: []string{"*.reblog.id={c} {b} {a}", "*.account.acct=top top top", "0.account.bot=true", "2.visibility=unlisted"}, save: "p=0.id"},
				{as: "bob", do: "GET /api/v1/timelines/list/1?limit=2", want: []string{"*.reblog.id={c} {b}", `Link~rel="next"`}},
				{before: follow("next"), as: "bob", do: "GET {next}", want: []string{"*.reblog.id={a}"}}, {before: follow("prev"), as: "bob", do: "GET {prev}", want: []string{"*.reblog.id={c} {b}"}},
				{as: "bob", do: "GET /api/v1/timelines/list/1?max_id={p}", want: []string{"*.reblog.id={b} {a}"}},
				{as: "bob", do: "GET /api/v1/timelines/list/1?limit=-1"},
				{as: "bob", do: "GET /api/v1/statuses/{p}", want: []string{"id={p}", "reblog.id={c}"}}, {do: "GET /api/v1/statuses/{p}", want: []string{"reblog.id={c}"}},
				{as: "bob", do: "GET /api/v1/statuses/{p}/context", want: []string{"descendants#0"}}, {as: "bob", do: "DELETE /api/v1/statuses/{p}", code: 404},
				{as: "bob", do: "POST /api/v1/statuses/{p}/favourite", want: []string{"id={c}", "favourited=true"}},
				{as: "bob", do: "GET /api/v1/timelines/list/1?limit=1", want: []string{"0.reblog.favourited=true"}},
				{as: "ann", do: "GET /api/v1/timelines/list/1", want: []string{"#0"}},
				{as: "bob", do: "GET /api/v1/timelines/home?limit=40", want: []string{"*.account.acct=ann ann ann ann"}},
				{as: "bob", do: "PUT /api/v1/lists/1", body: "title=Mine", code: 403}, {as: "bob", do: "GET /api/v1/lists/1/accounts", want: []string{"#0"}},
				{as: "bob", do: "POST /api/v1/lists/1/accounts", body: "account_ids[]={cat}", code: 403},
				{as: "bob", do: "DELETE /api/v1/lists/1/accounts", body: "account_ids[]={cat}", code: 403},
				{as: "bob", do: "GET /api/v1/accounts/lookup?acct=top", want: []string{"acct=top", "statuses_count=0"}, save: "top=id"},
				{as: "bob", do: "POST /api/v1/accounts/{top}/follow", code: 403},
				{as: "bob", do: "POST /api/v1/accounts/{top}/block", code: 403}, {do: "GET /api/v2/search?q=top&type=accounts", want: []string{"accounts#0"}},
				{as: "ann", do: "DELETE /api/v1/statuses/{c}"},
				{as: "bob", do: "GET /api/v1/statuses/{p}", code: 404},
				{as: "bob", do: "GET /api/v1/timelines/list/1", want: []string{"*.reblog.id={b} {a}"}},
				{as: "bob", do: "POST /api/v1/accounts/{ann}/mute"}, {as: "bob", do: "GET /api/v1/timelines/list/1", want: []string{"#0"}},
			})},
		{name: "lists that the server makes", people: "ann", steps: []step{
			{as: "ann", do: "GET /api/v1/linnet/lists", want: []string{"top=false", "catch_up=false"}},
			{as: "ann", do: "GET /api/v1/lists", want: []string{"#0"}},
			{as: "ann", do: "PATCH /api/v1/linnet/lists", body: "top=true", want: []string{"top=true"}}, {do: "GET /api/v1/linnet/lists", code: 401},
			{as: "ann/write:lists", do: "GET /api/v1/linnet/lists", code: 403},
			{as: "ann", do: "DELETE /api/v1/lists/1", want: []string{"={}"}}, {as: "ann", do: "GET /api/v1/linnet/lists", want: []string{"top=false"}},
			{as: "ann", do: "GET /api/v1/lists", want: []string{"#0"}},
			{as: "ann", do: "GET /api/v1/lists/1", want: []string{"title=Top"}},
			{as: "ann", do: "GET /api/v1/timelines/list/1", want: []string{"#0"}},
			{as: "ann", do: "DELETE /api/v1/lists/1"},
			{as: "ann", do: "GET /api/v1/lists/2", code: 404},
			{as: "ann", do: "PATCH /api/v1/linnet/lists", body: "top[]=1", code: 422, want: []string{"details.top.0.error=ERR_INVALID"}},
			{as: "ann/read:lists", do: "PATCH /api/v1/linnet/lists", body: "top=true", code: 403},
			{as: "ann", do: "PATCH /api/v1/linnet/lists", body: "top=true", want: []string{"top=true"}},
			{as: "ann", do: "GET /api/v1/lists", want: []string{"*.id=1"}},
			{as: "ann", do: "POST /api/v1/lists", body: "title=Own"}, {as: "ann", do: "GET /api/v1/lists", want: []string{"*.title=Own Top"}},
		}},
	}
}
