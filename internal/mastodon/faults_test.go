package mastodon_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
)

// linkTo returns the path and query of the link with a relation in a Link header.
func linkTo(t testing.TB, header, rel string) string {
	t.Helper()
	for part := range strings.SplitSeq(header, ",") {
		target, params, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.TrimSpace(params) != fmt.Sprintf("rel=%q", rel) {
			continue
		}
		u, err := url.Parse(strings.Trim(target, "<>"))
		if err != nil || !u.IsAbs() {
			t.Fatalf("link %q is not absolute", target)
		}
		return u.RequestURI()
	}
	t.Fatalf("no %s in %q", rel, header)
	return ""
}

// faultScenarios returns scenarios of bugs that users and clients of similar servers have seen.
func faultScenarios() []scenario {
	return []scenario{
		{name: "public statuses need no token", people: "ann", steps: []step{
			{as: "ann", do: "POST /api/v1/statuses", body: "status=a", save: "p=id"},
			{do: "GET /api/v1/statuses/{p}"}, {do: "GET /api/v1/statuses/{p}/context"}, {do: "GET /api/v1/statuses?id[]={p}", want: []string{"#1"}},
			{do: "GET /api/v1/accounts/{ann}/statuses", want: []string{"#1"}}, {do: "GET /api/v1/timelines/public", want: []string{"#1"}},
		}},
		{name: "boosts neither repeat nor break the order", people: "ann bob cat", steps: []step{
			{as: "ann", do: "POST /api/v1/accounts/{bob}/follow"}, {as: "ann", do: "POST /api/v1/accounts/{cat}/follow"},
			{as: "cat", do: "POST /api/v1/statuses", body: "status=first", save: "a=id"}, {as: "cat", do: "POST /api/v1/statuses", body: "status=second", save: "b=id"},
			{as: "bob", do: "POST /api/v1/statuses/{a}/reblog"},
			{as: "ann", do: "GET /api/v1/timelines/home", want: []string{"*.id={b} {a}"}},
		}},
		{name: "counts after unreblog", people: "ann bob cat", steps: []step{
			{as: "ann", do: "POST /api/v1/statuses", body: "status=a", save: "p=id"}, {as: "bob", do: "POST /api/v1/statuses/{p}/reblog"}, {as: "cat", do: "POST /api/v1/statuses/{p}/reblog"},
			{as: "bob", do: "POST /api/v1/statuses/{p}/unreblog", want: []string{"reblogs_count=1"}}, {as: "ann", do: "GET /api/v1/statuses/{p}", want: []string{"reblogs_count=1"}},
		}},
		{name: "lists of people one does not follow", people: "ann bob", steps: []step{
			{as: "ann", do: "POST /api/v1/lists", body: "title=x", save: "l=id"}, {as: "ann", do: "POST /api/v1/lists/{l}/accounts", body: "account_ids[]={bob}"},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=x", save: "p=id"}, {as: "ann", do: "GET /api/v1/timelines/list/{l}", want: []string{"*.id={p}"}},
		}},
		{name: "validation is 422", people: "ann", steps: []step{
			{as: "ann", do: "POST /api/v1/statuses", body: "status=", code: 422}, {as: "ann", do: "GET /api/v1/timelines/home?limit[]=x", code: 422},
			{do: "POST /api/v1/apps", body: "client_name=", code: 422}, {as: "ann", do: "POST /api/v1/lists", body: "title=", code: 422},
		}},
		{name: "arrays", people: "ann", steps: []step{
			{do: "POST /api/v1/apps", body: `{"client_name":"x","redirect_uris":["https://a.test/"]}`},
			{do: "POST /api/v1/apps", body: "client_name=x&redirect_uris[]=https://a.test/&redirect_uris[]=https://b.test/", want: []string{"redirect_uris#2"}},
			{as: "ann", do: "PATCH /api/v1/accounts/update_credentials", body: "fields_attributes[][name]=a&fields_attributes[][value]=b", want: []string{"fields#1"}},
		}},
		{name: "tagged profiles and dismissal", people: "ann bob", steps: []step{
			{as: "ann", do: "POST /api/v1/statuses", body: "status=a+%23x", save: "a=id"}, {as: "ann", do: "POST /api/v1/statuses", body: "status=b"},
			{do: "GET /api/v1/accounts/{ann}/statuses?tagged=x", want: []string{"*.id={a}"}},
			{as: "bob", do: "POST /api/v1/accounts/{ann}/follow"}, {as: "ann", do: "GET /api/v1/notifications", save: "n=0.id"},
			{as: "ann", do: "POST /api/v1/notifications/{n}/dismiss"}, {as: "ann", do: "GET /api/v1/notifications", want: []string{"#0"}},
		}},
	}
}
