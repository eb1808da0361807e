package mastodon_test

import (
	"fmt"
	"strings"

	"linnet/internal/linnet"
)

// featuredScenarios returns scenarios about tags on profiles.
func featuredScenarios() []scenario {
	const mine = "/api/v1/featured_tags"
	many := []step{}
	for i := range linnet.MaxFeaturedTags {
		many = append(many, step{as: "ann", do: "POST " + mine, body: fmt.Sprintf("name=tag%d", i)})
	}
	return []scenario{
		{name: "featured tags", people: "ann bob", steps: []step{
			{as: "ann", do: "GET " + mine, want: []string{"#0"}}, {do: "GET /api/v1/accounts/{ann}/featured_tags", want: []string{"#0"}},
			{as: "ann", do: "POST /api/v1/statuses", body: "status=a+%23Birds+%23trees", save: "a=id"},
			{as: "ann", do: "POST /api/v1/statuses", body: "status=b+%23birds", save: "b=id"},
			{as: "ann", do: "POST /api/v1/statuses", body: "status=c+%23birds&visibility=unlisted"},
			{as: "ann", do: "POST /api/v1/statuses", body: "status=d+%23birds&visibility=private"},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=e+%23birds", save: "e=id"}, {as: "ann", do: "POST /api/v1/statuses/{e}/reblog"},
			{as: "ann", do: "GET " + mine + "/suggestions", want: []string{"*.name=birds trees", "0.history.0.uses=3"}},
			{as: "ann", do: "POST " + mine, body: "name=%23BIRDS", want: []string{"name=BIRDS", "statuses_count=2", "last_status_at~20", "url=https://linnet.test/@ann/tagged/birds"}, save: "birds=id"},
			{as: "ann", do: "POST " + mine, body: "name=birds", want: []string{"id={birds}", "name=BIRDS"}},
			{as: "ann", do: "POST " + mine, body: "name=unused", want: []string{"statuses_count=0", "last_status_at=null"}, save: "unused=id"},
			{as: "ann", do: "GET " + mine, want: []string{"*.name=BIRDS unused"}}, {do: "GET /api/v1/accounts/{ann}/featured_tags", want: []string{"*.id={birds} {unused}"}},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=%23owls&visibility=unlisted"},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=%23owls&visibility=unlisted"},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=%23private&visibility=private"},
			{as: "bob", do: "GET " + mine + "/suggestions", want: []string{"*.name=owls birds"}},
			{as: "ann", do: "GET " + mine + "/suggestions", want: []string{"*.name=trees"}}, {as: "bob", do: "GET " + mine, want: []string{"#0"}},
			{do: "GET /api/v1/accounts/{ann}/statuses?tagged=Birds&exclude_reblogs=true", want: []string{"#3"}},
			{as: "ann", do: "DELETE /api/v1/statuses/{b}"}, {do: "GET /api/v1/accounts/{ann}/featured_tags", want: []string{"0.statuses_count=1"}},
			{as: "ann", do: "DELETE /api/v1/statuses/{a}"}, {do: "GET /api/v1/accounts/{ann}/featured_tags", want: []string{"0.statuses_count=0", "0.last_status_at=null"}},
			{as: "bob", do: "DELETE " + mine + "/{birds}", code: 404},
			{as: "ann", do: "DELETE " + mine + "/{birds}"},
			{as: "ann", do: "DELETE " + mine + "/{birds}", code: 404},
			{as: "ann", do: "GET " + mine, want: []string{"*.id={unused}"}}, {do: "GET " + mine, code: 401}, {do: "GET /api/v1/accounts/5/featured_tags", code: 404},
			{as: "ann/read", do: "POST " + mine, body: "name=x", code: 403}, {as: "ann/read:accounts", do: "GET " + mine},
			{as: "ann", do: "POST /api/v1/tags/Owls/feature", want: []string{"name=owls", "featuring=true", "following=false"}},
			{as: "ann", do: "POST /api/v1/tags/owls/feature", want: []string{"featuring=true"}},
			{as: "ann", do: "GET " + mine, want: []string{"*.name=unused Owls"}},
			{as: "bob", do: "GET /api/v1/tags/owls", want: []string{"featuring=false"}},
			{as: "ann", do: "POST /api/v1/tags/OWLS/unfeature", want: []string{"featuring=false"}},
			{as: "ann", do: "POST /api/v1/tags/owls/unfeature", want: []string{"featuring=false"}},
			{as: "ann", do: "GET " + mine, want: []string{"*.id={unused}"}},
			{as: "ann", do: "POST /api/v1/tags/2024/unfeature", code: 404},
			{as: "ann", do: "POST /api/v1/tags/2024/feature", code: 422},
			{as: "ann/write:follows", do: "POST /api/v1/tags/owls/feature", code: 403}, {do: "POST /api/v1/tags/owls/unfeature", code: 401},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/block"}, {as: "bob", do: "GET /api/v1/accounts/{ann}/featured_tags", want: []string{"#0"}},
			{before: moderate("ann", linnet.Suspend), do: "GET /api/v1/accounts/{ann}/featured_tags", want: []string{"#0"}},
		}},
		{name: "limits of featured tags", people: "ann", steps: append(many, []step{
			{as: "ann", do: "POST " + mine, body: "name=onemore", code: 422, want: []string{"details.name.0.error=ERR_TOO_MANY", "error~Remove one first"}},
			{as: "ann", do: "POST " + mine, body: "name=TAG3"}, {as: "ann", do: "GET " + mine, want: []string{"#10"}},
			{as: "ann", do: "POST " + mine, body: "name=2024", code: 422},
			{as: "ann", do: "POST " + mine, body: "name=a+b", code: 422},
			{as: "ann", do: "POST " + mine, code: 422},
			{as: "ann", do: "POST " + mine, body: "name=" + strings.Repeat("x", 5000), code: 422, want: []string{"details.name.0.error=ERR_INVALID"}},
			{as: "ann", do: "DELETE " + mine + "/x", code: 404},
		}...)},
	}
}
