package mastodon_test

import "strings"

func filterScenarios() []scenario {
	return []scenario{filtersKept(), filterKeywords(), filtersApplied(), filtersInPlaces(), filtersOfStatuses(), oldFilters(), filterFaults()}
}

func filtersKept() scenario {
	const root = "/api/v2/filters"
	return scenario{name: "filters", people: "ann bob", steps: []step{
		{as: "ann", do: "GET " + root, want: []string{"=[]"}}, {do: "GET " + root, code: 401},
		{as: "ann/read:lists", do: "GET " + root, code: 403},
		{as: "ann/read:filters", do: "POST " + root, code: 403},
		{as: "ann/write:filters", do: "POST " + root, body: "title=Birds&context[]=home&context[]=public&keywords_attributes[][keyword]=tit&keywords_attributes[][whole_word]=true&keywords_attributes[][keyword]=from+birdsite&keywords_attributes[][whole_word]=False",
			want: []string{"title=Birds", `context=["home","public"]`, "expires_at=null", "filter_action=warn", "keywords.*.keyword=tit from birdsite", "keywords.*.whole_word=true false", "statuses#0"}, save: "f=id"},
		{as: "ann", do: "GET " + root, want: []string{"*.id={f}", "0.keywords#2"}},
		{as: "ann", do: "GET " + root + "/{f}", want: []string{"title=Birds", "keywords#2"}, save: "k=keywords.0.id"},
		{as: "bob", do: "GET " + root, want: []string{"#0"}},
		{as: "bob", do: "GET " + root + "/{f}", code: 404},
		{as: "bob", do: "PUT " + root + "/{f}", body: "title=x", code: 404},
		{as: "bob", do: "DELETE " + root + "/{f}", code: 404},
		{as: "ann", do: "PUT " + root + "/{f}", body: `{"title":"Fowl","context":["thread","account"],"filter_action":"hide","expires_in":3600,"keywords_attributes":[{"id":"{k}","_destroy":true},{"keyword":"hen"}]}`,
			want: []string{"title=Fowl", `context=["thread","account"]`, "filter_action=hide", "expires_at~Z", "keywords.*.keyword=from birdsite hen", "keywords.*.whole_word=false true"}, save: "k=keywords.0.id"},
		{as: "ann", do: "PUT " + root + "/{f}", body: "filter_action=blur&keywords_attributes[0][id]={k}&keywords_attributes[0][keyword]=via+birdsite&keywords_attributes[1][keyword]=&keywords_attributes[1][_destroy]=1",
			want: []string{"title=Fowl", "filter_action=blur", "expires_at~Z", "keywords.*.keyword=via birdsite hen", "keywords.0.id={k}", "keywords.0.whole_word=false"}},
		{as: "ann", do: "PUT " + root + "/{f}", body: "expires_in=", want: []string{"expires_at=null"}},
		{as: "ann", do: "PUT " + root + "/{f}", body: `{"expires_in":"60"}`, want: []string{"expires_at~Z"}},
		{as: "ann", do: "PUT " + root + "/{f}", body: `{"title":"Fowl"}`, want: []string{"expires_at~Z"}},
		{as: "ann", do: "PUT " + root + "/{f}", body: `{"expires_in":null}`, want: []string{"expires_at=null"}},
		{as: "ann", do: "DELETE " + root + "/{f}", want: []string{"={}"}},
		{as: "ann", do: "GET " + root + "/{f}", code: 404},
		{as: "ann", do: "DELETE " + root + "/{f}", code: 404},
		{as: "ann", do: "GET " + root, want: []string{"#0"}},
	}}
}

