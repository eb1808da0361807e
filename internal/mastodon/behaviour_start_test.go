package mastodon_test

import (
	"context"

	"linnet/internal/linnet"
)

// setPrivacy writes the privacy policy.
func setPrivacy(policy string) func(w *world) {
	return func(w *world) {
		if _, err := w.svc.Identity.ChangeInstance(context.Background(), linnet.Operator(), linnet.InstanceChange{Privacy: &policy}); err != nil {
			w.t.Fatal(err)
		}
	}
}

// startScenarios are about what apps ask for when they start.
func startScenarios() []scenario {
	const admin = "GET /api/v1/admin/"
	return []scenario{{name: "what apps ask for at start", people: "ann boss", steps: []step{
		{do: "GET /api/v1/instance/peers", want: []string{"#0"}}, {do: "GET /api/v1/instance/activity", want: []string{"#0"}}, {do: "GET /api/v1/instance/domain_blocks", want: []string{"#0"}},
		{do: "GET /api/v1/instance/extended_description", want: []string{"content=", "updated_at=null"}}, {do: "GET /api/v1/instance/languages", want: []string{"*.code~de el en", "*.name~English"}},
		{do: "GET /api/v1/instance/translation_languages", want: []string{"={}"}}, {as: "ann", do: "POST /api/v1/statuses/1/translate", code: 404}, {do: "GET /api/v1/instance/terms_of_service", code: 404}, {do: "GET /api/v1/instance/terms_of_service/2026-01-01", code: 404},
		{do: "GET /api/v1/instance/privacy_policy", want: []string{"content=", "updated_at=null"}},
		{before: setPrivacy("We keep <little>.\n\nAnd @ann tells nobody."), do: "GET /api/v1/instance/privacy_policy", want: []string{"content=<p>We keep &lt;little&gt;.</p><p>And @ann tells nobody.</p>", "updated_at~Z"}},
		{as: "ann", do: "GET /api/v1/domain_blocks", want: []string{"#0"}}, {do: "GET /api/v1/domain_blocks", code: 401}, {as: "ann/read:lists", do: "GET /api/v1/domain_blocks", code: 403},
		{as: "ann/profile", do: "GET /oauth/userinfo", want: []string{"preferred_username=ann", "sub=https://linnet.test/@ann", "iss=https://linnet.test/"}}, {as: "ann/write", do: "GET /oauth/userinfo", code: 403}, {do: "GET /oauth/userinfo", code: 401},
		{as: "ann", do: "PATCH /api/v1/profile", body: "note=%23hi&display_name=Ann&fields_attributes[0][name]=n&fields_attributes[0][value]=v&show_media=false", want: []string{"note=#hi", "display_name=Ann", "fields.0.value=v", "avatar=null"}},
		{as: "ann/profile", do: "GET /api/v1/profile", want: []string{"id={ann}", "note=#hi", "featured_tags#0", "attribution_domains#0"}}, {as: "ann", do: "PATCH /api/v1/profile", body: "show_media=true", code: 422},
		{as: "ann", do: "PATCH /api/v1/profile", body: "avatar_description=me", code: 422}, {as: "ann", do: "DELETE /api/v1/profile/avatar", want: []string{"acct=ann"}}, {as: "ann", do: "DELETE /api/v1/profile/header", want: []string{"acct=ann"}},
		{before: giveRole("boss", linnet.Moderator), as: boss, do: admin + "domain_blocks", want: []string{"#0"}}, {as: boss, do: admin + "domain_allows", want: []string{"#0"}}, {as: boss, do: admin + "email_domain_blocks", want: []string{"#0"}},
		{as: boss, do: admin + "canonical_email_blocks", want: []string{"#0"}}, {as: boss, do: admin + "ip_blocks", want: []string{"#0"}}, {as: "ann/admin:read", do: admin + "ip_blocks", code: 403}, {as: "boss/read", do: admin + "ip_blocks", code: 403},
		{do: "GET /api/v2/instance", want: []string{"configuration.accounts.max_pinned_statuses=5", "configuration.accounts.max_featured_tags=10"}},
	}}}
}
