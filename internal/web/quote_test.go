package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"linnet/internal/linnet"
)

// TestQuoteByForms checks that quotes can be created, listed, edited, scheduled and removed without
// scripts.
func TestQuoteByForms(t *testing.T) {
	w := newWorld(t, publicURL)
	ann, bob := w.user("ann"), w.user("bob")
	a, b, nobody := w.browser().logIn("ann"), w.browser().logIn("bob"), w.browser()
	of := w.post(ann.ID, linnet.Draft{Text: "words <one>"})
	id := of.ID.String()
	want(t, b.get(postPath(of)), http.StatusOK, "/compose?quote="+id)
	if page := nobody.get(postPath(of)); strings.Contains(page.body, "/compose?quote=") {
		t.Error("who is not logged in is offered to quote")
	}
	want(t, b.get("/compose?quote="+id), http.StatusOK, "<h1>Quote</h1>", "Quoting", "words &lt;one&gt;", `name="quoted" value="`+id, "Anyone can quote")
	want(t, b.post("/compose", "quoted", id, "text", strings.Repeat("x", 501), "visibility", "public", "quoters", "nobody"), http.StatusUnprocessableEntity, "maximum is 500", `name="quoted" value="`+id, `value="nobody" selected`)
	dropped := b.post("/compose", "quoted", id, "drop-quote", "1", "text", strings.Repeat("x", 501), "visibility", "public")
	want(t, dropped, http.StatusUnprocessableEntity, "maximum is 500")
	if strings.Contains(dropped.body, `name="quoted"`) {
		t.Error("the quote is there still that was removed")
	}
	want(t, b.post("/compose", "quoted", id, "text", "see this", "visibility", "public", "quoters", "followers", "key", "1"), http.StatusSeeOther)
	q := w.newest(bob.ID)
	if q.QuoteOf != of.ID || q.Text != "see this" || q.QuotePolicy != linnet.QuoteFollowers {
		t.Errorf("posted: %+v", q.Status)
	}
	eventually(t, "tasks end", w.svc.Idle)
	want(t, nobody.get(postPath(q)), http.StatusOK, "see this", "<blockquote", "words &lt;one&gt;", postPath(of))
	want(t, nobody.get(postPath(of)+"/quotes"), http.StatusOK, "see this")
	want(t, nobody.get(postPath(of)), http.StatusOK, "1 quote")
	want(t, a.get("/notifications"), http.StatusOK, "Quoted your post", "see this")
	want(t, b.get("/compose?edit="+q.ID.String()), http.StatusOK, "Quoting", "words &lt;one&gt;")
	wantTo(t, b.post("/compose", "edit", q.ID.String(), "text", "look at this", "visibility", "public", "quoters", "nobody"), postPath(q)+"#p"+q.ID.String())
	if now := w.newest(bob.ID); now.QuoteOf != of.ID || now.QuotePolicy != linnet.QuoteNobody {
		t.Errorf("edited: %+v", now.Status)
	}
	want(t, a.get("/compose?quote="+q.ID.String()), http.StatusForbidden, "The author doesn't allow you to quote this post. Link to it instead.")
	want(t, b.get("/compose"), http.StatusOK)
	wantTo(t, b.post("/compose", "quoted", id, "text", "later", "visibility", "public", "key", "2", "scheduled_at", "2100-01-02T03:04"), "/scheduled?done=scheduled")
	want(t, b.get("/scheduled"), http.StatusOK, "later", "quotes a post")
	want(t, b.get("/compose?scheduled="+w.plan(bob.ID).ID.String()), http.StatusOK, `name="quoted" value="`+id, "Quoting")

	want(t, b.get(postPath(q)+"/unquote"), http.StatusNotFound)
	want(t, nobody.get(postPath(of)+"/unquote"), http.StatusSeeOther)
	want(t, a.get(postPath(q)), http.StatusOK, postPath(q)+"/unquote")
	want(t, a.get(postPath(q)+"/unquote"), http.StatusOK, "Remove your post from this quote?")
	wantTo(t, a.post(postPath(q)+"/unquote"), postPath(q)+"#p"+q.ID.String())
	want(t, b.get(postPath(q)), http.StatusOK, "look at this", "removed by its author")
	a.get("/")
	want(t, a.post(postPath(q)+"/unquote"), http.StatusNotFound)

	want(t, a.get("/compose?edit="+id), http.StatusOK, `name="quoters"`)
	want(t, a.post("/compose", "edit", id, "text", "words <one>", "visibility", "public", "quoters", "nobody"), http.StatusSeeOther)
	want(t, b.get("/compose?quote="+id), http.StatusForbidden, "The author doesn't allow you to quote this post. Link to it instead.")
	want(t, b.get("/compose?scheduled="+w.plan(bob.ID).ID.String()), http.StatusOK, "The author no longer allows you to quote that post. You can still post this without the quote.", "later")
	refused := b.post("/compose", "quoted", id, "text", "kept words", "visibility", "public")
	want(t, refused, http.StatusUnprocessableEntity, "The author no longer allows you to quote that post. You can still post this without the quote.", "kept words")
	if strings.Contains(refused.body, `name="quoted"`) {
		t.Error("it is quoted again when the form is sent again")
	}
	want(t, b.post("/compose", "quoted", "5", "text", "kept words", "visibility", "public"), http.StatusUnprocessableEntity, "The post you quoted was deleted", "kept words")
}

