package mastodon_test

func blockScenarios() []scenario {
	return []scenario{
		{name: "block", people: "ann bob cat", steps: []step{
			{as: "ann", do: "POST /api/v1/accounts/{bob}/follow"}, {as: "bob", do: "POST /api/v1/accounts/{ann}/follow", body: "notify=true"},
			{as: "cat", do: "POST /api/v1/accounts/{ann}/follow"}, {as: "cat", do: "POST /api/v1/accounts/{bob}/follow"},
			{as: "ann", do: "POST /api/v1/lists", body: "title=L", save: "l=id"}, {as: "ann", do: "POST /api/v1/lists/{l}/accounts", body: "account_ids[]={bob}"},
			{as: "ann", do: "POST /api/v1/statuses", body: "status=by+ann+%23t", save: "a=id"}, {as: "bob", do: "POST /api/v1/statuses", body: "status=by+bob+%23t+@ann", save: "b=id"},
			{as: "cat", do: "POST /api/v1/statuses/{b}/reblog", save: "rb=id"}, {as: "cat", do: "POST /api/v1/statuses/{a}/reblog", save: "ra=id"},
			{as: "bob", do: "POST /api/v1/statuses/{a}/favourite"}, {as: "cat", do: "POST /api/v1/statuses/{a}/favourite"}, {as: "cat", do: "POST /api/v1/statuses/{b}/favourite"},
			{as: "cat", do: "POST /api/v1/statuses", body: "status=under&in_reply_to_id={a}", save: "c=id"}, {as: "bob", do: "POST /api/v1/statuses", body: "status=below&in_reply_to_id={c}", save: "d=id"},
			{as: "ann", do: "GET /api/v1/blocks", want: []string{"#0"}}, {do: "POST /api/v1/accounts/{bob}/block", code: 401},
			{as: "ann", do: "POST /api/v1/accounts/5/block", code: 404}, {as: "ann", do: "POST /api/v1/accounts/{ann}/block", code: 403},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/block", want: []string{"id={bob}", "blocking=true", "blocked_by=false", "following=false", "followed_by=false"}},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/block", want: []string{"blocking=true"}},
			{as: "bob", do: "GET /api/v1/accounts/relationships?id[]={ann}", want: []string{"0.blocked_by=true", "0.blocking=false", "0.following=false", "0.notifying=false", "0.followed_by=false"}},
			{as: "ann", do: "GET /api/v1/blocks", want: []string{"*.id={bob}"}}, {as: "bob", do: "GET /api/v1/blocks", want: []string{"#0"}},

			{as: "bob", do: "GET /api/v1/statuses/{a}", code: 404}, {as: "bob", do: "GET /api/v1/statuses/{a}/context", code: 404}, {as: "bob", do: "GET /api/v1/statuses/{ra}", code: 404},
			{as: "bob", do: "GET /api/v1/accounts/{ann}", want: []string{"acct=ann"}}, {as: "bob", do: "GET /api/v1/accounts/{ann}/statuses", want: []string{"#0"}},
			{as: "bob", do: "GET /api/v1/accounts/{ann}/followers", want: []string{"#0"}}, {as: "bob", do: "GET /api/v1/accounts/{ann}/following", want: []string{"#0"}},
			{as: "bob", do: "POST /api/v1/accounts/{ann}/follow", code: 403}, {as: "bob", do: "POST /api/v1/statuses/{a}/favourite", code: 404}, {as: "bob", do: "POST /api/v1/statuses/{a}/reblog", code: 404},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=x&in_reply_to_id={a}", code: 404},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=hey+@ann&visibility=direct", want: []string{"mentions=[]"}, save: "dm=id"}, {as: "ann", do: "GET /api/v1/statuses/{dm}", code: 404},
			{as: "bob", do: "GET /api/v1/timelines/public", want: []string{"*.id={b}"}}, {as: "bob", do: "GET /api/v1/timelines/tag/t", want: []string{"*.id={b}"}},
			{as: "bob", do: "GET /api/v1/statuses/{c}/context", want: []string{"ancestors=[]", "descendants.0.id={d}"}},

			{as: "ann", do: "GET /api/v1/timelines/home", want: []string{"*.id={a}"}}, {as: "ann", do: "GET /api/v1/timelines/list/{l}", want: []string{"#0"}},
			{as: "ann", do: "GET /api/v1/lists/{l}/accounts", want: []string{"#0"}}, {as: "ann", do: "POST /api/v1/lists/{l}/accounts", body: "account_ids[]={bob}", code: 403},
			{as: "ann", do: "GET /api/v1/timelines/public", want: []string{"*.id={a}"}}, {as: "ann", do: "GET /api/v1/timelines/tag/t", want: []string{"*.id={a}"}},
			{as: "ann", do: "GET /api/v1/statuses/{a}/favourited_by", want: []string{"*.acct=cat"}}, {as: "ann", do: "GET /api/v1/statuses/{a}/context", want: []string{"descendants.0.id={c}", "descendants.1!"}},
			{as: "ann", do: "GET /api/v1/notifications?account_id={bob}", want: []string{"#0"}}, {as: "bob", do: "GET /api/v1/notifications?account_id={ann}", want: []string{"#0"}},
			{as: "ann", do: "GET /api/v1/statuses/{b}", want: []string{"id={b}"}}, {as: "ann", do: "GET /api/v1/accounts/{bob}/statuses?exclude_replies=true", want: []string{"*.id={b}"}},
			{as: "ann", do: "GET /api/v1/accounts/{cat}/statuses", want: []string{"*.id={c} {ra}"}}, {as: "bob", do: "GET /api/v1/accounts/{cat}/statuses", want: []string{"*.id={c} {rb}"}},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/follow", code: 403}, {as: "ann", do: "POST /api/v1/statuses/{b}/favourite", code: 403}, {as: "ann", do: "POST /api/v1/statuses/{b}/reblog", code: 403},
			{as: "ann", do: "POST /api/v1/statuses", body: "status=x&in_reply_to_id={b}", code: 403},
			{as: "cat", do: "GET /api/v1/timelines/home", want: []string{"#4"}}, {do: "GET /api/v1/statuses/{a}"}, {do: "GET /api/v1/timelines/public", want: []string{"*.id={b} {a}"}},

			{as: "ann", do: "POST /api/v1/accounts/{bob}/unblock", want: []string{"blocking=false", "following=false"}}, {as: "ann", do: "POST /api/v1/accounts/{bob}/unblock", want: []string{"blocking=false"}},
			{as: "bob", do: "GET /api/v1/accounts/relationships?id[]={ann}", want: []string{"0.blocked_by=false"}}, {as: "bob", do: "GET /api/v1/statuses/{a}"},
			{as: "bob", do: "POST /api/v1/accounts/{ann}/follow", want: []string{"following=true"}}, {as: "ann", do: "GET /api/v1/timelines/public", want: []string{"*.id={b} {a}"}}, {as: "ann", do: "GET /api/v1/blocks", want: []string{"#0"}},
		}},
		{name: "pages of blocks", people: "ann bob cat dan", steps: []step{
			{as: "ann", do: "POST /api/v1/accounts/{bob}/block"}, {as: "ann", do: "POST /api/v1/accounts/{cat}/block"}, {as: "ann", do: "POST /api/v1/accounts/{dan}/block"},
			{as: "ann", do: "GET /api/v1/blocks?limit=2", want: []string{"*.acct=dan cat"}}, {before: follow("next"), as: "ann", do: "GET {next}", want: []string{"*.acct=bob"}},
			{before: follow("prev"), as: "ann", do: "GET {prev}", want: []string{"*.acct=dan cat"}},
			{as: "ann", do: "GET /api/v1/blocks?limit=-1"}, {do: "GET /api/v1/blocks", code: 401},
		}},
		muteScenario(),
	}
}