func filterKeywords() scenario {
	const root = "/api/v2/filters"
	return scenario{name: "keywords of filters", people: "ann bob", steps: []step{
		{as: "ann", do: "POST " + root, body: "title=T&context[]=home", want: []string{"keywords#0"}, save: "f=id"},
		{as: "ann", do: "GET " + root + "/{f}/keywords", want: []string{"=[]"}},
		{as: "ann", do: "POST " + root + "/{f}/keywords", body: "keyword=+some+&whole_word=false", want: []string{"keyword=some", "whole_word=false"}, save: "k=id"},
		{as: "ann", do: "GET " + root + "/{f}/keywords", want: []string{"*.keyword=some", "0.id={k}"}},
		{as: "ann", do: "GET " + root + "/keywords/{k}", want: []string{"id={k}", "keyword=some"}},
		{as: "ann", do: "PUT " + root + "/keywords/{k}", body: `{"keyword":"other"}`, want: []string{"keyword=other", "whole_word=false"}},
		{as: "ann", do: "PUT " + root + "/keywords/{k}", body: "whole_word=1", want: []string{"keyword=other", "whole_word=true"}},
		{as: "ann", do: "PUT " + root + "/keywords/{k}", body: "keyword=+", code: 422, want: []string{"details.keyword.0.error=ERR_BLANK"}},
		{as: "ann", do: "POST " + root + "/{f}/keywords", code: 422, want: []string{"details.keyword.0.error=ERR_BLANK"}},
		{as: "bob", do: "GET " + root + "/{f}/keywords", code: 404}, {as: "bob", do: "POST " + root + "/{f}/keywords", body: "keyword=x", code: 404},
		{as: "bob", do: "GET " + root + "/keywords/{k}", code: 404},
		{as: "bob", do: "PUT " + root + "/keywords/{k}", body: "keyword=x", code: 404},
		{as: "bob", do: "DELETE " + root + "/keywords/{k}", code: 404},
		{as: "ann", do: "GET " + root + "/{f}", want: []string{"keywords.*.keyword=other"}},
		{as: "ann", do: "DELETE " + root + "/keywords/{k}", want: []string{"={}"}},
		{as: "ann", do: "GET " + root + "/keywords/{k}", code: 404}, {as: "ann", do: "GET " + root + "/{f}/keywords", want: []string{"#0"}},
		{as: "ann", do: "GET " + root + "/{f}/nonsense", code: 404},
		{as: "ann", do: "GET " + root + "/keywords/x", code: 404},
		{as: "ann", do: "POST " + root + "/keywords/{k}", body: "keyword=x", code: 404},
	}}
}

func filtersApplied() scenario {
	const root = "/api/v2/filters"
	return scenario{name: "filters find", people: "ann bob cat", steps: []step{
		{as: "ann", do: "POST /api/v1/accounts/{bob}/follow"},
		{as: "bob", do: "POST /api/v1/statuses", body: "status=A+Concatenation+of+Cats.+%22x%22", save: "a=id"},
		{as: "bob", do: "POST /api/v1/statuses", body: "status=dogs&spoiler_text=of+CAT", save: "b=id"},
		{as: "cat", do: "POST /api/v1/statuses", body: "status=my+cat", save: "c=id"},
		{as: "bob", do: "POST /api/v1/statuses/{c}/reblog", save: "r=id"},
		{as: "ann", do: "POST /api/v1/statuses", body: "status=cat", save: "d=id"},
		{as: "ann", do: "GET /api/v1/timelines/home", want: []string{"*.id={d} {r} {b} {a}", "*.filtered=[] [] [] []"}},
		{as: "ann", do: "POST " + root, body: `{"title":"Felines","context":["home"],"filter_action":"hide","keywords_attributes":[{"keyword":"cat","whole_word":true},{"keyword":"CATEN","whole_word":false}]}`, save: "f=id"},
		{as: "ann", do: "GET /api/v1/timelines/home", want: []string{"*.id={d} {r} {b} {a}", "0.filtered#0", "1.filtered#1", "2.filtered#1", "3.filtered#1",
			"1.filtered.0.filter.title=Felines", "1.filtered.0.filter.id={f}", "1.filtered.0.filter.filter_action=hide", `1.filtered.0.filter.context=["home"]`, "1.filtered.0.filter.expires_at=null", "1.filtered.0.filter.keywords!",
			`1.filtered.0.keyword_matches=["cat"]`, "1.filtered.0.status_matches=null", "1.reblog.filtered.0.filter.id={f}", `2.filtered.0.keyword_matches=["cat"]`, `3.filtered.0.keyword_matches=["CATEN"]`}},
		{as: "bob", do: "GET /api/v1/timelines/home", want: []string{"*.filtered=[] [] []"}}, {do: "GET /api/v1/statuses/{a}", want: []string{"filtered!"}},
		{as: "ann", do: "POST " + root, body: "title=Second&context[]=home&keywords_attributes[0][keyword]=my&keywords_attributes[1][keyword]=cat", save: "g=id"},
		{as: "ann", do: "GET /api/v1/timelines/home?limit=2", want: []string{"1.filtered.*.filter.id={f} {g}", `1.filtered.1.keyword_matches=["my","cat"]`}},
		{as: "ann", do: "DELETE " + root + "/{f}"},
		{as: "ann", do: "PUT " + root + "/{g}", body: "keywords_attributes[0][keyword]=concat&keywords_attributes[0][whole_word]=0"},
		{as: "ann", do: "GET /api/v1/timelines/home", want: []string{"3.filtered.*.filter.title=Second", `3.filtered.0.keyword_matches=["concat"]`}},
		{as: "ann", do: "POST /api/v1/statuses/{a}/favourite", want: []string{"favourited=true", "filtered.*.filter.id={g}"}},
		{as: "ann", do: "POST /api/v1/statuses/{c}/bookmark", want: []string{"bookmarked=true", "filtered#1"}},
		{as: "ann", do: "POST /api/v1/statuses/{c}/reblog", want: []string{"filtered#0", "reblog.filtered#1"}},
		{as: "ann", do: "GET /api/v1/favourites", want: []string{"0.filtered#1"}},
		{as: "ann", do: "GET /api/v1/statuses?id[]={a}&id[]={d}", want: []string{"0.filtered#1", "1.filtered#0"}},
		{as: "ann", do: "DELETE " + root + "/{g}"}, {as: "ann", do: "GET /api/v1/timelines/home", want: []string{"*.filtered=[] [] [] []"}},
	}}
}

