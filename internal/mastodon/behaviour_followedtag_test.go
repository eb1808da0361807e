package mastodon_test

import "fmt"

func followedTagScenarios() []scenario {
	const home = "GET /api/v1/timelines/home"
	return []scenario{
		{name: "followed tags", people: "ann bob cat", steps: []step{
			{as: "ann", do: "GET /api/v1/followed_tags", want: []string{"#0"}}, {do: "GET /api/v1/followed_tags", code: 401},
			{as: "ann", do: "GET /api/v1/followed_tags?limit=-1"},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=old+%23Ürban", save: "old=id"},
			{as: "ann", do: "POST /api/v1/tags/Ürban/follow", want: []string{"name=urban", "following=true", "history.0.uses=1", "url=https://linnet.test/tags/urban"}},
			{as: "ann", do: "POST /api/v1/tags/urban/follow", want: []string{"following=true"}},
			{as: "ann", do: "POST /api/v1/tags/%23hens/follow", want: []string{"name=hens", "following=true"}},
			{do: "POST /api/v1/tags/urban/follow", code: 401}, {as: "ann/read", do: "POST /api/v1/tags/urban/follow", code: 403}, {as: "ann", do: "POST /api/v1/tags/2024/follow", code: 404}, {as: "ann", do: "POST /api/v1/tags/a%20b/unfollow", code: 404},
			{as: "ann", do: "GET /api/v1/tags/URBAN", want: []string{"following=true"}},
			{as: "bob", do: "GET /api/v1/tags/urban", want: []string{"following=false"}}, {do: "GET /api/v1/tags/urban", want: []string{"following!"}},
			{as: "ann", do: "GET /api/v2/search?q=urban&type=hashtags", want: []string{"hashtags.*.following=true"}},
			{as: "ann", do: home, want: []string{"*.id={old}"}},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=new+%23urban+%23hens", save: "new=id"},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=quiet+%23urban&visibility=unlisted"},
			{as: "cat", do: "POST /api/v1/statuses", body: "status=reply+%23hens&in_reply_to_id={new}", save: "reply=id"},
			{as: "cat", do: "POST /api/v1/statuses/{old}/reblog"},
			{as: "ann", do: home, want: []string{"*.id={reply} {new} {old}"}}, {as: "bob", do: home + "?limit=1", want: []string{"#1"}},
			{as: "ann", do: home + "?limit=1", want: []string{"*.id={reply}"}},
			{as: "ann", do: home + "?max_id={reply}&limit=1", want: []string{"*.id={new}"}},
			{as: "ann", do: home + "?min_id={old}&limit=1", want: []string{"*.id={new}"}},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/follow"},
			{as: "ann", do: home, want: []string{"#4", "3.id={old}", "2.id={new}"}},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/unfollow"},
			{as: "ann", do: "GET /api/v1/followed_tags", want: []string{"*.name=hens urban", "*.following=true true"}},
			{as: "ann", do: "GET /api/v1/followed_tags?limit=1", want: []string{"*.name=hens"}},
			{as: "ann", do: "POST /api/v1/accounts/{cat}/mute"}, {as: "ann", do: home, want: []string{"*.id={new} {old}"}},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/block"},
			{as: "ann", do: home, want: []string{"#0"}},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/unblock"},
			{as: "ann", do: "POST /api/v1/tags/hens/unfollow", want: []string{"following=false"}},
			{as: "ann", do: "POST /api/v1/tags/hens/unfollow", want: []string{"following=false"}},
			{as: "ann", do: home, want: []string{"*.id={new} {old}"}},
			{as: "bob", do: "DELETE /api/v1/statuses/{new}"},
			{as: "ann", do: home, want: []string{"*.id={old}"}},
			{as: "ann", do: "POST /api/v1/tags/urban/unfollow"},
			{as: "ann", do: home, want: []string{"#0"}},
			{as: "ann", do: "GET /api/v1/followed_tags", want: []string{"#0"}},
			{do: "GET /health", before: func(w *world) {
				for i := range 100 {
					w.run([]step{{as: "ann", do: fmt.Sprintf("POST /api/v1/tags/t%d/follow", i)}})
				}
			}},
			{as: "ann", do: "POST /api/v1/tags/more/follow", code: 422, want: []string{"error~You can follow at most 100 hashtags. Unfollow one first"}},
			{as: "ann", do: "POST /api/v1/tags/t7/follow", want: []string{"following=true"}},
			{as: "ann", do: "GET /api/v1/followed_tags?limit=200", want: []string{"#100", "0.name=t99"}},
		}},
	}
}
