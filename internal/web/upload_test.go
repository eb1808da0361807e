package web_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"regexp"
	"strings"
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/media"
)

// aPicture returns a PNG of the given size.
func aPicture(w, h int) []byte {
	img := image.NewPaletted(image.Rect(0, 0, w, h), color.Palette{color.White, color.RGBA{30, 120, 60, 255}})
	for i := range img.Pix[:len(img.Pix)/3] {
		img.Pix[i] = 1
	}
	var b bytes.Buffer
	_ = png.Encode(&b, img) // writes to a buffer cannot fail
	return b.Bytes()
}

// send submits a form with files. Like in browsers, an input without a file sends an empty one.
func (b *browser) send(path string, files map[string][][]byte, fields ...string) answer {
	b.t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	if m := tokenInput.FindStringSubmatch(b.page); m != nil {
		fields = append(fields, "form_token", unescape(m[1]))
	}
	part := func(name, file string, data []byte) {
		h := textproto.MIMEHeader{"Content-Disposition": {`form-data; name="` + name + `"; filename="` + file + `"`}, "Content-Type": {"application/octet-stream"}}
		p, err := w.CreatePart(h)
		if err == nil {
			_, err = p.Write(data)
		}
		if err != nil {
			b.t.Fatal(err)
		}
	}
	for name, all := range files {
		if len(all) == 0 {
			part(name, "", nil)
		}
		for _, data := range all {
			part(name, "holiday.png", data)
		}
	}
	for i := 0; i+1 < len(fields); i += 2 {
		if err := w.WriteField(fields[i], fields[i+1]); err != nil {
			b.t.Fatal(err)
		}
	}
	w.Close()
	return b.do("POST", path, w.FormDataContentType(), &body)
}

var mediaInput = regexp.MustCompile(`name="media" value="(\d+)"`)

// attached returns the ids of the pictures in a page's composer.
func attached(a answer) (ids []string) {
	for _, m := range mediaInput.FindAllStringSubmatch(a.body, -1) {
		ids = append(ids, m[1])
	}
	return ids
}

func files(all ...[]byte) map[string][][]byte { return map[string][][]byte{"pictures": all} }

func TestComposeWithPictures(t *testing.T) {
	w := newWorld(t, "https://birds.test")
	ann := w.user("ann")
	b := w.browser().logIn("ann")
	b.get("/compose")

	// A picture can be posted directly, and after a reminder without a description. Empty file
	// inputs are ignored.
	a := b.follow(b.send("/compose", files(aPicture(900, 600)), "text", "", "visibility", "public", "key", "one", "do", "undescribed"))
	want(t, a, http.StatusOK, `class="gallery of1"`, `alt="Picture without a description"`, `width="587"`)
	b.get("/compose")
	b.follow(b.send("/compose", files(), "text", "plain", "visibility", "public", "key", "two"))

	// Uploading first and describing later keeps the text.
	b.get("/compose")
	a = b.send("/compose", files(aPicture(30, 30), aPicture(40, 40)), "text", "kept <b>", "warning", "w", "visibility", "unlisted", "key", "three", "do", "attach")
	want(t, a, http.StatusOK, "kept &lt;b&gt;", `value="unlisted" checked`, "Add more pictures", "Describe this for people")
	ids := attached(a)
	if len(ids) != 2 {
		t.Fatalf("pictures %v", ids)
	}
	a = b.send("/compose", files([]byte("no picture")), "text", "kept", "visibility", "public", "key", "three", "media", ids[0], "alt-"+ids[0], "A <green> square", "media", ids[1], "alt-"+ids[1], "")
	want(t, a, http.StatusUnprocessableEntity, "The file must be a JPEG, PNG, GIF or WebP", "A &lt;green&gt; square")
	if got := attached(a); len(got) != 2 {
		t.Fatalf("pictures %v", got)
	}
	a = b.send("/compose", files(), "text", "kept", "visibility", "public", "key", "three", "media", ids[0], "alt-"+ids[0], strings.Repeat("x", linnet.MaxAltText+1), "media", ids[1], "do", "drop "+ids[1])
	want(t, a, http.StatusUnprocessableEntity, "has 10001 characters", "xxxx")
	a = b.follow(b.send("/compose", files(aPicture(50, 50)), "text", "kept", "visibility", "public", "key", "three", "media", ids[0], "alt-"+ids[0], "A <green> square", "do", "undescribed"))
	want(t, a, http.StatusOK, `class="gallery of2"`, `alt="A &lt;green&gt; square"`, `alt="Picture 2 of 2, without a description"`)

	// Too many pictures and other accounts' pictures are rejected.
	b.get("/compose")
	five := make([][]byte, 5)
	for i := range five {
		five[i] = aPicture(9, 9)
	}
	want(t, b.send("/compose", files(five...), "text", "many", "visibility", "public", "key", "four"), http.StatusUnprocessableEntity, "at most 4 files")
	w.user("bob")
	bob := w.browser().logIn("bob")
	bob.get("/compose")
	a = bob.send("/compose", files(aPicture(9, 9)), "text", "mine", "visibility", "public", "key", "five", "do", "attach")
	b.get("/compose")
	want(t, b.send("/compose", files(), "text", "theirs", "visibility", "public", "key", "six", "media", attached(a)[0]), http.StatusUnprocessableEntity, "A picture was deleted")

	if v, err := w.svc.View.User(t.Context(), ann.ID, ann.ID); err != nil || v.Statuses != 3 {
		t.Errorf("%d statuses, %v", v.Statuses, err)
	}
}

