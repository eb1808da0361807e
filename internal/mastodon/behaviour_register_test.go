package mastodon_test

import (
	"context"
	"strings"
	"testing"

	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/mastodon"
)

const (
	askEve  = "username=eve&password=correct+horse&agreement=true&email=e@x.test&reason=I+like+birds."
	bearEve = "Authorization: Bearer {eve}"
	waits   = "error=Your login is currently pending approval"
)

// registerScenarios returns scenarios about sign-up.
func registerScenarios() []scenario {
	long := strings.Repeat("x", linnet.MaxSignUpReason+1)
	return []scenario{
		{name: "who may register", people: "ann", steps: []step{
			{do: "GET /api/v2/instance", want: []string{"registrations.enabled=true", "registrations.approval_required=false", "registrations.reason_required=false"}},
			{before: register(linnet.RegisterApproval), do: "GET /api/v2/instance", want: []string{"registrations.enabled=true", "registrations.approval_required=true", "registrations.reason_required=true"}},
			{do: "GET /api/v1/instance", want: []string{"registrations=true", "approval_required=true", "invites_enabled=true"}}, {do: "GET /nodeinfo/2.0", want: []string{"openRegistrations=true"}},
			{before: register(linnet.RegisterClosed), do: "GET /api/v2/instance", want: []string{"registrations.enabled=false", "registrations.approval_required=false"}},
			{do: "GET /api/v1/instance", want: []string{"registrations=false", "approval_required=false", "invites_enabled=false"}}, {do: "GET /nodeinfo/2.0", want: []string{"openRegistrations=false"}},
			{as: "app", do: "POST /api/v1/accounts", body: askEve, code: 403, want: []string{"error~isn't accepting new accounts"}},
		}},
		{name: "questions that apps cannot ask", people: "ann", steps: []step{
			{before: asks("Who sings? = birds"), do: "GET /api/v2/instance", want: []string{"registrations.enabled=true", "registrations.url=https://linnet.test/signup"}},
			{as: "app", do: "POST /api/v1/accounts", body: askEve, code: 422, want: []string{"error~https://linnet.test/signup", "details.answer.0.error=ERR_BLANK"}},
			{before: register(linnet.RegisterClosed), do: "GET /api/v2/instance", want: []string{"registrations.url=null"}},
			{before: both(register(linnet.RegisterOpen), asks()), as: "app", do: "POST /api/v1/accounts", body: askEve, want: []string{"token_type=Bearer"}},
		}},
		{name: "approval", people: "boss ann", steps: []step{
			{before: giveRole("boss", linnet.Moderator), do: "GET /api/v1/instance/rules"},
			{before: register(linnet.RegisterApproval), as: "app", do: "POST /api/v1/accounts", body: "username=eve&password=correct+horse&agreement=true&reason=+", code: 422, want: []string{"details.reason.0.error=ERR_BLANK"}},
			{as: "app", do: "POST /api/v1/accounts", body: "username=eve&password=correct+horse&agreement=true&reason=" + long, code: 422, want: []string{"details.reason.0.error=ERR_TOO_LONG"}},
			{as: "app", do: "POST /api/v1/accounts", body: askEve, want: []string{"token_type=Bearer"}, save: "eve=access_token"},
			{do: "GET /api/v1/accounts/verify_credentials", header: bearEve, code: 403, want: []string{waits}}, {do: "GET /api/v1/timelines/home", header: bearEve, code: 403, want: []string{waits}},
			{do: "GET /api/v1/apps/verify_credentials", header: bearEve, want: []string{"name=Tests"}}, {as: "app", do: "POST /api/v1/accounts", body: askEve, code: 422, want: []string{"details.username.0.error=ERR_TAKEN"}},
			{as: boss, do: "GET /api/v1/notifications", want: []string{"#1", "0.type=admin.sign_up", "0.account.acct=eve"}, save: "eveid=0.account.id"},
			{as: boss, do: "GET /api/v2/notifications", want: []string{"notification_groups#1", "notification_groups.0.type=admin.sign_up"}},
			{as: "ann", do: "GET /api/v1/notifications", want: []string{"#0"}},
			{do: "GET /api/v1/accounts/{eveid}", code: 404}, {as: "ann", do: "GET /api/v1/accounts/{eveid}", code: 404}, {as: "ann", do: "GET /api/v1/accounts/lookup?acct=eve", code: 404},
			{as: "ann", do: "GET /api/v1/accounts/search?q=eve", want: []string{"#0"}},
			{as: "ann", do: "GET /api/v2/search?q=eve", want: []string{"accounts#0"}}, {do: "GET /api/v1/accounts?id[]={eveid}", want: []string{"#0"}},
			{as: "ann", do: "POST /api/v1/accounts/{eveid}/follow", code: 404},
			{as: "ann", do: "POST /api/v1/accounts/{eveid}/note", body: "comment=x", code: 404}, {do: "GET /.well-known/webfinger?resource=acct:eve@linnet.test", code: 404},
			{do: "GET /api/v1/accounts/{eveid}/statuses", code: 404}, {do: "GET /api/v1/accounts/{eveid}/followers", code: 404}, {as: "ann", do: "POST /api/v1/statuses", body: "status=hi+@eve", want: []string{"mentions#0"}},
			{as: boss, do: "GET /api/v2/admin/accounts?status=pending", want: []string{"#1", "0.username=eve", "0.approved=false", "0.invite_request=I like birds.", "0.email=e@x.test"}},
			{as: boss, do: "POST /api/v1/admin/accounts/{eveid}/approve", want: []string{"approved=true"}},
			{do: "GET /api/v1/accounts/verify_credentials", header: bearEve, want: []string{"username=eve"}}, {as: "ann", do: "GET /api/v1/accounts/{eveid}", want: []string{"acct=eve"}},
			{as: "ann", do: "GET /api/v1/accounts/search?q=eve", want: []string{"#1"}},
			{as: boss, do: "GET /api/v2/admin/accounts?status=pending", want: []string{"#0"}},
			{as: "app", do: "POST /api/v1/accounts", body: strings.Replace(askEve, "eve", "dan", 1), save: "dan=access_token"},
			{as: boss, do: "GET /api/v1/notifications", want: []string{"#2", "0.account.acct=dan"}, save: "danid=0.account.id"},
			{as: boss, do: "POST /api/v1/admin/accounts/{danid}/reject"}, {do: "GET /api/v1/accounts/verify_credentials", header: "Authorization: Bearer {dan}", code: 401},
			{as: boss, do: "GET /api/v1/notifications", want: []string{"#1"}}, {as: boss, do: "GET /api/v1/admin/accounts/{danid}", code: 404},
			{as: "app", do: "POST /api/v1/accounts", body: strings.Replace(askEve, "eve", "dan", 1), code: 422, want: []string{"details.username.0.error=ERR_TAKEN"}},
		}},
		{name: "moderators hear of open sign-ups", people: "boss", steps: []step{
			{before: giveRole("boss", linnet.Moderator), do: "GET /api/v1/instance/rules"},
			{as: "app", do: "POST /api/v1/accounts", body: askEve, save: "eve=access_token"}, {do: "GET /api/v1/accounts/verify_credentials", header: bearEve, want: []string{"username=eve"}},
			{as: boss, do: "GET /api/v1/notifications?types[]=admin.sign_up", want: []string{"#1", "0.account.acct=eve"}},
			{as: boss, do: "GET /api/v1/notifications?exclude_types[]=admin.sign_up", want: []string{"#0"}},
			{before: giveRole("boss", linnet.Member), as: boss, do: "GET /api/v1/notifications", want: []string{"#0"}},
		}},
	}
}

