package web_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// inputs returns the values that a form of the last page would submit.
func (b *browser) inputs(t *testing.T, form string) url.Values {
	t.Helper()
	_, rest, found := strings.Cut(b.page, form)
	if !found {
		t.Fatalf("no form %q on the page", form)
	}
	body, _, _ := strings.Cut(rest, "</form>")
	out := url.Values{}
	for _, m := range hiddenInput.FindAllStringSubmatch(body, -1) {
		out.Set(m[1], unescape(m[2]))
	}
	for _, m := range selectInput.FindAllStringSubmatch(body, -1) {
		if chosen := chosenOption.FindStringSubmatch(m[2]); chosen != nil {
			out.Set(m[1], chosen[1])
		}
	}
	for _, m := range chosenRadio.FindAllStringSubmatch(body, -1) {
		out.Set(m[1], m[2])
	}
	if m := textInput.FindStringSubmatch(body); m != nil {
		out.Set(m[1], unescape(strings.TrimPrefix(m[2], "\n")))
	}
	return out
}

// follow follows a redirect.
func (b *browser) follow(a answer) answer {
	b.t.Helper()
	want(b.t, a, http.StatusSeeOther)
	path, _, _ := strings.Cut(a.Header.Get("Location"), "#")
	return b.get(path)
}

// press submits a form with a fresh token, like a button.
func (b *browser) press(path string, fields ...string) answer {
	b.t.Helper()
	b.get("/compose")
	return b.post(path, fields...)
}

var (
	hiddenInput  = regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)"`)
	selectInput  = regexp.MustCompile(`(?s)<select[^>]* name="([^"]+)"[^>]*>(.*?)</select>`)
	chosenOption = regexp.MustCompile(`<option value="([^"]*)" selected`)
	chosenRadio  = regexp.MustCompile(`<input type="radio" name="([^"]+)" value="([^"]*)" checked`)
	textInput    = regexp.MustCompile(`(?s)<textarea[^>]* name="([^"]+)"[^>]*>(.*?)</textarea>`)
)

const composerMark = `<form class="composer`

func postFromHome(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	b := w.browser().logIn("ann")
	want(t, b.get("/"), http.StatusOK, "Welcome", composerMark)
	in := b.inputs(t, composerMark)
	in.Set("text", "first song")
	in.Set("warning", "loud")
	for range 2 { // the idempotency key makes the second submission harmless
		wantPosted(t, b.postRaw("/compose", in), "/")
	}
	a := b.get("/")
	want(t, a, http.StatusOK, "loud</span></summary>", "first song")
	if n := strings.Count(a.body, "<article"); n != 1 {
		t.Errorf("%d posts after one was sent twice", n)
	}
	again := b.inputs(t, composerMark)
	if again.Get("key") == in.Get("key") {
		t.Error("two forms have one key")
	}
}

// refusedPostKeepsTheText checks that a rejected post shows its text and options again, with the
// error.
func refusedPostKeepsTheText(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	b := w.browser().logIn("ann")
	b.get("/compose")
	in := b.inputs(t, composerMark)
	long := strings.Repeat("tweet <b>&amp; ", 40)
	in.Set("text", long)
	in.Set("warning", "long")
	in.Set("visibility", "private")
	a := b.postRaw("/compose", in)
	want(t, a, http.StatusUnprocessableEntity, "maximum is 500", `value="long"`, `value="private" checked`)
	if got := b.inputs(t, composerMark); got.Get("text") != long || got.Get("key") != in.Get("key") {
		t.Errorf("the form holds %q", got)
	}
	in.Set("text", " \n ")
	want(t, b.postRaw("/compose", in), http.StatusUnprocessableEntity, `id="text-wrong"`)
	in.Set("text", "short")
	in.Set("visibility", "enemies")
	want(t, b.postRaw("/compose", in), http.StatusUnprocessableEntity, "Choose who can see the post.")
	in.Set("visibility", "direct")
	want(t, b.postRaw("/compose", in), http.StatusSeeOther)
}

