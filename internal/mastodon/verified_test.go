package mastodon_test

import (
	"testing"
	"time"

	"linnet/internal/mastodon"
)

// A field with a verified link has the time of the check, for all viewers, until its value
// changes.
func TestVerifiedFields(t *testing.T) {
	onEngines(t, func(t *testing.T, open opener) {
		w := newWorld(t, open(t), mastodon.Options{}, "ann")
		const change = "PATCH /api/v1/accounts/update_credentials"
		w.run([]step{{as: "ann", do: change, body: `{"fields_attributes":[{"name":"Home","value":"https://ann.test"},{"name":"Other","value":"https://other.test"}]}`,
			want: []string{"fields.0.verified_at=null", "source.fields.0.verified_at=null"}}})
		at := time.Date(2026, 11, 26, 9, 30, 0, 123e6, time.UTC)
		if err := w.svc.Store().Accounts.VerifyLink(t.Context(), w.ids["ann"], "https://ann.test", at); err != nil {
			t.Fatal(err)
		}
		const since = "verified_at=2026-11-26T09:30:00.123Z"
		w.run([]step{
			{do: "GET /api/v1/accounts/{ann}", want: []string{"fields.0." + since, "fields.1.verified_at=null"}},
			{as: "ann", do: "GET /api/v1/accounts/verify_credentials", want: []string{"fields.0." + since, "source.fields.0." + since, "source.fields.1.verified_at=null"}},
			{as: "ann", do: "GET /api/v1/profile", want: []string{"fields.0." + since}},
			{as: "ann", do: change, body: `{"fields_attributes":[{"name":"A","value":"1"},{"name":"Site","value":"https://ann.test"}]}`,
				want: []string{"fields.0.verified_at=null", "fields.1.name=Site", "fields.1." + since, "source.fields.1." + since}},
			{as: "ann", do: change, body: "note=x", want: []string{"fields.1." + since}},
			{as: "ann", do: change, body: `{"fields_attributes":[{"name":"Site","value":"https://ann.test/"}]}`, want: []string{"fields.0.verified_at=null"}},
			{as: "ann", do: change, body: `{"fields_attributes":[{"name":"Site","value":"https://ann.test","verified_at":"2026-11-26T09:30:00.123Z"}]}`,
				want: []string{"fields.0.verified_at=null"}},
		})
	})
}
