package web_test

import (
	"bytes"
	"net/http"
	"os"
	"strings"
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/media"
)

// withPictures publishes a post with two pictures, the second with a description. It returns the
// path of the post.
func (b *browser) withPictures(text, visibility string, fields ...string) string {
	b.t.Helper()
	b.get("/compose")
	a := b.send("/compose", files(aPicture(900, 600), aPicture(300, 300)), "text", text, "visibility", visibility, "key", text, "do", "attach")
	ids := attached(a)
	if len(ids) != 2 {
		b.t.Fatalf("pictures %v of %s", ids, a.body)
	}
	a = b.send("/compose", files(), append([]string{"text", text, "visibility", visibility, "key", text, "media", ids[0], "media", ids[1], "alt-" + ids[1], "A <green>\nsquare", "do", "undescribed"}, fields...)...)
	if a.StatusCode != http.StatusSeeOther {
		b.t.Fatalf("%d: %s", a.StatusCode, a.body)
	}
	path, _, _ := strings.Cut(a.Header.Get("Location"), "#")
	return path
}

func picturesHavePages(t *testing.T) {
	w := newWorld(t, "https://birds.test")
	w.user("ann")
	w.user("bob")
	ann, bob, nobody := w.browser().logIn("ann"), w.browser().logIn("bob"), w.browser()
	open := ann.withPictures("open", "public")
	want(t, nobody.get(open), http.StatusOK, `href="`+open+`/media/1"`, `href="`+open+`/media/2"`, `property="og:image" content="https://birds.test/media/`)
	first := nobody.get(open + "/media/1")
	want(t, first, http.StatusOK, "Picture 1 of 2", "No description", `rel="next" href="`+open+`/media/2"`, `rel="up"`, `width="900" height="600"`)
	if strings.Contains(first.body, `rel="prev"`) || strings.Contains(first.body, "blurred") {
		t.Error("the first has one before it, or is blurred")
	}
	last := nobody.get(open + "/media/2")
	want(t, last, http.StatusOK, `A &lt;green&gt;`, `rel="prev" href="`+open+`/media/1"`)
	if strings.Contains(last.body, `rel="next"`) {
		t.Error("the last has one behind it")
	}
	for _, n := range []string{"0", "3", "-1", "01", "x", "1/2"} {
		if a := nobody.get(open + "/media/" + n); a.StatusCode != http.StatusNotFound {
			t.Errorf("picture %s: %d", n, a.StatusCode)
		}
	}
	wantTo(t, nobody.get(strings.Replace(open, "@ann", "@ANN", 1)+"/media/2"), open+"/media/2")
	if a := nobody.get(strings.Replace(open, "@ann", "@bob", 1) + "/media/1"); a.StatusCode != http.StatusNotFound {
		t.Errorf("under another name: %d", a.StatusCode)
	}

	secret := ann.withPictures("secret", "private")
	want(t, ann.get(secret+"/media/1"), http.StatusOK, "Picture 1 of 2")
	for _, b := range []*browser{bob, nobody} {
		if a := b.get(secret + "/media/1"); a.StatusCode != http.StatusNotFound || strings.Contains(a.body, "/media/") {
			t.Errorf("a picture of a private post: %d", a.StatusCode)
		}
	}
	warned := ann.withPictures("warned", "public", "warning", "a wound")
	want(t, nobody.get(warned+"/media/1"), http.StatusOK, "blurred", `id="reveal"`)
	if strings.Contains(nobody.get(warned).body, "og:image") {
		t.Error("other sites are shown what lies behind a warning")
	}
}

// TestProfileCard checks that a profile's metadata contains its avatar with the description, as a
// small preview card.
func TestProfileCard(t *testing.T) {
	w := newWorld(t, "https://birds.test")
	ann, nobody := w.user("ann"), w.browser()
	if strings.Contains(nobody.get("/@ann").body, "og:image") {
		t.Error("a profile without an avatar names a picture")
	}
	f, err := w.svc.Uploads.Receive(bytes.NewReader(aPicture(50, 40)))
	if err == nil {
		err = w.svc.Social.Profiles.SetPicture(t.Context(), ann.ID, media.Avatar, f)
		f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	const alt = `<meta property="og:image:alt"`
	page := nobody.get("/@ann")
	want(t, page, http.StatusOK, `property="og:image" content="https://birds.test/media/`, `<meta name="twitter:card" content="summary">`)
	if strings.Contains(page.body, alt) {
		t.Error("a picture without a description has one")
	}
	text := `A "grey" owl`
	if _, err := w.svc.Social.Profiles.Update(t.Context(), ann.ID, linnet.ProfileChange{AvatarAlt: &text}); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/@ann", "/@ann/media", "/@ann/replies"} {
		want(t, nobody.get(path), http.StatusOK, alt+` content="A &#34;grey&#34; owl">`)
	}
}

