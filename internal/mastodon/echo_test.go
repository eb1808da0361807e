package mastodon_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/mastodon"
)

// echoes maps each method that changes an object to the method that reads it, with the steps that
// create the object.
func echoes() map[string]struct {
	get    string
	before []step
} {
	type row = struct {
		get    string
		before []step
	}
	v2 := step{as: "ann", do: "POST /api/v2/filters", body: `{"title":"Fowl","context":["home","thread"],"filter_action":"blur","expires_in":3600,"keywords_attributes":[{"keyword":"hen"},{"keyword":"cock","whole_word":true}]}`, save: "f=id"}
	word := step{as: "ann", do: "GET /api/v2/filters/{f}/keywords", save: "k=0.id"}
	return map[string]row{
		"PUT /api/v1/lists/{l}":            {"/api/v1/lists/{l}", []step{{as: "ann", do: "POST /api/v1/lists", body: "title=Pals&replies_policy=none&exclusive=true", save: "l=id"}}},
		"PUT /api/v1/lists/1":              {"/api/v1/lists/1", nil},
		"PUT /api/v1/media/{pic}":          {"/api/v1/media/{pic}", []step{upload("ann", "pic", "description=A square")}},
		"PUT /api/v1/lists/9{g}":           {"/api/v1/lists/9{g}", []step{{as: "ann", do: "POST /api/v1/groups", body: "username=birds&display_name=Birds", save: "g=id"}}},
		"PATCH /api/v1/linnet/lists":       {"/api/v1/linnet/lists", []step{{as: "ann", do: "PATCH /api/v1/linnet/lists", body: "top=true&catch_up=true"}}},
		"PUT /api/v2/filters/{f}":          {"/api/v2/filters/{f}", []step{v2}},
		"PUT /api/v2/filters/keywords/{k}": {"/api/v2/filters/keywords/{k}", []step{v2, word}},
		"PUT /api/v1/filters/{k}":          {"/api/v1/filters/{k}", []step{v2, word}},
		"PUT /api/v1/groups/{h}":           {"/api/v1/groups/{h}", []step{{as: "ann", do: "POST /api/v1/groups", body: "username=owls&kind=private&display_name=Owls&note=" + strings.Repeat("hoo+%3C%3E+%23hoo%0A%0A", 30), save: "h=id"}}},
		"PUT /api/v1/linnet/feeds/{o}": {"/api/v1/linnet/feeds/{o}", []step{{as: "ann", do: "POST /api/v1/linnet/feeds",
			body: `{"title": "Mixed", "weights": {"favourites": 3, "half_life": 0}, "window": 3600, "order": "newest", "exclude_replies": true, "exclude_reblogs": true, "only_media": true, "sources": [{"type": "home"}, {"type": "tag", "tag": "Tag", "weight": 0.5}, {"type": "account", "id": "{bob}"}]}`, save: "o=id"}}},
		"PATCH /api/v1/accounts/update_credentials": {"/api/v1/accounts/verify_credentials", []step{{as: "ann", do: "PATCH /api/v1/accounts/update_credentials",
			body: "display_name=Ann&locked=true&bot=true&source[privacy]=private&source[language]=de&source[sensitive]=true&fields_attributes[0][name]=n&fields_attributes[0][value]=https://a.test/&note=" + strings.Repeat("I+am+%3C%3E+%23so%0A%0A", 30)}}},
		"PATCH /api/v1/collections/{c}":      {"/api/v1/collections/{c}", []step{{as: "ann", do: "POST /api/v1/collections", body: "name=Birds&description=small&tag_name=birds&language=en&sensitive=true", save: "c=collection.id"}}},
		"PUT /api/v1/collections/{n}":        {"/api/v1/collections/{n}", []step{{as: "ann", do: "POST /api/v1/collections", body: "name=Fish&description=large&tag_name=fish&language=de&sensitive=true", save: "n=collection.id"}}},
		"PATCH /api/v1/profile":              {"/api/v1/profile", []step{{as: "ann", do: "POST /api/v1/featured_tags", body: "name=tag"}}},
		"PUT /api/v1/profile":                {"/api/v1/profile", nil},
		"PUT /api/v1/notifications/policy":   {"/api/v1/notifications/policy", []step{{as: "ann", do: "PATCH /api/v2/notifications/policy", body: "for_not_following=drop&for_new_accounts=filter"}}},
		"PATCH /api/v1/notifications/policy": {"/api/v1/notifications/policy", nil},
		"PUT /api/v2/notifications/policy":   {"/api/v2/notifications/policy", nil},
		"PATCH /api/v2/notifications/policy": {"/api/v2/notifications/policy", nil},
		"PUT /api/v1/scheduled_statuses/{p}": {"/api/v1/scheduled_statuses/{p}", []step{{as: "ann", do: "POST /api/v1/statuses", body: "status=x&scheduled_at=2100-01-01T12:00:00.5Z", save: "p=id"}}},
		"PUT /api/v1/push/subscription": {"/api/v1/push/subscription", []step{{as: "ann", do: "POST /api/v1/push/subscription",
			body: "subscription[endpoint]=https://push.test/1&subscription[keys][p256dh]=BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4&subscription[keys][auth]=BTBZMqHH6r4Tts7J_aSIgg&data[alerts][mention]=true&data[policy]=followed"}}},
		"POST /api/v1/markers": {"/api/v1/markers?timeline[]=home&timeline[]=notifications", []step{{as: "ann", do: "POST /api/v1/markers", body: "home[last_read_id]=12&notifications[last_read_id]=13"}}},
		"PUT /api/v1/admin/ip_blocks/{block}": {"/api/v1/admin/ip_blocks/{block}", []step{{before: giveRole("ann", linnet.Admin), as: "ann/admin:read admin:write", do: "POST /api/v1/admin/ip_blocks",
			body: "ip=198.51.100.0/24&severity=sign_up_requires_approval&comment=odd&expires_in=3600", save: "block=id"}}},
		"PUT /api/v1/admin/tags/{tag}": {"/api/v1/admin/tags/{tag}", []step{{before: giveRole("ann", linnet.Admin), as: "ann/admin:read admin:write", do: "PUT /api/v1/admin/tags/birds", body: "listable=false", save: "tag=id"}}},
		"PUT /api/v1/admin/reports/{report}": {"/api/v1/admin/reports/{report}", []step{{as: "bob", do: "POST /api/v1/reports", body: "account_id={ann}&comment=odd&category=spam", before: func(w *world) {
			giveRole("ann", linnet.Moderator)(w)
		}, save: "report=id"}}},
	}
}

