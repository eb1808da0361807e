package mastodon_test

import (
	"context"
	"time"

	"linnet/internal/linnet"
)

// announce publishes an announcement whose id the first answer of the next step has.
func announce(text string) func(w *world) {
	return func(w *world) {
		w.t.Helper()
		now := time.Now()
		if _, err := w.svc.Announcing.Write(context.Background(), linnet.Operator(), 0, linnet.AnnouncementChange{Text: &text, Published: &now}); err != nil {
			w.t.Fatal(err)
		}
	}
}

// announcementScenarios returns scenarios about announcements.
func announcementScenarios() []scenario {
	const all, one = "/api/v1/announcements", "/api/v1/announcements/{a}"
	return []scenario{{name: "announcements", people: "ann bob", steps: []step{
		{as: "ann", do: "GET " + all, want: []string{"#0"}}, {do: "GET " + all, code: 401},
		{before: announce("Hello @bob, #birds & <b> :blob:"), as: "ann", do: "GET " + all, save: "a=0.id", want: []string{"#1", "0.read=false", "0.reactions#0", "0.statuses#0", "0.emojis#0",
			"0.mentions.0.username=bob", "0.mentions.0.acct=bob", "0.tags.0.name=birds", "0.tags.0.url=https://linnet.test/tags/birds", "0.starts_at=null", "0.ends_at=null", "0.all_day=false",
			"0.published_at~20", "0.updated_at~20", "0.content~&amp; &lt;b&gt; :blob:"}},
		{before: addEmoji("blob", "", false), as: "ann", do: "GET " + all, want: []string{"0.emojis.*.shortcode=blob"}},
		{as: "ann", do: "PUT " + one + "/reactions/%F0%9F%91%8D"},
		{as: "ann", do: "PUT " + one + "/reactions/%F0%9F%91%8D"},
		{as: "bob", do: "PUT " + one + "/reactions/blob"},
		{as: "ann", do: "GET " + all, want: []string{"0.reactions.*.name=👍 blob", "0.reactions.*.count=1 1", "0.reactions.*.me=true false", "0.reactions.0.url!", "0.reactions.1.url~/media/", "0.reactions.1.static_url~/media/"}},
		{as: "ann", do: "PUT " + one + "/reactions/nobody", code: 422, want: []string{"error~is not a recognized emoji"}},
		{as: "ann", do: "PUT " + all + "/5/reactions/blob", code: 404},
		{as: "bob", do: "DELETE " + one + "/reactions/blob"},
		{as: "bob", do: "DELETE " + one + "/reactions/blob"},
		{as: "ann", do: "GET " + all, want: []string{"0.reactions.*.name=👍"}},
		{as: "ann", do: "POST " + one + "/dismiss"},
		{as: "ann", do: "POST " + one + "/dismiss"},
		{as: "ann", do: "POST " + all + "/5/dismiss", code: 404},
		{as: "ann", do: "POST " + all + "/x/dismiss", code: 404},
		{as: "ann", do: "GET " + all, want: []string{"#0"}},
		{as: "ann", do: "GET " + all + "?with_dismissed=true", want: []string{"#1", "0.read=true", "0.reactions.0.me=true"}},
		{as: "bob", do: "GET " + all, want: []string{"#1", "0.read=false", "0.reactions.0.me=false"}},
		{as: "ann/read", do: "POST " + one + "/dismiss", code: 403},
		{as: "ann/read", do: "PUT " + one + "/reactions/blob", code: 403}, {do: "PUT " + one + "/reactions/blob", code: 401},
	}}}
}