// TestPendingIsRefusedEverywhere checks that users who wait for approval can only verify their
// app and confirm an address.
func TestPendingIsRefusedEverywhere(t *testing.T) {
	e := memkv.New(memkv.Options{})
	w := newWorld(t, e, mastodon.Options{}, "ann", "bob")
	giveRole("ann", linnet.Moderator)(w)
	w.run([]step{
		{before: register(linnet.RegisterApproval), as: "app", do: "POST /api/v1/accounts", body: askEve, save: "eve=access_token"},
		{as: "ann", do: "POST /api/v1/lists", body: "title=x", save: "list=id"},
		{as: "ann", do: "POST /api/v1/statuses", body: "status=x", save: "status=id"},
	})
	w.settle()
	before, routes := fingerprint(t, e), 0
	for _, row := range w.api.(*mastodon.API).Rows() {
		if row.Open || row.Path == "/api/v1/apps/verify_credentials" || strings.HasPrefix(row.Path, "/api/v1/emails/") { // which are for who waits
			continue
		}
		routes++
		w.call("", row.Method+" "+w.real(row.Path), "status=y&title=y&account_ids[]={bob}&display_name=y&username=dan&password=correct+horse&agreement=true&reason=y&type=suspend", bearEve)
		if w.last.Code != 403 || !strings.Contains(w.last.Body.String(), "pending approval") {
			t.Errorf("%s %s: %d %s", row.Method, row.Path, w.last.Code, w.last.Body)
		}
	}
	for _, path := range streamPaths() {
		w.call("", "GET /api/v1/streaming/"+path+"?tag=x&list={list}", "", bearEve)
		if w.last.Code != 403 {
			t.Errorf("stream %s: %d %s", path, w.last.Code, w.last.Body)
		}
	}
	w.settle()
	if after := fingerprint(t, e); after != before {
		t.Errorf("something was changed:\n%s\nbefore:\n%s", after, before)
	}
	if routes < 100 {
		t.Errorf("only %d routes", routes)
	}
}

// asks sets the questions at sign-up.
func asks(questions ...string) func(w *world) {
	return func(w *world) {
		if _, err := w.svc.Settings.ChangeInstance(context.Background(), linnet.Operator(), linnet.InstanceChange{Questions: &questions}); err != nil {
			w.t.Fatal(err)
		}
	}
}

func both(first, second func(w *world)) func(w *world) {
	return func(w *world) {
		first(w)
		second(w)
	}
}
