package mastodon_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"linnet/internal/mastodon"
	"linnet/internal/mastodon/streaming"
)

// groupOutsiders are users named after their relation to a closed group. They must not see its
// posts.
var groupOutsiders = []string{"", "stranger", "requester", "banned", "left", "kicked", "fan"}

// closedGroup prepares a private group or chat of ann's with one member, in which
// ann has posted, what the member has answered and marked, and outsiders of every kind.
func closedGroup(w *world, kind string) {
	join := func(who string) []step {
		if kind == "chat" {
			return []step{{as: "ann", do: "POST /api/v1/groups/{g}/invites", body: "account_ids[]={" + who + "}"}, {as: who, do: "POST /api/v1/groups/{g}/join", want: []string{"member=true"}}}
		}
		return []step{{as: who, do: "POST /api/v1/groups/{g}/join"}, {as: "ann", do: "POST /api/v1/groups/{g}/membership_requests/{" + who + "}/authorize"}}
	}
	steps := []step{{as: "ann", do: "POST /api/v1/groups", body: "username=hush&display_name=Hush&kind=" + kind, save: "g=id"}, {as: "fan", do: "POST /api/v1/accounts/{ann}/follow", body: "notify=true"},
		{as: "stranger", do: "POST /api/v1/lists", body: "title=x", save: "l=id"}, {as: "stranger", do: "POST /api/v1/lists/{l}/accounts", body: "account_ids[]={ann}"}}
	for _, who := range []string{"member", "banned", "left", "kicked"} {
		steps = append(steps, join(who)...)
	}
	code := 200
	if kind == "chat" {
		code = 404
		steps = append(steps, step{before: later, as: "left", do: "POST /api/v1/statuses", body: "status=@hush+hello+all", want: []string{"visibility=direct"}})
	}
	steps = append(steps, step{as: "requester", do: "POST /api/v1/groups/{g}/join", code: code},
		step{before: later, as: "ann", do: "POST /api/v1/statuses", body: "status=@hush+@member+@banned+@left+marker+innermost+%23secret&visibility=direct", save: "s=id"},
		step{as: "member", do: "POST /api/v1/statuses", body: "status=@ann+@kicked+marker+innermost+answer+%23secret&in_reply_to_id={s}", save: "r=id"})
	for _, who := range []string{"member", "banned", "left", "kicked"} { // marked while it was to be seen
		steps = append(steps, step{as: who, do: "POST /api/v1/statuses/{s}/favourite"}, step{as: who, do: "POST /api/v1/statuses/{s}/bookmark"})
	}
	steps = append(steps, step{as: "ann", do: "GET /api/v1/statuses/{s}", save: "url=url"}, step{as: "ann", do: "POST /api/v1/groups/{g}/blocks", body: "account_ids[]={banned}"},
		step{as: "ann", do: "POST /api/v1/groups/{g}/kick", body: "account_ids[]={kicked}"}, step{as: "left", do: "POST /api/v1/groups/{g}/leave"},
		step{as: "ann", do: "PUT /api/v1/groups/{g}", body: "display_name=Whisper&note=quietly"})
	if kind == "private" {
		steps = append(steps, step{as: "ann", do: "GET /api/v1/timelines/group/{g}", save: "rt=0.id", want: []string{"#1"}})
	} else {
		steps = append(steps, step{as: "member", do: "GET /api/v1/timelines/group/{g}", save: "rt=0.id", want: []string{"#3", "0.id={r}"}},
			step{as: "member", do: "GET /api/v1/timelines/list/9{g}?limit=1", want: []string{"#1", "0.id={r}"}})
	}
	w.run(append(steps, step{as: "member", do: "GET /api/v1/conversations", save: "talk=0.id"}, step{as: "member", do: "GET /api/v1/notifications", save: "notice=0.id"}))
}

