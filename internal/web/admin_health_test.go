package web_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/wording"
)

// TestHealth checks that administrators see problems first, with their remedy. A server without
// problems or without checks must not show problems.
func TestHealth(t *testing.T) {
	found := []core.Finding{
		{Area: "store", State: core.FindsGood, Text: "embedded"},
		{Area: "backups", State: core.FindsWarning, Text: "There is <none>", Remedy: "Make one."},
		{Area: "disk", State: core.FindsFault, Text: "It is full", Remedy: "Free space."},
	}
	w := newWorld(t, loopbackURL)
	w.halt()
	w.examine = func(context.Context) []core.Finding { return found }
	w.start()
	w.user("ann")
	w.role("ann", linnet.Admin)
	w.user("bob")
	w.role("bob", linnet.Moderator)
	b := w.browser().logIn("ann")
	a := b.get("/admin/health")
	want(t, a, http.StatusOK, "Problems", "It is full", "Free space.", "Warnings", "There is &lt;none&gt;", "Make one.", "Passed", "embedded")
	if strings.Index(a.body, "It is full") > strings.Index(a.body, "There is &lt;none") {
		t.Error("a warning stands before a fault")
	}
	if strings.Contains(a.body, "Worth knowing") {
		t.Error("a title stands over nothing")
	}
	found = []core.Finding{{Area: "disk", State: core.FindsFault, Text: wording.Messagef("%s: the store refuses writes", wording.Messagef("%.1f GB", 1.5)), Remedy: "Set public-url."}}
	b.header.Set("Accept-Language", "de")
	want(t, b.get("/admin/health"), http.StatusOK, "Festplatte", "1,5 GB: Es wird nichts mehr geschrieben", "Setze public-url.")
	b.header.Del("Accept-Language")
	found = nil
	want(t, b.get("/admin/health"), http.StatusOK, "No checks were run, because this server doesn't support them.")
	want(t, w.browser().logIn("bob").get("/admin/health"), http.StatusNotFound)
}