// An object that is read can be sent back to all methods that change it, without an effect.
func TestEchoes(t *testing.T) {
	w := newWorld(t, memkv.New(memkv.Options{}), mastodon.Options{}, "ann", "bob")
	// These differ: text is written as status, a list as a word, and a reaction only has a name.
	known := map[string]bool{"PUT /api/v1/statuses/*": true, "PUT /api/v1/statuses/*/interaction_policy": true, "PUT /api/v1/announcements/*/reactions/*": true}
	for put, row := range echoes() {
		method, path, _ := strings.Cut(put, " ")
		known[method+" "+shape(path)] = true
		t.Run(put, func(t *testing.T) {
			w.t = t
			w.run(row.before)
			who := "ann"
			if strings.Contains(put, "/admin/") {
				who = "ann/admin:read admin:write"
			}
			read := func() (text string, doc any) {
				w.run([]step{{as: who, do: "GET " + row.get}})
				text = w.last.Body.String()
				if err := json.Unmarshal([]byte(text), &doc); err != nil {
					t.Fatal(err)
				}
				return text, timeless(doc)
			}
			text, before := read()
			w.run([]step{{as: who, do: put, body: text}})
			if _, after := read(); !reflect.DeepEqual(before, after) {
				t.Errorf("it became\n%v, from\n%v", after, before)
			}
		})
	}
	for _, p := range w.api.(*mastodon.API).Patterns() {
		method, path, _ := strings.Cut(p, " ")
		if (method == "PUT" || method == "PATCH") && !known[method+" "+shape(path)] {
			t.Errorf("%s has no row here", p)
		}
	}
}

// shape returns a path without its parameters.
func shape(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		if strings.Contains(p, "{") || p == "1" {
			parts[i] = "*"
		}
	}
	return strings.Join(parts, "/")
}

// timeless leaves out what tells when something was changed.
func timeless(doc any) any {
	if m, ok := doc.(map[string]any); ok {
		for name, v := range m {
			if name == "updated_at" || name == "version" {
				delete(m, name)
				continue
			}
			m[name] = timeless(v)
		}
	}
	return doc
}