func replyIsNoMorePublic(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann, bob := w.user("ann"), w.user("bob")
	w.user("eve")
	if _, err := w.svc.Social.Follow(t.Context(), bob.ID, ann.ID, linnet.FollowOptions{}); err != nil {
		t.Fatal(err)
	}
	b := w.browser().logIn("bob")
	for _, v := range []linnet.Visibility{linnet.Public, linnet.Unlisted, linnet.Private, linnet.Direct} {
		st := w.post(ann.ID, linnet.Draft{Text: "sing, @bob and @eve", Warning: "song", Visibility: vis(v)})
		for _, path := range []string{postPath(st), "/compose?in_reply_to=" + st.ID.String()} {
			want(t, b.get(path), http.StatusOK, `value="song"`)
			in := b.inputs(t, composerMark)
			if in.Get("visibility") != v.String() || in.Get("text") != "@ann @eve " || in.Get("in_reply_to") != st.ID.String() {
				t.Errorf("answer to a %v post begins as %q", v, in)
			}
		}
		in := b.inputs(t, composerMark)
		in.Set("text", in.Get("text")+"louder")
		a := b.postRaw("/compose", in)
		want(t, a, http.StatusSeeOther)
		want(t, b.follow(a), http.StatusOK, "sing, ", "louder")
	}
	quiet := w.post(ann.ID, linnet.Draft{Text: "hush, @bob", Visibility: vis(linnet.Private)})
	b.get(postPath(quiet))
	in := b.inputs(t, composerMark)
	in.Set("visibility", "public") // the author's choice
	want(t, w.browser().follow(b.postRaw("/compose", in)), http.StatusOK, "@<span>ann")
	private := linnet.Private
	if _, err := w.svc.Social.Profiles.Update(t.Context(), bob.ID, linnet.ProfileChange{Visibility: &private}); err != nil {
		t.Fatal(err)
	}
	b.get(postPath(w.post(ann.ID, linnet.Draft{Text: "loud"})))
	if in := b.inputs(t, composerMark); in.Get("visibility") != "private" {
		t.Errorf("who posts to followers answers a public post as %q", in)
	}
	want(t, w.browser().logIn("eve").get("/compose?in_reply_to=1"), http.StatusNotFound)
	want(t, b.get("/compose?in_reply_to=x"), http.StatusNotFound)
}

// TestRedraft checks that redrafting deletes the old post only after the new one is published.
func TestRedraft(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	w.user("bob")
	st := w.post(ann.ID, linnet.Draft{Text: "a lark", Warning: "sky", Visibility: vis(linnet.Unlisted), Language: "de"})
	want(t, w.browser().logIn("bob").get("/compose?redraft="+st.ID.String()), http.StatusNotFound)
	b := w.browser().logIn("ann")
	want(t, b.get(postPath(st)+"/delete"), http.StatusOK, "You can't undo this", "a lark")
	want(t, b.get("/compose?redraft="+st.ID.String()), http.StatusOK, "a lark", `value="sky"`, `value="unlisted" checked`, `value="de" selected`)
	in := b.inputs(t, composerMark)
	want(t, b.get(postPath(st)), http.StatusOK)
	in.Set("text", "a linnet")
	a := b.postRaw("/compose", in)
	want(t, a, http.StatusSeeOther)
	want(t, b.follow(a), http.StatusOK, "a linnet")
	want(t, b.get(postPath(st)), http.StatusGone)
}

func actsOnStatuses(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	bob := w.user("bob")
	st := w.post(ann.ID, linnet.Draft{Text: "sing"})
	path := postPath(st)
	b := w.browser().logIn("bob")
	for _, act := range []string{"favourite", "boost", "bookmark"} {
		want(t, b.get(path), http.StatusOK, `value="`+act+`"`)
		b.header.Set("Referer", w.base+"/local?max_id=9999999999999999999")
		wantTo(t, b.press(path, "act", act), "/local?max_id=9999999999999999999#p"+st.ID.String())
		b.header.Del("Referer")
		want(t, b.get(path), http.StatusOK, `value="un`+act+`"`, `aria-pressed="true"`)
	}
	want(t, b.get("/favourites"), http.StatusOK, path)
	want(t, b.get("/bookmarks"), http.StatusOK, path)
	want(t, b.get("/@bob"), http.StatusOK, path+`?at=p`)
	wantTo(t, b.press(path+"?at=p17", "act", "unboost"), path+"#p17")
	wantTo(t, b.press(path+"?at=%22%3E", "act", "unfavourite"), path+"#p"+st.ID.String())
	b.header.Set("Referer", "https://evil.example/")
	wantTo(t, b.press(path, "act", "unbookmark"), path+"#p"+st.ID.String())
	wantTo(t, b.press(path, "act", "mute"), path+"#p"+st.ID.String())
	v, err := w.svc.View.Status(t.Context(), bob.ID, st.ID)
	if err != nil || v.Favourited || v.Reposted || v.Bookmarked || !v.Muted {
		t.Errorf("%+v %v", v, err)
	}
	want(t, b.press(path, "act", "explode"), http.StatusBadRequest)
	want(t, b.press(path, "act", "pin"), http.StatusUnprocessableEntity)
	want(t, b.press("/@bob/"+st.ID.String(), "act", "favourite"), http.StatusNotFound)
	want(t, b.get(path+"/delete"), http.StatusNotFound)
	want(t, b.press(path+"/delete"), http.StatusNotFound)
	wantTo(t, w.browser().get("/bookmarks"), "/login?next=%2Fbookmarks")

	own := w.browser().logIn("ann")
	wantTo(t, own.press(path, "act", "pin"), path+"#p"+st.ID.String())
	wantTo(t, own.press(path+"/delete"), "/@ann")
	want(t, own.get(path), http.StatusGone)
}

