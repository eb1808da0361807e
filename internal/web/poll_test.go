package web_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// newest returns the latest post of an account.
func (w *world) newest(by linnet.ID) linnet.StatusView {
	w.t.Helper()
	page, err := w.svc.Reading.Profile(context.Background(), by, by, linnet.ProfileFilter{}, linnet.Page{Limit: 1})
	if err != nil || len(page.Items) != 1 {
		w.t.Fatal(len(page.Items), err)
	}
	return page.Items[0]
}

// pollByForms checks that polls can be created, voted on and shown without scripts. Validation
// errors keep the entered values.
func pollByForms(t *testing.T) {
	w := newWorld(t, publicURL)
	ann, bob := w.user("ann"), w.user("bob")
	a, b := w.browser().logIn("ann"), w.browser().logIn("bob")
	a.get("/compose")
	want(t, a.post("/compose", "text", "which?", "visibility", "public", "option", "only <one>", "poll_seconds", "3600", "poll_hide", "1"),
		http.StatusUnprocessableEntity, "The poll needs at least 2 options", `value="only &lt;one&gt;"`, `value="3600" selected`, `name="poll_hide" value="1" checked`, "which?")
	form := url.Values{"text": {"which?"}, "visibility": {"public"}, "option": {"tea <b>", "", "coffee"}, "poll_seconds": {"3600"}}
	form.Set("form_token", unescape(tokenInput.FindStringSubmatch(a.page)[1]))
	want(t, a.postRaw("/compose", form), http.StatusSeeOther)
	st := w.newest(ann.ID)
	if p := st.Poll; p == nil || len(p.Options) != 2 || p.Multiple {
		t.Fatalf("asked: %+v", st.Poll)
	}
	want(t, a.get(postPath(st)), http.StatusOK, "tea &lt;b&gt;", "1 hour left", "0 votes")
	page := b.get(postPath(st))
	want(t, page, http.StatusOK, `type="radio" name="choice" value="1"`, "Vote</button>")
	if strings.Contains(page.body, "Show results") {
		t.Error("results are offered of which there are none")
	}
	want(t, b.post(postPath(st)+"/vote"), http.StatusUnprocessableEntity, "Choose one and vote again")
	wantTo(t, b.post(postPath(st)+"/vote", "choice", "1"), postPath(st)+"#p"+st.ID.String())
	page = b.get(postPath(st))
	want(t, page, http.StatusOK, "1 vote", "(your vote)", "100%")
	if strings.Contains(page.body, `name="choice"`) {
		t.Error("a vote is asked for once more")
	}
	want(t, b.post(postPath(st)+"/vote", "choice", "0"), http.StatusUnprocessableEntity, "already voted")
	want(t, w.browser().get(postPath(st)), http.StatusOK, "coffee", "100%")
	want(t, a.get("/compose?redraft="+st.ID.String()), http.StatusOK, `value="tea &lt;b&gt;"`, `value="coffee"`, `value="3600" selected`)
	hidden := w.post(ann.ID, linnet.Draft{Text: "secret", Poll: &linnet.PollDraft{Options: []string{"x", "y"}, Seconds: 300, Multiple: true, HideTotals: true}})
	if _, err := w.svc.Posting.Polls.Vote(t.Context(), bob.ID, hidden.ID, []int{0, 1}); err != nil {
		t.Fatal(err)
	}
	page = w.browser().get(postPath(hidden))
	want(t, page, http.StatusOK, "1 voter", "results appear when the poll ends")
	if strings.Contains(page.body, " %") {
		t.Error("hidden results are shown")
	}
}
