package mastodon_test

import "strings"

func editScenarios() []scenario {
	return []scenario{
		{name: "edits", people: "ann bob cat", steps: []step{
			{as: "ann", do: "POST /api/v1/statuses", body: "status=one+%23old&language=de", want: []string{"edited_at=null"}, save: "s=id"},
			{as: "bob", do: "POST /api/v1/statuses/{s}/favourite"}, {as: "cat", do: "POST /api/v1/statuses/{s}/reblog", save: "r=id"},
			{as: "bob", do: "GET /api/v1/statuses/{s}/source", want: []string{"id={s}", "text=one #old", "spoiler_text="}}, {do: "GET /api/v1/statuses/{s}/source", code: 401},
			{do: "GET /api/v1/statuses/{s}/history", want: []string{"#1", "0.content~one", "0.created_at~Z", "0.account.acct=ann", "0.media_attachments#0", "0.emojis#0", "0.poll!"}},
			{as: "ann", do: "PUT /api/v1/statuses/{s}", body: "status=two+<b>+%23new+@bob&spoiler_text=careful&visibility=direct", want: []string{"id={s}", "content~two &lt;b&gt;", "edited_at~Z", "spoiler_text=careful",
				"sensitive=true", "language=de", "visibility=public", "favourites_count=1", "reblogs_count=1", "tags.*.name=new", "mentions.*.acct=bob"}, save: "at=edited_at"},
			{as: "ann", do: "PUT /api/v1/statuses/{s}", body: `{"status":"two <b> #new @bob","spoiler_text":"careful","sensitive":true}`, want: []string{"edited_at={at}"}},
			{do: "GET /api/v1/statuses/{s}/history", want: []string{"#2", "0.content~one", "1.content~two", "*.spoiler_text= careful", "*.sensitive=false true", "1.created_at={at}"}},
			{do: "GET /api/v1/statuses/{r}/history", want: []string{"#2"}}, {as: "cat", do: "GET /api/v1/statuses/{r}/source", want: []string{"id={s}"}},
			{as: "bob", do: "GET /api/v1/statuses/{s}", want: []string{"favourited=true", "edited_at={at}"}},
			{do: "GET /api/v1/timelines/tag/old", want: []string{"#0"}}, {do: "GET /api/v1/timelines/tag/new", want: []string{"*.id={s}"}},
			{as: "cat", do: "GET /api/v1/notifications", want: []string{"*.type=update", "0.account.acct=ann", "0.status.id={s}"}},
			{as: "cat", do: "GET /api/v2/notifications", want: []string{"notification_groups.*.type=update", "notification_groups.0.group_key~ungrouped-"}},
			{as: "cat", do: "GET /api/v1/notifications?types[]=update", want: []string{"#1"}}, {as: "cat", do: "GET /api/v1/notifications?exclude_types[]=update", want: []string{"#0"}},
			{as: "bob", do: "GET /api/v1/notifications", want: []string{"*.type=mention"}},
			{as: "ann", do: "GET /api/v2/search?q=two&type=statuses", want: []string{"statuses.*.id={s}"}}, {as: "ann", do: "GET /api/v2/search?q=one&type=statuses", want: []string{"statuses#0"}},
			{as: "bob", do: "PUT /api/v1/statuses/{s}", body: "status=mine", code: 404}, {do: "PUT /api/v1/statuses/{s}", body: "status=x", code: 401}, {as: "ann/read", do: "PUT /api/v1/statuses/{s}", body: "status=x", code: 403},
			{as: "cat", do: "PUT /api/v1/statuses/{r}", body: "status=x", code: 422, want: []string{"error~Boosts can't be edited"}},
			{as: "ann", do: "PUT /api/v1/statuses/{s}", body: "status=", code: 422, want: []string{"details.text.0.error=ERR_BLANK"}},
			{as: "ann", do: "PUT /api/v1/statuses/{s}", body: "status=" + strings.Repeat("x", 501), code: 422}, {as: "ann", do: "PUT /api/v1/statuses/5", body: "status=x", code: 404},
			{as: "ann", do: "DELETE /api/v1/statuses/{s}", want: []string{"text=two <b> #new @bob"}}, {do: "GET /api/v1/statuses/{s}/history", code: 404}, {as: "ann", do: "GET /api/v1/statuses/{s}/source", code: 404},
		}},
		{name: "edits of private statuses", people: "ann bob cat", steps: []step{
			{as: "ann", do: "POST /api/v1/statuses", body: "status=@bob+one&visibility=direct", save: "s=id"},
			{as: "bob", do: "GET /api/v1/statuses/{s}/history", want: []string{"#1"}}, {as: "cat", do: "GET /api/v1/statuses/{s}/history", code: 404}, {as: "cat", do: "GET /api/v1/statuses/{s}/source", code: 404}, {do: "GET /api/v1/statuses/{s}/history", code: 404},
			{as: "ann", do: "PUT /api/v1/statuses/{s}", body: "status=@cat+two", want: []string{"visibility=direct"}},
			{as: "bob", do: "GET /api/v1/statuses/{s}", code: 404}, {as: "bob", do: "GET /api/v1/statuses/{s}/history", code: 404}, {as: "cat", do: "GET /api/v1/statuses/{s}/history", want: []string{"#2"}},
			{as: "bob", do: "GET /api/v1/conversations", want: []string{"#0"}}, {as: "cat", do: "GET /api/v1/conversations", want: []string{"0.last_status.id={s}"}},
		}},
		{name: "edits of filtered statuses", people: "ann bob", steps: []step{
			{as: "bob", do: "POST /api/v2/filters", body: "title=f&context[]=public&keywords_attributes[][keyword]=zebra"},
			{as: "ann", do: "POST /api/v1/statuses", body: "status=zebra", save: "s=id"}, {as: "bob", do: "GET /api/v1/timelines/public", want: []string{"0.filtered#1"}},
			{as: "ann", do: "PUT /api/v1/statuses/{s}", body: "status=horse"}, {as: "bob", do: "GET /api/v1/timelines/public", want: []string{"0.filtered#0"}},
			{as: "ann", do: "PUT /api/v1/statuses/{s}", body: "status=a+zebra"}, {as: "bob", do: "GET /api/v1/timelines/public", want: []string{"0.filtered#1"}},
		}},
		{name: "edits of polls", people: "ann bob", steps: []step{
			{as: "ann", do: "POST /api/v1/statuses", body: "status=which&poll[options][]=tea&poll[options][]=coffee&poll[expires_in]=300", save: "s=id"},
			{as: "bob", do: "POST /api/v1/polls/{s}/votes", body: "choices[]=1"},
			{as: "ann", do: "PUT /api/v1/statuses/{s}", body: "status=which+one&poll[options][]=tea&poll[options][]=coffee&poll[expires_in]=300", want: []string{"poll.votes_count=1"}},
			{as: "ann", do: "PUT /api/v1/statuses/{s}", body: "status=which+one&poll[options][]=tea&poll[options][]=milk&poll[expires_in]=300", want: []string{"poll.votes_count=0", "poll.options.*.title=tea milk"}},
			{as: "bob", do: "GET /api/v1/polls/{s}", want: []string{"voted=false"}}, {as: "bob", do: "POST /api/v1/polls/{s}/votes", body: "choices[]=1"},
			{do: "GET /api/v1/statuses/{s}/history", want: []string{"#3", "0.poll.options.*.title=tea coffee", "2.poll.options.*.title=tea milk"}},
			{as: "ann", do: "PUT /api/v1/statuses/{s}", body: "status=never+mind", want: []string{"poll=null"}}, {do: "GET /api/v1/polls/{s}", code: 404},
		}},
		{name: "edits of pictures", people: "ann bob", steps: []step{
			upload("ann", "a"), upload("ann", "b"), upload("bob", "c"),
			{as: "ann", do: "POST /api/v1/statuses", body: "status=look&media_ids[]={a}", save: "s=id"},
			{as: "ann", do: "PUT /api/v1/statuses/{s}", body: "status=look&media_ids[]={a}&media_attributes[][id]={a}&media_attributes[][description]=a+square&media_attributes[][focus]=0.5,-0.5",
				want: []string{"media_attachments.*.description=a square"}},
			{as: "ann", do: "PUT /api/v1/statuses/{s}", body: `{"status":"look","media_ids":["{b}","{a}"],"media_attributes":[{"id":"{b}","description":"another"}]}`, want: []string{"media_attachments.*.id={b} {a}", "media_attachments.*.description=another a square"}},
			{as: "ann", do: "PUT /api/v1/statuses/{s}", body: "status=look&media_ids[]={c}", code: 422, want: []string{"details.media_ids.0.error=ERR_INVALID"}},
			{as: "ann", do: "PUT /api/v1/statuses/{s}", body: "status=look&media_ids[]={a}&media_attributes[][id]={a}&media_attributes[][focus]=7,7", code: 422},
			{as: "ann", do: "PUT /api/v1/statuses/{s}", body: "status=gone", want: []string{"media_attachments#0"}},
			{do: "GET /api/v1/statuses/{s}/history", want: []string{"#4", "0.media_attachments.0.description=null", "1.media_attachments.*.description=a square", "2.media_attachments#2", "3.media_attachments#0"}},
			{as: "ann", do: "PUT /api/v1/statuses/{s}", body: "status=back&media_ids[]={a}", want: []string{"media_attachments.*.description=a square"}},
			{as: "ann", do: "GET /api/v1/media/{b}", code: 404},
		}},
		{name: "edits of new accounts", people: "ann bob", young: true, steps: []step{
			{as: "ann", do: "POST /api/v1/statuses", body: "status=one", save: "s=id"}, {as: "ann", do: "POST /api/v1/statuses", body: "status=two", save: "q=id"},
			{as: "ann", do: "PUT /api/v1/statuses/{q}", body: "status=one", code: 422, want: []string{"error~from the last hour"}},
			{as: "ann", do: "PUT /api/v1/statuses/{q}", body: "status=two&spoiler_text=x"}, {as: "ann", do: "PUT /api/v1/statuses/{q}", body: "status=t+wo"},
			{as: "ann", do: "PUT /api/v1/statuses/{q}", body: "status=three"}, {as: "ann", do: "PUT /api/v1/statuses/{q}", body: "status=two"},
		}},
	}
}
