package mastodon_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"linnet/internal/mastodon"
)

// lastStatusPlaces returns bob's requests that show ann's account.
func lastStatusPlaces() []string {
	return []string{
		"GET /api/v1/accounts/{ann}", "GET /api/v1/accounts?id[]={ann}", "GET /api/v1/accounts/lookup?acct=ann", "GET /api/v1/accounts/search?q=ann",
		"GET /api/v2/search?q=ann&type=accounts", "GET /api/v2/search?q={url}&type=statuses", "GET /api/v1/timelines/tag/marker", "GET /api/v1/directory?local=true",
		"GET /api/v1/accounts/{bob}/followers", "GET /api/v1/accounts/{bob}/following", "GET /api/v1/lists/{list}/accounts", "GET /api/v1/timelines/list/{list}",
		"GET /api/v1/timelines/home", "GET /api/v1/timelines/public", "GET /api/v1/accounts/{ann}/statuses", "GET /api/v1/statuses/{s}", "GET /api/v1/statuses?id[]={s}",
		"GET /api/v1/statuses/{rt}", "GET /api/v1/statuses/{mine}/context", "GET /api/v1/statuses/{mine}/favourited_by", "GET /api/v1/statuses/{mine}/reblogged_by",
		"GET /api/v1/favourites", "GET /api/v1/bookmarks", "GET /api/v1/conversations", "GET /api/v1/notifications", "GET /api/v2/notifications",
		"GET /api/v1/endorsements", "GET /api/v1/mutes", "GET /api/v1/blocks",
	}
}

// All routes return the same last_status_at of an account, cached or not, also after the newest
// post was deleted.
func TestLastStatusAtIsAlikeEverywhere(t *testing.T) {
	onEngines(t, func(t *testing.T, open opener) {
		w := newWorld(t, open(t), mastodon.Options{}, "ann", "bob", "cat")
		w.run([]step{
			{as: "ann", do: "PATCH /api/v1/accounts/update_credentials", body: "discoverable=true&indexable=true"},
			{as: "ann", do: "GET /api/v1/accounts/verify_credentials", want: []string{"last_status_at=null"}},
			{as: "ann", do: "POST /api/v1/accounts/{bob}/follow"}, {as: "bob", do: "POST /api/v1/accounts/{ann}/follow"},
			{as: "bob", do: "POST /api/v1/lists", body: "title=x", save: "list=id"},
			{as: "bob", do: "POST /api/v1/lists/{list}/accounts", body: "account_ids[]={ann}"},
			{as: "ann", do: "POST /api/v1/statuses", body: "status=%23marker", save: "s=id"}, {as: "bob", do: "GET /api/v1/statuses/{s}", save: "url=url"},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=mine", save: "mine=id"},
			{as: "bob", do: "POST /api/v1/statuses/{s}/favourite"}, {as: "bob", do: "POST /api/v1/statuses/{s}/bookmark"},
			{as: "bob", do: "POST /api/v1/statuses/{s}/reblog", save: "rt=id"}, {as: "bob", do: "POST /api/v1/accounts/{ann}/endorse"},
			{as: "ann", do: "POST /api/v1/statuses/{mine}/favourite"}, {as: "ann", do: "POST /api/v1/statuses/{mine}/reblog"},
			{as: "ann", do: "POST /api/v1/statuses", body: "status=@bob+answer&in_reply_to_id={mine}"},
			{as: "ann", do: "POST /api/v1/statuses", body: "status=@bob+hush&visibility=direct"},
			{as: "ann", do: "GET /api/v1/accounts/verify_credentials", save: "day=last_status_at", want: []string{"last_status_at~20"}},
		})
		w.lastStatusEverywhere(fmt.Sprintf("%q", w.vars["day"]))
		w.run([]step{{as: "bob", do: "POST /api/v1/accounts/{ann}/mute", body: "notifications=false"}})
		w.lastStatusIn("GET /api/v1/mutes", fmt.Sprintf("%q", w.vars["day"]))
		w.run([]step{{as: "bob", do: "POST /api/v1/accounts/{ann}/block"}})
		w.lastStatusIn("GET /api/v1/blocks", fmt.Sprintf("%q", w.vars["day"]))

		w.run([]step{
			{as: "bob", do: "GET /api/v1/accounts/{cat}", want: []string{"last_status_at=null"}},
			{as: "cat", do: "POST /api/v1/statuses", body: "status=@bob+hush&visibility=direct"},
			{as: "bob", do: "GET /api/v1/accounts/{cat}", want: []string{"last_status_at=null"}}, // not by a direct one
			{as: "cat", do: "POST /api/v1/statuses", body: "status=x", save: "only=id"},
			{as: "bob", do: "GET /api/v1/accounts?id[]={cat}", want: []string{"0.last_status_at={day}"}},
			{as: "cat", do: "DELETE /api/v1/statuses/{only}"},
			{as: "bob", do: "GET /api/v1/accounts/{cat}", want: []string{"last_status_at=null"}},
			{as: "bob", do: "GET /api/v1/accounts?id[]={cat}", want: []string{"0.last_status_at=null"}},
		})
	})
}

// lastStatusEverywhere sends these requests, and all other GET requests with existing ids.
func (w *world) lastStatusEverywhere(want string) {
	w.t.Helper()
	for _, place := range lastStatusPlaces() {
		if w.lastStatusIn(place, want) == 0 && !strings.HasSuffix(place, "mutes") && !strings.HasSuffix(place, "blocks") {
			w.t.Errorf("%s does not show ann: %s", place, w.last.Body)
		}
	}
	for _, row := range w.api.(*mastodon.API).Rows() {
		if row.Method != "GET" || strings.Contains(row.Path, "streaming") {
			continue
		}
		for _, id := range []string{"{ann}", "{bob}", "{s}", "{mine}", "{list}", "marker"} {
			path := row.Path
			for _, hole := range []string{"{id}", "{account}", "{status}", "{name}", "{tag}", "{hashtag}", "{key}", "{part}", "{file}"} {
				path = strings.ReplaceAll(path, hole, id)
			}
			w.lastStatusIn("GET "+path+"?q=marker&acct=ann&id[]={ann}", want)
			if path == row.Path {
				break
			}
		}
	}
}

// lastStatusIn sends a request as bob and checks last_status_at of all accounts of ann in the
// response. It returns how many there are.
func (w *world) lastStatusIn(do, want string) int {
	w.t.Helper()
	w.settle()
	var answer any
	if w.call("bob", do, "", ""); json.Unmarshal(w.last.Body.Bytes(), &answer) != nil {
		return 0
	}
	days := lastStatusOf(answer, w.vars["ann"])
	if slices.ContainsFunc(days, func(day string) bool { return day != want }) {
		w.t.Errorf("%s: last_status_at of ann is %v, want %s everywhere", do, days, want)
	}
	return len(days)
}

// lastStatusOf returns the accounts of a user in a response.
func lastStatusOf(answer any, id string) (days []string) {
	switch v := answer.(type) {
	case []any:
		for _, x := range v {
			days = append(days, lastStatusOf(x, id)...)
		}
	case map[string]any:
		if _, account := v["followers_count"]; account && v["id"] == id {
			day, _ := json.Marshal(v["last_status_at"])
			days = append(days, string(day))
		}
		for _, x := range v {
			days = append(days, lastStatusOf(x, id)...)
		}
	}
	return days
}
