package mastodon_test

func oembedScenarios() []scenario {
	const at = "GET /api/oembed?url=https://linnet.test/@ann/"
	return []scenario{{name: "oembed", people: "ann bob", steps: []step{
		{as: "ann", do: "POST /api/v1/statuses", body: "status=secret+text&spoiler_text=careful", save: "p=id"},
		{as: "bob", do: "POST /api/v1/statuses/{p}/reblog", save: "r=id"},
		{do: at + "{p}", want: []string{"type=rich", "version=1.0", "author_name=ann", "author_url=https://linnet.test/@ann", "provider_url=https://linnet.test",
			"width=400", "height=280", `html~<iframe src="https://linnet.test/@ann/{p}/embed"`, "title=Post by ann (@ann@linnet.test)"}},
		{do: at + "{p}/embed&maxwidth=300&maxheight=1&format=json", want: []string{"width=300", "height=1", `html~width="300" height="1"`}},
		{do: at + "{p}&maxwidth=9000", want: []string{"width=400"}},
		{do: at + "{p}&format=xml", code: 501},
		{do: at + "{p}&maxwidth=wide", code: 422},
		{do: "GET /api/oembed", code: 404},
		{do: "GET /api/oembed?url=https://linnet.test/@bob/{p}", code: 404},
		{do: "GET /api/oembed?url=https://linnet.test/@bob/{r}", code: 404},
		{do: "GET /api/oembed?url=https://elsewhere.test/@ann/{p}", code: 404},
		{do: "GET /api/oembed?url=https://linnet.test/@ann", code: 404},
		{as: "ann", do: "POST /api/v1/statuses", body: "status=x&visibility=unlisted", save: "u=id"}, {do: at + "{u}"},
		{as: "ann", do: "POST /api/v1/statuses", body: "status=x&visibility=private", save: "f=id"}, {do: at + "{f}", code: 404},
		{as: "ann", do: at + "{f}", code: 404},
		{as: "ann", do: "POST /api/v1/statuses", body: "status=x&visibility=direct", save: "d=id"}, {as: "ann", do: at + "{d}", code: 404},
		{as: "ann", do: "DELETE /api/v1/statuses/{p}"}, {do: at + "{p}", code: 404},
	}}}
}
