package web_test

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

func pointsOfThreads() []point {
	return []point{
		{75, "several posts can be sent as one thread", []proof{
			{"forms", threadByForms}, {"refusals", refusedThreads}, {"two tabs", threadInTwoTabs}, {"keys", threadByKeys}}},
	}
}

// typed returns the composer of the last page with a text and other fields.
func (b *browser) typed(t *testing.T, text string, fields ...string) url.Values {
	t.Helper()
	in := b.inputs(t, composerMark)
	in.Set("text", text)
	for i := 0; i < len(fields); i += 2 {
		in[fields[i]] = append(in[fields[i]][:0:0], strings.Split(fields[i+1], "|")...)
	}
	return in
}

// thread returns the texts of an account's posts, oldest first, each with the text of its parent.
func (w *world) thread(who linnet.ID) (out string) {
	w.t.Helper()
	posts, err := w.svc.Reading.Profile(w.t.Context(), who, who, linnet.ProfileFilter{}, linnet.Page{Limit: 40})
	if err != nil {
		w.t.Fatal(err)
	}
	texts := map[linnet.ID]string{}
	for _, st := range slices.Backward(posts.Items) {
		texts[st.ID] = st.Text
		out += "[" + st.Text
		if st.InReplyTo != 0 {
			out += " to " + texts[st.InReplyTo]
		}
		out += "]"
	}
	return out
}

// threadByForms writes a thread without scripts, as a reply and with a poll. It is posted once,
// although the form is sent twice.
func threadByForms(t *testing.T) {
	w, ann, bob := flock(t, 0)
	root := w.post(bob.ID, linnet.Draft{Text: "asked?"})
	b := w.browser().logIn("ann")
	add := func(text string, fields ...string) answer {
		t.Helper()
		return b.follow(b.postRaw("/compose", b.typed(t, text, append(fields, "do", "add")...)))
	}
	b.get("/compose?in_reply_to=" + root.ID.String())
	want(t, add("one", "visibility", "unlisted", "language", "de", "warning", "birds"), http.StatusOK, "New thread", ">one</p>", "Post all", "Post 2 of your thread",
		`name="visibility" value="unlisted"`, `value="birds"`, `value="de" selected`, "asked?", "Continue your thread")
	want(t, add("two", "option", "yes|no", "poll_seconds", "3600", "visibility", "public"), http.StatusOK, ">one</p>", ">two</p>", "a poll", "Post 3 of your thread")
	add("four")
	four := b.page
	edit := regexp.MustCompile(`value="(edit \d+\.\d+)" aria-label="Edit post (\d)"`).FindAllStringSubmatch(four, -1)
	remove := regexp.MustCompile(`value="(remove [^"]+)"`).FindAllStringSubmatch(four, -1)
	if len(edit) != 3 || len(remove) != 3 || edit[2][2] != "3" || w.drafts(ann.ID) != 1 {
		t.Fatalf("%q %q, %d drafts", edit, remove, w.drafts(ann.ID))
	}
	// Opening another part doesn't lose the text of the composer.
	want(t, b.follow(b.postRaw("/compose", b.typed(t, "five", "do", edit[1][1]))), http.StatusOK, ">\ntwo</textarea>", ">one</p>", ">four</p>", ">five</p>", `value="yes"`, `name="visibility" value="unlisted"`)
	want(t, add("second"), http.StatusOK, ">second</p>", ">\nfive</textarea>")
	want(t, b.follow(b.postRaw("/compose", b.typed(t, "fifth", "do", remove[2][1]))), http.StatusOK, ">one</p>", ">second</p>", ">\nfifth</textarea>", "Post 3 of your thread")
	want(t, b.get("/drafts"), http.StatusOK, "Thread of 3 posts", "Reply to ", `href="/compose?thread=`)
	b.get(regexp.MustCompile(`/compose\?thread=[^"]+`).FindString(b.page))
	in := b.typed(t, "end")
	wantTo(t, b.postRaw("/compose", in), postPath(w.first(ann.ID))+"#p"+w.first(ann.ID).ID.String())
	if got := w.thread(ann.ID); got != "[one to ][second to one][end to second]" || w.drafts(ann.ID) != 0 {
		t.Errorf("posted %s, %d drafts", got, w.drafts(ann.ID))
	}
	want(t, b.postRaw("/compose", in), http.StatusSeeOther)
	if got := w.postsOf(ann.ID); len(got) != 3 {
		t.Errorf("sent again: %q", got)
	}
	if st := w.newest(ann.ID); st.Visibility != linnet.Unlisted || st.Language != "de" {
		t.Errorf("%+v", st.Status)
	}
	wantTo(t, b.get("/compose?thread="+in.Get("thread")), "/compose")
}