// TestOutdatedComposeWithPictures checks that a form with files but without a valid token shows its
// text again.
func TestOutdatedComposeWithPictures(t *testing.T) {
	w := newWorld(t, "https://birds.test")
	w.user("ann")
	b := w.browser().logIn("ann")
	b.page = ""
	want(t, b.send("/compose", files(aPicture(9, 9)), "text", "typed for long", "visibility", "public", "key", "k"), http.StatusForbidden, "typed for long")
}

func TestRedraftKeepsPictures(t *testing.T) {
	w := newWorld(t, "https://birds.test")
	w.user("ann")
	b := w.browser().logIn("ann")
	b.get("/compose")
	a := b.follow(b.send("/compose", files(aPicture(20, 20)), "text", "old", "visibility", "public", "key", "one", "do", "undescribed"))
	old := regexp.MustCompile(`/@ann/(\d+)`).FindStringSubmatch(a.body)[1]
	a = b.get("/compose?redraft=" + old)
	ids := attached(a)
	if len(ids) != 1 {
		t.Fatalf("pictures %v", ids)
	}
	// A rejected redraft leaves the original post unchanged.
	want(t, b.send("/compose", files(), "text", strings.Repeat("x", 501), "visibility", "public", "key", "two", "redraft", old, "media", ids[0], "do", "undescribed"), http.StatusUnprocessableEntity, "501 characters")
	want(t, b.get("/@ann/"+old), http.StatusOK)
	want(t, b.send("/compose", files(), "text", "new", "visibility", "public", "key", "two", "redraft", old, "media", ids[0], "scheduled_at", "2020-01-01T10:00", "do", "undescribed"), http.StatusUnprocessableEntity, "Choose a time after")
	want(t, b.send("/compose", files(), "text", "new", "visibility", "public", "key", "two", "redraft", old, "media", ids[0], "alt-"+ids[0], strings.Repeat("x", 10_001)), http.StatusUnprocessableEntity, "10001 characters")
	want(t, b.get("/@ann/"+old), http.StatusOK)
	a = b.follow(b.send("/compose", files(), "text", "new", "visibility", "public", "key", "two", "redraft", old, "media", ids[0], "alt-"+ids[0], "said now"))
	want(t, a, http.StatusOK, `alt="said now"`)
	want(t, b.get("/@ann/"+old), http.StatusGone)
}

