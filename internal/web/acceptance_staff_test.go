package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/web/paths"
)

func pointsOfStaff() []point {
	return []point{
		{81, "moderators act on reported posts, owners read the reason and appeal, and reporters hear of the result", []proof{
			{"without scripts", moderatorsWork}, {"views", strikesShowTheirParts}, {"matrix", strikePartsByViewer}, {"closed accounts", closedAccountsAppeal}, {"browser", tenMinutesOfAModerator}}},
	}
}

// picks chooses an option of a list by typing the beginning of its text.
func (h *hand) picks(selector, option string) {
	h.t.Helper()
	h.eval("(document.querySelector(%q).focus(), 1)", selector)
	for _, r := range option {
		h.hit(string(r))
	}
	h.holds("(e => e.selectedOptions[0]?.textContent.trim() == %q)(document.querySelector(%q))", option, selector)
}

// applies acts on a reported post, and returns to the report.
func (h *hand) applies(report string, st linnet.StatusView, action, reason string) {
	h.t.Helper()
	page := paths.AdminPost(st.ID)
	h.click(fmt.Sprintf("a[href^='%s?']", page), at(page))
	h.picks("[name=act]", action)
	h.types("[name=text]", reason)
	h.click(".button.grave", at(report))
	h.shows("Done.")
}

// sensitive reports whether visitors see a post as sensitive.
func (w *world) sensitive(id linnet.ID) bool {
	w.t.Helper()
	st, err := w.svc.View.Statuses(w.t.Context(), 0, []linnet.ID{id})
	if err != nil || len(st) != 1 {
		w.t.Fatalf("visitors see %+v, %v", st, err)
	}
	return st[0].Sensitive
}

// tenMinutesOfAModerator goes with mouse and keyboard from a report to three actions, an appeal and
// its approval.
func tenMinutesOfAModerator(t *testing.T) {
	w := served(t)
	w.open("Be kind.", "No spam.")
	w.user("ann")
	bob := w.user("bob")
	w.user("una")
	w.role("una", linnet.Moderator)
	shown := w.post(bob.ID, linnet.Draft{Text: "two birds", Media: []linnet.ID{w.uploaded(bob.ID, 160, 120, "one"), w.uploaded(bob.ID, 120, 160, "two")}})
	bright := w.post(bob.ID, linnet.Draft{Text: "a lamp", Media: []linnet.ID{w.uploaded(bob.ID, 90, 60, "lamp")}})
	spam := w.post(bob.ID, linnet.Draft{Text: "buy seeds"})
	eventually(t, "tasks end", w.svc.Idle)
	file := func(at int) int {
		got, err := http.Get(w.base + paths.File(shown.Media[at].Name))
		if err != nil {
			t.Fatal(err)
		}
		_ = got.Body.Close()
		return got.StatusCode
	}
	if got := file(0); got != http.StatusOK {
		t.Fatalf("the file of the picture: %d", got)
	}
	hands := map[string]*hand{}
	for _, login := range []string{"ann", "bob", "una"} {
		h := &hand{tab: newTab(t), w: w}
		h.width(1280)
		h.enters(w, login)
		hands[login] = h
	}
	ann, owner, una := hands["ann"], hands["bob"], hands["una"]

	ann.open(w.base + "/@bob/report?post=" + shown.ID.String())
	ann.click("[name=category][value=violation]", "document.querySelector('[name=category][value=violation]').checked")
	ann.click("[name=rule][value='2']", "document.querySelector('[name=rule][value=\"2\"]').checked")
	for _, st := range []linnet.StatusView{bright, spam} {
		box := fmt.Sprintf("[name=post][value='%v']", st.ID)
		ann.click(box, fmt.Sprintf("document.querySelector(%q).checked", box))
	}
	ann.types("[name=comment]", "Nothing but seeds")
	ann.click(".card .button:not(.second)", at("/@bob/reported"))
	ann.shows("Block", "Mute")
	ann.click("a[href='/@bob/mute']", at("/@bob/mute"))
	ann.click("[value=mute]", at("/@bob"))

	eventually(t, "tasks end", w.svc.Idle)
	una.open(w.base + "/notifications")
	una.shows("reported an account")
	una.click(".quoted[href^='/admin/reports/']", "location.pathname.startsWith('/admin/reports/')")
	report := una.eval("location.pathname")
	una.shows("Nothing but seeds", "No spam.", "two birds", "buy seeds")
	una.applies(report, shown, "Remove picture 1", "Not your picture")
	if removed, other := file(0), file(1); removed != http.StatusNotFound || other != http.StatusOK {
		t.Errorf("the files of the removed and the other picture: %d, %d", removed, other)
	}
	una.applies(report, bright, "Mark the post as sensitive", "Too bright")
	una.applies(report, spam, "Delete the post", "An advertisement")
	una.shows("resolved")
	want(t, w.browser().get(postPath(spam)), http.StatusGone)
	if !w.sensitive(bright.ID) {
		t.Error("the post isn't sensitive")
	}

	eventually(t, "tasks end", w.svc.Idle)
	owner.open(w.base + "/notifications")
	owner.shows("removed a picture", "marked one or more of your posts as sensitive", "deleted one or more of your posts")
	link := owner.eval("[...document.querySelectorAll('.quoted')].find(e => e.textContent == 'Too bright').getAttribute('href')")
	owner.click(fmt.Sprintf("[href=%q]", link), at(link))
	owner.shows("Too bright", "No spam.", "a lamp")
	if page := owner.eval("document.body.innerText"); strings.Contains(page, "una") {
		t.Errorf("the owner learns who moderated:\n%s", page)
	}
	owner.types("[name=text]", "It's only a lamp")
	owner.click("form:has(textarea) .button", "document.body.innerText.includes('We sent your appeal')")
	owner.shows("We sent your appeal", "It's only a lamp")

	eventually(t, "tasks end", w.svc.Idle)
	una.open(w.base + "/notifications")
	una.shows("appealed a decision", "It's only a lamp")
	una.open(w.base + "/admin/users/bob")
	una.shows("Not your picture", "Too bright", "An advertisement", "waiting for a decision")
	theirs := "/admin/strikes/" + strings.TrimPrefix(link, "/settings/strikes/")
	una.click(fmt.Sprintf("[href=%q]", theirs), at(theirs))
	una.click("main form:has([value=approve]) button", "document.body.innerText.includes('approved')")
	eventually(t, "tasks end", w.svc.Idle)
	if w.sensitive(bright.ID) {
		t.Error("the approval left the post sensitive")
	}
	owner.open(w.base + "/notifications")
	owner.shows("The moderators approved your appeal.")
	ann.open(w.base + "/notifications")
	ann.shows("The moderators handled your report.")
	for _, s := range []string{"deleted", "sensitive", "picture", "advertisement"} {
		if page := ann.eval("document.querySelector('main').innerText"); strings.Contains(page, s) {
			t.Errorf("the reporter learns %q:\n%s", s, page)
		}
	}
	if t.Logf("the moderator clicked %d times and typed %d texts", una.clicks, una.fields); una.clicks > 9 {
		t.Error("that is more than 9 clicks")
	}
}

