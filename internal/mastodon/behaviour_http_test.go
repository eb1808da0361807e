package mastodon_test

import (
	"strings"

	"linnet/internal/core"
)

func logins(people string) []string { return strings.Fields(people) }

// httpScenarios returns scenarios about HTTP aspects of all calls.
func httpScenarios() []scenario {
	return []scenario{
		{name: "every answer", steps: []step{
			{do: "GET /api/v1/instance", want: []string{"Content-Type=application/json; charset=utf-8", "X-Content-Type-Options=nosniff",
				"Access-Control-Allow-Origin=*", "Access-Control-Expose-Headers~Link", "Access-Control-Allow-Credentials!"}},
			{do: "GET /health", want: []string{"status=UP", "Content-Type~application/json"}},
			{do: "HEAD /api/v1/instance"},
		}},
		{name: "slash at the end", people: "ann", steps: []step{
			{do: "GET /api/v1/instance/", want: []string{"uri=linnet.test"}},
			{do: "GET /api/v2/instance/", want: []string{"domain=linnet.test"}},
			{as: "ann", do: "POST /api/v1/statuses/", body: "status=hello", want: []string{"content~hello"}},
			{as: "ann", do: "GET /api/v1/timelines/home/?limit=1", want: []string{"#1", "Link~https://linnet.test/api/v1/timelines/home?limit=1"}},
			{do: "POST /oauth/token/", body: "grant_type=client_credentials&client_id={client_id}&client_secret={client_secret}"},
		}},
		{name: "preflight", steps: []step{
			{do: "OPTIONS /api/v1/statuses", header: "Access-Control-Request-Headers: authorization,x-odd", want: []string{
				"Access-Control-Allow-Origin=*", "Access-Control-Allow-Headers=authorization,x-odd",
				"Access-Control-Allow-Methods=GET, POST, PUT, PATCH, DELETE, OPTIONS"}},
			{do: "OPTIONS /oauth/token", want: []string{"Access-Control-Allow-Headers~idempotency-key"}},
			{do: "OPTIONS /nowhere"},
		}},
		{name: "a JSON body of a GET", people: "ann", steps: []step{
			{as: "ann", do: "POST /api/v1/statuses", body: "status=a"}, {as: "ann", do: "POST /api/v1/statuses", body: "status=b"},
			{as: "ann", do: "GET /api/v1/timelines/home", body: `{"limit":1}`, want: []string{"#1"}},
			{as: "ann", do: "GET /api/v1/timelines/home?limit=2", body: `{"limit":1}`, want: []string{"#2"}},
			{as: "ann", do: "GET /api/v1/accounts/relationships", body: `{"id":["{ann}"]}`, want: []string{"*.id={ann}"}},
			{as: "ann", do: "GET /api/v1/timelines/home", body: "limit=1", want: []string{"#2"}},
			{as: "ann", do: "GET /api/v1/timelines/home", body: `{"limit":`, code: 422},
		}},
		{name: "unknown paths and methods", people: "ann", steps: []step{
			{do: "GET /api/v1/nothing", code: 404, want: []string{"error~Not found", "Access-Control-Allow-Origin=*"}},
			{do: "GET /", code: 404, want: []string{"error~Not found"}},
			{do: "PUT /api/v1/instance", code: 405, want: []string{"error~not allowed", "Allow~GET"}},
			{as: "ann", do: "PATCH /api/v1/statuses/1", code: 405, want: []string{"error~not allowed"}},
			{do: "GET /oauth/authorize", code: 404},
		}},
		{name: "tokens", people: "ann", steps: []step{
			{do: "GET /api/v1/timelines/home", code: 401, want: []string{"error=The access token is invalid", "WWW-Authenticate~Bearer"}},
			{do: "GET /api/v1/timelines/home", header: "Authorization: Bearer nonsense", code: 401, want: []string{"WWW-Authenticate~invalid_token"}},
			{do: "GET /api/v1/timelines/public", header: "Authorization: Bearer nonsense", code: 401},
			{do: "GET /api/v1/timelines/public", header: "Authorization: Basic YTpi"}, {do: "GET /api/v1/timelines/public", header: "Authorization: Bearer "},
			{do: "GET /api/v1/timelines/public", header: "Authorization: Bearer    "}, {do: "GET /api/v1/timelines/public", header: "Authorization: Bearer"}, {do: "GET /api/v1/timelines/public", header: "Authorization: nonsense"},
			{do: "GET /api/v1/timelines/home", header: "Authorization: Bearer ", code: 401}, {do: "GET /api/v1/timelines/home", header: "Authorization: Basic YTpi", code: 401},
			{do: "GET /api/v1/instance", header: "Authorization: Bearer nonsense"},
			{as: "ann", do: "GET /api/v1/timelines/home"},
			{do: "GET /api/v1/timelines/home?access_token=whatever", code: 401},
			{as: "app", do: "GET /api/v1/timelines/home", code: 422, want: []string{"error~authenticated user"}},
			{as: "app", do: "GET /api/v1/timelines/public"},
		}},
		{name: "scopes", people: "ann bob", steps: []step{
			{as: "ann/read:statuses", do: "GET /api/v1/timelines/home"},
			{as: "ann/read:accounts", do: "GET /api/v1/timelines/home", code: 403, want: []string{"error~outside the authorized scopes"}},
			{as: "ann/read", do: "GET /api/v1/timelines/home"},
			{as: "ann/read", do: "POST /api/v1/statuses", body: "status=x", code: 403},
			{as: "ann/write:statuses", do: "POST /api/v1/statuses", body: "status=x"},
			{as: "ann/write:statuses", do: "GET /api/v1/timelines/home", code: 403},
			{as: "ann/follow", do: "POST /api/v1/accounts/{bob}/follow", want: []string{"following=true"}},
			{as: "ann/follow", do: "POST /api/v1/statuses", body: "status=x", code: 403},
			{as: "ann/profile", do: "GET /api/v1/accounts/verify_credentials", want: []string{"username=ann"}},
			{as: "ann/profile", do: "GET /api/v1/timelines/public", code: 403},
			{as: "ann/push", do: "GET /api/v1/accounts/verify_credentials", code: 403},
			{as: "ann/push", do: "GET /api/v1/apps/verify_credentials", want: []string{"name=Tests"}},
		}},
		{name: "bodies", people: "ann", steps: []step{
			{as: "ann", do: "POST /api/v1/statuses", body: `{"status":"a","sensitive":true,"unknown":[1]}`, want: []string{"sensitive=true"}},
			{as: "ann", do: "POST /api/v1/statuses?status=b&sensitive=True", want: []string{"content~b", "sensitive=true"}},
			{as: "ann", do: "POST /api/v1/statuses", body: `{"status":["a"]}`, code: 422, want: []string{"details.status.0.error=ERR_INVALID"}},
			{as: "ann", do: "POST /api/v1/statuses", body: `{"status":`, code: 422, want: []string{"error~not valid JSON"}},
			{as: "ann", do: "POST /api/v1/statuses", body: "status=" + strings.Repeat("x", 1<<20), code: 413, want: []string{"error~larger"}},
			{as: "ann", do: "POST /api/v1/statuses", body: "status=x", header: "Content-Type: text/csv", code: 415},
		}},
		{name: "bad parameters", people: "ann", steps: badParameters()},
		{name: "rates of a token", people: "ann", rates: core.Rates{Token: 3, User: -1, Paging: -1}, steps: []step{
			{as: "ann", do: "GET /api/v1/timelines/home", want: []string{"X-Ratelimit-Limit=3", "X-Ratelimit-Remaining=2", "X-Ratelimit-Reset~Z"}},
			{as: "ann", do: "GET /api/v1/timelines/home", want: []string{"X-Ratelimit-Remaining=1"}},
			{as: "ann", do: "GET /api/v1/timelines/home", want: []string{"X-Ratelimit-Remaining=0"}},
			{as: "ann", do: "GET /api/v1/timelines/home", code: 429, want: []string{"error=Too many requests", "X-Ratelimit-Remaining=0", "Retry-After~"}},
			{as: "ann/read", do: "GET /api/v1/timelines/home", want: []string{"X-Ratelimit-Remaining=2"}},
		}},
		{name: "rates of an address", rates: core.Rates{Address: 2}, steps: []step{
			{do: "GET /api/v1/instance"}, {do: "GET /api/v1/timelines/home", code: 401},
			{do: "GET /api/v1/instance", header: "X-Forwarded-For: 192.0.2.99", code: 429},
			{do: "GET /nodeinfo/2.0"},
		}},
		{name: "rates of follows and reports", people: "ann bob eve", rates: core.Rates{Follow: 11, Report: 11}, steps: []step{
			{as: "ann", do: "POST /api/v1/accounts/{bob}/follow"}, {as: "ann", do: "POST /api/v1/accounts/{bob}/unfollow"},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/follow"}, {as: "ann", do: "POST /api/v1/accounts/{bob}/unfollow"},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/follow", code: 429}, {as: "ann", do: "POST /api/v1/accounts/{eve}/follow"},
			{as: "ann", do: "POST /api/v1/reports", body: "account_id={bob}"}, {as: "ann", do: "POST /api/v1/reports", body: "account_id={bob}"},
			{as: "ann", do: "POST /api/v1/reports", body: "account_id={bob}", code: 429}, {as: "ann", do: "POST /api/v1/reports", body: "account_id={eve}"}}},
		{name: "rates of a user and of deletes", people: "ann", rates: core.Rates{User: 5, Delete: 1}, steps: []step{
			{as: "ann/write", do: "POST /api/v1/statuses", body: "status=a", save: "p=id"},
			{as: "ann", do: "DELETE /api/v1/statuses/{p}"},
			{as: "ann", do: "POST /api/v1/statuses/{p}/unreblog", code: 429},
			{as: "ann", do: "GET /api/v1/timelines/home"}, {as: "ann/read", do: "GET /api/v1/timelines/home"},
			{as: "ann/read", do: "GET /api/v1/timelines/home", code: 429},
		}},
		{name: "rates of sign-up and paging", rates: core.Rates{SignUp: 1, Paging: 1}, steps: []step{
			{as: "app", do: "POST /api/v1/accounts", body: "username=eve", code: 422},
			{as: "app", do: "POST /api/v1/accounts", body: "username=eve", code: 429},
			{do: "GET /api/v1/timelines/public?max_id=5"}, {do: "GET /api/v1/timelines/public"},
			{do: "GET /api/v1/timelines/public?max_id=5", code: 429},
		}},
	}
}

