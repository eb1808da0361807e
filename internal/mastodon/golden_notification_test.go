package mastodon_test

import (
	"regexp"
	"testing"

	"linnet/internal/mastodon"
)

// TestGoldenGroups checks that each member of grouped notifications is unchanged.
func TestGoldenGroups(t *testing.T) {
	w := newWorld(t, memory(t), mastodon.Options{}, "ann", "bob", "cat")
	variable := regexp.MustCompile(`\b\d{15,}\b|20\d\d-\d\d-\d\d(T[0-9:.]*Z)?`)
	w.run([]step{
		{as: "ann", do: "POST /api/v1/statuses", body: "status=a", save: "p=id"}, {as: "bob", do: "POST /api/v1/statuses/{p}/favourite"}, {as: "cat", do: "POST /api/v1/statuses/{p}/favourite"},
		{as: "ann", do: "GET /api/v2/notifications?expand_accounts=partial_avatars"}})
	golden(t, "notification_groups", w.last.Body.Bytes(), variable)
}
