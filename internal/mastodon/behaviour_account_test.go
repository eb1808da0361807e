package mastodon_test

import (
	"context"
	"strings"

	"linnet/internal/linnet"
)

func instanceScenarios() []scenario {
	return []scenario{
		{name: "discovery", people: "ann", steps: []step{
			{do: "GET /.well-known/nodeinfo", want: []string{"links.0.href=https://linnet.test/nodeinfo/2.0", "links.0.rel~schema/2.0", "links.1.href=https://linnet.test/nodeinfo/2.1", "links.1.rel~schema/2.1"}},
			{do: "GET /nodeinfo/2.1", want: []string{"version=2.1", "software.name=linnet", "protocols#1", "usage.users.total=1"}},
			{do: "GET /nodeinfo/2.0", want: []string{"version=2.0", "software.name=linnet", "metadata.upstream.name=mastodon", "usage.users.total=1",
				"protocols#1", "protocols.0=ostatus", "services.inbound#0", "Content-Type~application/json"}},
			{do: "GET /.well-known/webfinger?resource=acct:ANN@linnet.test", want: []string{"subject=acct:ann@linnet.test", "links.0.href=https://linnet.test/@ann", "Content-Type~jrd+json"}},
			{do: "GET /.well-known/webfinger?resource=https://linnet.test/@ann", want: []string{"subject=acct:ann@linnet.test"}},
			{do: "GET /.well-known/webfinger?resource=acct:ann@elsewhere.test", code: 404}, {do: "GET /.well-known/webfinger?resource=acct:ann", code: 404},
			{do: "GET /.well-known/webfinger?resource=acct:eve@linnet.test", code: 404}, {do: "GET /.well-known/webfinger", code: 400},
			{do: "GET /.well-known/oauth-authorization-server", want: []string{"code_challenge_methods_supported=[\"S256\"]",
				"grant_types_supported=[\"authorization_code\",\"client_credentials\"]", "token_endpoint=https://linnet.test/oauth/token",
				"app_registration_endpoint=https://linnet.test/api/v1/apps", "scopes_supported~write:statuses"}},
			{do: "GET /api/v1/custom_emojis", want: []string{"#0"}}, {do: "GET /api/v1/instance/rules", want: []string{"#0"}},
			{do: "GET /api/v1/announcements", code: 401}, {as: "ann", do: "GET /api/v1/announcements", want: []string{"#0"}},
		}},
	}
}

