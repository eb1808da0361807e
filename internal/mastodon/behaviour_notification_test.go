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
	}
}