// groupRequests returns requests for all routes with all ids in paths and forms.
func groupRequests(w *world) []string {
	var all []string
	query := "?limit=40&q=marker&url=" + w.vars["url"] + "&acct=hush&name=hush&id[]=" + w.vars["s"] + "&id[]=" + w.vars["g"] + "&resource=acct:hush@linnet.test"
	for _, row := range w.api.(*mastodon.API).Rows() {
		if strings.Contains(row.Path, "streaming") || strings.HasSuffix(row.Path, "/familiar_followers") || // which names the ids asked for
			strings.HasPrefix(row.Path, "/oauth") || row.Path == "/api/v1/apps" || row.Method+row.Path == "POST/api/v1/accounts" {
			continue
		}
		ids := []string{""}
		if strings.Contains(row.Path, "{") {
			ids = []string{"{s}", "{r}", "{rt}", "{g}", "9{g}", "{ann}", "{member}", "{talk}", "{notice}", "secret"}
		}
		for _, id := range ids {
			path := row.Path
			if id == "{talk}" && w.vars["talk"] == "" {
				continue // a private group has no conversation
			}
			for _, hole := range []string{"{id}", "{account}", "{status}", "{name}", "{tag}", "{hashtag}", "{key}", "{part}", "{file}"} {
				fill := id
				if hole == "{account}" {
					fill = "{member}"
				}
				if hole == "{status}" {
					fill = "{s}"
				}
				path = strings.ReplaceAll(path, hole, fill)
			}
			all = append(all, row.Method+" "+path+query)
		}
	}
	for _, q := range []string{"{url}", "marker", "%23secret", "from:ann", "@ann"} {
		all = append(all, "GET /api/v2/search?q="+q, "GET /api/v2/search?q="+q+"&type=statuses&account_id={ann}")
	}
	return append(all, "GET /api/v1/timelines/list/1", "GET /api/v1/accounts/{ann}/statuses?tagged=secret", "GET /api/v1/accounts/{member}/statuses?limit=40")
}

// leaks returns the parts of the group that a response contains.
func (w *world) leaks(who, kind, body string) (found []string) {
	for _, what := range []string{"innermost", `"` + w.vars["s"] + `"`, `"` + w.vars["r"] + `"`, `"` + w.vars["rt"] + `"`} {
		if what != `""` && strings.Contains(body, what) {
			found = append(found, what)
		}
	}
	if kind == "chat" && !slices.Contains([]string{"banned", "left", "kicked"}, who) && strings.Contains(body, "Hush") { // an invitation contains the name
		found = append(found, "Hush")
	}
	if kind == "chat" && (strings.Contains(body, "Whisper") || strings.Contains(body, "quietly")) { // the current name is for members only
		found = append(found, "Whisper")
	}
	var answer any
	if json.Unmarshal([]byte(body), &answer) == nil {
		found = append(found, countsOf(answer, w.vars["g"])...)
	}
	return found
}

// countsOf returns the counters of a group's posts in a response.
func countsOf(answer any, group string) (found []string) {
	switch v := answer.(type) {
	case []any:
		for _, x := range v {
			found = append(found, countsOf(x, group)...)
		}
	case map[string]any:
		if v["id"] == group && (v["statuses_count"] != nil && v["statuses_count"] != 0.0 || v["last_status_at"] != nil) {
			found = append(found, fmt.Sprintf("%v statuses, the last on %v", v["statuses_count"], v["last_status_at"]))
		}
		for _, x := range v {
			found = append(found, countsOf(x, group)...)
		}
	}
	return found
}

// TestClosedGroupsLeakNothing checks that no response to an outsider contains data of a closed
// group, and that its members still see everything. It requests all routes with all ids as all
// outsiders: first reading ones, then acting ones, then reading ones again.
func TestClosedGroupsLeakNothing(t *testing.T) {
	onEngines(t, func(t *testing.T, open opener) {
		acting := strings.HasSuffix(t.Name(), "memory")
		for _, kind := range []string{"private", "chat"} {
			t.Run(kind, func(t *testing.T) {
				w := newWorld(t, open(t), mastodon.Options{}, "ann", "member", "stranger", "requester", "banned", "left", "kicked", "fan")
				closedGroup(w, kind)
				requests := groupRequests(w)
				for _, acts := range []bool{false, true, false} {
					for _, who := range groupOutsiders {
						w.askAll(who, kind, requests, acts)
					}
					if !acting {
						break // the rules are the same; it is the reading that differs
					}
				}
				w.run([]step{{as: "member", do: "GET /api/v1/statuses/{s}", want: []string{"content~marker"}}, {as: "member", do: "GET /api/v1/statuses/{r}"},
					{as: "member", do: "GET /api/v1/timelines/group/{g}", want: []string{"0.id={rt}"}}, {as: "ann", do: "GET /api/v1/groups/{g}/memberships", want: []string{"*.account.acct=member ann"}}})
			})
		}
	})
}

