package mastodon_test

import (
	"net/url"
	"path"
	"strings"
	"testing"

	"linnet/internal/app"
	"linnet/internal/linnet"
	"linnet/internal/mail"
	"linnet/internal/mail/mailtest"
	"linnet/internal/mastodon"
)

// emailScenarios returns scenarios about addresses on servers without e-mail.
func emailScenarios() []scenario {
	return []scenario{
		{name: "addresses without mail", people: "ann", steps: []step{
			{as: "ann", do: "GET /api/v1/emails/check_confirmation", want: []string{"=true"}},
			{as: "ann", do: "POST /api/v1/emails/confirmations", code: 403, want: []string{"error~doesn't send e-mail"}},
			{as: "ann/read", do: "POST /api/v1/emails/confirmations", code: 403}, {as: "ann/write", do: "GET /api/v1/emails/check_confirmation", code: 403},
			{as: "app", do: "POST /api/v1/emails/confirmations", code: 422}, {as: "app", do: "GET /api/v1/emails/check_confirmation", code: 422},
			{do: "POST /api/v1/emails/confirmations", code: 401}, {do: "GET /api/v1/emails/check_confirmation", code: 401},
			{before: openDoors(true), as: "app", do: "POST /api/v1/accounts", body: "username=eve&password=correct+horse&agreement=true&email=e@localhost", code: 422, want: []string{"details.email.0.error=ERR_INVALID"}},
			{as: "app", do: "POST /api/v1/accounts", body: "username=eve&password=correct+horse&agreement=true&email=Eve@Example.com", save: "eve=access_token"},
			{do: "GET /api/v1/accounts/verify_credentials", header: bearEve, want: []string{"username=eve"}},
		}},
	}
}

// Where an address is required, an app signs up a user, polls for the confirmation, and sends the
// link to another address.
func TestEmailRequired(t *testing.T) {
	onEngines(t, func(t *testing.T, open opener) {
		at := mailtest.New(t, mailtest.Options{})
		w := newOptionalWorld(t, open(t), mastodon.Options{}, app.Options{Mail: &mail.Server{Addr: at.Addr, TLS: mail.StartTLS, From: "linnet@linnet.test", Roots: at.Roots}})
		yes := true
		if _, err := w.svc.Settings.ChangeInstance(t.Context(), linnet.Operator(), linnet.InstanceChange{EmailRequired: &yes}); err != nil {
			t.Fatal(err)
		}
		missing := "error=Your login is missing a confirmed e-mail address"
		w.run([]step{step{as: "app", do: "POST /api/v1/accounts", body: "username=eve&password=correct+horse&agreement=true", code: 422, want: []string{"details.email.0.error=ERR_BLANK"}}})
		w.run([]step{step{as: "app", do: "POST /api/v1/accounts", body: "username=eve&password=correct+horse&agreement=true&email=eve@example.com", save: "eve=access_token"}})
		if to := at.Wait(t, 1)[0].To; to != "eve@example.com" {
			t.Errorf("the link goes to %s", to)
		}
		w.run([]step{
			{do: "GET /api/v1/accounts/verify_credentials", header: bearEve, code: 403, want: []string{missing}}, {do: "GET /api/v1/timelines/home", header: bearEve, code: 403, want: []string{missing}},
			{do: "GET /api/v1/emails/check_confirmation", header: bearEve, want: []string{"=false"}},
			{do: "POST /api/v1/emails/confirmations", header: bearEve, body: "email=eve", code: 422, want: []string{"details.email.0.error=ERR_INVALID"}},
			{do: "POST /api/v1/emails/confirmations", header: bearEve, body: "email=eve@example.org"},
		})
		m := at.Wait(t, 2)[1]
		if m.To != "eve@example.org" {
			t.Errorf("the link goes to %s", m.To)
		}
		u, err := url.Parse(m.Link("/confirm/"))
		if err != nil || !strings.HasPrefix(u.Path, "/confirm/") {
			t.Fatalf("no link in %s", m.Text())
		}
		if err := w.svc.Emails.Confirm(t.Context(), path.Base(u.Path)); err != nil {
			t.Fatal(err)
		}
		w.run([]step{
			{do: "GET /api/v1/emails/check_confirmation", header: bearEve, want: []string{"=true"}}, {do: "GET /api/v1/accounts/verify_credentials", header: bearEve, want: []string{"username=eve"}},
			{do: "POST /api/v1/emails/confirmations", header: bearEve, code: 403, want: []string{"error=This method is only available while the e-mail is awaiting confirmation"}},
		})
	})
}
