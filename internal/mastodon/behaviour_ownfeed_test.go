package mastodon_test

import (
	"slices"
	"strings"
)

func ownFeedScenarios() []scenario {
	const feeds, timeline = "/api/v1/linnet/feeds", "/api/v1/linnet/timelines/feed/"
	wrong := func(body, field, code string) step {
		said := "details." + field + ".0.error=" + code
		if strings.ContainsAny(field, ".[") {
			said = "error~Validation failed: " + field + " "
		}
		return step{as: "bob", do: "POST " + feeds, body: body, code: 422, want: []string{said}}
	}
	return []scenario{
		{name: "own feeds", people: "ann bob cat dan", steps: slices.Concat(
			[]step{
				{as: "bob", do: "GET " + feeds, want: []string{"#0"}}, {do: "GET " + feeds, code: 401},
				{as: "bob/read:lists", do: "POST " + feeds, body: "title=x", code: 403},
				{as: "bob/write:lists", do: "GET " + feeds, code: 403},
				{as: "bob", do: "POST " + feeds, body: "title=All", want: []string{"title=All", "weights.favourites=1", "weights.reblogs=2", "weights.replies=1", "weights.half_life=86400", "window=86400", "order=importance", "exclude_replies=false", "exclude_reblogs=false", "only_media=false", "sources.*.type=home", "sources.0.weight=1"}, save: "f=id"},
				{as: "bob", do: "GET " + feeds + "/{f}", want: []string{"title=All"}},
				{as: "bob", do: "GET " + feeds + "/12345", code: 404},
				{as: "ann", do: "GET " + feeds + "/{f}", code: 404},
				{as: "ann", do: "GET " + timeline + "{f}", code: 404},
				{as: "bob", do: "GET " + timeline + "{f}", want: []string{"items#0", "cursor=null", "kept=0"}},
				{as: "bob", do: "POST /api/v1/accounts/{ann}/follow"},
				{as: "bob", do: "POST /api/v1/lists", body: "title=l", save: "l=id"},
				{as: "bob", do: "POST /api/v1/lists/{l}/accounts", body: "account_ids[]={cat}"},
				{as: "ann", do: "POST /api/v1/lists", body: "title=hers", save: "hers=id"},
				{as: "ann", do: "POST /api/v1/statuses", body: "status=a", save: "a=id"},
				{as: "cat", do: "POST /api/v1/statuses", body: "status=b", save: "b=id"},
				{as: "dan", do: "POST /api/v1/statuses", body: "status=c+%23Tag", save: "c=id"},
				{as: "dan", do: "POST /api/v1/statuses", body: "status=d&visibility=private", save: "d=id"},
			},
			votes("{a}", "cat"), votes("{b}", "ann", "dan"), votes("{c}", "ann", "cat", "bob"),
			[]step{
				{as: "bob", do: "PUT " + feeds + "/{f}", body: `{"title": "Mixed", "weights": {"favourites": 3, "half_life": 0}, "window": 3600, "sources": [{"type": "home"}, {"type": "list", "id": "{l}", "weight": 3}, {"type": "tag", "tag": "Tag", "weight": 0.5}]}`,
					want: []string{"title=Mixed", "weights.favourites=3", "weights.reblogs=2", "weights.half_life=0", "window=3600", "sources.*.type=home list tag", "sources.1.id={l}", "sources.2.tag=tag"}},
				{as: "bob", do: "GET " + timeline + "{f}?limit=2", want: []string{"items.*.status.id={b} {c}", "items.*.why.score=21 5", "items.0.why.parts.weight=3", "items.0.why.parts.favourites=6", "items.0.why.parts.decay=1", `Link~rel="next"`}, save: "cursor=cursor"},
				{before: follow("next"), as: "bob", do: "GET {next}", want: []string{"items.*.status.id={a}", "cursor=null", "Link!"}}, {as: "bob", do: "GET " + timeline + "{f}?cursor={cursor}", want: []string{"items.*.status.id={a}"}},
				{as: "bob", do: "GET " + timeline + "{f}?cursor=%21", code: 422},
				{as: "bob", do: "POST /api/v1/accounts/{dan}/mute"},
				{as: "bob", do: "GET " + timeline + "{f}", want: []string{"items.*.status.id={b} {a}"}},
				{as: "bob", do: "DELETE /api/v1/lists/{l}"}, {as: "bob", do: "GET " + timeline + "{f}", want: []string{"items.*.status.id={a}"}},
				{as: "bob", do: "PUT " + feeds + "/{f}", body: `{"sources": [{"type": "local"}, {"type": "account", "id": "{cat}", "weight": 4}]}`, want: []string{"title=Mixed", "sources.*.type=local account"}},
				{as: "bob", do: "GET " + timeline + "{f}", want: []string{"items.*.status.id={b} {a}"}},
				{as: "bob", do: "POST /api/v1/accounts/{dan}/unmute"},
				{as: "bob", do: "PUT " + feeds + "/{f}", body: "window=7200"},
				{as: "bob", do: "GET " + timeline + "{f}", want: []string{"items.*.status.id={b} {c} {a}"}},
				{as: "cat", do: "POST /api/v1/statuses", body: "status=%40dan+e&in_reply_to_id={c}", save: "e=id"},
				{as: "cat", do: "POST /api/v1/statuses/{a}/reblog", save: "r=id"},
				{as: "bob", do: "PUT " + feeds + "/{f}", body: `{"order": "newest", "exclude_replies": true, "sources": [{"type": "local"}, {"type": "account", "id": "{cat}", "weight": 4}]}`, want: []string{"order=newest", "exclude_replies=true", "exclude_reblogs=false", "weights.favourites=3"}},
				{as: "bob", do: "GET " + timeline + "{f}?limit=2", want: []string{"items.*.status.id={c} {b}", "items.*.why.score=1 1", "items.1.why.parts.weight=1"}, save: "cursor=cursor"},
				{as: "bob", do: "GET " + timeline + "{f}?cursor={cursor}", want: []string{"items.*.status.id={a}", "cursor=null"}},
				{as: "bob", do: "PUT " + feeds + "/{f}", body: `{"exclude_replies": false, "sources": [{"type": "account", "id": "{cat}"}]}`},
				{as: "bob", do: "GET " + timeline + "{f}", want: []string{"items.*.status.id={r} {e} {b}"}},
				{as: "bob", do: "PUT " + feeds + "/{f}", body: "exclude_reblogs=true", want: []string{"exclude_reblogs=true", "order=newest"}},
				{as: "bob", do: "GET " + timeline + "{f}", want: []string{"items.*.status.id={e} {b}"}},
				{as: "bob", do: "PUT " + feeds + "/{f}", body: "only_media=1", want: []string{"only_media=true"}},
				{as: "bob", do: "GET " + timeline + "{f}", want: []string{"items#0", "cursor=null"}},
				wrong("title=x&order=best", "order", "ERR_INCLUSION"), wrong("title=x&only_media[]=1", "only_media", "ERR_INVALID"),
				wrong("", "title", "ERR_BLANK"), wrong("title=x&window=60", "window", "ERR_INVALID"), wrong("title=x&window=x", "window", "ERR_INVALID"), wrong(`{"title": "x", "weights": {"favourites": 101}}`, "weights.favourites", "ERR_INVALID"),
				wrong(`{"title": "x", "weights": {"reblogs": -1}}`, "weights.reblogs", "ERR_INVALID"), wrong(`{"title": "x", "weights": {"replies": "NaN"}}`, "weights.replies", "ERR_INVALID"), wrong(`{"title": "x", "weights": {"half_life": 5}}`, "weights.half_life", "ERR_INVALID"),
				wrong(`{"title": "x", "sources": []}`, "sources", "ERR_INVALID"), wrong(`{"title": "x", "sources": [{"type": "all"}]}`, "sources", "ERR_INCLUSION"), wrong(`{"title": "x", "sources": [{"type": "list", "id": "{hers}"}]}`, "sources", "ERR_INVALID"),
				wrong(`{"title": "x", "sources": [{"type": "account", "id": "12345"}]}`, "sources", "ERR_INVALID"), wrong(`{"title": "x", "sources": [{"type": "tag", "tag": "a b"}]}`, "sources", "ERR_INVALID"), wrong(`{"title": "x", "sources": [{"type": "home"}, {"type": "home"}]}`, "sources", "ERR_TAKEN"),
				wrong(`{"title": "x", "sources": [{"type": "home", "weight": 11}]}`, "sources", "ERR_INVALID"), wrong(`{"title": "x", "sources": ["home"]}`, "sources[0]", "ERR_INVALID"),
				{as: "bob", do: "PUT " + feeds + "/{f}", body: "window=1", code: 422},
				{as: "bob", do: "PUT " + feeds + "/12345", body: "title=x", code: 404},
				{as: "ann", do: "PUT " + feeds + "/{f}", body: "title=x", code: 404},
				{as: "ann", do: "DELETE " + feeds + "/{f}", code: 404},
				{as: "bob", do: "GET " + feeds, want: []string{"*.title=Mixed"}},
				{as: "bob", do: "DELETE " + feeds + "/{f}", want: []string{"={}"}},
				{as: "bob", do: "DELETE " + feeds + "/{f}", code: 404},
				{as: "bob", do: "GET " + timeline + "{f}", code: 404}, {as: "bob", do: "GET " + feeds, want: []string{"#0"}},
			})},
	}
}
