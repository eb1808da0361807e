package mastodon_test

import (
	"context"
	"fmt"
	"regexp"
	"testing"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/mastodon"
)

// invite returns a function that creates an invitation and stores its code in a variable.
func invite(name string, d linnet.InviteDraft) func(w *world) {
	return func(w *world) {
		v, err := w.svc.Invites.Create(context.Background(), linnet.Operator(), d)
		if err != nil {
			w.t.Fatal(err)
		}
		w.vars[name] = v.Code
	}
}

// inviteScenarios returns scenarios about signing up with an invitation.
func inviteScenarios() []scenario {
	const form = "password=correct+horse&agreement=true&username="
	revoke := func(w *world) {
		if err := w.svc.Invites.Revoke(context.Background(), linnet.Operator(), w.vars["void"]); err != nil {
			w.t.Fatal(err)
		}
	}
	refused := func(why string) []string {
		return []string{"details.invite_code.0.error=ERR_INVALID", "error~Validation failed", "details.invite_code.0.description~" + why}
	}
	return []scenario{
		{name: "invitations", people: "ann", steps: []step{
			{before: register(linnet.RegisterInvite), do: "GET /api/v1/instance", want: []string{"invites_enabled=true"}},
			{as: "app", do: "POST /api/v1/accounts", body: form + "bob", code: 403, want: []string{"error~an invitation"}},
			{as: "app", do: "POST /api/v1/accounts", body: form + "bob&invite_code=abcdefghabcdefgh", code: 422, want: refused("This invitation doesn't exist")},
			{as: "app", do: "POST /api/v1/accounts", body: form + "bob&invite_code=../x%00", code: 422, want: refused("This invitation doesn't exist")},
			{before: invite("late", linnet.InviteDraft{For: 1}), as: "app", do: "POST /api/v1/accounts", body: form + "bob&invite_code={late}", code: 422, want: refused("has expired")},
			{before: invite("void", linnet.InviteDraft{}), do: "GET /health"}, {before: revoke, as: "app", do: "POST /api/v1/accounts", body: form + "bob&invite_code={void}", code: 422, want: refused("was revoked")},
			{before: invite("good", linnet.InviteDraft{By: "ann", For: time.Hour}), as: "app", do: "POST /api/v1/accounts", body: form + "ann&invite_code={good}", code: 422, want: []string{"details.username.0.error=ERR_TAKEN"}},
			{do: "GET /invite/{good}", want: []string{"invite_code={good}", "instance_api_url=https://linnet.test/api/v2/instance", "Access-Control-Allow-Origin=*"}}, {do: "GET /invite/nothing", code: 404},
			{as: "app", do: "POST /api/v1/accounts", body: form + "bob&invite_code={good}", want: []string{"token_type=Bearer"}, save: "bob=access_token"},
			{do: "GET /api/v1/accounts/verify_credentials", header: "Authorization: Bearer {bob}", want: []string{"username=bob"}},
			{as: "app", do: "POST /api/v1/accounts", body: form + "cat&invite_code={good}", code: 422, want: refused("has already been used the maximum number of times")}, {do: "GET /api/v1/accounts/lookup?acct=cat", code: 404},
			{do: "GET /invite/{good}", code: 401, want: []string{"error~already been used the maximum number of times"}},
			{before: register(linnet.RegisterClosed), as: "app", do: "POST /api/v1/accounts", body: form + "cat&invite_code={good}", code: 403, want: []string{"error~isn't accepting new accounts"}},
		}},
	}
}

// newcomerScenarios returns scenarios about the limits of new accounts.
func newcomerScenarios() []scenario {
	flood := []step{{as: "ann", do: "POST /api/v1/statuses", body: "status=Buy+this"},
		{as: "ann", do: "POST /api/v1/statuses", body: "status=buy++THIS", code: 422, want: []string{"details.text.0.error=ERR_TAKEN", "error~from the last hour"}},
		{as: "bob", do: "POST /api/v1/statuses", body: "status=buy+this"}}
	for i := range linnet.NewPostsAnHour - 1 {
		flood = append(flood, step{as: "ann", do: "POST /api/v1/statuses", body: fmt.Sprint("status=", i)})
	}
	return []scenario{
		{name: "limits of new accounts", people: "ann bob", young: true, steps: append(flood,
			step{as: "ann", do: "POST /api/v1/statuses", body: "status=one+more", code: 429, want: []string{"error~"}},
			step{as: "bob", do: "POST /api/v1/statuses", body: "status=one+more"}, step{as: "ann", do: "GET /api/v1/timelines/home"},
		)},
	}
}

// TestGoldenModeration checks that each member of the entities Report, Admin::Account and
// Admin::Report is unchanged.
func TestGoldenModeration(t *testing.T) {
	w := newWorld(t, memory(t), mastodon.Options{}, "boss", "ann", "bob")
	giveRole("boss", linnet.Moderator)(w)
	variable := regexp.MustCompile(`\b\d{15,}\b|\b[0-9a-f]{16}\b|20\d\d-\d\d-\d\d(T[0-9:.]*Z)?`)
	w.run([]step{{as: "bob", do: "POST /api/v1/statuses", body: "status=buy+this", save: "s=id"},
		{as: "ann", do: "POST /api/v1/reports", body: "account_id={bob}&status_ids[]={s}&comment=sells&category=spam", save: "report=id"}})
	golden(t, "report", w.last.Body.Bytes(), variable)
	w.run([]step{{as: boss, do: "GET /api/v1/admin/accounts/{bob}"}})
	golden(t, "admin_account", w.last.Body.Bytes(), variable)
	w.run([]step{{as: boss, do: "POST /api/v1/admin/reports/{report}/assign_to_self"}})
	golden(t, "admin_report", w.last.Body.Bytes(), variable)
}