func (w *world) askAll(who, kind string, requests []string, acts bool) {
	w.t.Helper()
	form := "status=x&in_reply_to_id={s}&account_ids[]={g}&account_id={ann}&status_ids[]={s}&comment=x&title=t&display_name=x&phrase=x&context[]=home&status_id={s}"
	for _, do := range requests {
		get := strings.HasPrefix(do, "GET")
		if get == acts || acts && (strings.Contains(do, "/featured_tags?") || strings.HasPrefix(do, "PATCH /api/v1/accounts/update_credentials")) {
			continue
		}
		body := ""
		if acts {
			body = form
		}
		w.call(who, do, body, "")
		code, answer := w.last.Code, w.last.Body.String()
		if found := w.leaks(who, kind, answer); found != nil {
			w.t.Errorf("%s of a %s group as %q: %d shows %q\n%.400s", w.fill(do), kind, who, code, found, answer)
		}
		if code >= 500 {
			w.t.Errorf("%s as %q: %d %s", w.fill(do), who, code, answer)
		}
		ofGroup := strings.Contains(do, "/statuses/{s}") || strings.Contains(do, "/statuses/{r}") || strings.Contains(do, "/statuses/{rt}")
		if ofGroup && !strings.Contains(do, "groups/") && code/100 == 2 {
			w.t.Errorf("%s of a %s group as %q: %d %.300s", w.fill(do), kind, who, code, answer)
		}
	}
	w.settle()
}

// TestGroupsOnTheWire listens to all streams during posts in a private group and a chat.
// Outsiders receive nothing, and removed members nothing more on open connections.
func TestGroupsOnTheWire(t *testing.T) {
	for _, kind := range []string{"private", "chat"} {
		t.Run(kind, func(t *testing.T) {
			l := newLive(t, streaming.Limits{}, "ann", "member", "stranger", "requester", "banned", "left", "kicked", "fan", "going")
			closedGroup(l.world, kind)
			l.run([]step{{as: "ann", do: "POST /api/v1/groups/{g}/invites", body: "account_ids[]={going}"}, {as: "going", do: "POST /api/v1/groups/{g}/join", want: []string{"member=true"}}})
			later(l.world)
			var ears []*ear
			for _, who := range []string{"", "stranger", "requester", "banned", "left", "fan", "member", "going"} {
				l.vars["list_"+who] = "1"
				if who == "member" || who == "going" {
					l.vars["list_"+who] = "9" + l.vars["g"]
				}
				ears = append(ears, l.listen(who)...)
			}
			inside := func(e *ear) bool {
				return e.path == "list" || kind == "private" && e.path == "user" || kind == "chat" && (e.path == "direct" || e.path == "user" || e.path == "user/notification")
			}
			hears := func(e *ear, words string) bool {
				return (e.viewer == "member" || e.viewer == "going" && words == "first") && inside(e)
			}
			say := func(words string) {
				l.post("ann", "status=@hush+"+words+"+%23matrix&visibility=direct")
				l.settle()
				for _, e := range ears {
					if hears(e, words) {
						l.within(fmt.Sprintf("%s %s as %q hears %s", e.way, e.path, e.viewer, words), func() bool { return strings.Contains(e.heard(), words) })
					}
				}
			}
			say("first")
			l.run([]step{{as: "ann", do: "POST /api/v1/groups/{g}/kick", body: "account_ids[]={going}"}})
			say("second")
			l.hearOut(ears)
			for _, e := range ears {
				for _, words := range []string{"first", "second"} {
					if !hears(e, words) && strings.Contains(e.heard(), words) {
						t.Errorf("%s %s as %q hears %s:\n%s", e.way, e.path, e.viewer, words, e.heard())
					}
				}
			}
		})
	}
}
