package mastodon_test

import "slices"

func catchUpScenarios() []scenario {
	const path = "/api/v1/linnet/timelines/catch_up"
	return []scenario{
		{name: "catch-up", people: "ann bob cat dan", steps: slices.Concat(
			[]step{
				{as: "bob", do: "GET " + path, want: []string{"items#0", "cursor=null", "newest_id=null", "kept=0"}}, {do: "GET " + path, code: 401},
				{as: "bob/write:statuses", do: "GET " + path, code: 403},
				{as: "bob/read:statuses", do: "POST " + path, code: 403}, {do: "POST " + path, code: 401},
				{as: "bob", do: "POST /api/v1/accounts/{ann}/follow"},
				{as: "ann", do: "POST /api/v1/statuses", body: "status=a", save: "a=id"},
				{as: "ann", do: "POST /api/v1/statuses", body: "status=b", save: "b=id"},
				{as: "ann", do: "POST /api/v1/statuses", body: "status=c", save: "c=id"}, {as: "bob", do: "POST /api/v1/statuses", body: "status=mine"},
			},
			votes("{b}", "cat", "dan"), votes("{a}", "cat"),
			[]step{
				{as: "bob", do: "GET " + path, want: []string{"items#0", "Link!"}}, // the cached ranking
				{as: "bob", do: "POST " + path, want: []string{"={}"}},
				{as: "bob", do: "GET " + path, want: []string{"items.*.status.id={b} {a} {c}", "items.0.why.parts.favourites=2", "items.0.why.parts.own=1", "items.0.why.parts.weight=1", "cursor=null", "kept=3"}, save: "newest=newest_id"},
				{as: "bob", do: "GET " + path + "?limit=2", want: []string{"items.*.status.id={b} {a}", `Link~rel="next"`}, save: "cursor=cursor"},
				{before: follow("next"), as: "bob", do: "GET {next}", want: []string{"items.*.status.id={c}", "Link!"}},
			},
			votes("{c}", "bob", "cat", "dan"),
			[]step{
				{as: "bob", do: "GET " + path + "?cursor={cursor}", want: []string{"items.*.status.id={c}", "items.0.why.parts.favourites=0", "items.0.status.favourited=true", "Link!"}},
				{as: "bob", do: "GET " + path + "?cursor=x", code: 422, want: []string{"details.cursor.0.error=ERR_INVALID"}},
				{as: "bob", do: "GET " + path + "?limit=-1"},
				{as: "cat", do: "GET " + path + "?cursor={cursor}", want: []string{"items#0"}}, // a position, and nothing else
				{as: "ann", do: "DELETE /api/v1/statuses/{a}"}, {as: "bob", do: "GET " + path, want: []string{"items.*.status.id={b} {c}", "kept=3"}},
				{as: "bob", do: "POST " + path + "?read_up_to=x", code: 422}, {as: "bob", do: "POST " + path, body: "read_up_to={newest}", want: []string{"={}"}},
				{as: "bob", do: "GET " + path, want: []string{"items#0"}},
				{as: "bob", do: "GET /api/v1/markers?timeline[]=home", want: []string{"home.last_read_id={newest}"}},
			})},
		{name: "catch-up as a list", people: "ann bob cat dan eve", steps: slices.Concat(
			[]step{
				{as: "bob", do: "POST /api/v1/accounts/{ann}/follow"}, {as: "bob", do: "GET /api/v1/linnet/lists", want: []string{"top=false", "catch_up=false"}},
				{as: "bob", do: "GET /api/v1/lists", want: []string{"#0"}},
				{as: "bob", do: "GET /api/v1/lists/2", code: 404},
				{as: "bob", do: "GET /api/v1/timelines/list/2", code: 404},
				{as: "bob", do: "DELETE /api/v1/lists/2", code: 404},
				{as: "ann", do: "POST /api/v1/statuses", body: "status=a", save: "a=id"},
				{as: "ann", do: "POST /api/v1/statuses", body: "status=b", save: "b=id"},
				{as: "ann", do: "POST /api/v1/statuses", body: "status=c", save: "c=id"},
				{as: "ann", do: "POST /api/v1/statuses", body: "status=d", save: "d=id"},
			},
			votes("{b}", "cat", "dan", "eve"), votes("{d}", "cat", "dan"), votes("{a}", "cat"),
			[]step{
				{as: "bob", do: "PATCH /api/v1/linnet/lists", body: "catch_up=true", want: []string{"top=false", "catch_up=true"}},
				{as: "bob", do: "PATCH /api/v1/linnet/lists", body: "top=true", want: []string{"top=true", "catch_up=true"}},
				{as: "bob", do: "GET /api/v1/lists", want: []string{"*.id=1 2", "*.title=Top Catch-up"}},
				{as: "bob", do: "GET /api/v1/lists/2", want: []string{"title=Catch-up"}}, {as: "bob", do: "GET /api/v1/lists/2/accounts", want: []string{"#0"}},
				{as: "bob", do: "GET /api/v1/timelines/list/2", want: []string{"*.id={b} {d} {a} {c}"}},
				{as: "cat", do: "GET /api/v1/timelines/list/2", code: 404}, {do: "GET /api/v1/timelines/list/2", code: 401},
				{as: "bob", do: "GET /api/v1/timelines/list/2?limit=2", want: []string{"*.id={b} {d}", `Link~rel="next"`, `Link~max_id={d}>`}},
				{before: follow("next"), as: "bob", do: "GET {next}", want: []string{"*.id={a} {c}"}}, {before: follow("prev"), as: "bob", do: "GET {prev}", want: []string{"*.id={b} {d}"}},
				{as: "bob", do: "GET /api/v1/timelines/list/2?max_id={d}&limit=1", want: []string{"*.id={a}"}},
				{as: "bob", do: "GET /api/v1/timelines/list/2?max_id={c}", want: []string{"#0", "Link!"}},
				{as: "bob", do: "GET /api/v1/timelines/list/2?since_id={a}", want: []string{"*.id={b} {d}"}},
				{as: "bob", do: "GET /api/v1/timelines/list/2?min_id={b}", want: []string{"#0"}},
				{as: "bob", do: "PUT /api/v1/lists/2", body: "title=Mine", code: 403},
				{as: "bob", do: "POST /api/v1/lists/2/accounts", body: "account_ids[]={cat}", code: 403},
				{as: "bob", do: "DELETE /api/v1/lists/2", want: []string{"={}"}},
				{as: "bob", do: "GET /api/v1/linnet/lists", want: []string{"top=true", "catch_up=false"}},
				{as: "bob", do: "GET /api/v1/timelines/list/2", code: 404},
				{as: "bob", do: "GET /api/v1/timelines/home", want: []string{"*.id={d} {c} {b} {a}"}},
			})},
	}
}
