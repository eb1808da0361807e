package mastodon_test

import (
	"fmt"
	"strings"
	"time"

	"linnet/internal/linnet"
)

func scheduledScenarios() []scenario {
	const all, post = "/api/v1/scheduled_statuses", "POST /api/v1/statuses"
	return []scenario{
		{name: "scheduled statuses", people: "ann bob", steps: []step{
			{as: "ann", do: "GET " + all, want: []string{"#0"}}, {do: "GET " + all, code: 401}, {as: "ann/write", do: "GET " + all, code: 403},
			upload("ann", "pic", "description=A square"),
			{as: "bob", do: post, body: "status=root", save: "root=id"},
			{as: "ann", do: post, body: `{"status":"later @bob","spoiler_text":"careful","visibility":"unlisted","language":"de","media_ids":["{pic}"],"in_reply_to_id":"{root}","scheduled_at":"2100-01-02T03:04:05.678+01:00"}`,
				header: "Idempotency-Key: k", want: []string{"scheduled_at=2100-01-02T02:04:05.678Z", "params.text=later @bob", "params.spoiler_text=careful", "params.visibility=unlisted", "params.language=de",
					"params.sensitive=true", "params.media_ids.*={pic}", "params.in_reply_to_id={root}", "params.poll=null", "params.scheduled_at=null", "params.idempotency=k", "params.scheduled_at=null",
					"params.with_rate_limit=false", "media_attachments.*.id={pic}", "media_attachments.0.description=A square", "failed=null", "content!"}, save: "a=id"},
			{as: "ann", do: post, body: `{"status":"later @bob","media_ids":["{pic}"],"scheduled_at":"2100-01-02"}`, header: "Idempotency-Key: k", want: []string{"id={a}", "params.text=later @bob"}},
			{as: "ann", do: "GET /api/v1/media/{pic}", code: 404}, {as: "ann", do: post, body: "media_ids[]={pic}", code: 422},
			{as: "bob", do: "PUT /api/v1/media/{pic}", body: "description=no", code: 404},
			{as: "ann", do: "PUT /api/v1/media/{pic}", body: "focus=2,2", code: 422},
			{as: "ann", do: "PUT /api/v1/media/{pic}", body: "description=Another&focus=0.5,0.5", want: []string{"id={pic}", "description=Another"}},
			{as: "ann", do: "GET " + all + "/{a}", want: []string{"media_attachments.0.description=Another", "params.text=later @bob"}},
			{as: "ann", do: "PUT /api/v1/media/{pic}", body: "description=A+square"},
			{as: "ann", do: post, body: "status=which&poll[options][]=a&poll[options][]=b&poll[expires_in]=300&scheduled_at=2100-01-02", header: "Idempotency-Key: other",
				want: []string{"scheduled_at=2100-01-02T00:00:00.000Z", "params.poll.options.*=a b", "params.poll.expires_in=300", "params.poll.multiple=false", "params.media_ids=null", "params.visibility=public", "media_attachments#0"}, save: "b=id"},
			{as: "ann", do: post, body: "status=at+once&scheduled_at=", want: []string{"content~at once"}},
			{as: "ann", do: "GET " + all, want: []string{"*.id={b} {a}"}}, {as: "bob", do: "GET " + all, want: []string{"#0"}},
			{as: "ann", do: "GET " + all + "?limit=1", want: []string{"*.id={b}"}}, {as: "ann", do: "GET " + all + "?max_id={b}", want: []string{"*.id={a}"}},
			{as: "ann", do: "GET " + all + "?since_id={a}", want: []string{"*.id={b}"}},
			{as: "ann", do: "GET " + all + "?min_id=0&limit=1", want: []string{"*.id={a}"}},
			{as: "ann", do: "GET " + all + "?max_id=x", code: 422},
			{as: "ann", do: "GET " + all + "/{a}", want: []string{"id={a}"}},
			{as: "bob", do: "GET " + all + "/{a}", code: 404},
			{as: "ann", do: "GET " + all + "/x", code: 404},
			{as: "ann", do: "GET /api/v1/statuses/{a}", code: 404},
			{as: "ann", do: "PUT " + all + "/{a}", body: "scheduled_at=2101-01-01T00:00:00", want: []string{"id={a}", "scheduled_at=2101-01-01T00:00:00.000Z", "media_attachments.*.id={pic}"}},
			{as: "ann/read", do: "PUT " + all + "/{a}", body: "scheduled_at=2101-01-01", code: 403},
			{as: "bob", do: "PUT " + all + "/{a}", body: "scheduled_at=2101-01-01", code: 404},
			{as: "ann", do: "PUT " + all + "/{a}", code: 422, want: []string{"error~Scheduled at can't be blank"}},
			{as: "bob", do: "DELETE " + all + "/{a}", code: 404},
			{as: "ann", do: "DELETE " + all + "/{a}"},
			{as: "ann", do: "DELETE " + all + "/{a}", code: 404},
			{as: "ann", do: post, body: `{"status":"later @bob","media_ids":["{pic}"],"scheduled_at":"2100-01-02"}`, header: "Idempotency-Key: k", code: 422, want: []string{"error~Use another key"}},
			{as: "ann", do: "GET /api/v1/media/{pic}", want: []string{"description=A square"}},
			{as: "ann", do: post, body: "status=now&media_ids[]={pic}", header: "Idempotency-Key: k", want: []string{"media_attachments.*.id={pic}"}},
			{as: "ann", do: "GET " + all, want: []string{"*.id={b}"}},
		}},
		{name: "times that may not be", people: "ann bob", steps: []step{
			{as: "ann", do: post, body: "status=x&scheduled_at=" + tooSoon(), code: 422, want: []string{"error~Scheduled at is 20", "error~(5 minutes from now), or leave out the time to post now", "details.scheduled_at.0.error=ERR_INVALID"}},
			{as: "ann", do: post, body: "status=x&scheduled_at=2001-01-01T00:00:00Z", code: 422, want: []string{"error~is 2001-01-01T00:00:00Z. Choose a time after"}},
			{as: "ann", do: post, body: "status=x&scheduled_at=tomorrow", code: 422, want: []string{`error~"tomorrow" is not a valid time. Use the format 2030-12-24T18:00:00Z`}},
			{as: "ann", do: post, body: "status=x&scheduled_at=" + strings.Repeat("9", 400), code: 422, want: []string{"error~999…"}},
			{as: "ann", do: post, body: `{"status":"x","scheduled_at":{"a":"b"}}`, code: 422},
			{as: "ann", do: post, body: `{"status":"x","scheduled_at":4102444800}`, code: 422},
			{as: "ann", do: post, body: "status=&scheduled_at=2100-01-01", code: 422, want: []string{"error~can't be blank"}},
			{as: "ann", do: post, body: "status=x&in_reply_to_id=5&scheduled_at=2100-01-01", code: 404},
			{do: "GET /health", before: func(w *world) {
				for range linnet.MaxScheduledADay {
					w.run([]step{{as: "ann", do: post, body: "status=x&scheduled_at=2100-01-01", save: "p=id"}})
				}
			}},
			{as: "ann", do: post, body: "status=x&scheduled_at=2100-01-01T23:59:59Z", code: 422, want: []string{"error~is on 2100-01-01 (UTC), but you can schedule at most 25 posts per day. Choose another day"}},
			{as: "bob", do: post, body: "status=x&scheduled_at=2100-01-01T23:59:59Z"},
			{as: "ann", do: "PUT " + all + "/{p}", body: "scheduled_at=2100-01-01T12:00:00Z"},
			{as: "ann", do: "GET " + all, want: []string{"#20"}}, {as: "ann", do: "GET " + all + "?limit=99", want: []string{"#25"}},
		}},
	}
}

// tooSoon returns a time that is too early for scheduling.
func tooSoon() string {
	return fmt.Sprint(time.Now().UTC().Add(4 * time.Minute).Format("2006-01-02T15:04:05Z"))
}