// badParameters never give a 5xx.
func badParameters() []step {
	bad := []step{
		{do: "GET /api/v1/accounts/abc", code: 404}, {do: "GET /api/v1/accounts/0", code: 404},
		{do: "GET /api/v1/accounts/99999999999999999999999", code: 404}, {do: "GET /api/v1/accounts/-1", code: 404},
		{do: "GET /api/v1/statuses/%00", code: 404}, {do: "GET /api/v1/statuses/1%2F2", code: 404},
		{do: "GET /api/v1/accounts/lookup", code: 404}, {do: "GET /api/v1/accounts/lookup?acct=%00%0d%0a:{}", code: 404},
		{do: "GET /api/v1/accounts/lookup?acct=%ff", code: 422}, {do: "GET /api/v1/accounts/lookup?acct[]=a", code: 422},
		{do: "GET /api/v1/timelines/tag/%ff%00", want: []string{"#0"}}, {do: "GET /api/v1/timelines/tag/%20", want: []string{"#0"}},
		{do: "GET /api/v1/statuses?id[]=abc&id[]=1&id[]=", want: []string{"#0"}},
		{do: "GET /api/v1/statuses?id[x]=1", code: 422}, {do: "GET /api/v1/statuses", want: []string{"#0"}},
		{do: "GET /api/v1/statuses?" + strings.Repeat("id[]=1&", 41), code: 422},
		{do: "GET /api/v1/notifications?account_id=abc", want: []string{"#0"}},
		{do: "GET /api/v1/notifications?types[]=odd", want: []string{"#0"}},
		{do: "GET /api/v1/tags/%00", code: 404}, {do: "GET /api/v1/tags/a%20b", code: 404},
		{do: "GET /api/v2/search?q=%00&type=accounts"}, {do: "GET /api/v2/search?q=a&type=odd", code: 422},
		{do: "POST /api/v1/statuses", body: "status=%00", code: 422}, {do: "POST /api/v1/statuses", body: "status=a%00b"}, {do: "POST /api/v1/statuses", body: "status=%ff", code: 422},
		{do: "POST /api/v1/statuses", body: "status=x&visibility=odd", code: 422, want: []string{"details.visibility.0.error=ERR_INVALID"}},
		{do: "POST /api/v1/statuses", body: "status=x&in_reply_to_id=abc", code: 404},
		{do: "POST /api/v1/statuses", body: "status=x&language=" + strings.Repeat("x", 300)},
		{do: "POST /api/v1/statuses", body: "status=x", header: "Idempotency-Key: " + strings.Repeat("k", 300), code: 422},
		{do: "POST /api/v1/lists", body: "title=%00", code: 422}, {do: "POST /api/v1/lists", body: "title=x&replies_policy=odd", code: 422},
	}
	for _, path := range []string{"timelines/home", "timelines/public", "timelines/tag/x", "notifications", "favourites", "bookmarks",
		"accounts/{ann}/statuses", "accounts/{ann}/followers", "accounts/{ann}/following"} {
		do := "GET /api/v1/" + path
		bad = append(bad,
			step{do: do + "?limit[]=1", code: 422, want: []string{"details.limit.0.error=ERR_INVALID"}}, step{do: do + "?limit=x"}, step{do: do + "?limit=-1"},
			step{do: do + "?limit=9999999"}, step{do: do + "?limit=99999999999999999999"},
			step{do: do + "?max_id=abc", code: 422}, step{do: do + "?min_id=1e5", code: 422}, step{do: do + "?since_id=-1", code: 422},
			step{do: do + "?max_id=999999999999999999999999999999999", code: below500}, step{do: do + "?max_id[]=1", code: 422},
			step{do: do + "?max_id=0&min_id=0&since_id=0"}, step{do: do + "?max_id=00012"}, step{do: do + "?max_id=1&min_id=9000000000000000000"},
			step{do: do + "?max_id=%00", code: 422}, step{do: do + "?max_id="}, step{do: do + "?%zz=1", code: 422})
	}
	for i := range bad {
		bad[i].as = "ann"
	}
	return bad
}
