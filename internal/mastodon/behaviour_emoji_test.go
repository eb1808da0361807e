package mastodon_test

import (
	"context"
	"strings"

	"linnet/internal/linnet"
)

// addEmoji adds a custom emoji; unlisted ones are not offered.
func addEmoji(code, category string, unlisted bool) func(w *world) {
	return func(w *world) {
		w.t.Helper()
		f, err := w.svc.Uploads.Receive(strings.NewReader(square(20, 20)))
		if err != nil {
			w.t.Fatal(err)
		}
		defer f.Close()
		if _, err := w.svc.Emojis.Add(context.Background(), linnet.Operator(), linnet.NewEmoji{Shortcode: code, Category: category, Unlisted: unlisted}, f); err != nil {
			w.t.Fatal(err)
		}
	}
}

// emojiScenarios returns scenarios about custom emoji in texts.
func emojiScenarios() []scenario {
	const post, edit = "POST /api/v1/statuses", "PUT /api/v1/statuses/{s}"
	return []scenario{{name: "custom emoji", people: "ann bob", steps: []step{
		{do: "GET /api/v1/custom_emojis", want: []string{"#0"}},
		{as: "ann", do: post, body: `{"status":"a :blob: :cat: :nope:","spoiler_text":"w :secret:","poll":{"options":["x :cat:","y"],"expires_in":600}}`, save: "s=id",
			want: []string{"emojis#0", "poll.emojis#0", "content=<p>a :blob: :cat: :nope:</p>"}},
		{before: addEmoji("cat", "Animals", false), do: "GET /api/v1/custom_emojis", want: []string{"#1", "0.shortcode=cat", "0.category=Animals", "0.visible_in_picker=true",
			"0.url~https://linnet.test/media/", "0.static_url~https://linnet.test/media/"}},
		{before: addEmoji("secret", "", true), do: "GET /api/v1/custom_emojis", want: []string{"#1"}},
		{before: addEmoji("blob", "", false), do: "GET /api/v1/custom_emojis", want: []string{"*.shortcode=blob cat", "0.category!"}},
		{do: "GET /api/v1/statuses/{s}", want: []string{"emojis.*.shortcode=secret blob cat", "poll.emojis.*.shortcode=cat", "content=<p>a :blob: :cat: :nope:</p>", "account.emojis#0"}},
		{do: "GET /api/v1/polls/{s}", want: []string{"emojis.*.shortcode=cat"}},
		{as: "ann", do: "PATCH /api/v1/accounts/update_credentials", body: "display_name=Ann+:blob:&note=:cat:&fields_attributes[0][name]=:secret:&fields_attributes[0][value]=x", want: []string{"emojis.*.shortcode=blob cat secret", "display_name=Ann :blob:"}},
		{do: "GET /api/v1/accounts/{ann}", want: []string{"emojis.*.shortcode=blob cat secret"}},
		{as: "bob", do: "POST /api/v1/accounts/{ann}/follow"}, {as: "bob", do: "GET /api/v1/timelines/home"},
		{as: "bob", do: "GET /api/v1/statuses/{s}", want: []string{"account.emojis.*.shortcode=blob cat secret"}},
		{as: "ann", do: "GET /api/v1/notifications"},
		{as: "bob", do: post, body: "status=@ann+:cat:", save: "m=id", want: []string{"emojis.*.shortcode=cat"}},
		{as: "ann", do: "GET /api/v1/notifications?types[]=mention", want: []string{"0.status.emojis.*.shortcode=cat"}},
		{as: "bob", do: "POST /api/v1/statuses/{s}/reblog", want: []string{"reblog.emojis.*.shortcode=secret blob cat"}},
		{as: "ann", do: edit, body: "status=now+:cat:", want: []string{"emojis.*.shortcode=cat"}},
		{as: "ann", do: "GET /api/v1/statuses/{s}/history", want: []string{"#2", "0.emojis.*.shortcode=secret blob cat", "1.emojis.*.shortcode=cat", "1.account.emojis.*.shortcode=blob cat secret"}},
	}}}
}
