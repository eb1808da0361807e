package web_test

import (
	"net/http"
	"strings"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/web"
)

// TestEveryPageCounts checks that every page and method counts towards the rate limit. Members are
// limited by session, and visitors by address.
func TestEveryPageCounts(t *testing.T) {
	fill := strings.NewReplacer("{login}", "ann", "{id}", "12345", "{tag}", "x", "{code}", "x", "{token}", "x", "{act}", "silence", "{$}", "", "{name}", "x")
	w := newLimitedWorld(t, loopbackURL, apptest.Window(), core.Rates{Address: 2, Token: 1})
	w.user("ann")
	stranger, member := w.browser(), w.browser().logIn("ann") // logging in takes two requests
	want(t, member.get("/about"), http.StatusOK)
	for _, rt := range web.AllRoutes() {
		path := fill.Replace(rt.Pattern)
		for method, has := range map[string]bool{http.MethodGet: rt.Get, http.MethodPost: rt.Post} {
			if !has {
				continue
			}
			for who, b := range map[string]*browser{"a stranger": stranger, "a member": member} {
				a := b.do(method, path, "application/x-www-form-urlencoded", strings.NewReader(""))
				if a.StatusCode != http.StatusTooManyRequests || a.Header.Get("Retry-After") == "" {
					t.Errorf("%s %s by %s: %d", method, path, who, a.StatusCode)
				}
			}
		}
	}
}

// TestPagesCountInClasses checks that pages and the client API share the limits of each request
// class.
func TestPagesCountInClasses(t *testing.T) {
	w := newLimitedWorld(t, loopbackURL, apptest.Window(), core.Rates{Delete: 1, Paging: 1})
	ann := w.user("ann").ID
	b := w.browser().logIn("ann")
	var paths []string
	for range 2 {
		paths = append(paths, postPath(w.post(ann, linnet.Draft{Text: "x"})))
	}
	b.get(paths[0] + "/delete")
	want(t, b.post(paths[0]+"/delete"), http.StatusSeeOther)
	b.get(paths[1] + "/delete")
	want(t, b.post(paths[1]+"/delete"), http.StatusTooManyRequests)
	want(t, b.get("/?max_id=99"), http.StatusOK)
	want(t, b.get("/?max_id=99"), http.StatusTooManyRequests)
	want(t, b.get("/"), http.StatusOK)
	by := core.Caller{User: ann, Session: "an app's token"}
	if _, err := w.svc.Core.AllowRequest(t.Context(), by, core.RateDelete); linnet.KindOf(err) != linnet.TooMany {
		t.Errorf("the API deletes on: %v", err)
	}
}