// accountScenarios returns scenarios about accounts and their relationships.
func accountScenarios() []scenario {
	return append(append(requestScenarios(), featuredScenarios()...), []scenario{
		{name: "sign up", people: "ann", steps: []step{
			{as: "app/read", do: "POST /api/v1/accounts", body: "username=eve", code: 403},
			{do: "POST /api/v1/accounts", body: "username=eve", code: 401},
			{before: openDoors(false), as: "app", do: "POST /api/v1/accounts", body: "username=eve&password=correct+horse&agreement=true&email=e@x.test&locale=pt-BR", code: 403},
			{before: openDoors(true), as: "app", do: "POST /api/v1/accounts", body: "username=eve&password=correct+horse&agreement=true&email=e@x.test&locale=pt-BR",
				want: []string{"token_type=Bearer", "scope=read write follow push"}, save: "token=access_token"},
			{do: "GET /api/v1/accounts/verify_credentials", header: "Authorization: Bearer {token}", want: []string{"username=eve", "source.language=pt"}},
			{as: "app", do: "POST /api/v1/accounts", body: `{"username":"ANN","password":"short","agreement":false,"email":"e"}`, code: 422,
				want: []string{"error~Validation failed", "details.username.0.error=ERR_TAKEN", "details.password.0.error=ERR_TOO_SHORT", "details.agreement.0.error=ERR_ACCEPTED", "details.email.0.error=ERR_INVALID"}},
			{as: "app", do: "POST /api/v1/accounts", body: "username=ANN&password=correct+horse&agreement=true", code: 422, want: []string{"details.username.0.error=ERR_TAKEN"}},
			{as: "app", do: "POST /api/v1/accounts", body: "username=a+b&password=correct+horse&agreement=1", code: 422, want: []string{"details.username.0.error=ERR_INVALID"}},
		}},
		{name: "look people up", people: "ann Bob", steps: []step{
			{do: "GET /api/v1/accounts/lookup?acct=bob", want: []string{"id={Bob}", "acct=Bob", "username=Bob", "url=https://linnet.test/@Bob",
				"avatar=https://linnet.test/avatars/bob.png", "header~https://linnet.test/headers/", "source!", "created_at~T00:00:00.000Z", "last_status_at=null"}},
			{do: "GET /api/v1/accounts/lookup?acct=@BOB@linnet.test", want: []string{"id={Bob}"}},
			{do: "GET /api/v1/accounts/lookup?acct=bob@elsewhere.test", code: 404}, {do: "GET /api/v1/accounts/lookup?acct=eve", code: 404, want: []string{"error=Record not found"}},
			{do: "GET /api/v1/accounts/{Bob}", want: []string{"acct=Bob", "roles#0", "fields#0", "emojis#0", "uri=https://linnet.test/users/Bob"}},
			{do: "GET /api/v1/accounts/{ann}0", code: 404},
			{do: "GET /api/v1/accounts?id[]={Bob}&id[]=5&id[]={ann}", want: []string{"*.acct=Bob ann"}},
			{as: "ann", do: "GET /api/v1/accounts/search?q=bo", want: []string{"*.acct=Bob"}}, {do: "GET /api/v1/accounts/search?q=bo", code: 401},
		}},
		{name: "own profile", people: "ann", steps: []step{
			{as: "ann", do: "GET /api/v1/accounts/verify_credentials", want: []string{"source.privacy=public", "source.sensitive=false", "source.language=null",
				"source.note=", "source.fields#0", "source.follow_requests_count=0", "role.id=-99", "locked=false"}},
			{as: "ann", do: "PATCH /api/v1/accounts/update_credentials", body: "display_name=Änn&note=hi+%3Cb%3E&bot=true&discoverable=False&hide_collections=1" +
				"&source[privacy]=unlisted&source[sensitive]=true&source[language]=de&fields_attributes[0][name]=Home&fields_attributes[0][value]=https://x.test&fields_attributes[1][name]=B&fields_attributes[1][value]=2",
				want: []string{"display_name=Änn", "source.note=hi <b>", "note~hi &lt;b&gt;", "bot=true", "discoverable=false", "source.privacy=unlisted",
					"source.sensitive=true", "source.language=de", "fields#2", "fields.0.name=Home", "fields.0.value~<a href=\"https://x.test\"",
					"fields.0.verified_at=null", "source.fields.0.value=https://x.test", "hide_collections=true"}},
			{as: "ann", do: "GET /api/v1/preferences", want: []string{"posting:default:visibility=unlisted", "posting:default:sensitive=true",
				"posting:default:language=de", "reading:expand:media=default", "reading:expand:spoilers=false"}},
			{as: "ann", do: "PATCH /api/v1/accounts/update_credentials", body: `{"fields_attributes":[{"name":"C","value":"3"},{"name":"","value":""}],"source":{"privacy":"private"}}`,
				want: []string{"fields#1", "display_name=Änn", "source.privacy=private", "source.language=de"}},
			{as: "ann", do: "POST /api/v1/statuses", body: "status=x", want: []string{"visibility=private", "sensitive=true", "language=de"}},
			{as: "ann", do: "PATCH /api/v1/accounts/update_credentials", body: "locked[]=1", code: 422, want: []string{"details.locked.0.error=ERR_INVALID"}},
			{as: "ann", do: "PATCH /api/v1/accounts/update_credentials", body: "locked=false&display_name=", want: []string{"display_name=", "locked=false"}},
			{as: "ann", do: "PATCH /api/v1/accounts/update_credentials", body: "source[privacy]=odd", code: 422, want: []string{"details~source.privacy"}},
			{as: "ann", do: "PATCH /api/v1/accounts/update_credentials", body: "note=" + strings.Repeat("x", 501), code: 422, want: []string{"details.note.0.error=ERR_TOO_LONG"}},
			{as: "ann", do: "PATCH /api/v1/accounts/update_credentials", body: "display_name=" + strings.Repeat("x", 41), code: 422, want: []string{"details.display_name.0.error=ERR_TOO_LONG"}},
			{as: "ann", do: "PATCH /api/v1/accounts/update_credentials", body: `{"fields_attributes":[{"name":5}]}`, code: 422},
		}},
		{name: "people named in a profile", people: "ann Bob cat dan", steps: []step{
			{as: "cat", do: "POST /api/v1/accounts/{ann}/block"},
			{as: "ann", do: "POST /api/v1/groups", body: "username=hush&display_name=Hush&kind=chat&note=of+@dan", save: "chat=id", want: []string{"note~u-url mention"}},
			{as: "ann", do: "PATCH /api/v1/accounts/update_credentials", body: "note=with+@bob+and+@BOB@linnet.test,+@cat+@eve+@hush+@dan@elsewhere.test+%3Cb%3E&fields_attributes[0][name]=Boss&fields_attributes[0][value]=@dan",
				want: []string{`note~with <span class="h-card"><a href="https://linnet.test/@Bob" class="u-url mention">@<span>Bob</span></a></span> and <span class="h-card"><a href="https://linnet.test/@Bob"`,
					`note~, @cat @eve @hush @dan@elsewhere.test &lt;b&gt;`, "source.note=with @bob and @BOB@linnet.test, @cat @eve @hush @dan@elsewhere.test <b>",
					`fields.0.value=<span class="h-card"><a href="https://linnet.test/@dan" class="u-url mention">@<span>dan</span></a></span>`, "source.fields.0.value=@dan"}},
			// An unchanged part keeps its links.
			{as: "ann", do: "PATCH /api/v1/accounts/update_credentials", body: "display_name=Ann", want: []string{"note~/@Bob", "fields.0.value~/@dan"}},
			{as: "ann", do: "PATCH /api/v1/accounts/update_credentials", body: "note=@dan", want: []string{"note~/@dan", "fields.0.value~/@dan"}},
			{as: "ann", do: "PATCH /api/v1/accounts/update_credentials", body: "fields_attributes[0][name]=Boss&fields_attributes[0][value]=@bob", want: []string{"note~/@dan", "fields.0.value~/@Bob"}},
			{as: "ann", do: "POST /api/v1/statuses", body: "status=x", want: []string{"account.note~/@dan"}}, {do: "GET /api/v1/accounts?id[]={ann}", want: []string{"0.note~/@dan"}},
			{as: "Bob", do: "GET /api/v1/notifications", want: []string{"#0"}}, // no notification
			{as: "dan", do: "POST /api/v1/accounts/{ann}/block"},
			{as: "ann", do: "PATCH /api/v1/accounts/update_credentials", body: "note=@dan+", want: []string{"note=<p>@dan</p>"}},
			{as: "ann", do: "POST /api/v1/groups", body: "username=birds&display_name=Birds&kind=public&note=@bob+founded+it", save: "g=id", want: []string{"note~/@Bob"}},
			{as: "ann", do: "PUT /api/v1/groups/{g}", body: "note=@ann+did", want: []string{"note~/@ann"}}, {do: "GET /api/v1/accounts/{g}", want: []string{"note~/@ann"}},
			{before: func(w *world) {
				if err := w.svc.Social.Deletion.DeleteUser(context.Background(), w.ids["Bob"]); err != nil {
					w.t.Error(err)
				}
			}, do: "GET /api/v1/accounts/{ann}", want: []string{"fields.0.value~@<span>Bob"}},
		}},
		{name: "follow", people: "ann bob cat", steps: []step{
			{as: "ann", do: "GET /api/v1/accounts/relationships?id[]={bob}&id[]={cat}", want: []string{"#2", "0.id={bob}", "0.following=false", "0.requested=false"}},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/follow", want: []string{"id={bob}", "following=true", "showing_reblogs=true", "notifying=false", "followed_by=false"}},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/follow", body: `{"reblogs":false,"notify":true}`, want: []string{"showing_reblogs=false", "notifying=true"}},
			{as: "bob", do: "GET /api/v1/accounts/relationships?id={ann}", want: []string{"#1", "0.followed_by=true", "0.following=false"}},
			{do: "GET /api/v1/accounts/{bob}", want: []string{"followers_count=1"}}, {do: "GET /api/v1/accounts/{ann}", want: []string{"following_count=1"}},
			{do: "GET /api/v1/accounts/{bob}/followers", want: []string{"*.acct=ann"}}, {do: "GET /api/v1/accounts/{ann}/following", want: []string{"*.acct=bob"}},
			{as: "cat", do: "POST /api/v1/accounts/{ann}/follow"},
			{as: "cat", do: "GET /api/v1/accounts/familiar_followers?id[]={bob}&id[]={ann}", want: []string{"#2", "0.id={bob}", "0.accounts.*.acct=ann", "1.accounts#0"}},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/unfollow", want: []string{"following=false", "notifying=false"}},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/unfollow", want: []string{"following=false"}},
			{do: "GET /api/v1/accounts/{bob}", want: []string{"followers_count=0"}},
			{as: "ann", do: "POST /api/v1/accounts/{ann}/follow", code: 403}, {as: "ann", do: "POST /api/v1/accounts/5/follow", code: 404},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/follow", body: "notify[]=1", code: 422},
			{do: "POST /api/v1/accounts/{bob}/follow", code: 401},
		}},
		{name: "follow in some languages", people: "ann bob cat", steps: []step{
			{as: "ann", do: "POST /api/v1/accounts/{bob}/follow", want: []string{"languages=null"}},
			{as: "ann", do: "POST /api/v1/lists", body: "title=x", save: "l=id"},
			{as: "ann", do: "POST /api/v1/lists/{l}/accounts", body: "account_ids[]={bob}"},
			{as: "cat", do: "POST /api/v1/statuses", body: "status=fremd&language=de", save: "x=id"},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=de&language=de", save: "de=id"},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=en&language=en", save: "en=id"},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=none", save: "none=id"}, {as: "bob", do: "POST /api/v1/statuses/{x}/reblog", save: "rt=id"},
			{as: "ann", do: "GET /api/v1/timelines/home", want: []string{"*.id={rt} {none} {en} {de}"}},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/follow", body: "languages[]=EN&languages[]=fr-CA&languages[]=en", want: []string{"following=true", `languages=["en","fr"]`}},
			{as: "ann", do: "GET /api/v1/timelines/home", want: []string{"*.id={rt} {none} {en}"}}, // statuses without a language and boosts are shown
			{as: "ann", do: "GET /api/v1/timelines/home?max_id={none}", want: []string{"*.id={en}"}},
			{as: "ann", do: "GET /api/v1/timelines/home?min_id={de}&limit=1", want: []string{"*.id={en}"}},
			{as: "ann", do: "GET /api/v1/timelines/list/{l}", want: []string{"*.id={rt} {none} {en} {de}"}},
			{as: "ann", do: "GET /api/v1/accounts/{bob}/statuses", want: []string{"*.id={rt} {none} {en} {de}"}},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=late&language=de", save: "late=id"},
			{as: "ann", do: "GET /api/v1/timelines/home?limit=2", want: []string{"*.id={rt} {none}"}},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/follow", body: `{"reblogs":true,"languages":null}`, want: []string{`languages=["en","fr"]`}}, // unchanged
			{as: "ann", do: "GET /api/v1/accounts/relationships?id[]={bob}&id[]={cat}", want: []string{`*.languages=["en","fr"] null`}},
			{as: "bob", do: "GET /api/v1/accounts/relationships?id[]={ann}", want: []string{"0.languages=null"}},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/follow", body: `{"languages":["de"]}`, want: []string{`languages=["de"]`}},
			{as: "ann", do: "GET /api/v1/timelines/home", want: []string{"*.id={late} {rt} {none} {de}"}},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/follow", body: "languages[]=de&languages[]=english", code: 422, want: []string{"details.languages.0.error=ERR_INVALID", "error~\"english\" is not a language code"}},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/follow", body: `{"languages":["q|"]}`, code: 422, want: []string{"error~q|"}},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/follow", body: `{"languages":[5]}`, code: 422},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/follow", body: `{"languages":[""]}`, code: 422},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/follow", body: `{"languages":["aa","ab","ac","ad","ae","af","ag","ah","ai","aj","ak","al","am","an","ao","ap","aq","ar","as","at","au","av","aw","ax","ay","az"]}`, code: 422, want: []string{"error~at most 25 entries (26 given)"}},
			{as: "ann", do: "GET /api/v1/accounts/relationships?id[]={bob}", want: []string{`0.languages=["de"]`}},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/follow", body: `{"languages":[]}`, want: []string{"languages=null"}},
			{as: "ann", do: "GET /api/v1/timelines/home", want: []string{"#5"}},
			// They are deleted with the follow, on either side.
			{as: "ann", do: "POST /api/v1/accounts/{bob}/follow", body: `{"languages":["de"]}`},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/unfollow", want: []string{"languages=null"}},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/follow", want: []string{"languages=null"}},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/follow", body: `{"languages":["de"]}`},
			{as: "bob", do: "POST /api/v1/accounts/{ann}/remove_from_followers"},
			{as: "ann", do: "GET /api/v1/accounts/relationships?id[]={bob}", want: []string{"0.following=false", "0.languages=null"}},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/follow", want: []string{"languages=null"}},
			{as: "ann", do: "GET /api/v1/timelines/home", want: []string{"#5"}},
			// The options of a request apply to the follow.
			{as: "cat", do: "PATCH /api/v1/accounts/update_credentials", body: "locked=true"},
			{as: "ann", do: "POST /api/v1/accounts/{cat}/follow", body: "languages[]=fr", want: []string{"requested=true", `languages=["fr"]`}},
			{as: "cat", do: "POST /api/v1/follow_requests/{ann}/authorize"},
			{as: "ann", do: "GET /api/v1/accounts/relationships?id[]={cat}", want: []string{"0.following=true", `0.languages=["fr"]`}},
			{as: "ann", do: "GET /api/v1/timelines/home", want: []string{"*.id={late} {rt} {none} {en} {de}"}}, // {x} only as bob's boost
		}},
		{name: "note", people: "ann bob", steps: []step{
			{as: "ann", do: "POST /api/v1/accounts/{bob}/note", body: "comment=met+in+Rome+", want: []string{"id={bob}", "note=met in Rome", "following=false"}},
			{as: "ann", do: "GET /api/v1/accounts/relationships?id[]={bob}", want: []string{"0.note=met in Rome"}},
			{as: "bob", do: "GET /api/v1/accounts/relationships?id[]={ann}&id[]={bob}", want: []string{"0.note=", "1.note="}},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/note", body: "comment=" + strings.Repeat("x", 2001), code: 422, want: []string{"details.comment.0.error=ERR_TOO_LONG"}},
			{as: "ann", do: "GET /api/v1/accounts/relationships?id[]={bob}", want: []string{"0.note=met in Rome"}},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/note", body: "comment=" + strings.Repeat("é", 2000), want: []string{"note~éé"}},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/note", want: []string{"note="}},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/note", want: []string{"note="}},
			{as: "ann", do: "POST /api/v1/accounts/5/note", body: "comment=x", code: 404}, {do: "POST /api/v1/accounts/{bob}/note", body: "comment=x", code: 401},
		}},
		{name: "endorse", people: "ann bob cat", steps: []step{
			{as: "ann", do: "POST /api/v1/accounts/{bob}/endorse", code: 422}, {as: "ann", do: "POST /api/v1/accounts/{ann}/endorse", code: 422},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/follow"}, {as: "ann", do: "POST /api/v1/accounts/{cat}/follow"},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/endorse", want: []string{"endorsed=true", "following=true"}},
			{as: "ann", do: "POST /api/v1/accounts/{cat}/pin", want: []string{"endorsed=true"}},
			{as: "ann", do: "POST /api/v1/accounts/{cat}/pin", want: []string{"endorsed=true"}},
			{as: "ann", do: "GET /api/v1/endorsements", want: []string{"*.acct=cat bob"}},
			{as: "ann", do: "GET /api/v1/endorsements?limit=1", want: []string{"*.acct=cat"}}, {before: follow("next"), as: "ann", do: "GET {next}", want: []string{"*.acct=bob"}},
			{do: "GET /api/v1/accounts/{ann}/endorsements", want: []string{"*.acct=cat bob"}}, {do: "GET /api/v1/accounts/{bob}/endorsements", want: []string{"#0"}},
			{as: "ann", do: "POST /api/v1/accounts/{cat}/unfollow", want: []string{"endorsed=false"}},
			{as: "ann", do: "GET /api/v1/endorsements", want: []string{"*.acct=bob"}},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/unendorse", want: []string{"endorsed=false", "following=true"}},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/unpin", want: []string{"endorsed=false"}},
			{as: "ann", do: "GET /api/v1/endorsements", want: []string{"#0"}}, {do: "GET /api/v1/endorsements", code: 401}, {do: "GET /api/v1/accounts/5/endorsements", code: 404},
			{as: "ann", do: "POST /api/v1/accounts/5/endorse", code: 404},
		}},
		{name: "hidden network", people: "ann bob", steps: []step{
			{as: "ann", do: "POST /api/v1/accounts/{bob}/follow"},
			{as: "bob", do: "PATCH /api/v1/accounts/update_credentials", body: "hide_collections=true"},
			{do: "GET /api/v1/accounts/{bob}/followers", want: []string{"#0"}}, {as: "bob", do: "GET /api/v1/accounts/{bob}/followers", want: []string{"#1"}},
		}},
	}...)
}

// openDoors opens registration, or closes it.
func openDoors(open bool) func(w *world) {
	if open {
		return register(linnet.RegisterOpen)
	}
	return register(linnet.RegisterClosed)
}

// register returns a function that sets the sign-up mode.
func register(r linnet.Registrations) func(w *world) {
	return func(w *world) {
		if _, err := w.svc.Settings.ChangeInstance(context.Background(), linnet.Operator(), linnet.InstanceChange{Registrations: &r}); err != nil {
			w.t.Fatal(err)
		}
	}
}
