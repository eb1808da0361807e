package mastodon_test

import (
	"testing"

	"linnet/internal/kv/memkv"
	"linnet/internal/mastodon"
)

// TestAuthorisationOfFeeds requests custom feeds of each source as all viewers. Each shows the
// same statuses as its source.
func TestAuthorisationOfFeeds(t *testing.T) {
	w := newWorld(t, memkv.New(memkv.Options{}), mastodon.Options{}, author, follower, mentioned, requester, other)
	prepareMatrix(w)
	public := func(_, vis string) bool { return vis == "public" }
	sources := map[string]func(viewer, vis string) bool{
		`{"type": "home"}`:  func(v, vis string) bool { return v == follower && vis != "direct" }, // the author's own are left out
		`{"type": "local"}`: public, `{"type": "tag", "tag": "matrix"}`: public,
		`{"type": "account", "id": "{ann}"}`: func(_, vis string) bool { return vis != "direct" },
	}
	for source, shows := range sources {
		for _, viewer := range viewers[1:] {
			w.run([]step{{as: viewer, do: "POST /api/v1/linnet/feeds", body: `{"title": "x", "sources": [` + source + `]}`, save: "feed=id"}})
			for _, vis := range visibilities {
				w.vars["s"] = w.vars["s_"+vis]
				checkWay(t, w, way{do: "GET /api/v1/linnet/timelines/feed/{feed}?limit=40", login: true, shows: shows}, viewer, vis)
			}
			for _, who := range viewers {
				if w.call(who, "GET /api/v1/linnet/timelines/feed/{feed}", "", ""); who != viewer && w.last.Code == 200 {
					t.Errorf("%q reads the feed of %q", who, viewer)
				}
			}
		}
	}
}
