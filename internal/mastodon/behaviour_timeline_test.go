package mastodon_test

import "fmt"

func timelineScenarios() []scenario {
	return []scenario{
		{name: "home", people: "ann bob cat", steps: []step{
			{as: "ann", do: "POST /api/v1/accounts/{bob}/follow"},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=one", save: "a=id"},
			{as: "cat", do: "POST /api/v1/statuses", body: "status=not+followed", save: "x=id"},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=two&visibility=private", save: "b=id"},
			{as: "ann", do: "POST /api/v1/statuses", body: "status=own", save: "c=id"},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=@cat+reply&in_reply_to_id={x}", save: "d=id"},
			{as: "ann", do: "GET /api/v1/timelines/home", want: []string{"*.id={c} {b} {a}"}},
			{as: "bob", do: "POST /api/v1/statuses/{x}/reblog", save: "e=id"},
			{as: "ann", do: "GET /api/v1/timelines/home", want: []string{"*.id={e} {c} {b} {a}", "0.reblog.id={x}"}},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/follow", body: "reblogs=false"},
			{as: "ann", do: "GET /api/v1/timelines/home", want: []string{"*.id={c} {b} {a}"}},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/unfollow"},
			{as: "ann", do: "GET /api/v1/timelines/home", want: []string{"*.id={c}"}},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/follow"},
			{as: "ann", do: "GET /api/v1/timelines/home", want: []string{"*.id={e} {c} {b} {a}"}},
			{do: "GET /api/v1/timelines/home", code: 401},
		}},
		{name: "pages of home", people: "ann", steps: pages("/api/v1/timelines/home")},
		{name: "pages of a profile", people: "ann", steps: pages("/api/v1/accounts/{ann}/statuses")},
		{name: "pages of the public timeline", people: "ann", steps: pages("/api/v1/timelines/public")},
		{name: "pages of a tag", people: "ann", steps: pages("/api/v1/timelines/tag/t")},
		{name: "profile", people: "ann bob", steps: []step{
			{as: "ann", do: "POST /api/v1/statuses", body: "status=a+%23one", save: "a=id"},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=b", save: "x=id"},
			{as: "ann", do: "POST /api/v1/statuses", body: "status=to+bob&in_reply_to_id={x}", save: "b=id"},
			{as: "ann", do: "POST /api/v1/statuses", body: "status=to+self&in_reply_to_id={a}", save: "c=id"},
			{as: "ann", do: "POST /api/v1/statuses/{x}/reblog", save: "d=id"},
			{as: "ann", do: "POST /api/v1/statuses", body: "status=u&visibility=unlisted", save: "e=id"},
			{do: "GET /api/v1/accounts/{ann}/statuses", want: []string{"*.id={e} {d} {c} {b} {a}"}},
			{do: "GET /api/v1/accounts/{ann}/statuses?exclude_replies=true", want: []string{"*.id={e} {d} {c} {a}"}},
			{do: "GET /api/v1/accounts/{ann}/statuses?exclude_reblogs=1", want: []string{"*.id={e} {c} {b} {a}"}},
			{do: "GET /api/v1/accounts/{ann}/statuses?tagged=ONE", want: []string{"*.id={a}"}}, {do: "GET /api/v1/accounts/{ann}/statuses?tagged=two", want: []string{"#0"}},
			{do: "GET /api/v1/accounts/{ann}/statuses?only_media=true", want: []string{"#0"}}, {do: "GET /api/v1/accounts/{ann}/statuses?pinned=true", want: []string{"#0"}},
			{do: "GET /api/v1/accounts/5/statuses", code: 404}, {do: "GET /api/v1/accounts/5/statuses?pinned=true", code: 404},
		}},
		{name: "public and tags", people: "ann bob", steps: []step{
			{as: "ann", do: "POST /api/v1/statuses", body: "status=a+%23Red+%23green", save: "a=id"},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=b+%23red", save: "b=id"},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=c+%23blue&visibility=unlisted", save: "c=id"},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=d+%23red&visibility=private"},
			{as: "bob", do: "POST /api/v1/statuses/{a}/reblog"}, {as: "ann", do: "POST /api/v1/statuses", body: "status=e&in_reply_to_id={b}"},
			{do: "GET /api/v1/timelines/public", want: []string{"*.id={b} {a}"}}, {do: "GET /api/v1/timelines/public?local=true", want: []string{"#2"}},
			{do: "GET /api/v1/timelines/public?remote=true", want: []string{"#0"}}, {do: "GET /api/v1/timelines/public?only_media=true", want: []string{"#0"}},
			{do: "GET /api/v1/timelines/tag/red", want: []string{"*.id={b} {a}"}}, {do: "GET /api/v1/timelines/tag/RED", want: []string{"*.id={b} {a}"}},
			{do: "GET /api/v1/timelines/tag/red?all[]=green", want: []string{"*.id={a}"}}, {do: "GET /api/v1/timelines/tag/red?none[]=green", want: []string{"*.id={b}"}},
			{do: "GET /api/v1/timelines/tag/green?any[]=red", want: []string{"*.id={b} {a}"}}, {do: "GET /api/v1/timelines/tag/red?remote=1", want: []string{"#0"}},
			{do: "GET /api/v1/timelines/tag/nothing", want: []string{"#0", "Link!"}},
			{do: "GET /api/v1/tags/Red", want: []string{"name=red", "url=https://linnet.test/tags/red", "history.0.uses=2", "history.0.accounts=2", "following!"}},
			{as: "ann", do: "GET /api/v1/tags/never", want: []string{"name=never", "following=false"}},
		}},
		{name: "pages of people", people: "ann bob cat dan", steps: []step{
			{as: "bob", do: "POST /api/v1/accounts/{ann}/follow"},
			{as: "cat", do: "POST /api/v1/accounts/{ann}/follow"},
			{as: "dan", do: "POST /api/v1/accounts/{ann}/follow"},
			{do: "GET /api/v1/accounts/{ann}/followers?limit=2", want: []string{"*.acct=dan cat", "Link~rel=\"next\""}, save: "x=0.id"},
			{before: follow("next"), do: "GET {next}", want: []string{"*.acct=bob", "Link~rel=\"prev\""}},
			{before: follow("prev"), do: "GET {prev}", want: []string{"*.acct=dan cat"}},
			{do: "GET /api/v1/accounts/{ann}/followers?limit=80", want: []string{"#3"}},
		}},
	}
}