func muteScenario() scenario {
	return scenario{name: "mute", people: "ann bob cat", steps: []step{
		{as: "ann", do: "POST /api/v1/accounts/{bob}/follow"}, {as: "ann", do: "POST /api/v1/accounts/{cat}/follow"},
		{as: "ann", do: "POST /api/v1/statuses", body: "status=by+ann", save: "a=id"}, {as: "bob", do: "POST /api/v1/statuses", body: "status=by+bob+%23t", save: "b=id"},
		{as: "cat", do: "POST /api/v1/statuses/{b}/reblog", save: "rb=id"}, {as: "bob", do: "POST /api/v1/statuses/{a}/favourite"},
		{as: "cat", do: "POST /api/v1/statuses", body: "status=hello+@bob", save: "m=id"}, {as: "cat", do: "POST /api/v1/statuses", body: "status=hello", save: "c=id"},
		{as: "bob", do: "POST /api/v1/statuses", body: "status=answer&in_reply_to_id={a}", save: "r=id"},
		{as: "ann", do: "POST /api/v1/accounts/{ann}/mute", code: 403}, {as: "ann", do: "POST /api/v1/accounts/5/mute", code: 404}, {do: "POST /api/v1/accounts/{bob}/mute", code: 401},
		{as: "ann", do: "POST /api/v1/accounts/{bob}/mute", body: "duration=-1", code: 422}, {as: "ann", do: "POST /api/v1/accounts/{bob}/mute", body: "duration=soon", code: 422},
		{as: "ann", do: "POST /api/v1/accounts/{bob}/mute", want: []string{"muting=true", "muting_notifications=true", "muting_expires_at=null", "following=true"}},
		{as: "bob", do: "GET /api/v1/accounts/relationships?id[]={ann}", want: []string{"0.muting=false", "0.followed_by=true"}},
		{as: "ann", do: "GET /api/v1/mutes", want: []string{"*.id={bob}", "0.mute_expires_at=null"}}, {as: "bob", do: "GET /api/v1/mutes", want: []string{"#0"}}, {do: "GET /api/v1/mutes", code: 401},
		{as: "ann", do: "GET /api/v1/timelines/home", want: []string{"*.id={c} {a}"}}, {as: "ann", do: "GET /api/v1/timelines/public", want: []string{"*.id={c} {a}"}},
		{as: "ann", do: "GET /api/v1/timelines/tag/t", want: []string{"#0"}}, {as: "ann", do: "GET /api/v1/notifications", want: []string{"#0"}},
		{as: "ann", do: "GET /api/v1/statuses/{b}"}, {as: "ann", do: "GET /api/v1/accounts/{bob}/statuses", want: []string{"*.id={r} {b}"}}, {as: "ann", do: "GET /api/v1/statuses/{a}/context", want: []string{"descendants.0.id={r}"}},
		{as: "ann", do: "POST /api/v1/accounts/{bob}/mute", body: "notifications=false&duration=3600", want: []string{"muting=true", "muting_notifications=false", "muting_expires_at~Z"}},
		{as: "ann", do: "GET /api/v1/mutes", want: []string{"*.id={bob}", "0.mute_expires_at~Z"}}, {as: "ann", do: "GET /api/v1/notifications", want: []string{"*.type=favourite"}},
		{as: "ann", do: "GET /api/v1/timelines/home", want: []string{"*.id={c} {a}"}},
		{as: "ann", do: "POST /api/v1/accounts/{bob}/unmute", want: []string{"muting=false", "muting_notifications=false", "muting_expires_at=null"}}, {as: "ann", do: "POST /api/v1/accounts/{bob}/unmute"},
		{as: "ann", do: "GET /api/v1/mutes", want: []string{"#0"}}, {as: "ann", do: "GET /api/v1/timelines/home", want: []string{"#5"}},
	}}
}
