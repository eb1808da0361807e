package web_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// axe returns the axe-core script, which scripts/install-test-deps.sh installs.
func axe(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("../../test/axe/node_modules/axe-core/axe.min.js")
	if err != nil {
		if slices.Contains(strings.Split(os.Getenv("LINNET_REQUIRE"), ","), "chromium") {
			t.Fatal("LINNET_REQUIRE names chromium, and axe-core is not installed: test/axe/install.sh")
		}
		t.Skip("axe-core is not installed: test/axe/install.sh")
	}
	return string(b)
}

// accessible checks that axe finds no violations of WCAG 2.2 AA and its best practices. It covers
// small and large windows with light and dark colours.
func accessible(t *testing.T) {
	script := axe(t)
	w, ann, bob := flock(t, 3)
	st := w.post(ann.ID, linnet.Draft{Text: "An answer to @bob with #birds and https://example.com/", Warning: "Birds"})
	w.post(bob.ID, linnet.Draft{Text: "@ann yes", InReplyTo: st.ID})
	eventually(t, "tasks end", w.svc.Idle)
	stranger, member := newTab(t), newTab(t)
	member.enters(w, "ann")
	stranger.expects("status of 404") // the missing page
	for _, p := range []struct {
		tb   *tab
		path string
	}{
		{stranger, "/"}, {stranger, "/login"}, {stranger, "/nowhere"}, {stranger, "/@ann"}, {stranger, postPath(st)},
		{member, "/"}, {member, postPath(st)}, {member, "/compose"}, {member, "/@bob"}, {member, "/notifications"},
		{member, "/search?q=bob"}, {member, "/lists"}, {member, "/explore"}, {member, "/explore/posts"}, {member, "/catchup"}, {member, "/feeds"}, {member, "/feeds/new"}, {member, "/messages"}, {member, "/settings"}, {member, "/settings?q=theme"}, {member, "/settings/profile"}, {member, "/settings/tags"}, {member, "/settings/security"},
	} {
		p.tb.sound(w, script, p.path)
	}
}

// sound runs axe on a page.
func (tb *tab) sound(w *world, script, path string) {
	tb.t.Helper()
	tb.open(w.base + path)
	for _, window := range []struct {
		px     int
		scheme string
	}{{320, "light"}, {390, "dark"}, {768, "light"}, {1280, "dark"}, {1920, "light"}} {
		tb.width(window.px)
		tb.media("", "prefers-color-scheme: "+window.scheme, noMotion)
		tb.axe(script, fmt.Sprintf("%s at %d px, %s", path, window.px, window.scheme), "wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
	}
}

// axe runs the axe rules with these tags and fails the test for each violation.
func (tb *tab) axe(script, where string, rules ...string) {
	tb.t.Helper()
	if tb.eval("typeof axe") == "undefined" {
		tb.do("Runtime.evaluate", map[string]any{"expression": script}, nil)
	}
	least := 10 // minimum number of rules that apply, as proof that axe ran
	if len(rules) == 1 {
		least = 1
	}
	only, _ := json.Marshal(rules)
	var found struct{ Result struct{ Value *string } }
	tb.do("Runtime.evaluate", map[string]any{"awaitPromise": true, "returnByValue": true, "expression": `axe.run({runOnly: ` + string(only) + `, resultTypes: ["violations", "passes"]})
		.then(r => (r.passes.length >= ` + strconv.Itoa(least) + ` ? "" : "hardly anything was looked at ") + r.violations.map(v => v.id + ": " + v.nodes.map(n => n.html.slice(0, 160)).join(" | ")).join("\n"))`}, &found)
	if found.Result.Value == nil || *found.Result.Value != "" {
		tb.t.Errorf("%s: %s", where, say(found.Result.Value))
	}
}

// say returns the findings of axe.
func say(found *string) string {
	if found == nil {
		return "axe did not run"
	}
	return *found
}