// filtersInPlaces returns a scenario with a filter for each context that matches the same status.
// Each context has only its filter. A single status has all.
func filtersInPlaces() scenario {
	steps := []step{
		{as: "ann", do: "POST /api/v1/accounts/{bob}/follow"}, {as: "ann", do: "POST /api/v1/statuses", body: "status=root", save: "root=id"},
		{as: "bob", do: "POST /api/v1/statuses", body: "status=@ann+word+%23tagged&in_reply_to_id={root}", save: "s=id"},
		{as: "bob", do: "POST /api/v1/statuses", body: "status=word+%23tagged", save: "p=id"},
		{as: "ann", do: "POST /api/v1/lists", body: "title=L", save: "l=id"},
		{as: "ann", do: "POST /api/v1/lists/{l}/accounts", body: "account_ids[]={bob}"},
	}
	for _, place := range []string{"home", "notifications", "public", "thread", "account"} {
		steps = append(steps, step{as: "ann", do: "POST /api/v2/filters", body: "title=" + place + "&context[]=" + place + "&keywords_attributes[][keyword]=word"})
	}
	return scenario{name: "filters by place", people: "ann bob", steps: append(steps,
		step{as: "ann", do: "GET /api/v1/timelines/home?limit=2", want: []string{"0.filtered.*.filter.title=home", "1.filtered.*.filter.title=home"}},
		step{as: "ann", do: "GET /api/v1/timelines/list/{l}", want: []string{"0.filtered.*.filter.title=home"}},
		step{as: "ann", do: "GET /api/v1/notifications", want: []string{"0.type=mention", "0.status.filtered.*.filter.title=notifications"}, save: "n=0.id"},
		step{as: "ann", do: "GET /api/v1/notifications/{n}", want: []string{"status.filtered.*.filter.title=notifications"}},
		step{as: "ann", do: "GET /api/v1/timelines/public?limit=1", want: []string{"0.filtered.*.filter.title=public"}}, step{as: "ann", do: "GET /api/v1/timelines/tag/tagged?limit=1", want: []string{"0.filtered.*.filter.title=public"}},
		step{as: "ann", do: "GET /api/v1/statuses/{root}/context", want: []string{"descendants.0.filtered.*.filter.title=thread"}},
		step{as: "ann", do: "GET /api/v1/accounts/{bob}/statuses", want: []string{"0.filtered.*.filter.title=account"}},
		step{as: "ann", do: "GET /api/v1/statuses/{s}", want: []string{"filtered.*.filter.title=home notifications public thread account"}},
		step{do: "GET /api/v1/timelines/public?limit=1", want: []string{"0.filtered!"}},
	)}
}

