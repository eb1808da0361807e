package mastodon_test

import "strings"

func pollScenarios() []scenario {
	const ask = "status=which&poll[options][]=tea&poll[options][]=coffee&poll[expires_in]=300"
	return []scenario{
		{name: "poll", people: "ann bob cat", steps: []step{
			{as: "ann", do: "POST /api/v1/statuses", body: ask, want: []string{"poll.multiple=false", "poll.expired=false", "poll.votes_count=0", "poll.voters_count=0",
				"poll.options.*.title=tea coffee", "poll.options.*.votes_count=0 0", "poll.emojis#0", "poll.voted=true", "poll.own_votes#0", "poll.expires_at~Z"}, save: "p=id"},
			{as: "ann", do: "GET /api/v1/statuses/{p}", save: "poll=poll.id"},
			{do: "GET /api/v1/polls/{poll}", want: []string{"id={poll}", "voted!", "own_votes!", "options.*.title=tea coffee"}},
			{as: "bob", do: "GET /api/v1/polls/{poll}", want: []string{"voted=false", "own_votes#0"}},
			{as: "bob", do: "POST /api/v1/polls/{poll}/votes", body: "choices[]=1", want: []string{"id={poll}", "voted=true", "own_votes.*=1", "votes_count=1", "voters_count=1", "options.*.votes_count=0 1"}},
			{as: "bob", do: "POST /api/v1/polls/{poll}/votes", body: "choices[]=1", code: 422, want: []string{"error~already voted"}},
			{as: "ann", do: "POST /api/v1/polls/{poll}/votes", body: "choices[]=1", code: 422, want: []string{"error~your own poll"}},
			{as: "cat", do: "POST /api/v1/polls/{poll}/votes", body: `{"choices":[2]}`, code: 422, want: []string{"error~Choices can't contain 2, which is not an option of this poll", "details.choices.0.error=ERR_INVALID"}},
			{as: "cat", do: "POST /api/v1/polls/{poll}/votes", body: `{"choices":[0,1]}`, code: 422, want: []string{"error~allows only one"}},
			{as: "cat", do: "POST /api/v1/polls/{poll}/votes", body: `{"choices":["x"]}`, code: 422},
			{as: "cat", do: "POST /api/v1/polls/{poll}/votes", body: `{}`, code: 422, want: []string{"error~must include the number of an option"}},
			{as: "cat", do: "POST /api/v1/polls/{poll}/votes", body: `{"choices":["0"]}`, want: []string{"own_votes.*=0", "options.*.votes_count=1 1"}},
			{do: "POST /api/v1/polls/{poll}/votes", body: "choices[]=1", code: 401}, {as: "bob/read", do: "POST /api/v1/polls/{poll}/votes", body: "choices[]=1", code: 403},
			{as: "cat", do: "POST /api/v1/statuses/{p}/reblog", want: []string{"poll=null", "reblog.poll.own_votes.*=0"}, save: "r=id"}, {do: "GET /api/v1/polls/{r}", code: 404},
			{as: "bob", do: "GET /api/v1/statuses/{p}", want: []string{"poll.own_votes.*=1", "poll.voters_count=2"}}, {do: "GET /api/v1/statuses/{p}", want: []string{"poll.voted!", "poll.voters_count=2"}},
			{as: "ann", do: "DELETE /api/v1/statuses/{p}", want: []string{"text=which", "poll.options.*.title=tea coffee", "poll.multiple=false"}},
			{as: "bob", do: "GET /api/v1/polls/{poll}", code: 404}, {as: "bob", do: "POST /api/v1/polls/{poll}/votes", body: "choices[]=1", code: 404},
		}},
		{name: "poll with hidden totals and several choices", people: "ann bob cat", steps: []step{
			{as: "ann", do: "POST /api/v1/statuses", body: `{"status":"x","poll":{"options":["a","b","c"],"expires_in":"600","multiple":true,"hide_totals":true}}`,
				want: []string{"poll.multiple=true", "poll.options.*.votes_count=null null null"}, save: "p=id"},
			{as: "bob", do: "POST /api/v1/polls/{p}/votes", body: "choices[]=0&choices[]=2", want: []string{"votes_count=2", "voters_count=1", "options.*.votes_count=null null null", "own_votes.*=0 2"}},
			{as: "ann", do: "GET /api/v1/polls/{p}", want: []string{"voters_count=1", "options.*.votes_count=null null null"}},
			{as: "cat", do: "POST /api/v2/filters", body: "title=f&context[]=public&keywords_attributes[][keyword]=zebra"},
			{as: "ann", do: "POST /api/v1/statuses", body: "status=x&poll[options][]=zebra&poll[options][]=b&poll[expires_in]=300", save: "q=id"},
			{as: "cat", do: "GET /api/v1/timelines/public?limit=1", want: []string{"0.filtered.0.keyword_matches.*=zebra"}},
		}},
		{name: "polls that may not be", people: "ann bob", steps: []step{
			{as: "ann", do: "POST /api/v1/statuses", body: "status=x&poll[options][]=a&poll[expires_in]=300", code: 422, want: []string{"error~poll.options needs at least 2 options that aren't blank, but has 1"}},
			{as: "ann", do: "POST /api/v1/statuses", body: ask + "&poll[options][]=1&poll[options][]=2&poll[options][]=3", code: 422, want: []string{"error~at most 4 options"}},
			{as: "ann", do: "POST /api/v1/statuses", body: ask + "&poll[options][]=" + strings.Repeat("x", 51), code: 422, want: []string{"error~51"}},
			{as: "ann", do: "POST /api/v1/statuses", body: ask + "&poll[options][]=tea", code: 422},
			{as: "ann", do: "POST /api/v1/statuses", body: `{"status":"x","poll":"y"}`, code: 422},
			{as: "ann", do: "POST /api/v1/statuses", body: `{"status":"x","poll":{"options":["a","b"]}}`, code: 422, want: []string{"error~poll.expires_in is 0 seconds, but must be from 300 to 2629746 seconds"}},
			{as: "ann", do: "POST /api/v1/statuses", body: `{"status":"x","poll":{"options":["a","b"],"expires_in":2629747}}`, code: 422},
			{do: "GET /api/v2/instance", want: []string{"configuration.polls.max_options=4", "configuration.polls.max_characters_per_option=50", "configuration.polls.min_expiration=300", "configuration.polls.max_expiration=2629746"}},
			{as: "ann", do: "POST /api/v1/statuses", body: ask + "&visibility=private", save: "p=id"},
			{as: "bob", do: "GET /api/v1/polls/{p}", code: 404}, {do: "GET /api/v1/polls/{p}", code: 404},
			{as: "bob", do: "POST /api/v1/polls/{p}/votes", body: "choices[]=0", code: 404},
			{as: "bob", do: "GET /api/v1/polls/5", code: 404},
			{as: "bob", do: "GET /api/v1/polls/x", code: 404},
			{as: "ann", do: "POST /api/v1/statuses", body: "status=none", save: "q=id"}, {as: "bob", do: "GET /api/v1/polls/{q}", code: 404},
		}},
	}
}
