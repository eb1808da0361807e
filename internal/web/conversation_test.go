package web_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// threadsAreTrees checks that replies are nested lists, four levels deep. A chain of single replies
// continues at the fourth level, and further branches become a link with their number.
func threadsAreTrees(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann, bob := w.user("ann"), w.user("bob")
	root := w.post(ann.ID, linnet.Draft{Text: "root"})
	last := root
	for i := range 7 {
		by := []linnet.ID{bob.ID, ann.ID}[i%2]
		last = w.post(by, linnet.Draft{Text: fmt.Sprintf("level %d", i+1), InReplyTo: last.ID})
	}
	for i := range 3 {
		w.post(bob.ID, linnet.Draft{Text: fmt.Sprintf("split %d", i+1), InReplyTo: last.ID})
	}
	w.post(bob.ID, linnet.Draft{Text: "beside", InReplyTo: root.ID})
	eventually(t, "tasks end", w.svc.Idle)
	a := w.browser().get(postPath(root))
	want(t, a, http.StatusOK, "level 4", "level 5", "level 6", "level 7", "beside", "Continue this thread (3)", `<p class="further"><a href="`+postPath(last)+`">`)
	if strings.Contains(a.body, "split") {
		t.Error("replies below a split are on the page")
	}
	tree := a.body[strings.Index(a.body, `<ol class="tree">`):]
	depth, deepest := 0, 0
	for _, tag := range regexp.MustCompile(`</?ol[ >]`).FindAllString(tree, -1) {
		if depth += 1 - 2*strings.Count(tag, "/"); depth > deepest {
			deepest = depth
		}
	}
	if depth != 0 || deepest != 4 {
		t.Errorf("lists are %d deep, and %d are left open", deepest, depth)
	}
	want(t, w.browser().get(postPath(last)), http.StatusOK, "split 1", "split 2", "split 3")
}

// longChainsTakeFewPages checks that a long chain of replies needs few pages. Each page shows as
// many replies as for any other thread.
func longChainsTakeFewPages(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	const length = 400
	root := w.post(ann.ID, linnet.Draft{Text: "root"})
	last := root
	for i := range length {
		last = w.post(ann.ID, linnet.Draft{Text: fmt.Sprintf("link %d.", i+1), InReplyTo: last.ID})
	}
	eventually(t, "tasks end", w.svc.Idle)
	further := regexp.MustCompile(`<p class="further"><a href="([^"]*)">`)
	seen, pages, path := map[string]bool{}, 0, postPath(root)
	for path != "" {
		a := w.browser().get(path)
		want(t, a, http.StatusOK)
		for _, m := range regexp.MustCompile(`link (\d+)\.`).FindAllStringSubmatch(a.body, -1) {
			seen[m[1]] = true
		}
		path = ""
		if m := further.FindStringSubmatch(a.body); m != nil {
			path = m[1]
		}
		if pages++; pages > length {
			t.Fatal("paging does not end")
		}
	}
	if len(seen) != length || pages > length/120+1 {
		t.Errorf("%d pages show %d of %d replies", pages, len(seen), length)
	}
}

// quietAnswersAreFolded checks that several sibling replies without reactions are collapsed, with
// faces and a number. Replies with reactions or by the thread's author are not.
func quietAnswersAreFolded(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann, bob, eve := w.user("ann"), w.user("bob"), w.user("eve")
	root := w.post(ann.ID, linnet.Draft{Text: "root"})
	first := w.post(bob.ID, linnet.Draft{Text: "first", InReplyTo: root.ID})
	var quiet []linnet.StatusView
	for i := range 3 {
		quiet = append(quiet, w.post(eve.ID, linnet.Draft{Text: fmt.Sprintf("quiet %d", i), InReplyTo: first.ID}))
	}
	own := w.post(ann.ID, linnet.Draft{Text: "of the author", InReplyTo: first.ID})
	eventually(t, "tasks end", w.svc.Idle)
	page := func() (open, folded string) {
		a := w.browser().get(postPath(root))
		want(t, a, http.StatusOK)
		open, folded, _ = strings.Cut(a.body, `<details class="fold">`)
		return open, folded
	}
	open, folded := page()
	if !strings.Contains(open, own.ID.String()) || strings.Contains(open, "quiet") || !strings.Contains(folded, "3 more replies") || strings.Count(folded, "quiet ") != 3 {
		t.Errorf("open is %v, folded %v", strings.Count(open, "quiet "), strings.Count(folded, "quiet "))
	}
	if _, err := w.svc.Posting.Marks.Favourite(t.Context(), bob.ID, quiet[0].ID); err != nil {
		t.Fatal(err)
	}
	eventually(t, "tasks end", w.svc.Idle)
	if open, folded = page(); folded != "" || strings.Count(open, "quiet ") != 3 {
		t.Error("two are folded")
	}
}

// conversationsShareACard checks that a timeline groups a post with its newest reply, which names
// the parent's author. The order of other posts is unchanged.
func conversationsShareACard(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann, bob := w.user("ann"), w.user("bob")
	name := "Ann of the Lake"
	if _, err := w.svc.Social.Profiles.Update(t.Context(), ann.ID, linnet.ProfileChange{Name: &name}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.svc.Social.Follow(t.Context(), ann.ID, bob.ID, linnet.FollowOptions{}); err != nil {
		t.Fatal(err)
	}
	root := w.post(ann.ID, linnet.Draft{Text: "root"})
	between := w.post(ann.ID, linnet.Draft{Text: "between"})
	answer := w.post(ann.ID, linnet.Draft{Text: "answer", InReplyTo: root.ID})
	newest := w.post(ann.ID, linnet.Draft{Text: "newest"})
	eventually(t, "tasks end", w.svc.Idle)
	b := w.browser().logIn("ann")
	a := b.get("/")
	want(t, a, http.StatusOK, `Replying to <bdi>Ann of the Lake</bdi>`)
	var order []string
	for _, m := range regexp.MustCompile(`<article class="(post h-entry[^"]*)" id="p(\d+)"`).FindAllStringSubmatch(a.body, -1) {
		order = append(order, m[2]+strings.TrimPrefix(m[1], "post h-entry"))
	}
	if got, want := strings.Join(order, ","), fmt.Sprintf("%s,%s on,%s,%s", newest.ID, root.ID, answer.ID, between.ID); got != want {
		t.Errorf("home shows %s, want %s", got, want)
	}
}
