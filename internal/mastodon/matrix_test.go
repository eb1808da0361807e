package mastodon_test

import (
	"strings"
	"testing"

	"linnet/internal/mastodon"
)

// The viewers: without a user, and users named after their relationship to ann, the author.
const (
	nobody    = ""
	other     = "other"
	follower  = "follower"
	mentioned = "mentioned"
	requester = "requester" // has asked to follow, without an answer
	author    = "ann"
)

var (
	viewers      = []string{nobody, other, follower, mentioned, requester, author}
	visibilities = []string{"public", "unlisted", "private", "direct", "deleted"}
)

// maySee reports whether a viewer can see a visibility. It is a separate implementation of the
// rule.
func maySee(viewer, visibility string) bool {
	switch visibility {
	case "public", "unlisted":
		return true
	case "private":
		return viewer == follower || viewer == mentioned || viewer == author
	case "direct":
		return viewer == mentioned || viewer == author
	}
	return false
}

// way is a route that can show a status.
type way struct {
	do    string
	alone bool // it is about this status: 404 for viewers who cannot see it
	login bool // it asks for a token
	// shows returns whether the status is shown to viewers who can see it. nil means all.
	shows func(viewer, visibility string) bool
}

func ways() []way {
	never := func(string, string) bool { return false }
	partIn := func(v, _ string) bool { return v == author || v == mentioned } // of an author who is not indexable
	return []way{
		{do: "GET /api/v1/statuses/{s}", alone: true},
		{do: "GET /api/v1/statuses/{s}/context", alone: true, shows: never},
		{do: "GET /api/v1/statuses/{s}/favourited_by", alone: true, shows: never},
		{do: "GET /api/v1/statuses/{s}/reblogged_by", alone: true, shows: never},
		{do: "GET /api/v1/polls/{s}", alone: true},
		{do: "GET /api/v1/statuses/{s}/history", alone: true},
		{do: "GET /api/v1/statuses/{s}/card", alone: true, shows: never},
		{do: "GET /api/v1/statuses/{s}/source", alone: true, login: true},
		{do: "GET /api/v1/statuses/{s}/quotes", alone: true, login: true, shows: never},
		{do: "POST /api/v1/statuses/{s}/favourite", alone: true, login: true},
		{do: "GET /api/v1/favourites", login: true},
		{do: "POST /api/v1/statuses/{s}/unfavourite", alone: true, login: true},
		{do: "POST /api/v1/statuses/{s}/bookmark", alone: true, login: true},
		{do: "GET /api/v1/bookmarks", login: true},
		{do: "POST /api/v1/statuses/{s}/unbookmark", alone: true, login: true},
		{do: "GET /api/v1/statuses?id[]={s}&id[]={root}"},
		{do: "GET /api/v1/statuses/{root}/context"},
		{do: "GET /api/v1/statuses/{child}/context"},
		{do: "GET /api/v1/accounts/{ann}/statuses?limit=40"},
		{do: "GET /api/v1/accounts/{ann}/statuses?tagged=matrix"},
		{do: "GET /api/v1/accounts/{ann}/statuses?exclude_replies=true&exclude_reblogs=true"},
		{do: "GET /api/v1/timelines/public?limit=40", shows: func(_, vis string) bool { return vis == "public" }},
		{do: "GET /api/v1/timelines/tag/matrix?limit=40", shows: func(_, vis string) bool { return vis == "public" }},
		{do: "GET /api/v1/timelines/home?limit=40", login: true, shows: func(v, vis string) bool { return v == author || v == follower && vis != "direct" }},
		{do: "GET /api/v1/timelines/list/{list}?limit=40", login: true, shows: func(_, vis string) bool { return vis != "direct" }},
		{do: "GET /api/v1/notifications?limit=80", login: true, shows: func(v, _ string) bool { return v == mentioned }},
		{do: "GET /api/v1/linnet/timelines/mentions?limit=40", login: true, shows: func(v, _ string) bool { return v == mentioned }},
		{do: "POST /api/v1/statuses/{s}/mute", alone: true, login: true},
		{do: "POST /api/v1/statuses/{s}/unmute", alone: true, login: true},
		{do: "GET /api/v1/notifications/requests?limit=80", login: true, shows: never},
		{do: "GET /api/v2/notifications?limit=80", login: true, shows: func(v, _ string) bool { return v == mentioned }},
		{do: "GET /api/v2/search?q={url}"},
		{do: "GET /api/v2/search?q=marker&type=statuses", shows: partIn},
		{do: "GET /api/v2/search?q=marker&account_id={ann}", shows: partIn},
		{do: "GET /api/v2/search?q=%23matrix&type=hashtags", shows: never},
	}
}

// TestAuthorisation requests statuses of each visibility, in all ways and as all viewers.
func TestAuthorisation(t *testing.T) {
	onEngines(t, func(t *testing.T, open opener) {
		w := newWorld(t, open(t), mastodon.Options{}, author, follower, mentioned, requester, other)
		prepareMatrix(w)
		w.vars["list_"] = "1"
		for _, vis := range visibilities {
			w.vars["s"], w.vars["child"], w.vars["url"] = w.vars["s_"+vis], w.vars["child_"+vis], w.vars["url_"+vis]
			for _, viewer := range viewers {
				for _, way := range ways() {
					w.vars["list"] = w.vars["list_"+viewer]
					checkWay(t, w, way, viewer, vis)
				}
			}
		}
	})
}