// strikePartsByViewer checks which parts of a strike each viewer finds on each page.
func strikePartsByViewer(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.open("Be kind.", "No spam.")
	ann, bob := w.user("ann"), w.user("bob")
	una := w.user("una")
	w.user("cato")
	w.user("eve")
	w.role("una", linnet.Moderator)
	w.role("cato", linnet.Admin)
	post := w.post(bob.ID, linnet.Draft{Text: "buy seeds"})
	report, ok := linnet.ParseID(strings.TrimPrefix(w.report(ann.ID, bob.ID, post.ID), "/admin/reports/"))
	if !ok {
		t.Fatal("the report has no id")
	}
	err := w.svc.Moderation.ModerateReported(t.Context(), linnet.By(una.ID), linnet.Measure{On: bob.ID, Act: linnet.DeletePosts, Posts: []linnet.ID{post.ID}, Report: report, Reason: "too bright", Rules: []int{2}})
	if err != nil {
		t.Fatal(err)
	}
	st := w.lastStrike(bob.ID)
	if _, err := w.svc.Moderation.Strikes.Appeal(t.Context(), bob.ID, st.ID, "only a bird"); err != nil {
		t.Fatal(err)
	}
	eventually(t, "tasks end", w.svc.Idle)
	parts := []struct{ name, text string }{{"reason", "too bright"}, {"rule", "No spam."}, {"post", "buy seeds"}, {"moderator", "@una"}, {"appeal", "only a bird"}, {"report", "/admin/reports/" + report.String()}}
	const none, all = "", "reason rule post moderator appeal report"
	own, theirs, link := "/settings/strikes/"+st.ID.String(), "/admin/strikes/"+st.ID.String(), "/strike/"+st.Token()
	sees := map[string]map[string]string{
		own:                 {"bob": "reason rule post appeal", "una": none, "cato": none, "ann": none, "eve": none, "": none},
		"/settings/strikes": {"bob": "reason", "una": none, "cato": none, "ann": none, "eve": none, "": none},
		"/notifications":    {"bob": "reason", "una": "appeal report", "cato": "appeal report", "ann": none, "eve": none, "": none},
		theirs:              {"bob": none, "una": all, "cato": all, "ann": none, "eve": none, "": none},
		"/admin/strikes":    {"bob": none, "una": "reason moderator", "cato": "reason moderator", "ann": none, "eve": none, "": none},
		"/admin/users/bob":  {"bob": none, "una": "reason moderator", "cato": "reason moderator", "ann": none, "eve": none, "": none},
		"/@bob":             {"bob": none, "una": none, "cato": none, "ann": none, "eve": none, "": none},
		link:                {"bob": "reason rule appeal", "una": "reason rule appeal", "cato": "reason rule appeal", "ann": "reason rule appeal", "eve": "reason rule appeal", "": "reason rule appeal"},
	}
	for _, viewer := range []string{"bob", "una", "cato", "ann", "eve", ""} {
		b := w.browser()
		if viewer != "" {
			b.logIn(viewer)
		}
		for path, by := range sees {
			_, main, _ := strings.Cut(b.get(path).body, "<main")
			main, _, _ = strings.Cut(main, "<footer")
			var found []string
			for _, p := range parts {
				if strings.Contains(main, p.text) {
					found = append(found, p.name)
				}
			}
			if got := strings.Join(found, " "); got != by[viewer] {
				t.Errorf("%q sees %q on %s, want %q", viewer, got, path, by[viewer])
			}
		}
	}
}
