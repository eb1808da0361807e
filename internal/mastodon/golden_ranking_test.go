package mastodon_test

import (
	"regexp"
	"testing"

	"linnet/internal/mastodon"
)

// rankVariable matches the parts of a ranking that differ in each run: ids, times, and the decrease
// of votes.
func rankVariable() *regexp.Regexp {
	return regexp.MustCompile(`\b\d{16,}\b|20\d\d-\d\d-\d\d(T[0-9:.]*Z)?|"(score|decay)": [0-9.]+|"cursor": "[^"]+"`)
}

// TestGoldenCatchUp checks that each member of a page of the catch-up is unchanged.
func TestGoldenCatchUp(t *testing.T) {
	w := newWorld(t, memory(t), mastodon.Options{}, "ann", "bob", "cat")
	w.run([]step{
		{as: "ann", do: "POST /api/v1/accounts/{bob}/follow"}, {as: "bob", do: "POST /api/v1/statuses", body: "status=a", save: "a=id"},
		{as: "cat", do: "POST /api/v1/statuses/{a}/favourite"}, {as: "cat", do: "POST /api/v1/statuses/{a}/reblog"}, {as: "bob", do: "POST /api/v1/statuses", body: "status=b"},
		{as: "ann", do: "GET /api/v1/linnet/timelines/catch_up?limit=1"}})
	golden(t, "catch_up", w.last.Body.Bytes(), rankVariable())
}

// TestGoldenFeed compares a custom feed with its golden file.
func TestGoldenFeed(t *testing.T) {
	w := newWorld(t, memory(t), mastodon.Options{}, "ann", "bob")
	w.run([]step{{as: "ann", do: "POST /api/v1/linnet/feeds",
		body: `{"title": "Mine", "weights": {"replies": 0, "half_life": 3600}, "window": 7200, "sources": [{"type": "home"}, {"type": "account", "id": "{bob}", "weight": 2}, {"type": "tag", "tag": "birds"}]}`}})
	golden(t, "feed", w.last.Body.Bytes(), rankVariable())
}
