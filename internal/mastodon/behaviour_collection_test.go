package mastodon_test

import (
	"strings"

	"linnet/internal/linnet"
)

func collectionScenarios() []scenario {
	return []scenario{
		{name: "collections", people: "ann bob cat dan", steps: []step{
			{as: "bob", do: "GET /api/v1/accounts/{bob}", want: []string{"feature_approval.automatic.0=public", "feature_approval.current_user=automatic", "show_featured=true"}},
			{as: "cat", do: "PATCH /api/v1/accounts/update_credentials", body: "discoverable=false", want: []string{"feature_approval.automatic=[]", "feature_approval.current_user=denied", "role.collection_limit=10"}},
			{as: "ann", do: "POST /api/v1/collections", body: "description=x", code: 422, want: []string{"details.name.0.error=ERR_BLANK"}},
			{as: "ann", do: "POST /api/v1/collections", body: "name=" + strings.Repeat("x", 41), code: 422, want: []string{"details.name.0.error=ERR_TOO_LONG"}},
			{as: "ann", do: "POST /api/v1/collections", body: "name=x&account_ids[]={cat}", code: 403}, {as: "ann", do: "POST /api/v1/collections", body: "name=x&account_ids[]=5", code: 404},
			{do: "POST /api/v1/collections", body: "name=x", code: 401}, {as: "ann/read", do: "POST /api/v1/collections", body: "name=x", code: 403},
			{as: "ann", do: "POST /api/v1/collections", body: `{"name":"Birds","description":"<b>small</b>","language":"en","tag_name":"#Birds","discoverable":true,"account_ids":["{bob}"]}`,
				want: []string{"collection.name=Birds", "collection.description=&lt;b&gt;small&lt;/b&gt;", "collection.language=en", "collection.tag.name=Birds", "collection.tag.url=https://linnet.test/tags/birds",
					"collection.sensitive=false", "collection.discoverable=true", "collection.local=true", "collection.item_count=1", "collection.items.0.account_id={bob}", "collection.items.0.state=accepted",
					"collection.account_id={ann}", "collection.url~https://linnet.test/collections/"}, save: "c=collection.id"},
			{do: "GET /api/v1/collections/{c}", want: []string{"accounts.*.acct=ann bob", "collection.id={c}"}}, {as: "ann/read:lists", do: "GET /api/v1/collections/{c}", code: 403},
			{as: "bob", do: "GET /api/v1/collections/{c}", want: []string{"accounts.*.acct=ann bob"}}, {do: "GET /api/v1/collections/5", code: 404},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=see+https://linnet.test/collections/{c}+and+https://other.test/collections/{c}", want: []string{"tagged_collections#1", "tagged_collections.0.id={c}", "tagged_collections.0.item_count=1"}, save: "s=id"},
			{do: "GET /api/v1/statuses/{s}", want: []string{"tagged_collections.*.id={c}"}}, {as: "cat", do: "POST /api/v1/statuses", body: "status=https://linnet.test/collections/5", want: []string{"tagged_collections=[]"}},
			{as: "bob", do: "GET /api/v2/search?resolve=true&q=https://linnet.test/collections/{c}", want: []string{"collections.*.id={c}", "accounts#0"}}, {as: "bob", do: "GET /api/v2/search?q=https://linnet.test/collections/5", want: []string{"collections=[]"}},
			{as: "bob", do: "GET /api/v2/search?q=see+https://linnet.test/collections/{c}", want: []string{"collections=[]"}},
			{do: "GET /api/v1/accounts/{ann}/collections", want: []string{"collections.*.id={c}"}}, {do: "GET /api/v1/accounts/5/collections", code: 404},
			{as: "bob", do: "GET /api/v1/accounts/{bob}/in_collections", want: []string{"collections.*.id={c}"}},
			{as: "ann", do: "GET /api/v1/accounts/{bob}/in_collections", code: 403}, {do: "GET /api/v1/accounts/{bob}/in_collections", code: 401},
			{as: "bob", do: "GET /api/v1/notifications", want: []string{"*.type=added_to_collection", "0.collection.id={c}", "0.account.acct=ann", "0.fallback!"}, save: "n=0.id"},
			{as: "bob", do: "GET /api/v1/notifications?supported_types[]=mention", want: []string{"0.fallback.title=ann added you to a collection", "0.fallback.summary=null"}},
			{as: "bob", do: "GET /api/v1/notifications/{n}?supported_types[]=added_to_collection", want: []string{"fallback!"}},
			{as: "bob", do: "GET /api/v2/notifications?supported_types[]=mention", want: []string{"notification_groups.0.collection.id={c}", "notification_groups.0.fallback.title=ann added you to a collection"}},

			{as: "bob", do: "POST /api/v1/collections/{c}/items", body: "account_id={dan}", code: 403}, {as: "ann", do: "POST /api/v1/collections/{c}/items", code: 422},
			{as: "ann", do: "POST /api/v1/collections/{c}/items", body: "account_id=5", code: 404}, {as: "ann", do: "POST /api/v1/collections/{c}/items", body: "account_id={cat}", code: 403},
			{as: "ann", do: "POST /api/v1/collections/{c}/items", body: "account_id={dan}", want: []string{"collection_item.account_id={dan}", "collection_item.state=accepted", "collection_item.created_at~Z"}, save: "i=collection_item.id"},
			{as: "ann", do: "POST /api/v1/collections/{c}/items", body: "account_id={dan}", want: []string{"collection_item.id={i}"}},
			{as: "bob", do: "DELETE /api/v1/collections/{c}/items/{i}", code: 403}, {as: "bob", do: "POST /api/v1/collections/{c}/items/{i}/revoke", code: 403},
			{as: "ann", do: "DELETE /api/v1/collections/{c}/items/5", code: 404}, {as: "ann", do: "DELETE /api/v1/collections/{c}/items/x", code: 404},
			{as: "ann", do: "DELETE /api/v1/collections/{c}/items/{i}", want: []string{"={}"}}, {as: "dan", do: "GET /api/v1/accounts/{dan}/in_collections", want: []string{"collections#0"}},
			{as: "ann", do: "POST /api/v1/collections/{c}/items", body: "account_id={dan}", save: "i=collection_item.id"},
			{as: "dan", do: "POST /api/v1/collections/{c}/items/{i}/revoke", want: []string{"={}"}}, {as: "dan", do: "POST /api/v1/collections/{c}/items/{i}/revoke", code: 404},
			{as: "ann", do: "POST /api/v1/collections/{c}/items", body: "account_id={dan}", code: 403}, {as: "ann", do: "GET /api/v1/collections/{c}", want: []string{"accounts.*.acct=ann bob"}},

			{as: "ann", do: "PATCH /api/v1/collections/{c}", body: "discoverable=false&tag_name=&language=", want: []string{"collection.discoverable=false", "collection.tag=null", "collection.language=null", "collection.name=Birds"}},
			{do: "GET /api/v1/accounts/{ann}/collections", want: []string{"collections#0"}}, {as: "ann", do: "GET /api/v1/accounts/{ann}/collections", want: []string{"collections#1"}}, {do: "GET /api/v1/collections/{c}"},
			{as: "bob", do: "PUT /api/v1/collections/{c}", body: "name=x", code: 403}, {as: "ann", do: "PUT /api/v1/collections/{c}", body: "name=Finches", want: []string{"collection.name=Finches"}},
			{as: "bob", do: "GET /api/v1/notifications", want: []string{"*.type=collection_update added_to_collection", "0.collection.name=Finches"}},
			{as: "bob", do: "PATCH /api/v1/collections/{c}", body: "name=x", code: 403}, {as: "bob", do: "DELETE /api/v1/collections/{c}", code: 403},
			{as: "ann", do: "POST /api/v1/collections", body: "name=Second", save: "d=collection.id"},
			{as: "ann", do: "GET /api/v1/accounts/{ann}/collections?limit=1", want: []string{"collections.*.id={d}", "Link~offset=1>; rel=\"next\""}},
			{as: "ann", do: "GET /api/v1/accounts/{ann}/collections?limit=1&offset=1", want: []string{"collections.*.id={c}", "Link~offset=0>; rel=\"prev\""}},

			{as: "ann", do: "POST /api/v1/accounts/{bob}/block"}, {as: "bob", do: "GET /api/v1/collections/{c}", code: 404}, {as: "bob", do: "GET /api/v1/accounts/{ann}/collections", want: []string{"collections#0"}},
			{as: "bob", do: "GET /api/v1/accounts/{bob}/in_collections", want: []string{"collections#0"}}, {as: "bob", do: "GET /api/v1/notifications", want: []string{"#0"}},
			{as: "ann", do: "GET /api/v1/collections/{c}", want: []string{"collection.item_count=0"}},
			{as: "bob", do: "GET /api/v1/statuses/{s}", want: []string{"tagged_collections=[]"}},
			{as: "ann", do: "DELETE /api/v1/collections/{c}", want: []string{"={}"}}, {as: "ann", do: "GET /api/v1/statuses/{s}", want: []string{"tagged_collections=[]"}}, {as: "ann", do: "GET /api/v1/collections/{c}", code: 404}, {as: "ann", do: "DELETE /api/v1/collections/{c}", code: 404},
		}},
		{name: "reported collections", people: "boss ann bob", steps: []step{
			{before: giveRole("boss", linnet.Moderator), as: "bob", do: "POST /api/v1/collections", body: "name=Offers&description=sold+here&account_ids[]={bob}", save: "c=collection.id"},
			{as: "ann", do: "POST /api/v1/collections", body: "name=Mine", save: "own=collection.id"},
			{as: "ann", do: "POST /api/v1/reports", body: "account_id={bob}&collection_ids[]={c}&collection_ids[]={own}&collection_ids[]=5", want: []string{"collection_ids.*={c}", "status_ids=[]"}, save: "r=id"},
			{as: "ann", do: "POST /api/v1/reports", body: "account_id={bob}&collection_ids[]={c}", want: []string{"id={r}"}}, {as: "ann", do: "POST /api/v1/reports", body: "account_id={bob}", want: []string{"collection_ids=[]"}},
			{as: "ann", do: "POST /api/v1/reports", body: "account_id={bob}" + strings.Repeat("&collection_ids[]={c}", 11), code: 422},
			{as: boss, do: "GET /api/v1/admin/reports/{r}", want: []string{"collections.*.id={c}", "collections.0.description=sold here", "collections.0.item_count=1"}},
			{as: boss, do: "POST /api/v1/admin/accounts/{bob}/action", body: "type=suspend"}, {as: boss, do: "GET /api/v1/admin/reports/{r}", want: []string{"collections.0.name=Offers"}},
			{as: boss, do: "POST /api/v1/admin/accounts/{bob}/unsuspend"}, {as: "bob", do: "DELETE /api/v1/collections/{c}"}, {as: boss, do: "GET /api/v1/admin/reports/{r}", want: []string{"collections=[]"}},
		}},
	}
}
