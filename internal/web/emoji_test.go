package web_test

import (
	"net/http"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// withFile returns a form file with the given name.
func withFile(name string, data []byte) map[string][][]byte {
	return map[string][][]byte{name: {data}}
}

// TestEmoji checks that an administrator can add, change and delete emoji without scripts, and that
// pages show them.
func TestEmoji(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	w.user("bob")
	w.role("ann", linnet.Admin)
	b, nobody := w.browser().logIn("ann"), w.browser()
	want(t, b.get("/admin/emoji"), http.StatusOK, "No custom emoji yet.", "0 of at most 1,000")
	a := b.send("/admin/emoji", withFile("image", []byte("<svg/>")), "shortcode", "blob", "category", "Blobs <b>", "visible", "1")
	want(t, a, http.StatusUnprocessableEntity, "must be a JPEG, PNG, GIF or WebP, but is", `value="blob"`, "Blobs &lt;b&gt;")
	a = b.send("/admin/emoji", nil, "shortcode", "blob", "visible", "1")
	want(t, a, http.StatusUnprocessableEntity, "choose a PNG, GIF or WebP")
	a = b.send("/admin/emoji", withFile("image", aPicture(40, 40)), "shortcode", "b!", "visible", "1")
	want(t, a, http.StatusUnprocessableEntity, "letters (a–z, A–Z), digits or underscores")
	wantTo(t, b.send("/admin/emoji", withFile("image", aPicture(40, 40)), "shortcode", ":blob:", "category", "Blobs <b>", "visible", "1"), "/admin/emoji?done=saved")
	b.get("/admin/emoji")
	wantTo(t, b.send("/admin/emoji", withFile("image", aPicture(40, 40)), "shortcode", "secret"), "/admin/emoji?done=saved")
	want(t, b.get("/admin/emoji"), http.StatusOK, `href="/admin/emoji/blob"`, `href="/admin/emoji/secret"`, "not in picker", `alt=":blob:"`, `href="/admin/emoji?category=Blobs+%3Cb%3E"`)
	if a := b.get("/admin/emoji?q=sec"); strings.Contains(a.body, "/admin/emoji/blob") || !strings.Contains(a.body, "/admin/emoji/secret") {
		t.Error("a search does not narrow the list")
	}
	a = nobody.get("/emoji")
	want(t, a, http.StatusOK, "<code>:blob:</code>", "Blobs &lt;b&gt;")
	if strings.Contains(a.body, "secret") {
		t.Error("what is not offered is offered")
	}

	b.get("/settings/profile")
	b.send("/settings/profile", nil, "display_name", "Ann :blob:", "note", "I :secret:", "name1", "L :blob:", "value1", "V :blob:")
	b.get("/compose")
	a = b.send("/compose", nil, "text", "hello :blob: :nope:", "warning", "w :secret:", "visibility", "public", "key", "one", "option", "yes :blob:", "option", "no", "poll_seconds", "600")
	path, _, _ := strings.Cut(a.Header.Get("Location"), "#")
	const picture = `<img class="emoji" src="/media/`
	a = nobody.get(path)
	want(t, a, http.StatusOK, "hello "+picture, ":nope:</p>", "w "+picture, "yes "+picture, `<bdi class="p-name">Ann `+picture, "<title>Post by Ann :blob:")
	want(t, nobody.get("/@ann"), http.StatusOK, `<bdi class="p-name">Ann `+picture, "<p>I "+picture, "L "+picture, "V "+picture, "<title>Ann :blob: (@ann)")
	want(t, w.browser().logIn("bob").get("/complete?q=%3Alo"), http.StatusOK, `"text":":blob:"`, `"picture":"/media/`)
	want(t, b.get("/"), http.StatusOK, `href="/emoji"`)

	b.get("/admin/emoji/blob")
	want(t, b.post("/admin/emoji/blob", "shortcode", "secret", "visible", "1"), http.StatusUnprocessableEntity, ", which another emoji already uses. Change or delete that emoji")
	wantTo(t, b.post("/admin/emoji/blob", "shortcode", "blob", "category", "", "visible", "1", "disabled", "1"), "/admin/emoji?done=saved")
	if a = nobody.get(path); strings.Contains(a.body, `alt=":blob:"`) || !strings.Contains(a.body, "hello :blob:") {
		t.Error("a disabled emoji is shown")
	}
	b.get("/admin/emoji/secret")
	wantTo(t, b.post("/admin/emoji/secret", "do", "delete"), "/admin/emoji?done=saved")
	want(t, b.get("/admin/emoji/secret"), http.StatusNotFound)
	want(t, b.get("/admin/audit"), http.StatusOK, "add emoji", "change emoji", "delete emoji", ":secret:")
	w.role("bob", linnet.Moderator)
	want(t, w.browser().logIn("bob").get("/admin/emoji"), http.StatusNotFound)
}