// TestQuotesOnPages checks that a quote never reveals a post that the viewer cannot see, and
// explains why. Quotes of muted accounts are collapsed.
func TestQuotesOnPages(t *testing.T) {
	w := newWorld(t, publicURL)
	ann, bob, cat := w.user("ann"), w.user("bob"), w.user("cat")
	b, c, nobody := w.browser().logIn("bob"), w.browser().logIn("cat"), w.browser()
	of := w.post(ann.ID, linnet.Draft{Text: "words", Warning: "careful"})
	q := w.post(bob.ID, linnet.Draft{Text: "see", QuoteOf: of.ID})
	again := w.post(cat.ID, linnet.Draft{Text: "again", QuoteOf: q.ID})
	want(t, nobody.get(postPath(again)), http.StatusOK, "Includes a quoted post")
	want(t, nobody.get(postPath(q)), http.StatusOK, "careful")
	want(t, nobody.get("/@bob.rss"), http.StatusOK, "RE: ")
	if _, err := w.svc.Social.Mute(t.Context(), cat.ID, ann.ID, linnet.MuteOptions{}); err != nil {
		t.Fatal(err)
	}
	want(t, c.get(postPath(q)), http.StatusOK, "Post by an account you've muted", "<details class=\"warned quote-shut\">")
	if _, err := w.svc.Social.Unmute(t.Context(), cat.ID, ann.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := w.svc.Social.Block(t.Context(), ann.ID, cat.ID); err != nil {
		t.Fatal(err)
	}
	eventually(t, "tasks end", w.svc.Idle)
	if page := c.get(postPath(q)); !strings.Contains(page.body, "t see the quoted post") || strings.Contains(page.body, "words &lt;one") || strings.Contains(page.body, "careful") || strings.Contains(page.body, "/@ann") {
		t.Errorf("who is blocked sees %s", page.body)
	}
	secret := w.post(bob.ID, linnet.Draft{Text: "secret", Visibility: ptrTo(linnet.Private)})
	private := w.post(bob.ID, linnet.Draft{Text: "look @cat", QuoteOf: secret.ID})
	if page := c.get(postPath(private)); page.StatusCode != http.StatusOK || strings.Contains(page.body, "secret") || !strings.Contains(page.body, "t see the quoted post") {
		t.Errorf("a quote of what is private: %d", page.StatusCode)
	}
	want(t, c.get(postPath(secret)+"/quotes"), http.StatusNotFound)
	want(t, b.get(postPath(secret)+"/quotes"), http.StatusOK, "look")
	if _, err := w.svc.Posting.Delete(t.Context(), ann.ID, of.ID); err != nil {
		t.Fatal(err)
	}
	want(t, b.get(postPath(q)), http.StatusOK, "The quoted post was deleted")
	w.planned(bob.ID, "no quote", time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC))
	if strings.Contains(b.get("/scheduled").body, "quotes a post") {
		t.Error("what quotes nothing is said to")
	}
}