func filtersOfStatuses() scenario {
	const root = "/api/v2/filters"
	return scenario{name: "statuses of filters", people: "ann bob cat", steps: []step{
		{as: "ann", do: "POST /api/v1/accounts/{bob}/follow"},
		{as: "cat", do: "POST /api/v1/statuses", body: "status=original", save: "c=id"},
		{as: "bob", do: "POST /api/v1/statuses/{c}/reblog", save: "r=id"},
		{as: "bob", do: "POST /api/v1/statuses", body: "status=one", save: "s=id"},
		{as: "bob", do: "POST /api/v1/statuses", body: "status=secret&visibility=direct", save: "x=id"},
		{as: "ann", do: "POST " + root, body: "title=T&context[]=home", save: "f=id"},
		{as: "ann", do: "POST " + root + "/{f}/statuses", body: "status_id={s}", want: []string{"status_id={s}"}, save: "i=id"},
		{as: "ann", do: "POST " + root + "/{f}/statuses", body: `{"status_id":"{s}"}`, code: 422, want: []string{"details.status_id.0.error=ERR_TAKEN"}},
		{as: "ann", do: "POST " + root + "/{f}/statuses", body: "status_id={x}", code: 404},
		{as: "ann", do: "POST " + root + "/{f}/statuses", body: "status_id=5", code: 404},
		{as: "ann", do: "POST " + root + "/{f}/statuses", code: 404},
		{as: "ann", do: "POST " + root + "/5/statuses", body: "status_id={s}", code: 404},
		{as: "ann", do: "GET " + root + "/{f}/statuses", want: []string{"*.status_id={s}"}},
		{as: "ann", do: "GET " + root + "/{f}", want: []string{"statuses.0.status_id={s}"}},
		{as: "ann", do: "GET " + root + "/statuses/{i}", want: []string{"id={i}", "status_id={s}"}},
		{as: "bob", do: "GET " + root + "/{f}/statuses", code: 404},
		{as: "bob", do: "POST " + root + "/{f}/statuses", body: "status_id={s}", code: 404},
		{as: "bob", do: "GET " + root + "/statuses/{i}", code: 404},
		{as: "bob", do: "DELETE " + root + "/statuses/{i}", code: 404},
		{as: "ann", do: "GET /api/v1/timelines/home", want: []string{"0.filtered.0.filter.id={f}", "0.filtered.0.keyword_matches=null", `0.filtered.0.status_matches=["{s}"]`, "1.filtered#0"}},
		{as: "ann", do: "POST " + root + "/{f}/statuses", body: "status_id={c}", save: "j=id"},
		{as: "ann", do: "GET /api/v1/timelines/home", want: []string{`1.filtered.0.status_matches=["{c}"]`, `1.reblog.filtered.0.status_matches=["{c}"]`}},
		{as: "ann", do: "DELETE " + root + "/statuses/{j}", want: []string{"={}"}},
		{as: "ann", do: "POST " + root + "/{f}/statuses", body: "status_id={r}"},
		{as: "ann", do: "GET /api/v1/timelines/home", want: []string{`1.filtered.0.status_matches=["{r}"]`}},
		{as: "bob", do: "DELETE /api/v1/statuses/{s}"},
		{as: "ann", do: "GET " + root + "/{f}/statuses", want: []string{"*.status_id={r}"}},
		{as: "ann", do: "GET /api/v1/timelines/home", want: []string{"#1"}},
		{as: "ann", do: "DELETE " + root + "/statuses/{i}", want: []string{"={}"}},
		{as: "ann", do: "DELETE " + root + "/statuses/{i}", code: 404},
		{as: "ann", do: "GET " + root + "/statuses/{i}", code: 404},
	}}
}