// first returns the oldest post of an account.
func (w *world) first(by linnet.ID) linnet.StatusView {
	w.t.Helper()
	posts, err := w.svc.Reading.Profile(w.t.Context(), by, by, linnet.ProfileFilter{}, linnet.Page{Limit: 40})
	if err != nil || len(posts.Items) == 0 {
		w.t.Fatal(len(posts.Items), err)
	}
	return posts.Items[len(posts.Items)-1]
}

// refusedThreads checks that nothing is posted if a part is refused, that the error names the part,
// and that the texts stay. Messages, edits and posts in groups have no button for another post.
func refusedThreads(t *testing.T) {
	w, ann, bob := flock(t, 0)
	b, other := w.browser().logIn("ann"), w.browser().logIn("bob")
	b.get("/compose")
	for says, fields := range map[string][]string{
		"Write something first.":            {"text", " "},
		"has 501 characters":                {"text", strings.Repeat("x", linnet.StatusChars+1)},
		"for mentioned people only":         {"text", "@bob hi", "visibility", "direct"},
		"The time can't be set for a threa": {"text", "later", "scheduled_at", "2100-01-02T03:04"},
	} {
		want(t, b.postRaw("/compose", b.typed(t, "", append(fields, "do", "add")...)), http.StatusUnprocessableEntity, says, fields[1])
		if w.drafts(ann.ID) != 0 {
			t.Errorf("%s: %d drafts", says, w.drafts(ann.ID))
		}
		b.get("/compose")
	}
	in := b.typed(t, "one", "do", "add")
	b.follow(b.postRaw("/compose", in))
	b.follow(b.postRaw("/compose", in)) // sent again
	if w.drafts(ann.ID) != 1 || strings.Count(b.page, ">one</p>") != 1 {
		t.Errorf("%d drafts: %s", w.drafts(ann.ID), b.page)
	}
	thread := in.Get("key")
	want(t, other.get("/compose?thread="+thread), http.StatusSeeOther)
	// As the script saves it, a part can be too long.
	long := strings.Repeat("x", linnet.StatusChars+1)
	want(t, b.postRaw("/drafts", b.typed(t, long)), http.StatusOK, "Draft saved.")
	want(t, b.get("/compose?thread="+thread), http.StatusOK, ">\n"+long+"</textarea>", ">one</p>")
	want(t, b.postRaw("/compose", b.typed(t, long)), http.StatusUnprocessableEntity, "Your text has 501 characters", ">one</p>", long)
	want(t, b.get("/compose?thread="+thread), http.StatusOK, ">\n"+long+"</textarea>")
	in = b.typed(t, "three")
	in.Set("draft", "") // on another device, which had opened the thread before
	in.Set("key", "other")
	want(t, b.postRaw("/compose", in), http.StatusUnprocessableEntity, "Post 3: Your text has 501 characters", ">one</p>", ">\nthree</textarea>")
	if got := w.postsOf(ann.ID); len(got) != 0 || w.drafts(ann.ID) != 1 {
		t.Errorf("posts %q, %d drafts", got, w.drafts(ann.ID))
	}
	b.get("/drafts")
	names := regexp.MustCompile(`name="draft" value="(\d+)(\.\d+)"`).FindAllStringSubmatch(b.page, -1)
	in = b.inputs(t, `action="/drafts/`+names[0][1])
	in["draft"] = nil
	for _, m := range names {
		in["draft"] = append(in["draft"], m[1]+m[2])
	}
	other.get("/drafts")
	want(t, other.post("/drafts/"+names[0][1], "draft", in["draft"][0]), http.StatusNotFound)
	wantTo(t, b.postRaw("/drafts/"+names[0][1], in), "/drafts?done=deleted")
	if len(names) != 3 || w.drafts(ann.ID) != 0 {
		t.Errorf("%q, %d drafts", names, w.drafts(ann.ID))
	}
	own, said := w.post(ann.ID, linnet.Draft{Text: "own"}), w.post(bob.ID, linnet.Draft{Text: "@ann psst", Visibility: new(linnet.Direct)})
	for path, has := range map[string]bool{"/compose": true, "/": true, "/compose?edit=" + own.ID.String(): false, "/compose?redraft=" + own.ID.String(): false,
		"/compose?in_reply_to=" + own.ID.String(): true, "/compose?in_reply_to=" + said.ID.String(): false, "/compose?quote=" + own.ID.String(): true} {
		if got := strings.Contains(b.get(path).body, "Add another post"); got != has {
			t.Errorf("%s offers another post: %v", path, got)
		}
	}
}