// TestRedraftOfWhatThereIsNoInputFor checks that scheduling a redraft deletes the original post at
// once. A sensitive mark without a warning is preserved, although the form has no input for it.
func TestRedraftOfWhatThereIsNoInputFor(t *testing.T) {
	w := newWorld(t, "https://birds.test")
	ann := w.user("ann")
	b := w.browser().logIn("ann")
	b.get("/compose")
	post := func(sensitive bool, warning string) string {
		st, err := w.svc.Posting.Post(t.Context(), ann.ID, linnet.Draft{Text: "old", Sensitive: &sensitive, Warning: warning})
		if err != nil {
			t.Fatal(err)
		}
		return st.ID.String()
	}
	old := post(false, "")
	b.get("/compose?redraft=" + old)
	wantTo(t, b.send("/compose", files(), "text", "new", "visibility", "public", "key", "one", "redraft", old, "scheduled_at", "2100-01-01T10:00"), "/scheduled?done=scheduled")
	want(t, b.get("/@ann/"+old), http.StatusGone)
	for i, c := range []struct {
		sensitive bool
		warning   string
		want      bool
	}{{true, "", true}, {false, "", false}, {true, "careful", false}} { // the last one removes the warning
		old := post(c.sensitive, c.warning)
		b.get("/compose?redraft=" + old)
		a := b.follow(b.send("/compose", files(), "text", "new", "visibility", "public", "key", fmt.Sprint("key", i), "redraft", old))
		id, _ := linnet.ParseID(regexp.MustCompile(`/@ann/(\d+)`).FindStringSubmatch(a.body)[1])
		if v, err := w.svc.View.Status(t.Context(), ann.ID, id); err != nil || v.Sensitive != c.want || v.Text != "new" {
			t.Errorf("%+v: sensitive %v, %q, %v", c, v.Sensitive, v.Text, err)
		}
	}
}

func TestProfilePictures(t *testing.T) {
	w := newWorld(t, "https://birds.test")
	ann := w.user("ann")
	b := w.browser().logIn("ann")
	b.get("/settings/profile")
	both := map[string][][]byte{"avatar": {aPicture(600, 500)}, "header": {aPicture(3000, 900)}}
	wantTo(t, b.send("/settings/profile", both, "display_name", "Ann", "visibility", "public"), "/settings/profile?done=saved")
	u, err := w.svc.View.User(t.Context(), ann.ID, ann.ID)
	if err != nil || u.Avatar == "" || u.Banner == "" {
		t.Fatalf("%+v %v", u, err)
	}
	want(t, b.get("/@ann"), http.StatusOK, `src="/media/`+u.Avatar+`"`, `class="cover" src="/media/`+u.Banner+`"`)
	first, err := w.svc.Uploads.Open(t.Context(), u.Avatar)
	if err != nil {
		t.Fatal(err)
	}
	if c, err := png.DecodeConfig(first); err != nil || c.Width != 400 || c.Height != 400 {
		t.Errorf("%v %v", c, err)
	}
	first.Close()
	b.get("/settings/profile")
	want(t, b.send("/settings/profile", map[string][][]byte{"avatar": {[]byte("no")}}, "display_name", "Anna", "visibility", "public"), http.StatusUnprocessableEntity, "Picture must be a JPEG", `value="Anna"`)
	want(t, b.send("/settings/profile", map[string][][]byte{"avatar": {make([]byte, media.MaxBytes+1)}}, "display_name", "Anna", "visibility", "public"), http.StatusUnprocessableEntity, "Picture is larger than 16 MB")
	wantTo(t, b.send("/settings/profile", nil, "display_name", "Anna", "no-avatar", "1", "visibility", "public"), "/settings/profile?done=saved")
	if _, err := w.svc.Uploads.Open(t.Context(), u.Avatar); linnet.KindOf(err) != linnet.NotFound {
		t.Errorf("the picture before is still there: %v", err)
	}
	want(t, b.get("/@ann"), http.StatusOK, `src="/faces/ann.svg"`)
}
