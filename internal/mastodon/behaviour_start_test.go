package mastodon_test

import (
	"context"
	"time"

	"linnet/internal/linnet"
)

// setPrivacy writes the privacy policy.
func setPrivacy(policy string) func(w *world) {
	return func(w *world) {
		if _, err := w.svc.Settings.ChangeInstance(context.Background(), linnet.Operator(), linnet.InstanceChange{Privacy: &policy}); err != nil {
			w.t.Fatal(err)
		}
	}
}

// setTerms writes terms of service that are in force from a day on; "": from today.
func setTerms(day, terms string) func(w *world) {
	return func(w *world) {
		if day == "" {
			day = time.Now().UTC().Format(time.DateOnly)
		}
		if err := w.svc.Settings.SetTerms(context.Background(), linnet.Operator(), day, terms); err != nil {
			w.t.Fatal(err)
		}
	}
}

// startScenarios returns scenarios about the requests of apps when they start.
func startScenarios() []scenario {
	const admin = "GET /api/v1/admin/"
	return []scenario{{name: "what apps ask for at start", people: "ann boss", steps: []step{
		{do: "GET /api/v1/instance/peers", want: []string{"#0"}}, {do: "GET /api/v1/instance/activity", want: []string{"#0"}}, {do: "GET /api/v1/instance/domain_blocks", want: []string{"#0"}},
		{do: "GET /api/v1/instance/extended_description", want: []string{"content=", "updated_at=null"}}, {do: "GET /api/v1/instance/languages", want: []string{"*.code~de el en", "*.name~English"}},
		{do: "GET /api/v1/instance/translation_languages", want: []string{"={}"}}, {as: "ann", do: "POST /api/v1/statuses/1/translate", code: 404}, {do: "GET /api/v1/instance/terms_of_service", code: 404}, {do: "GET /api/v1/instance/terms_of_service/2026-01-01", code: 404},
		{do: "GET /api/v1/instance/privacy_policy", want: []string{"content=", "updated_at~Z"}},
		{before: setPrivacy("We keep <little>.\n\nAnd @ann tells nobody."), do: "GET /api/v1/instance/privacy_policy", want: []string{"content=<p>We keep &lt;little&gt;.</p><p>And @ann tells nobody.</p>", "updated_at~Z"}},
		{do: "GET /api/v2/instance", want: []string{"configuration.urls.privacy_policy=https://linnet.test/privacy-policy", "configuration.urls.terms_of_service=null", "configuration.timelines_access.hashtag_feeds.local=public"}},
		{before: setTerms("2999-01-31", "Be <kind>."), do: "GET /api/v1/instance/terms_of_service", want: []string{"effective_date=2999-01-31", "effective=false", "content=<p>Be &lt;kind&gt;.</p>", "succeeded_by=null"}},
		{before: setTerms("", "As you like."), do: "GET /api/v1/instance/terms_of_service", want: []string{"effective=true", "content=<p>As you like.</p>", "succeeded_by=2999-01-31"}},
		{do: "GET /api/v1/instance/terms_of_service/2999-01-31", want: []string{"effective=false"}}, {do: "GET /api/v1/instance/terms_of_service/2999-01-30", code: 404}, {do: "GET /api/v1/instance/terms_of_service/x", code: 404},
		{do: "GET /api/v2/instance", want: []string{"configuration.urls.terms_of_service=https://linnet.test/terms"}},
		{as: "ann", do: "GET /api/v1/annual_reports", want: []string{"annual_reports#0", "accounts#0", "statuses#0"}},
		{as: "ann", do: "GET /api/v1/annual_reports/2025", code: 404},
		{as: "ann", do: "POST /api/v1/annual_reports/2025/read", code: 404},
		{as: "ann", do: "GET /api/v1/annual_reports/2025/state", want: []string{"state=ineligible"}},
		{as: "ann", do: "POST /api/v1/annual_reports/2025/generate", want: []string{"={}"}}, {do: "GET /api/v1/annual_reports/2025/state", code: 401},
		{as: "ann/write", do: "GET /api/v1/annual_reports", code: 403},
		{as: "ann", do: "GET /api/v1_alpha/async_refreshes/5", code: 404}, {do: "GET /api/v1_alpha/async_refreshes/5", code: 401},
		{as: "ann", do: "GET /api/v1/domain_blocks", want: []string{"#0"}}, {do: "GET /api/v1/domain_blocks", code: 401},
		{as: "ann/read:lists", do: "GET /api/v1/domain_blocks", code: 403},
		{as: "ann/profile", do: "GET /oauth/userinfo", want: []string{"preferred_username=ann", "sub=https://linnet.test/@ann", "iss=https://linnet.test/"}},
		{as: "ann/write", do: "GET /oauth/userinfo", code: 403}, {do: "GET /oauth/userinfo", code: 401},
		{as: "ann", do: "PATCH /api/v1/profile", body: "note=%23hi&display_name=Ann&fields_attributes[0][name]=n&fields_attributes[0][value]=v&show_media=false", want: []string{"note=#hi", "show_media=false", "show_media_replies=true", "show_featured=true", "display_name=Ann", "fields.0.value=v", "avatar=null"}},
		{as: "ann/profile", do: "GET /api/v1/profile", want: []string{"id={ann}", "note=#hi", "featured_tags#0", "attribution_domains#0"}},
		{as: "ann", do: "PATCH /api/v1/profile", body: "attribution_domains[]=https://www.Example.org/about&attribution_domains[]=b%C3%BCcher.example&attribution_domains[]=example.org", want: []string{"attribution_domains.0=example.org", "attribution_domains.1=xn--bcher-kva.example", "attribution_domains#2"}},
		{as: "ann", do: "GET /api/v1/accounts/verify_credentials", want: []string{"source.attribution_domains#2"}},
		{as: "ann", do: "PATCH /api/v1/accounts/update_credentials", body: "attribution_domains[]=nowhere", code: 422, want: []string{"details~attribution_domains"}},
		{as: "ann", do: "PATCH /api/v1/accounts/update_credentials", body: `{"attribution_domains": []}`, want: []string{"source.attribution_domains#0"}},
		{do: "GET /api/v1/accounts/{ann}", want: []string{"show_media=false", "show_featured=true"}}, {as: "ann", do: "PATCH /api/v1/profile", body: `{"show_media":true,"show_media_replies":false,"show_featured":false}`, want: []string{"show_media=true", "show_media_replies=false", "show_featured=false"}},
		{as: "ann/profile", do: "GET /api/v1/profile", want: []string{"show_media=true", "show_media_replies=false", "show_featured=false"}},
		{as: "ann", do: "PATCH /api/v1/accounts/update_credentials", body: "show_featured=1&show_media_replies=1", want: []string{"show_featured=true", "show_media=true", "show_media_replies=true"}},
		{as: "ann", do: "PUT /api/v1/profile", body: "avatar_description=me", want: []string{"avatar_description=me"}},
		{as: "ann", do: "DELETE /api/v1/profile/avatar", want: []string{"acct=ann"}},
		{as: "ann", do: "DELETE /api/v1/profile/header", want: []string{"acct=ann"}},
		{before: giveRole("boss", linnet.Moderator), as: boss, do: admin + "domain_blocks", want: []string{"#0"}}, {as: boss, do: admin + "domain_allows", want: []string{"#0"}}, {as: boss, do: admin + "email_domain_blocks", code: 403},
		{as: boss, do: admin + "canonical_email_blocks", code: 403},
		{as: boss, do: admin + "ip_blocks", code: 403},
		{as: "ann/admin:read", do: admin + "ip_blocks", code: 403},
		{as: "boss/read", do: admin + "ip_blocks", code: 403},
		{do: "GET /api/v2/instance", want: []string{"configuration.accounts.max_pinned_statuses=5", "configuration.accounts.max_featured_tags=10"}},
	}}}
}
