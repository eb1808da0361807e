package mastodon_test

import (
	"time"

	"linnet/internal/linnet"
)

// signUpBlockScenarios returns scenarios about staff and sign-up blocks in the API.
func signUpBlockScenarios() []scenario {
	const emails, ips, hashes = "/api/v1/admin/email_domain_blocks", "/api/v1/admin/ip_blocks", "/api/v1/admin/canonical_email_blocks"
	const boss = "boss/admin:read admin:write"
	const signUp = "username=eve&password=correct+horse&agreement=true&email="
	return []scenario{
		{name: "blocks of e-mail domains", people: "boss ann", steps: []step{
			{before: giveRole("boss", linnet.Admin), as: boss, do: "POST " + emails, body: "domain=Spam.example", want: []string{"domain=spam.example", "created_at~Z", "history#7", "history.0.uses=0"}, save: "a=id"},
			{as: boss, do: "POST " + emails, body: "domain=junk.example&allow_with_approval=true", want: []string{"allow_with_approval=true"}, save: "b=id"},
			{as: boss, do: "GET " + emails, want: []string{"*.id={b} {a}"}},
			{as: boss, do: "GET " + emails + "?limit=1", want: []string{"*.id={b}", "Link~max_id={b}"}},
			{as: boss, do: "GET " + emails + "?max_id={b}", want: []string{"*.id={a}"}},
			{as: boss, do: "GET " + emails + "?min_id={a}", want: []string{"*.id={b}"}}, {as: boss, do: "GET " + emails + "?max_id=x", code: 422},
			{as: boss, do: "GET " + emails + "/{a}", want: []string{"domain=spam.example"}},
			{as: boss, do: "GET " + ips + "/{a}", code: 404},
			{as: boss, do: "DELETE " + hashes + "/{a}", code: 404},
			{as: boss, do: "GET " + emails + "/5", code: 404},
			{as: "app", do: "POST /api/v1/accounts", body: signUp + "eve@mail.spam.example", code: 422},
			{as: boss, do: "DELETE " + emails + "/{a}", want: []string{"={}"}},
			{as: boss, do: "DELETE " + emails + "/{a}", code: 404},
			{as: "app", do: "POST /api/v1/accounts", body: signUp + "eve@mail.spam.example"},
			{as: boss, do: "POST " + emails, code: 422, want: []string{"details~domain"}},
			{as: boss, do: "POST " + emails, body: "domain=x", code: 422},
			{as: boss, do: "GET /api/v1/linnet/admin/audit", want: []string{"0.action=unblock_sign_up"}},
			{as: "ann/admin:read admin:write", do: "POST " + emails, body: "domain=a.example", code: 403},
			{as: "boss/admin:read", do: "POST " + emails, body: "domain=a.example", code: 403}, {do: "GET " + emails, code: 401},
		}},
		{name: "blocks of addresses", people: "boss", steps: []step{
			{before: giveRole("boss", linnet.Admin), as: boss, do: "POST " + ips, body: "ip=198.51.100.7/24&severity=sign_up_block&comment=spam&expires_in=3600", want: []string{"ip=198.51.100.0/24", "severity=sign_up_block", "comment=spam", "expires_at~Z"}, save: "a=id"},
			{as: boss, do: "GET " + ips, want: []string{"*.id={a}"}}, {as: boss, do: "GET " + ips + "/{a}", want: []string{"comment=spam"}},
			{as: boss, do: "PUT " + ips + "/{a}", body: "severity=sign_up_requires_approval", want: []string{"id={a}", "ip=198.51.100.0/24", "severity=sign_up_requires_approval", "comment=spam", "expires_at~Z"}},
			{as: boss, do: "PUT " + ips + "/{a}", body: "comment=other&ip=2001:db8::/32&expires_in=0", want: []string{"id={a}", "ip=2001:db8::/32", "severity=sign_up_requires_approval", "comment=other", "expires_at=null"}},
			{as: boss, do: "GET " + ips, want: []string{"*.ip=2001:db8::/32"}},
			{as: boss, do: "PUT " + ips + "/{a}", body: "severity=no_access", code: 422, want: []string{"error~sign_up_block"}},
			{as: boss, do: "PUT " + ips + "/{a}", body: "ip=x", code: 422},
			{as: boss, do: "PUT " + ips + "/5", body: "ip=1.2.3.4", code: 404},
			{as: boss, do: "POST " + ips, body: "ip=1.2.3.4", code: 422},
			{as: boss, do: "POST " + ips, body: "severity=sign_up_block", code: 422},
			{as: boss, do: "POST " + ips, body: "ip=0.0.0.0/0&severity=sign_up_block", code: 422},
			{as: boss, do: "DELETE " + ips + "/{a}", want: []string{"={}"}}, {as: boss, do: "GET " + ips, want: []string{"#0"}},
		}},
		{name: "blocks of e-mail addresses", people: "boss", steps: []step{
			{before: giveRole("boss", linnet.Admin), as: boss, do: "POST " + hashes, body: "email=A.B%2Bx@Mail.example", want: []string{"canonical_email_hash=9bc31f54acf77ccdfa46ac5743698dff74f3c88570897f8a7847a11b7b19a2f7"}, save: "a=id"},
			{as: boss, do: "POST " + hashes + "/test", body: "email=ab@mail.example", want: []string{"*.id={a}"}},
			{as: boss, do: "POST " + hashes + "/test", body: "email=abc@mail.example", want: []string{"#0"}},
			{as: boss, do: "POST " + hashes + "/test", code: 422},
			{as: "app", do: "POST /api/v1/accounts", body: signUp + "a.b@mail.example", code: 422},
			{as: "app", do: "POST /api/v1/accounts", body: signUp + "ba@mail.example"},
			{as: boss, do: "GET " + hashes, want: []string{"*.id={a}"}},
			{as: boss, do: "GET " + hashes + "/{a}", want: []string{"id={a}"}},
			{as: boss, do: "DELETE " + hashes + "/{a}"},
			{as: boss, do: "GET " + hashes, want: []string{"#0"}},
			{as: boss, do: "POST " + hashes, body: "canonical_email_hash=9bc31f54acf77ccdfa46ac5743698dff74f3c88570897f8a7847a11b7b19a2f7", want: []string{"canonical_email_hash=9bc31f54acf77ccdfa46ac5743698dff74f3c88570897f8a7847a11b7b19a2f7"}},
			{as: boss, do: "POST " + hashes, body: "canonical_email_hash=12", code: 422},
			{as: boss, do: "POST " + hashes, code: 422},
		}},
		{name: "dimensions and retention", people: "boss ann dan eve", steps: []step{
			{as: "ann", do: "POST /api/v1/statuses", body: "status=a&language=de"},
			{as: "ann", do: "POST /api/v1/statuses", body: "status=b&language=de"},
			{as: "ann", do: "POST /api/v1/statuses", body: "status=c&language=en"},
			{as: "ann", do: "POST /api/v1/statuses", body: "status=d&language=fr&visibility=private"},
			{before: giveRole("boss", linnet.Admin), as: boss, do: "POST /api/v1/admin/dimensions", body: "keys[]=languages&keys[]=sources&keys[]=space_usage&keys[]=software_versions&keys[]=servers&keys[]=tag_servers&keys[]=tag_languages&keys[]=what&start_at=2020-01-01&end_at=2100-01-01",
				want: []string{"*.key=languages sources space_usage software_versions servers tag_servers tag_languages", "0.data.*.key=de en", "0.data.*.value=2 1", "0.data.0.human_key=Deutsch", "1.data.*.value=3", "2.data.0.unit=bytes", "3.data.*.key=mastodon linnet", "4.data#0", "5.data#0", "6.data#0"}},
			{as: boss, do: "POST /api/v1/admin/dimensions", body: "keys[]=languages&limit=1&start_at=2020-01-01&end_at=2100-01-01", want: []string{"0.data.*.key=de"}},
			{as: boss, do: "POST /api/v1/admin/dimensions", body: "keys[]=languages&start_at=2020-01-01&end_at=2020-01-02", want: []string{"0.data#0"}},
			{as: boss, do: "POST /api/v1/admin/dimensions", body: "keys[]=languages&start_at=x", code: 422},
			{as: "ann/admin:read", do: "POST /api/v1/admin/dimensions", body: "keys[]=languages", code: 403},
			{as: boss, do: "POST /api/v1/admin/retention", body: "start_at=2020-01-01&end_at=2020-01-03&frequency=day", want: []string{"#3", "0.frequency=day", "0.period=2020-01-01T00:00:00.000Z", "0.data#3", "2.data#1", "0.data.0.rate=0", "0.data.0.value=0"}},
			{as: boss, do: "POST /api/v1/admin/retention", body: "start_at=2020-01-15&end_at=2020-03-01&frequency=month", want: []string{"#3", "0.frequency=month", "0.period=2020-01-01T00:00:00.000Z", "0.data.*.date=2020-01-01T00:00:00.000Z 2020-02-01T00:00:00.000Z 2020-03-01T00:00:00.000Z"}},
			{before: signUpDays, as: boss, do: "POST /api/v1/admin/retention", body: "start_at={yesterday}&end_at={today}", want: []string{"#2", "0.data.*.value=0 0", "1.period={today}T00:00:00.000Z", "1.data.*.date={today}T00:00:00.000Z", "1.data.*.value=2"}},
			{as: boss, do: "POST /api/v1/admin/retention", body: "start_at={today}&end_at={today}&frequency=month", want: []string{"#1", "0.data.*.value=2"}},
			{as: "dan", do: "GET /api/v1/accounts/verify_credentials"},
			{as: "eve", do: "GET /api/v1/accounts/verify_credentials"},
			{as: boss, do: "POST /api/v1/admin/retention", body: "start_at={today}&end_at={today}", want: []string{"0.data.*.value=4", "0.data.*.rate=1"}},
			{as: boss, do: "POST /api/v1/admin/retention", body: "start_at=2020-01-01", code: 422},
			{as: "ann/admin:read", do: "POST /api/v1/admin/retention", body: "start_at=2020-01-01&end_at=2020-01-01", code: 403},
		}},
	}
}

// signUpDays saves the day on which the people of a world signed up, and the day before.
func signUpDays(w *world) {
	day := w.ids["boss"].Time().UTC()
	w.vars["today"], w.vars["yesterday"] = day.Format(time.DateOnly), day.AddDate(0, 0, -1).Format(time.DateOnly)
}
