package web_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// TestPagesNameNothingHidden checks that neither pages nor their links contain ids of posts or
// accounts that the viewer cannot see.
func TestPagesNameNothingHidden(t *testing.T) {
	w := newWorld(t, loopbackURL)
	bob, shy := w.user("bob"), w.user("shy")
	w.user("ann")
	hidden := map[string]string{}
	root := w.post(bob.ID, linnet.Draft{Text: "root #tag"})
	private, direct, hide := linnet.Private, linnet.Direct, true
	if _, err := w.svc.Social.Profiles.Update(t.Context(), shy.ID, linnet.ProfileChange{HideNetwork: &hide}); err != nil {
		t.Fatal(err)
	}
	for i := range 50 {
		w.post(bob.ID, linnet.Draft{Text: fmt.Sprintf("seen %d #tag", i)})
		for _, v := range []*linnet.Visibility{&private, &direct} {
			hidden[w.post(bob.ID, linnet.Draft{Text: "secret #tag", Visibility: v}).ID.String()] = "a post"
			hidden[w.post(shy.ID, linnet.Draft{Text: "secret answer", Visibility: v, InReplyTo: root.ID}).ID.String()] = "a reply"
		}
		w.post(shy.ID, linnet.Draft{Text: "answer", InReplyTo: root.ID})
	}
	w.follows(shy.ID, bob.ID)
	w.follows(bob.ID, shy.ID)
	for i := range 45 {
		fan := w.user(fmt.Sprint("fan", i))
		w.follows(fan.ID, bob.ID)
		v := linnet.Public
		if i%2 == 0 {
			v = linnet.Private
			hidden["/@fan"+fmt.Sprint(i)+`"`] = "a boost for followers"
		}
		if _, err := w.svc.Posting.Repost(t.Context(), fan.ID, root.ID, &v); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "tasks end", w.svc.Idle)
	page := regexp.MustCompile(`href="(/[^"]*\?[^"]*(?:max_id|after)=[^"]*)"`)
	for name, b := range map[string]*browser{"a member": w.browser().logIn("ann"), "a stranger": w.browser()} {
		for _, path := range []string{"/@bob", "/@bob/replies", "/@bob/media", "/@bob/followers", "/@bob/following", "/tags/tag", "/local", postPath(root), postPath(root) + "/boosts"} {
			for at, pages := path, 0; at != ""; pages++ {
				a := b.get(at)
				want(t, a, http.StatusOK)
				for id, what := range hidden {
					if strings.HasPrefix(id, "/") != strings.HasSuffix(path, "/boosts") {
						continue
					}
					if strings.Contains(a.body, id) {
						t.Errorf("%s reads %s: it names %s, %s", name, at, what, id)
					}
				}
				if strings.Contains(a.body, shy.ID.String()) && strings.HasSuffix(path, "/followers") {
					t.Errorf("%s reads %s: it names a hidden follower", name, at)
				}
				if at = ""; pages > 100 {
					t.Fatalf("%s: paging does not end", path)
				}
				if m := page.FindStringSubmatch(a.body); m != nil {
					at = strings.ReplaceAll(m[1], "&amp;", "&")
				}
			}
		}
	}
}