func oldFilters() scenario {
	const root, v2 = "/api/v1/filters", "/api/v2/filters"
	return scenario{name: "filters of the first version", people: "ann bob", steps: []step{
		{as: "ann", do: "GET " + root, want: []string{"=[]"}},
		{as: "ann", do: "POST " + root, body: "context[]=home", code: 422, want: []string{"details.phrase.0.error=ERR_BLANK"}},
		{as: "ann", do: "POST " + root, body: "phrase=x", code: 422, want: []string{"details.context.0.error=ERR_BLANK"}},
		{as: "ann", do: "POST " + root, body: `{"phrase":"test","context":["home","thread"],"irreversible":true,"expires_in":600}`, want: []string{"phrase=test", `context=["home","thread"]`, "whole_word=false", "irreversible=true", "expires_at~Z"}, save: "k=id"},
		{as: "ann", do: "GET " + root, want: []string{"*.id={k}"}},
		{as: "ann", do: "GET " + root + "/{k}", want: []string{"phrase=test"}},
		{as: "bob", do: "GET " + root + "/{k}", code: 404},
		{as: "ann", do: "GET " + v2, want: []string{"*.title=test", "0.filter_action=hide", "0.keywords.0.id={k}"}, save: "f=0.id"},
		{as: "ann", do: "PUT " + root + "/{k}", body: "phrase=toast&context[]=public&whole_word=true&irreversible=false&expires_in=", want: []string{"id={k}", "phrase=toast", `context=["public"]`, "whole_word=true", "irreversible=false", "expires_at=null"}},
		{as: "ann", do: "GET " + v2 + "/{f}", want: []string{"title=toast", "filter_action=warn"}},
		{as: "bob", do: "PUT " + root + "/{k}", body: "phrase=x", code: 404},
		{as: "bob", do: "DELETE " + root + "/{k}", code: 404},
		{as: "ann", do: "PUT " + root + "/{k}", body: "phrase=+", code: 422},
		{as: "ann", do: "POST " + v2 + "/{f}/keywords", body: "keyword=jam", save: "j=id"},
		{as: "ann", do: "GET " + root, want: []string{"*.phrase=toast jam"}},
		{as: "ann", do: "PUT " + root + "/{k}", body: "phrase=bread&context[]=public&irreversible=false&expires_in=", want: []string{"phrase=bread"}},
		{as: "ann", do: "PUT " + root + "/{k}", body: "phrase=bread&context[]=home", code: 422},
		{as: "ann", do: "PUT " + root + "/{k}", body: "irreversible=true", code: 422},
		{as: "ann", do: "GET " + v2 + "/{f}", want: []string{"title=toast", "keywords.*.keyword=bread jam", `context=["public"]`}},
		{as: "ann", do: "DELETE " + root + "/{k}", want: []string{"={}"}},
		{as: "ann", do: "GET " + root, want: []string{"*.id={j}"}},
		{as: "ann", do: "DELETE " + root + "/{j}", want: []string{"={}"}},
		{as: "ann", do: "GET " + root, want: []string{"#0"}},
		{as: "ann", do: "GET " + v2 + "/{f}", want: []string{"keywords#0"}},
		{do: "GET " + root, code: 401}, {as: "ann/write:filters", do: "GET " + root, code: 403},
	}}
}

func filterFaults() scenario {
	const root = "/api/v2/filters"
	return scenario{name: "filters refused", people: "ann", steps: []step{
		{as: "ann", do: "POST " + root, code: 422, want: []string{"details.title.0.error=ERR_BLANK"}},
		{as: "ann", do: "POST " + root, body: "title=x", code: 422, want: []string{"details.context.0.error=ERR_BLANK"}},
		{as: "ann", do: "POST " + root, body: "title=x&context[]=elsewhere", code: 422, want: []string{"details.context.0.error=ERR_INVALID"}},
		{as: "ann", do: "POST " + root, body: "title=x&context[]=", code: 422},
		{as: "ann", do: "POST " + root, body: "title=x&context[]=home&filter_action=explode", code: 422, want: []string{"details.filter_action.0.error=ERR_INVALID"}},
		{as: "ann", do: "POST " + root, body: "title=x&context[]=home&expires_in=-5", code: 422},
		{as: "ann", do: "POST " + root, body: "title=x&context[]=home&keywords_attributes[][id]=5&keywords_attributes[][keyword]=x", code: 404},
		{as: "ann", do: "POST " + root, body: "title=x&context[]=home&keywords_attributes[][id]=abc", code: 404},
		{as: "ann", do: "POST " + root, body: `{"title":"x","context":["home"],"keywords_attributes":[{"keyword":7}]}`, code: 422},
		{as: "ann", do: "POST " + root, body: `{"title":"x","context":["home"],"keywords_attributes":"x"}`, code: 422},
		{as: "ann", do: "POST " + root, body: "title=x&context[]=home&keywords_attributes[][keyword]=" + strings.Repeat("x", 513), code: 422, want: []string{"details.keyword.0.error=ERR_TOO_LONG"}},
		{as: "ann", do: "GET " + root, want: []string{"#0"}},
		{as: "ann", do: "POST " + root, body: "title=x&context[]=home", save: "f=id"},
		{as: "ann", do: "PUT " + root + "/{f}", body: "context[]=", want: []string{`context=["home"]`}},
		{as: "ann", do: "PUT " + root + "/{f}", body: `{"context":[]}`, code: 422},
		{as: "ann", do: "PUT " + root + "/{f}", body: "title=", code: 422},
		{as: "ann", do: "PUT " + root + "/{f}", body: "title=y&keywords_attributes[0][keyword]=a&keywords_attributes[1][id]=77", code: 404},
		{as: "ann", do: "GET " + root + "/{f}", want: []string{"title=x", "keywords#0"}},
		{as: "ann", do: "PUT " + root + "/abc", body: "title=y", code: 404}, {as: "ann", do: "GET " + root + "/12345", code: 404},
	}}
}