// TestFiltersOnPages checks that a hide filter omits a post, and a warn filter collapses it.
func TestFiltersOnPages(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann, bob := w.user("ann"), w.user("bob")
	w.post(ann.ID, linnet.Draft{Text: "a hawk came"})
	w.post(ann.ID, linnet.Draft{Text: "a wren sang"})
	for word, act := range map[string]linnet.FilterAction{"hawk": linnet.FilterHide, "wren": linnet.FilterWarn} {
		title, places := "about "+word, linnet.FilterEverywhere
		if _, err := w.svc.Reading.CreateFilter(t.Context(), bob.ID, linnet.FilterChange{Title: &title, Context: &places, Action: &act,
			Keywords: []linnet.KeywordChange{{Keyword: &word}}}); err != nil {
			t.Fatal(err)
		}
	}
	a := w.browser().logIn("bob").get("/@ann")
	want(t, a, http.StatusOK, "Filtered: <bdi>about wren</bdi></span></summary>", "a wren sang")
	if strings.Contains(a.body, "hawk") {
		t.Error("a hidden post is on the page")
	}
}

func TestTheme(t *testing.T) {
	w := newWorld(t, publicURL)
	w.user("ann")
	b := w.browser().logIn("ann")
	if a := b.get("/"); strings.Contains(a.body, "data-theme") || strings.Contains(a.body, `dir="rtl"`) {
		t.Error("a choice that nobody made")
	}
	wantTo(t, b.post("/theme", "theme", "dark"), "/")
	want(t, b.get("/"), http.StatusOK, `data-theme="dark"`, `<meta name="color-scheme" content="dark">`)
	b.post("/theme", "theme", `"><script>`)
	if a := b.get("/?lang=ar"); strings.Contains(a.body, "data-theme") || !strings.Contains(a.body, `<html lang="en">`) {
		t.Error("the choice stays, or the page is not mirrored")
	}
}

// composerTakesEveryField checks that the post receives all fields of the composer. An unknown
// language is ignored instead of rejecting the post.
func composerTakesEveryField(t *testing.T) {
	w := newWorld(t, publicURL)
	ann := w.user("ann")
	b := w.browser().logIn("ann")
	b.get("/compose")
	f := b.inputs(t, composerMark)
	f.Set("text", "Guten Morgen")
	f.Set("warning", "Wetter")
	f.Set("visibility", "unlisted")
	f.Set("language", "de")
	want(t, b.follow(b.postRaw("/compose", f)), http.StatusOK, `lang="de"`, "Guten Morgen")
	posts, err := w.svc.Reading.Profile(t.Context(), ann.ID, ann.ID, linnet.ProfileFilter{}, linnet.Page{})
	if err != nil || len(posts.Items) != 1 {
		t.Fatalf("%d posts, %v", len(posts.Items), err)
	}
	if got := posts.Items[0]; got.Language != "de" || got.Visibility != linnet.Unlisted || got.Warning != "Wetter" || got.Text != "Guten Morgen" {
		t.Errorf("posted %q, %v, %q, %q", got.Language, got.Visibility, got.Warning, got.Text)
	}
	f.Set("key", "another")
	f.Set("language", "???")
	want(t, b.follow(b.postRaw("/compose", f)), http.StatusOK, "Guten Morgen")
	if got := w.newest(ann.ID); got.Language != "" || got.Warning != "Wetter" {
		t.Errorf("posted with an unknown language: %q, %q", got.Language, got.Warning)
	}
}

// TestSensitiveMarkOfDeletedPost checks that the sensitive mark survives a rejected redraft, even
// if the original post was already deleted.
func TestSensitiveMarkOfDeletedPost(t *testing.T) {
	w := newWorld(t, publicURL)
	w.user("ann")
	b := w.browser().logIn("ann")
	b.get("/compose")
	want(t, b.post("/compose", "text", "", "visibility", "public", "key", "one", "marked", "1"), http.StatusUnprocessableEntity, `name="marked" value="1"`)
	path, _, _ := strings.Cut(b.post("/compose", "text", "anew", "visibility", "public", "key", "one", "marked", "1").Header.Get("Location"), "#")
	id, _ := linnet.ParseID(path[strings.LastIndex(path, "/")+1:])
	if st, err := w.svc.View.Status(t.Context(), 0, id); err != nil || !st.Sensitive {
		t.Errorf("%q: sensitive is %v, %v", path, err == nil && st.Sensitive, err)
	}
}
