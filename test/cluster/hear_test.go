package cluster_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// heard waits for an event that contains a text, or with "" for the end of the stream.
func heard(t testing.TB, events <-chan string, text string) {
	t.Helper()
	late := time.After(soon)
	for {
		select {
		case e, open := <-events:
			if !open && text == "" || open && text != "" && strings.Contains(e, text) {
				return
			}
			if !open {
				t.Fatalf("the stream ended before %q", text)
			}
		case <-late:
			t.Fatalf("%q was not heard within %v", text, soon)
		}
	}
}

func streams(w *world) {
	ann, bob := w.person("ann"), w.person("bob")
	bob.do(w, http.MethodPost, "/api/v1/accounts/"+ann.id(w)+"/follow", nil)
	events := bob.at(serverA).listen(w)
	ann.at(serverB).post(w, "heard elsewhere")
	heard(w, events, "heard elsewhere")
	ann.at(serverB).post(w, "hello @bob")
	heard(w, events, "notification ")
	ann.at(serverA).post(w, "heard here")
	heard(w, events, "heard here")

	bob.at(serverB).do(w, http.MethodPost, "/oauth/revoke", url.Values{"client_id": {bob.app.get("client_id")},
		"client_secret": {bob.app.get("client_secret")}, "token": {bob.token}})
	heard(w, events, "")
	for _, name := range []string{serverA, serverB} {
		if a, err := bob.at(name).try(http.MethodGet, "/api/v1/timelines/home", nil); err != nil || a.code != http.StatusUnauthorized {
			w.Errorf("the revoked token at %s: %d, %v", name, a.code, err)
		}
	}
}

// soon limits the wait for the effects of a change, also at other servers.
const soon = time.Minute

func caches(w *world) {
	author, reader := w.person("author"), w.person("reader")
	id := author.id(w)
	reader.do(w, http.MethodPost, "/api/v1/accounts/"+id+"/follow", nil)
	status := author.post(w, "seen from two sides")
	at := reader.at(serverB)
	until(w, soon, "the follower has it at home", func() bool { return at.sees(w, status) })

	profile := func() answer { return at.do(w, http.MethodGet, "/api/v1/accounts/"+id, nil) }
	counts := func() answer { return at.do(w, http.MethodGet, "/api/v1/statuses/"+status, nil) }
	for range 3 { // from the second time on from the cache
		if profile().get("display_name") == "New Name" || counts().get("favourites_count") != "0" {
			w.Fatal("it is there before it was done")
		}
	}
	author.at(serverA).do(w, http.MethodPatch, "/api/v1/accounts/update_credentials", url.Values{"display_name": {"New Name"}})
	until(w, soon, "B knows the new name", func() bool { return profile().get("display_name") == "New Name" })
	until(w, soon, "B shows the new name with a status", func() bool { return strings.Contains(string(counts().body), "New Name") })
	reader.at(serverA).do(w, http.MethodPost, "/api/v1/statuses/"+status+"/favourite", nil)
	until(w, soon, "B counts the favourite", func() bool { return counts().get("favourites_count") == "1" })
	reader.at(serverA).do(w, http.MethodPost, "/api/v1/accounts/"+id+"/unfollow", nil)
	until(w, soon, "B shows the author no more", func() bool { return !at.sees(w, status) })
	author.at(serverA).do(w, http.MethodDelete, "/api/v1/statuses/"+status, nil)
	until(w, soon, "B knows that it was deleted", func() bool {
		a, err := at.try(http.MethodGet, "/api/v1/statuses/"+status, nil)
		return err == nil && a.code == http.StatusNotFound
	})
}
