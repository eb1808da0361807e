package mastodon_test

func noticeScenarios() []scenario {
	return []scenario{
		{name: "markers", people: "ann bob", steps: []step{
			{as: "ann", do: "GET /api/v1/markers?timeline[]=home&timeline[]=notifications", want: []string{"={}"}},
			{as: "ann", do: "POST /api/v1/markers", body: "home[last_read_id]=103194548672408537", want: []string{
				"home.last_read_id=103194548672408537", "home.version=1", "home.updated_at~Z", "notifications!"}},
			{as: "ann", do: "POST /api/v1/markers", body: `{"home":{"last_read_id":"12"},"notifications":{"last_read_id":"35098814"}}`, want: []string{
				"home.last_read_id=12", "home.version=2", "notifications.last_read_id=35098814", "notifications.version=1"}},
			{as: "ann", do: "GET /api/v1/markers?timeline[]=notifications", want: []string{"notifications.last_read_id=35098814", "home!"}},
			{as: "ann", do: "GET /api/v1/markers?timeline[]=home&timeline[]=public", want: []string{"home.last_read_id=12", "home.version=2", "public!"}},
			{as: "ann", do: "GET /api/v1/markers?timeline=home", want: []string{"home.version=2"}},
			{as: "ann", do: "GET /api/v1/markers", want: []string{"={}"}}, {as: "bob", do: "GET /api/v1/markers?timeline[]=home", want: []string{"={}"}},
			{as: "ann", do: "POST /api/v1/markers", want: []string{"={}"}}, {as: "ann", do: "POST /api/v1/markers", body: `{"home":{},"public":{"last_read_id":"5"}}`, want: []string{"={}"}},
			{as: "ann", do: "POST /api/v1/markers", body: "home[last_read_id]=soon", code: 422, want: []string{"details~home.last_read_id"}},
			{as: "ann", do: "POST /api/v1/markers", body: `{"home":"5"}`, code: 422, want: []string{"details~home"}},
			{as: "ann", do: "POST /api/v1/markers", body: "home[last_read_id]=0", code: 422}, {as: "ann", do: "POST /api/v1/markers", body: `{"home":{"last_read_id":[1]}}`, code: 422},
			{do: "GET /api/v1/markers", code: 401}, {as: "ann/read:notifications", do: "GET /api/v1/markers", code: 403}, {as: "ann/read", do: "POST /api/v1/markers", code: 403},
		}},
		{name: "unread notifications", people: "ann bob cat", steps: []step{
			{as: "ann", do: "GET /api/v1/notifications/unread_count", want: []string{"count=0"}},
			{as: "ann", do: "POST /api/v1/statuses", body: "status=a", save: "p=id"},
			{as: "bob", do: "POST /api/v1/accounts/{ann}/follow"}, {as: "bob", do: "POST /api/v1/statuses/{p}/favourite"}, {as: "cat", do: "POST /api/v1/statuses/{p}/reblog"},
			{as: "ann", do: "GET /api/v1/notifications/unread_count", want: []string{"count=3"}},
			{as: "ann", do: "GET /api/v1/notifications/unread_count?limit=2", want: []string{"count=2"}},
			{as: "ann", do: "GET /api/v1/notifications/unread_count?types[]=follow&types[]=reblog", want: []string{"count=2"}},
			{as: "ann", do: "GET /api/v1/notifications/unread_count?exclude_types[]=follow&account_id={bob}", want: []string{"count=1"}},
			{as: "ann", do: "GET /api/v1/notifications/unread_count?account_id=x", want: []string{"count=0"}},
			{as: "ann", do: "GET /api/v1/notifications/unread_count?limit=-1", code: 422}, {as: "ann", do: "GET /api/v1/notifications/unread_count?limit=5000", want: []string{"count=3"}},
			{as: "ann", do: "GET /api/v1/notifications", want: []string{"*.type=reblog favourite follow"}, save: "second=1.id"},
			{as: "ann", do: "POST /api/v1/markers", body: "notifications[last_read_id]={second}"}, {as: "ann", do: "GET /api/v1/notifications/unread_count", want: []string{"count=1"}},
			{as: "cat", do: "POST /api/v1/statuses/{p}/unreblog"}, {as: "ann", do: "GET /api/v1/notifications/unread_count", want: []string{"count=0"}},
			{do: "GET /api/v1/notifications/unread_count", code: 401}, {as: "ann/read:statuses", do: "GET /api/v1/notifications/unread_count", code: 403},
		}},
		{name: "mute a conversation", people: "ann bob", steps: []step{
			{as: "ann", do: "POST /api/v1/statuses", body: "status=root", save: "a=id"},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=@ann+one&in_reply_to_id={a}", want: []string{"muted=false"}, save: "b=id"},
			{as: "ann", do: "POST /api/v1/statuses/{b}/mute", want: []string{"id={b}", "muted=true"}}, {as: "ann", do: "POST /api/v1/statuses/{b}/mute", want: []string{"muted=true"}},
			{as: "ann", do: "GET /api/v1/statuses/{a}", want: []string{"muted=true"}}, {as: "bob", do: "GET /api/v1/statuses/{a}", want: []string{"muted=false"}},
			{do: "GET /api/v1/statuses/{a}", want: []string{"muted!"}},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=@ann+two&in_reply_to_id={b}", save: "c=id"}, {as: "bob", do: "POST /api/v1/statuses/{a}/favourite"},
			{as: "ann", do: "GET /api/v1/statuses/{a}/context", want: []string{"descendants.*.muted=true true"}}, {as: "ann", do: "GET /api/v1/timelines/home", want: []string{"0.muted=true"}},
			{as: "ann", do: "GET /api/v1/notifications", want: []string{"*.status.id={b}"}},
			{as: "ann", do: "GET /api/v1/linnet/timelines/mentions", want: []string{"*.id={c} {b}"}},
			{as: "ann", do: "POST /api/v1/statuses/{c}/unmute", want: []string{"muted=false"}}, {as: "ann", do: "POST /api/v1/statuses/{c}/unmute", want: []string{"muted=false"}},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=@ann+three&in_reply_to_id={c}", save: "d=id"}, {as: "ann", do: "GET /api/v1/notifications", want: []string{"*.status.id={d} {b}"}},
			{as: "ann", do: "POST /api/v1/statuses/5/mute", code: 404}, {do: "POST /api/v1/statuses/{a}/mute", code: 401}, {as: "ann/write:statuses", do: "POST /api/v1/statuses/{a}/mute", code: 403},
			{as: "ann/follow", do: "POST /api/v1/statuses/{a}/mute"},
		}},
		{name: "record of mentions", people: "ann bob", steps: []step{
			{as: "bob", do: "POST /api/v1/statuses", body: "status=@ann+one", save: "a=id"}, {as: "bob", do: "POST /api/v1/statuses", body: "status=@ann+two&visibility=direct", save: "b=id"},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=nobody"}, {as: "bob", do: "POST /api/v1/statuses", body: "status=@ann+three", save: "c=id"},
			{as: "ann", do: "POST /api/v1/notifications/clear"},
			{as: "ann", do: "GET /api/v1/linnet/timelines/mentions?limit=2", want: []string{"*.id={c} {b}", "Link~rel=\"next\""}},
			{before: follow("next"), as: "ann", do: "GET {next}", want: []string{"*.id={a}"}}, {before: follow("prev"), as: "ann", do: "GET {prev}", want: []string{"*.id={c} {b}"}},
			{as: "ann", do: "GET /api/v1/linnet/timelines/mentions?min_id={a}&limit=1", want: []string{"*.id={b}"}}, {as: "ann", do: "GET /api/v1/linnet/timelines/mentions?since_id={a}&limit=1", want: []string{"*.id={c}"}},
			{as: "bob", do: "DELETE /api/v1/statuses/{b}"}, {as: "ann", do: "GET /api/v1/linnet/timelines/mentions", want: []string{"*.id={c} {a}"}},
			{as: "bob", do: "GET /api/v1/linnet/timelines/mentions", want: []string{"#0", "Link!"}}, {do: "GET /api/v1/linnet/timelines/mentions", code: 401},
			{as: "ann/read:notifications", do: "GET /api/v1/linnet/timelines/mentions", code: 403}, {as: "ann", do: "GET /api/v1/linnet/timelines/mentions?limit=-1", code: 422},
		}},
	}
}
