package web_test

import (
	"bytes"
	"image"
	"image/png"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// pictured publishes a post with a small picture.
func (w *world) pictured(me linnet.ID, d linnet.Draft, description string) linnet.StatusView {
	w.t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewRGBA(image.Rect(0, 0, 16, 12))); err != nil {
		w.t.Fatal(err)
	}
	f, err := w.svc.Uploads.Receive(&b)
	if err != nil {
		w.t.Fatal(err)
	}
	defer f.Close()
	a, err := w.svc.Uploads.Upload(w.t.Context(), me, f, nil, linnet.AttachmentChange{Description: &description})
	if err != nil {
		w.t.Fatal(err)
	}
	d.Media = append(d.Media, a.ID)
	return w.post(me, d)
}

func (w *world) follows(who linnet.ID, whom ...linnet.ID) {
	w.t.Helper()
	for _, id := range whom {
		if _, err := w.svc.Social.Follow(w.t.Context(), who, id, linnet.FollowOptions{}); err != nil {
			w.t.Fatal(err)
		}
	}
}

// mediaOfSomebody checks that the media page shows only posts that the viewer can see. Sensitive
// media stays hidden.
func mediaOfSomebody(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann, bob := w.user("ann"), w.user("bob")
	b := w.browser()
	want(t, b.get("/@ann/media"), http.StatusOK, "No media yet<")
	open := w.pictured(ann.ID, linnet.Draft{}, "a marsh")
	w.pictured(ann.ID, linnet.Draft{Warning: "an owl eats"}, "a vole's end")
	w.pictured(ann.ID, linnet.Draft{Visibility: vis(linnet.Private)}, "her nest")
	boosted := w.pictured(bob.ID, linnet.Draft{}, "a reed")
	if _, err := w.svc.Posting.Repost(t.Context(), ann.ID, boosted.ID, nil); err != nil {
		t.Fatal(err)
	}
	w.post(ann.ID, linnet.Draft{Text: "words alone"})
	for who, squares := range map[string]int{"": 2, "ann": 3} {
		b := w.browser()
		if who != "" {
			b.logIn(who)
		}
		a := b.get("/@ann/media")
		want(t, a, http.StatusOK, `alt="a marsh"`, "Sensitive", postPath(open)+`/media/1"`, `aria-current="page">Media`)
		_, shown, _ := strings.Cut(a.body, `class="shots"`)
		shown, _, _ = strings.Cut(shown, "</ul>")
		if n := strings.Count(shown, "<li>"); n != squares {
			t.Errorf("%q sees %d squares, want %d", who, n, squares)
		}
		for _, no := range []string{`alt="a reed"`, "words alone", `alt="a vole`} {
			if strings.Contains(shown, no) {
				t.Errorf("%q sees %s", who, no)
			}
		}
	}
}

// followersWhomOneKnows checks that a profile names followers that the viewer follows, except
// accounts with a hidden network. Visitors see none.
func followersWhomOneKnows(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann, bob := w.user("ann"), w.user("bob")
	var known []linnet.User
	for i := range 5 {
		known = append(known, w.user("known"+strconv.Itoa(i)))
	}
	b := w.browser().logIn("ann")
	want(t, b.get("/@bob/known"), http.StatusOK, "No results")
	for i, says := range []string{"Followed by", "and", "and 1 other you know", "and 2 others you know", "and 3 others you know"} {
		w.follows(ann.ID, known[i].ID)
		w.follows(known[i].ID, bob.ID)
		want(t, b.get("/@bob"), http.StatusOK, says, `aria-label="In common"`)
	}
	hide := true
	if _, err := w.svc.Social.Profiles.Update(t.Context(), known[4].ID, linnet.ProfileChange{HideNetwork: &hide}); err != nil {
		t.Fatal(err)
	}
	a := b.get("/@bob/known")
	want(t, a, http.StatusOK, "@known0", "@known3", `aria-current="page">Followers you know`)
	if strings.Contains(a.body, "@known4") {
		t.Error("somebody who hides whom they follow is named")
	}
	for i := range 96 {
		fan := w.user("fan" + strconv.Itoa(i))
		w.follows(ann.ID, fan.ID)
		w.follows(fan.ID, bob.ID)
	}
	want(t, b.get("/@bob"), http.StatusOK, "and 98 others you know", ">Show all</a>")
	want(t, b.get("/@bob/known"), http.StatusOK, "100 followers of bob that you know")
	for _, page := range []string{"/@bob", "/@bob/followers"} {
		if a := w.browser().get(page); strings.Contains(a.body, "you know") {
			t.Errorf("%s tells a stranger of followers whom they know", page)
		}
	}
	wantTo(t, b.get("/@ann/known"), "/@ann")
	if _, err := w.svc.Social.Profiles.Update(t.Context(), bob.ID, linnet.ProfileChange{HideNetwork: &hide}); err != nil {
		t.Fatal(err)
	}
	if a := b.get("/@bob"); strings.Contains(a.body, "Followed by") {
		t.Error("the followers of somebody who hides them are named")
	}
}

// frontPageTells checks that the front page shows posts, rules, members and the contact. A private
// instance redirects it to the login.
func frontPageTells(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	yes, contact := true, "keeper@example.com"
	if _, err := w.svc.Social.Profiles.Update(t.Context(), ann.ID, linnet.ProfileChange{Discoverable: &yes}); err != nil {
		t.Fatal(err)
	}
	w.post(ann.ID, linnet.Draft{Text: "a first finch"})
	change := linnet.InstanceChange{Contact: &contact, Rules: &[]string{"Be kind."}}
	if _, err := w.svc.Settings.ChangeInstance(t.Context(), linnet.Operator(), change); err != nil {
		t.Fatal(err)
	}
	want(t, w.browser().get("/"), http.StatusOK, "a first finch", "Be kind.", "keeper@example.com", "1 person, 1 post", `<h2 id="some">People`)
	if _, err := w.svc.Settings.ChangeInstance(t.Context(), linnet.Operator(), linnet.InstanceChange{Private: &yes}); err != nil {
		t.Fatal(err)
	}
	wantTo(t, w.browser().get("/"), "/login")
}
