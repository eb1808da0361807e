package mastodon_test

func conversationScenarios() []scenario {
	direct := func(as, text, save string) step {
		return step{as: as, do: "POST /api/v1/statuses", body: "visibility=direct&status=" + text, want: []string{"visibility=direct"}, save: save + "=id"}
	}
	return []scenario{
		{name: "conversations", people: "ann bob cat", steps: []step{
			{as: "ann", do: "GET /api/v1/conversations", want: []string{"#0", "Link!"}}, {do: "GET /api/v1/conversations", code: 401},
			{as: "ann/read:accounts", do: "GET /api/v1/conversations", code: 403},
			direct("ann", "@bob+hello", "a"),
			{as: "ann", do: "GET /api/v1/conversations", want: []string{"#1", "0.unread=false", "0.accounts.*.acct=bob", "0.last_status.id={a}", "0.last_status.visibility=direct", "0.accounts.0.statuses_count=0"}, save: "hers=0.id"},
			{as: "bob", do: "GET /api/v1/conversations", want: []string{"#1", "0.unread=true", "0.accounts.*.acct=ann", "0.last_status.id={a}"}, save: "his=0.id"},
			{as: "cat", do: "GET /api/v1/conversations", want: []string{"#0"}},
			{as: "bob", do: "POST /api/v1/conversations/{his}/read", want: []string{"id={his}", "unread=false", "last_status.id={a}"}},
			{as: "bob", do: "POST /api/v1/conversations/{his}/unread", want: []string{"unread=true"}},
			{as: "bob/read write:statuses", do: "POST /api/v1/conversations/{his}/read", code: 403},
			{as: "bob/write:conversations", do: "POST /api/v1/conversations/{his}/read", want: []string{"unread=false"}},
			{as: "bob", do: "POST /api/v1/statuses", body: `{"status":"@ann hi","visibility":"direct","in_reply_to_id":"{a}"}`, want: []string{"in_reply_to_id={a}"}, save: "b=id"},
			{as: "ann", do: "GET /api/v1/conversations", want: []string{"#1", "0.id={hers}", "0.unread=true", "0.last_status.id={b}"}},
			direct("cat", "@ann+@bob+three", "c"),
			{as: "ann", do: "GET /api/v1/conversations", want: []string{"*.last_status.id={c} {b}", "0.accounts#2", "0.unread=true"}},
			{as: "ann", do: "GET /api/v1/conversations?limit=1", want: []string{"#1", "Link~max_id={c}>; rel=\"next\"", "Link~min_id={c}>; rel=\"prev\""}},
			{before: follow("next"), as: "ann", do: "GET {next}", want: []string{"*.last_status.id={b}"}},
			{before: follow("prev"), as: "ann", do: "GET {prev}", want: []string{"*.last_status.id={c}"}},
			{as: "ann", do: "GET /api/v1/conversations?limit=-1"}, {as: "ann", do: "GET /api/v1/conversations?max_id=x", code: 422},
			{as: "ann", do: "GET /api/v1/linnet/conversations/{hers}/statuses", want: []string{"*.id={b} {a}"}},
			{as: "bob", do: "GET /api/v1/linnet/conversations/{hers}/statuses", code: 404},
			{as: "bob", do: "DELETE /api/v1/statuses/{b}"},
			{as: "ann", do: "GET /api/v1/conversations", want: []string{"*.last_status.id={c} {a}"}},
			{as: "bob", do: "DELETE /api/v1/conversations/{hers}", code: 404, want: []string{"error=Record not found"}},
			{as: "ann", do: "DELETE /api/v1/conversations/{hers}", want: []string{"={}"}}, {as: "ann", do: "DELETE /api/v1/conversations/{hers}", code: 404},
			{as: "ann", do: "POST /api/v1/conversations/{hers}/read", code: 404}, {as: "ann", do: "POST /api/v1/conversations/x/read", code: 404},
			{as: "ann", do: "GET /api/v1/conversations", want: []string{"*.last_status.id={c}"}},
			{as: "bob", do: "GET /api/v1/conversations", want: []string{"*.last_status.id={c} {a}"}},
			{as: "ann", do: "GET /api/v1/statuses/{a}"},
			direct("bob", "@ann+again", "d"),
			{as: "ann", do: "GET /api/v1/conversations", want: []string{"0.id={hers}", "0.unread=true", "*.last_status.id={d} {c}"}},
			direct("ann", "a+note", "e"),
			{as: "ann", do: "GET /api/v1/conversations", want: []string{"0.accounts.*.acct=ann", "0.last_status.id={e}", "0.unread=false"}},
		}},
		{name: "the direct timeline", people: "ann bob cat", steps: []step{
			{as: "bob", do: "POST /api/v1/statuses", body: "status=@ann+in+public"},
			direct("ann", "@bob+1", "a"), direct("bob", "@ann+2", "b"), direct("cat", "@bob+3", "c"), direct("ann", "4", "d"),
			{as: "ann", do: "POST /api/v1/statuses", body: "status=in+public"},
			{as: "ann", do: "GET /api/v1/timelines/direct", want: []string{"*.id={d} {b} {a}"}},
			{as: "bob", do: "GET /api/v1/timelines/direct", want: []string{"*.id={c} {b} {a}"}},
			{as: "ann", do: "GET /api/v1/timelines/direct?limit=1&max_id={d}", want: []string{"*.id={b}"}}, {before: follow("next"), as: "ann", do: "GET {next}", want: []string{"*.id={a}"}},
			{as: "ann", do: "GET /api/v1/timelines/direct?limit=1&min_id={a}", want: []string{"*.id={b}"}},
			{do: "GET /api/v1/timelines/direct", code: 401}, {as: "ann/write", do: "GET /api/v1/timelines/direct", code: 403},
		}},
	}
}
