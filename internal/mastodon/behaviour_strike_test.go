package mastodon_test

import (
	"strings"

	"linnet/internal/linnet"
)

// strikeScenarios checks strikes in the API: who sees them, appeals, and actions on posts.
func strikeScenarios() []scenario {
	const strikes, decide = "/api/v1/linnet/strikes", "/api/v1/linnet/admin/strikes"
	return []scenario{
		{name: "strikes", people: "boss ann bob", steps: []step{
			{before: giveRole("boss", linnet.Moderator), as: "bob", do: "POST /api/v1/statuses", body: "status=spam", save: "s=id"},
			{before: setRules("Be kind.", "No spam."), as: "ann", do: "POST /api/v1/reports", body: "account_id={bob}&status_ids[]={s}&rule_ids[]=2", save: "report=id"},
			{as: boss, do: "POST /api/v1/admin/accounts/{bob}/action", body: "type=silence&text=no+spam&report_id={report}&send_email_notification=true&warning_preset_id=1", want: []string{"={}"}},
			{as: "bob", do: "GET /api/v1/notifications", want: []string{"#1", "0.type=moderation_warning", "0.account.acct=bob", "0.moderation_warning.action=silence", "0.moderation_warning.text=no spam",
				"0.moderation_warning.status_ids.0={s}", "0.moderation_warning.appeal=null", "0.moderation_warning.target_account.acct=bob", "0.moderation_warning.rules.0.text=No spam."}, save: "strike=0.moderation_warning.id"},
			{as: "bob", do: "GET /api/v2/notifications", want: []string{"notification_groups.0.moderation_warning.action=silence"}},
			{as: "ann", do: "GET /api/v1/notifications", want: []string{"#0"}}, // apps don't know that a report was handled
			{as: "bob", do: "GET " + strikes, want: []string{"#1", "0.id={strike}", "0.action=silence", "0.account!"}},
			{as: "bob", do: "GET " + strikes + "/{strike}", want: []string{"text=no spam"}},
			{as: "ann", do: "GET " + strikes, want: []string{"#0"}},
			{as: "ann", do: "GET " + strikes + "/{strike}", code: 404},
			{as: boss, do: "GET " + strikes + "/{strike}", code: 404},
			{do: "GET " + strikes, code: 401}, {do: "GET " + strikes + "/{strike}", code: 401}, {as: "bob/write", do: "GET " + strikes, code: 403},
			{as: "ann/read write admin:read", do: "GET /api/v1/linnet/admin/accounts/{bob}/strikes", code: 403},
			{as: "bob/read write admin:read", do: "GET /api/v1/linnet/admin/appeals", code: 403},
			{as: boss, do: "GET /api/v1/linnet/admin/accounts/{bob}/strikes", want: []string{"#1", "0.id={strike}", "0.account.acct=boss", "0.report_id={report}", "0.decided_by=null"}},
			{as: boss, do: "GET /api/v1/linnet/admin/appeals", want: []string{"#0"}},
			{as: "ann", do: "POST " + strikes + "/{strike}/appeal", body: "text=x", code: 404}, {do: "POST " + strikes + "/{strike}/appeal", body: "text=x", code: 401},
			{as: "bob", do: "POST " + strikes + "/{strike}/appeal", code: 422, want: []string{"details.text.0.error=ERR_BLANK"}},
			{as: "bob", do: "POST " + strikes + "/{strike}/appeal", body: "text=" + strings.Repeat("x", 2001), code: 422, want: []string{"details.text.0.error=ERR_TOO_LONG"}},
			{as: boss, do: "POST " + decide + "/{strike}/approve", code: 422},
			{as: "bob", do: "POST " + strikes + "/{strike}/appeal", body: "text=It+was+seed.", want: []string{"appeal.text=It was seed.", "appeal.state=pending"}},
			{as: "bob", do: "POST " + strikes + "/{strike}/appeal", body: "text=It+was+seed.", want: []string{"appeal.state=pending"}},
			{as: "bob", do: "POST " + strikes + "/{strike}/appeal", body: "text=Again", code: 422},
			{as: boss, do: "GET /api/v1/linnet/admin/appeals", want: []string{"#1", "0.appeal.text=It was seed."}},
			{as: boss, do: "GET /api/v1/notifications", want: []string{"#1", "0.type=admin.report"}}, // pages notify of the appeal
			{as: "bob/read write admin:write", do: "POST " + decide + "/{strike}/approve", code: 403},
			{as: boss, do: "POST " + decide + "/77/approve", code: 404},
			{as: boss, do: "POST " + decide + "/{strike}/approve", want: []string{"appeal.state=approved", "decided_by.acct=boss"}},
			{as: boss, do: "POST " + decide + "/{strike}/reject", code: 422},
			{as: "ann", do: "GET /api/v1/accounts/{bob}", want: []string{"limited!"}},
			{as: "bob", do: "GET /api/v1/notifications", want: []string{"#2", "0.moderation_warning.appeal.state=approved"}},
		}},
		{name: "moderated statuses", people: "boss ann bob", steps: []step{
			{before: giveRole("boss", linnet.Moderator), as: "bob", do: "POST /api/v1/statuses", body: "status=nest", save: "s=id"},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=psst&visibility=direct", save: "direct=id"},
			{as: "ann/read write admin:write", do: "POST /api/v1/linnet/admin/statuses/{s}/action", body: "type=delete_statuses", code: 403},
			{as: boss, do: "POST /api/v1/linnet/admin/statuses/{s}/action", body: "type=suspend", code: 422},
			{as: boss, do: "POST /api/v1/linnet/admin/statuses/77/action", body: "type=delete_statuses", code: 404},
			{as: boss, do: "POST /api/v1/linnet/admin/statuses/{direct}/action", body: "type=delete_statuses", code: 404},
			{as: boss, do: "POST /api/v1/linnet/admin/statuses/{s}/action", body: "type=remove_picture&media_id=5", code: 422},
			{as: boss, do: "POST /api/v1/linnet/admin/statuses/{s}/action", body: "type=mark_statuses_as_sensitive&text=eggs", want: []string{"={}"}}, {do: "GET /api/v1/statuses/{s}", want: []string{"sensitive=true"}},
			{as: "bob", do: "PUT /api/v1/statuses/{s}", body: "status=nests&sensitive=false", want: []string{"sensitive=true"}},
			{as: boss, do: "POST /api/v1/linnet/admin/statuses/{s}/action", body: "type=delete_statuses&text=spam&rule_ids[]="},
			{do: "GET /api/v1/statuses/{s}", code: 404}, {as: "bob", do: "GET /api/v1/linnet/strikes", want: []string{"#2", "*.action=delete_statuses mark_statuses_as_sensitive", "0.status_ids.0={s}"}},
		}},
	}
}
