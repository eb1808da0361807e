package mastodon_test

import (
	"slices"
	"strings"
	"testing"

	"linnet/internal/mastodon"
)

const (
	blocked = "blocked" // by ann, a former followee
	blocker = "blocker" // of ann, a former followee
)

// TestAuthorisationOfBlocks requests ann's statuses in all ways. A user that she blocks finds
// none. A user that blocks her finds them only by name. Both had marked them before.
func TestAuthorisationOfBlocks(t *testing.T) {
	onEngines(t, func(t *testing.T, open opener) {
		w := newWorld(t, open(t), mastodon.Options{}, author, follower, mentioned, requester, other, blocked, blocker)
		prepareMatrix(w)
		prepareBlocks(w)
		for _, vis := range []string{"public", "unlisted", "private", "direct"} {
			w.vars["s"], w.vars["child"], w.vars["url"] = w.vars["s_"+vis], w.vars["child_"+vis], w.vars["url_"+vis]
			for _, way := range slices.Concat(ways(), moreWays()) {
				for _, viewer := range []string{blocked, blocker} {
					w.vars["list"] = w.vars["list_"+viewer]
					checkBlockedWay(t, w, way, viewer, vis)
				}
			}
		}
	})
}

func prepareBlocks(w *world) {
	var steps []step
	for _, v := range []string{blocked, blocker} {
		steps = append(steps, step{as: v, do: "POST /api/v1/accounts/{ann}/follow"}, step{as: author, do: "POST /api/v1/follow_requests/{" + v + "}/authorize"},
			step{as: v, do: "PATCH /api/v1/linnet/lists", body: "catch_up=true"}, step{as: v, do: "POST /api/v1/lists", body: "title=x", save: "list_" + v + "=id"},
			step{as: v, do: "POST /api/v1/lists/{list_" + v + "}/accounts", body: "account_ids[]={ann}"})
		for _, vis := range []string{"public", "unlisted", "private"} {
			steps = append(steps, step{as: v, do: "POST /api/v1/statuses/{s_" + vis + "}/bookmark"})
			if v == blocked {
				steps = append(steps, step{as: v, do: "POST /api/v1/statuses/{s_" + vis + "}/favourite"})
			}
		}
	}
	w.run(append(steps, step{as: author, do: "POST /api/v1/accounts/{blocked}/block"}, step{as: blocker, do: "POST /api/v1/accounts/{ann}/block"}))
}

// byName reports whether a way names a status or its author, or shows the viewer's bookmarks.
func byName(x way) bool {
	return strings.Contains(x.do, "/statuses/{s}") || strings.Contains(x.do, "/polls/{s}") || strings.Contains(x.do, "/accounts/{ann}/statuses") || strings.Contains(x.do, "q={url}") ||
		strings.Contains(x.do, "id[]={s}") || strings.HasSuffix(x.do, "/bookmarks")
}

func checkBlockedWay(t *testing.T, w *world, x way, viewer, vis string) {
	t.Helper()
	w.settle()
	w.call(viewer, x.do, "", "")
	code, body := w.last.Code, w.last.Body.String()
	present := strings.Contains(body, "marker-"+vis) || strings.Contains(body, `"id":"`+w.vars["s"]+`"`)
	sees := viewer == blocker && (vis == "public" || vis == "unlisted") && byName(x)
	want := 200
	switch {
	case x.do == "GET /api/v1/statuses/{root}/context" && viewer == blocked, x.alone && !sees:
		want = 404
	case strings.HasSuffix(x.do, "/favourite"):
		want, sees = 403, false
	}
	shown := sees && (x.shows == nil || x.shows(viewer, vis)) && !strings.HasSuffix(x.do, "/favourites") // none were let through
	if code != want || present != shown {
		t.Errorf("%s as %s of a %s status: %d, there: %v; want %d, %v\n%.400s", x.do, viewer, vis, code, present, want, shown, body)
	}
	if want == 404 && body != `{"error":"Record not found"}` {
		t.Errorf("%s as %s of a %s status tells more than that it is not found: %s", x.do, viewer, vis, body)
	}
}