func checkWay(t *testing.T, w *world, x way, viewer, vis string) {
	t.Helper()
	w.settle()
	w.call(viewer, x.do, "", "")
	code, body := w.last.Code, w.last.Body.String()
	present := strings.Contains(body, "marker-"+vis) || strings.Contains(body, `"id":"`+w.vars["s"]+`"`)
	sees := maySee(viewer, vis)
	want := 200
	switch {
	case x.login && viewer == nobody:
		want = 401
	case x.alone && !sees:
		want = 404
	}
	shown := sees && want == 200 && (x.shows == nil || x.shows(viewer, vis))
	if code != want || present != shown {
		t.Errorf("%s as %q of a %s status: %d, there: %v; want %d, %v\n%.600s", x.do, viewer, vis, code, present, want, shown, body)
	}
	if want == 404 && body != `{"error":"Record not found"}` {
		t.Errorf("%s as %q of a %s status tells more than that it is not found: %s", x.do, viewer, vis, body)
	}
}

// prepareMatrix posts a status of each visibility as ann, in reply to a public one, and a public
// reply to each. One is deleted again after others have marked it.
func prepareMatrix(w *world) {
	steps := []step{
		{as: follower, do: "POST /api/v1/accounts/{ann}/follow"},
		{as: author, do: "PATCH /api/v1/accounts/update_credentials", body: "locked=true"},
		{as: requester, do: "POST /api/v1/accounts/{ann}/follow", body: "notify=true", want: []string{"requested=true"}},
		{as: author, do: "POST /api/v1/statuses", body: "status=root", save: "root=id"},
	}
	for _, v := range viewers[1:] {
		steps = append(steps, step{as: v, do: "PATCH /api/v1/linnet/lists", body: "catch_up=true"}, step{as: v, do: "POST /api/v1/lists", body: "title=x", save: "list_" + v + "=id"},
			step{as: v, do: "POST /api/v1/lists/{list_" + v + "}/accounts", body: "account_ids[]={ann}"})
	}
	for _, vis := range visibilities {
		post := strings.ReplaceAll(vis, "deleted", "public")
		steps = append(steps,
			step{as: author, do: "POST /api/v1/statuses", body: "status=marker-" + vis + "+@mentioned+%23matrix&in_reply_to_id={root}&poll[options][]=a&poll[options][]=b&poll[expires_in]=300&visibility=" + post, save: "s_" + vis + "=id"},
			step{do: "GET /api/v1/statuses/{s_" + vis + "}", as: author, save: "url_" + vis + "=url"},
			step{as: mentioned, do: "POST /api/v1/statuses", body: "status=public+answer&in_reply_to_id={s_" + vis + "}", save: "child_" + vis + "=id"})
	}
	steps = append(steps,
		step{as: other, do: "POST /api/v1/statuses/{s_deleted}/favourite"}, step{as: other, do: "POST /api/v1/statuses/{s_deleted}/bookmark"},
		step{as: follower, do: "POST /api/v1/statuses/{s_deleted}/reblog"}, step{as: author, do: "DELETE /api/v1/statuses/{s_deleted}"})
	w.run(steps)
}

// TestRightsLost checks that statuses that a user can no longer see disappear from favourites,
// bookmarks and timelines.
func TestRightsLost(t *testing.T) {
	w := newWorld(t, memory(t), mastodon.Options{}, author, follower, other)
	w.run([]step{
		{as: follower, do: "POST /api/v1/accounts/{ann}/follow"},
		{as: author, do: "POST /api/v1/statuses", body: "status=kept&visibility=private", save: "s=id"},
		{as: author, do: "POST /api/v1/statuses/{s}/reblog", want: []string{"visibility=private", "reblog.id={s}"}, save: "r=id"},
		{as: follower, do: "POST /api/v1/statuses/{s}/reblog", code: 422},
		{as: follower, do: "POST /api/v1/statuses/{s}/favourite"}, {as: follower, do: "POST /api/v1/statuses/{s}/bookmark"},
		{as: follower, do: "GET /api/v1/statuses/{r}"}, {as: other, do: "GET /api/v1/statuses/{r}", code: 404}, {do: "GET /api/v1/statuses/{r}", code: 404},
		{as: follower, do: "GET /api/v1/favourites", want: []string{"#1"}},
		{as: follower, do: "POST /api/v1/accounts/{ann}/unfollow"},
		{as: follower, do: "GET /api/v1/favourites", want: []string{"#0"}}, {as: follower, do: "GET /api/v1/bookmarks", want: []string{"#0"}},
		{as: follower, do: "GET /api/v1/statuses/{s}", code: 404}, {as: follower, do: "GET /api/v1/statuses/{r}", code: 404},
		{as: follower, do: "GET /api/v1/timelines/home", want: []string{"#0"}},
		{do: "GET /api/v1/accounts/{ann}/statuses", want: []string{"#0"}}, {as: other, do: "GET /api/v1/accounts/{ann}/statuses", want: []string{"#0"}},
		{as: other, do: "DELETE /api/v1/statuses/{s}", code: 404},
	})
}