func TestGroupPictures(t *testing.T) {
	w := newWorld(t, "https://birds.test")
	w.user("ann")
	w.user("bob")
	ann, bob := w.browser().logIn("ann"), w.browser().logIn("bob")
	ann.get("/groups/new")
	ann.post("/groups/new", "login", "birders", "name", "Birders", "note", "", "kind", "public", "invite", "")
	want(t, ann.get("/groups/birders/edit"), http.StatusOK, `name="avatar"`, `name="header"`, `enctype="multipart/form-data"`)
	wantTo(t, ann.send("/groups/birders/edit", map[string][][]byte{"avatar": {aPicture(50, 40)}, "header": {aPicture(90, 40)}}, "name", "Birders", "note", "", "kind", "public"), "/@birders")
	want(t, bob.get("/@birders"), http.StatusOK, `class="cover" src="/media/`, `class="avatar big" src="/media/`)
	ann.get("/groups/birders/edit")
	want(t, ann.send("/groups/birders/edit", map[string][][]byte{"avatar": {[]byte("no picture")}}, "name", "Birders", "note", "", "kind", "public"), http.StatusUnprocessableEntity, "The picture must be a JPEG")
	bob.get("/groups/mine")
	if a := bob.send("/groups/birders/edit", map[string][][]byte{"avatar": {aPicture(50, 40)}}, "name", "Mine", "note", "", "kind", "public"); a.StatusCode != http.StatusForbidden && a.StatusCode != http.StatusNotFound {
		t.Errorf("a stranger changed the picture: %d", a.StatusCode)
	}
	ann.get("/groups/birders/edit")
	wantTo(t, ann.send("/groups/birders/edit", nil, "name", "Birders", "note", "", "kind", "public", "no-avatar", "1", "no-header", "1"), "/@birders")
	if a := bob.get("/@birders"); strings.Contains(a.body, `src="/media/`) {
		t.Error("the pictures are still there")
	}
}

func TestSitePictures(t *testing.T) {
	w := newWorld(t, "https://birds.test")
	w.user("ann")
	w.role("ann", linnet.Admin)
	w.user("bob")
	ann, bob, nobody := w.browser().logIn("ann"), w.browser().logIn("bob"), w.browser()
	pictures := map[string][][]byte{"icon": {aPicture(600, 600)}, "thumbnail": {aPicture(2400, 1260)}}
	ann.get("/admin/settings")
	wantTo(t, ann.send("/admin/settings/pictures", pictures), "/admin/settings?done=saved")
	want(t, nobody.get("/about"), http.StatusOK, `class="site-banner" src="/media/`, `class="site-icon" src="/media/`, `property="og:image" content="https://birds.test/media/`)
	icon := nobody.get("/login").body
	want(t, nobody.get("/login"), http.StatusOK, `<link rel="icon" href="/media/`, `<a class="home" href="/"><img src="/media/`)
	if to := nobody.get("/favicon.ico").Header.Get("Location"); to == "" || !strings.Contains(icon, to) {
		t.Errorf("the icon of the site is at %q", to)
	}
	want(t, nobody.get("/manifest.webmanifest"), http.StatusOK, `"src":"/media/`)
	want(t, ann.get("/admin/settings"), http.StatusOK, "Remove logo", "Remove banner")
	want(t, ann.send("/admin/settings/pictures", map[string][][]byte{"icon": {[]byte("text")}}), http.StatusUnprocessableEntity, "Logo must be a JPEG")
	bob.get("/settings/profile")
	if a := bob.send("/admin/settings/pictures", pictures); a.StatusCode != http.StatusForbidden && a.StatusCode != http.StatusNotFound {
		t.Errorf("a member changed the logo: %d", a.StatusCode)
	}
	ann.get("/admin/settings")
	wantTo(t, ann.send("/admin/settings/pictures", nil, "no-icon", "1", "no-thumbnail", "1"), "/admin/settings?done=saved")
	if a := nobody.get("/about"); strings.Contains(a.body, `src="/media/`) {
		t.Error("the pictures are still there")
	}
}

// TestComposeWithClips checks that pages play video and audio without scripts.
func TestComposeWithClips(t *testing.T) {
	w := newWorld(t, "https://birds.test")
	w.user("ann")
	b := w.browser().logIn("ann")
	for name, tag := range map[string]string{"clip.mp4": `<video class="u-video" src="/media/`, "sound.mp3": `<audio class="u-audio" src="/media/`, "silent.mp4": " loop muted "} {
		data, err := os.ReadFile("../media/testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		b.get("/compose")
		want(t, b.send("/compose", files(data), "text", "x", "visibility", "public", "key", name+"1", "do", "attach"), http.StatusOK, " controls", `name="media"`)
		b.get("/compose")
		a := b.send("/compose", files(data), "text", "a clip", "visibility", "public", "key", name, "do", "undescribed")
		path, _, _ := strings.Cut(a.Header.Get("Location"), "#")
		want(t, b.follow(a), http.StatusOK, tag, " controls", "without a description")
		page := b.get(path + "/media/1")
		want(t, page, http.StatusOK, " controls", "No description")
		if policy := page.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "media-src 'self'") {
			t.Errorf("what is played is not let in: %s", policy)
		}
	}
	b.get("/compose")
	clip, err := os.ReadFile("../media/testdata/clip.webm")
	if err != nil {
		t.Fatal(err)
	}
	want(t, b.send("/compose", files(clip, aPicture(30, 30)), "text", "both", "visibility", "public", "key", "both", "do", "undescribed"), http.StatusUnprocessableEntity, "can't contain a video or audio file together with other attachments")
}
