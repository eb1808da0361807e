package mastodon_test

import (
	"strings"
	"testing"

	"linnet/internal/kv/memkv"
	"linnet/internal/mastodon"
)

// openWrites are the routes that change something and ask for no token: they
// make or end what a token needs.
var openWrites = map[string]bool{"POST /api/v1/apps": true, "POST /oauth/token": true, "POST /oauth/revoke": true}

// TestReadDoesNotWrite: with every scope that reads, no route that writes is
// obeyed; with every scope that writes, none that reads.
func TestReadDoesNotWrite(t *testing.T) {
	e := memkv.New(memkv.Options{})
	w := newWorld(t, e, mastodon.Options{}, "ann", "bob")
	w.run([]step{
		{as: "bob", do: "POST /api/v1/accounts/{ann}/follow"}, {as: "ann", do: "GET /api/v1/notifications", save: "notice=0.id"},
		{as: "ann", do: "POST /api/v1/lists", body: "title=x", save: "list=id"},
		{as: "ann", do: "POST /api/v1/statuses", body: "status=x", save: "status=id"},
		{as: "ann", do: "POST /api/v1/statuses", body: "status=y&visibility=direct"}, {as: "ann", do: "GET /api/v1/conversations", save: "talk=0.id"},
	})
	w.as("ann/read profile push")
	w.as("ann/read profile")
	w.as("ann/write")
	w.as("app/read profile")
	w.settle()
	before, writes := fingerprint(t, e), 0
	for _, row := range w.api.(*mastodon.API).Rows() {
		if row.Open {
			if row.Method != "GET" && !openWrites[row.Method+" "+row.Path] {
				t.Errorf("%s %s writes and asks for no token", row.Method, row.Path)
			}
			continue
		}
		do := row.Method + " " + w.real(row.Path)
		who := []string{"ann/write"}
		if row.Method != "GET" {
			who = []string{"ann/read profile push", "app/read profile"}
			writes++
			if strings.HasPrefix(row.Path, "/api/v1/admin/measures") || row.Path == "/api/v1/admin/dimensions" || row.Path == "/api/v1/admin/retention" || row.Path == "/api/v1/admin/canonical_email_blocks/test" || row.Path == "/api/v1/statuses/{id}/translate" {
				continue // only reads, with parameters in a body
			}
			if row.Scopes == "push" { // a separate scope
				who[0] = "ann/read profile"
			} else if !strings.HasPrefix(row.Scopes, "write") && !strings.HasPrefix(row.Scopes, "admin:write") {
				t.Errorf("%s %s asks for %q", row.Method, row.Path, row.Scopes)
			}
		}
		if row.Scopes == "" || row.Method == "GET" && strings.Contains(row.Scopes, "write:") {
			continue // asks for none, or takes either kind: Mastodon wants to be read with a scope that writes there
		}
		for _, who := range who {
			w.call(who, do, "status=y&title=y&account_ids[]={bob}&display_name=y&username=eve&password=correct+horse&agreement=true&email=a@b.c", "")
			if w.last.Code != 403 {
				t.Errorf("%s as %s: %d %s", do, who, w.last.Code, w.last.Body)
			}
		}
	}
	if writes < 15 {
		t.Errorf("only %d routes write", writes)
	}
	w.settle()
	if after := fingerprint(t, e); after != before {
		t.Errorf("something was changed:\n%s\nbefore:\n%s", after, before)
	}
}

// real puts ids of records that exist into the path of a route.
func (w *world) real(path string) string {
	for part, id := range map[string]string{"accounts/{id}": "{bob}", "statuses/{id}": "{status}", "lists/{id}": "{list}",
		"list/{id}": "{list}", "notifications/{id}": "{notice}", "conversations/{id}": "{talk}", "{tag}": "x", "{name}": "x", "{file}": "{ann}.svg"} {
		if i := strings.Index(path, part); i >= 0 {
			path = path[:i] + strings.Replace(part, part[strings.Index(part, "{"):], id, 1) + path[i+len(part):]
		}
	}
	return w.fill(path)
}

// TestGetChangesNothing checks that GET and HEAD requests don't change the store, whatever their
// parameters.
func TestGetChangesNothing(t *testing.T) {
	e := memkv.New(memkv.Options{})
	w := newWorld(t, e, mastodon.Options{}, "ann", "bob")
	w.run([]step{
		{as: "bob", do: "POST /api/v1/accounts/{ann}/follow"}, {as: "ann", do: "GET /api/v1/notifications", save: "notice=0.id"},
		{as: "ann", do: "POST /api/v1/lists", body: "title=x", save: "list=id"},
		{as: "ann", do: "POST /api/v1/statuses", body: "status=x+%23x+@bob", save: "status=id"},
		{as: "bob", do: "POST /api/v1/statuses", body: "status=y+@ann&visibility=direct"}, {as: "ann", do: "GET /api/v1/conversations", save: "talk=0.id"},
		{do: "GET /api/v2/instance"}, // the key for push services is drawn when it is first asked for
	})
	w.as("ann")
	w.settle()
	before := fingerprint(t, e)
	const query = "?status=y&title=y&account_ids[]={bob}&display_name=y&q=x&acct=ann&resource=acct:ann@linnet.test&id[]={bob}&_method=DELETE"
	for _, pattern := range w.api.(*mastodon.API).Patterns() {
		_, path, _ := strings.Cut(pattern, " ")
		if strings.HasPrefix(path, "/api/v1/streaming/") && path != "/api/v1/streaming/health" {
			continue // they stay open, and only listen
		}
		for _, method := range []string{"GET", "HEAD"} {
			for _, override := range []string{"", "X-HTTP-Method-Override: DELETE"} {
				w.call("ann", method+" "+w.real(path)+query, "", override)
				if w.last.Code >= 500 {
					t.Errorf("%s %s: %d %s", method, path, w.last.Code, w.last.Body)
				}
			}
		}
	}
	w.settle()
	if after := fingerprint(t, e); after != before {
		t.Errorf("a GET has changed something:\n%s\nbefore:\n%s", after, before)
	}
}