// pages returns steps that read a timeline of seven statuses in every direction.
func pages(path string) []step {
	var steps []step
	for i := range 7 {
		steps = append(steps, step{as: "ann", do: "POST /api/v1/statuses", body: fmt.Sprintf("status=n%d+%%23t", i), save: fmt.Sprintf("s%d=id", i)})
	}
	get := "GET " + path
	return append(steps, []step{
		{as: "ann", do: get + "?limit=3", want: []string{"*.id={s6} {s5} {s4}",
			"Link=<https://linnet.test" + path + `?limit=3&max_id={s4}>; rel="next", <https://linnet.test` + path + `?limit=3&min_id={s6}>; rel="prev"`}},
		{before: follow("next"), as: "ann", do: "GET {next}", want: []string{"*.id={s3} {s2} {s1}"}},
		{before: follow("next"), as: "ann", do: "GET {next}", want: []string{"*.id={s0}"}},
		{before: follow("prev"), as: "ann", do: "GET {prev}", want: []string{"*.id={s3} {s2} {s1}"}},
		{before: follow("prev"), as: "ann", do: "GET {prev}", want: []string{"*.id={s6} {s5} {s4}"}},
		{before: follow("prev"), as: "ann", do: "GET {prev}", want: []string{"#0", "Link!"}},
		{as: "ann", do: get + "?max_id={s3}", want: []string{"*.id={s2} {s1} {s0}"}},
		{as: "ann", do: get + "?since_id={s3}", want: []string{"*.id={s6} {s5} {s4}"}},
		{as: "ann", do: get + "?since_id={s1}&limit=2", want: []string{"*.id={s6} {s5}"}},
		{as: "ann", do: get + "?min_id={s1}&limit=2", want: []string{"*.id={s3} {s2}"}},
		{as: "ann", do: get + "?min_id={s1}&since_id={s4}&limit=2", want: []string{"*.id={s3} {s2}"}},
		{as: "ann", do: get + "?min_id={s1}&max_id={s4}", want: []string{"*.id={s3} {s2}"}},
		{as: "ann", do: get + "?since_id={s1}&max_id={s4}&limit=1", want: []string{"*.id={s3}"}},
		{as: "ann", do: get + "?min_id=0&limit=2", want: []string{"*.id={s1} {s0}"}},
		{as: "ann", do: get + "?min_id=1&limit=2", want: []string{"*.id={s1} {s0}"}},
		{as: "ann", do: get + "?since_id=0&limit=2", want: []string{"*.id={s6} {s5}"}},
		{as: "ann", do: get + "?max_id={s0}", want: []string{"#0", "Link!"}},
		{as: "ann", do: get + "?max_id=9000000000000000000", want: []string{"#7"}},
		{as: "ann", do: get + "?min_id={s6}", want: []string{"#0"}},
	}...)
}

// follow returns a function that stores the path of a page linked in the last response.
func follow(rel string) func(w *world) {
	return func(w *world) { w.vars[rel] = linkTo(w.t, w.last.Header().Get("Link"), rel) }
}