// threadInTwoTabs changes a part of a thread in two tabs. The second one posts nothing, and both
// texts stay.
func threadInTwoTabs(t *testing.T) {
	w, ann, _ := flock(t, 0)
	b := w.browser().logIn("ann")
	b.get("/compose")
	b.follow(b.postRaw("/compose", b.typed(t, "one", "do", "add")))
	b.follow(b.postRaw("/compose", b.typed(t, "two", "do", "add")))
	edit := "/compose?draft=" + regexp.MustCompile(`value="edit (\d+)\.`).FindStringSubmatch(b.page)[1]
	b.get(edit)
	stale := b.typed(t, "one, changed in the second tab")
	b.get(edit)
	b.follow(b.postRaw("/compose", b.typed(t, "one, changed in the first tab", "do", "add")))
	want(t, b.follow(b.postRaw("/compose", stale)), http.StatusOK, "The draft was changed elsewhere. We saved your text as a second draft.", "in the first tab", "in the second tab", ">two</p>")
	if got := w.postsOf(ann.ID); len(got) != 0 || w.drafts(ann.ID) != 1 {
		t.Errorf("posts %q, %d drafts", got, w.drafts(ann.ID))
	}
}

// TestThreadKeepsQuote checks that a part with a quote and no text stays when its writer opens
// another part.
func TestThreadKeepsQuote(t *testing.T) {
	w, ann, bob := flock(t, 0)
	quoted := w.post(bob.ID, linnet.Draft{Text: "worth quoting"})
	b := w.browser().logIn("ann")
	b.get("/compose?quote=" + quoted.ID.String())
	b.follow(b.postRaw("/compose", b.typed(t, "one", "do", "add")))
	b.follow(b.postRaw("/compose", b.typed(t, "two", "do", "add")))
	edit := regexp.MustCompile(`value="(edit [\d.]+)"`).FindAllStringSubmatch(b.page, -1)
	b.follow(b.postRaw("/compose", b.typed(t, "", "do", edit[0][1])))
	want(t, b.follow(b.postRaw("/compose", b.typed(t, "", "do", edit[1][1]))), http.StatusOK, ">\ntwo</textarea>", "With a quote")
	want(t, b.postRaw("/compose", b.typed(t, "two")), http.StatusSeeOther)
	if got := w.thread(ann.ID); got != "[][two to ]" || w.drafts(ann.ID) != 0 {
		t.Errorf("posted %s, %d drafts", got, w.drafts(ann.ID))
	}
}

// threadByKeys writes a thread in the browser. Text that is typed but not added survives a reload.
func threadByKeys(t *testing.T) {
	w, ann, _ := flock(t, 0)
	tb := homeOf(t, w)
	tb.hurries(w)
	tb.writes("one wren")
	tb.loads(func() { tb.clicks(".composer button[value=add]") })
	tb.holds("document.activeElement.id == 'text' && document.querySelectorAll('.parts li').length == 1")
	tb.writes("two wrens")
	tb.loads(func() { tb.clicks(".composer button[value=add]") })
	tb.writes("three wre")
	tb.holds("document.querySelector('.saved').textContent == 'Draft saved.'")
	tb.open(tb.eval("location.href"))
	tb.holds("document.getElementById('text').value == 'three wre' && document.querySelectorAll('.parts li').length == 2")
	tb.axe(axe(t), "a thread", "wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
	tb.pictured("thread")
	tb.loads(func() { tb.clicks(".parts button[value^=edit]") })
	tb.holds("document.getElementById('text').value == 'one wren' && document.querySelectorAll('.parts li').length == 2")
	tb.writes("1 wren")
	tb.loads(func() { tb.clicks(".composer button[value=add]") })
	tb.holds("document.getElementById('text').value == 'three wre' && document.querySelector('.parts .text').textContent == '1 wren'")
	tb.writes("three wrens")
	if got := w.postsOf(ann.ID); len(got) != 0 || w.drafts(ann.ID) != 1 {
		t.Errorf("posts %q, %d drafts", got, w.drafts(ann.ID))
	}
	tb.loads(func() { tb.hit("Ctrl+Enter") })
	tb.holds("document.querySelectorAll('.post .text').length == 3 && location.pathname == %q", postPath(w.first(ann.ID)))
	if got := w.thread(ann.ID); got != "[1 wren][two wrens to 1 wren][three wrens to two wrens]" || w.drafts(ann.ID) != 0 {
		t.Errorf("posted %s, %d drafts", got, w.drafts(ann.ID))
	}
	tb.open(w.base + "/")
	tb.holds("document.getElementById('text').value == ''")
	tb.calm()
}
