package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// The navigation counts conversations with something unread: at once after what
// the reader does, and as soon as the task is done after what others do.
func unreadMessagesCount(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann, bob := w.user("ann"), w.user("bob")
	b := w.browser().logIn("ann")
	const mark = `<span class="label">Messages</span><span class="n">1<span class="unseen"> unread</span></span>`
	if strings.Contains(b.get("/").body, mark) {
		t.Error("something is unread before anything came")
	}
	for range 2 { // in one conversation
		w.post(bob.ID, linnet.Draft{Text: "@ann psst", Visibility: vis(linnet.Direct)})
	}
	eventually(t, "the message is counted", func() bool { return strings.Contains(b.get("/").body, mark) })
	eventually(t, "tasks end", w.svc.Idle)
	want(t, b.get("/about"), http.StatusOK, mark)
	all, err := w.svc.Posting.Conversations(t.Context(), ann.ID, linnet.Page{})
	if err != nil || len(all.Items) != 1 {
		t.Fatal(all, err)
	}
	path := "/messages/" + all.Items[0].ID.String()
	b.get(path)
	wantTo(t, b.post(path, "act", "read"), path)
	if strings.Contains(b.get(path).body, mark) {
		t.Error("it is unread still")
	}
	wantTo(t, b.post(path, "act", "unread"), "/messages")
	want(t, b.get("/messages"), http.StatusOK, mark)
	wantTo(t, b.post(path, "act", "remove"), "/messages")
	if strings.Contains(b.get("/messages").body, mark) {
		t.Error("what was removed is unread still")
	}
}

// Names that are typed at once lead to the message to them; what can be a search is one.
func TestMessageToNamesAtOnce(t *testing.T) {
	w := newWorld(t, publicURL)
	for _, name := range []string{"ann", "bob", "eve"} {
		w.user(name)
	}
	a := w.browser().logIn("ann")
	for query, to := range map[string]string{"@bob @eve": "to=bob&to=eve", "bob,eve": "to=bob&to=eve", " bob  eve ": "to=bob&to=eve", "@bob": "to=bob"} {
		wantTo(t, a.get("/messages/new?q="+url.QueryEscape(query)), "/messages/new?"+to+"&write=1")
	}
	wantTo(t, a.get("/messages/new?to=eve&q=%40bob"), "/messages/new?to=eve&to=bob&write=1")
	for query, says := range map[string]string{"bob": `href="/messages/new?to=bob"`, "bob nobody": "Nobody found", "@bob @nobody": "Nobody here is called", "@" + strings.Repeat("x ", 60): "Nobody"} {
		want(t, a.get("/messages/new?q="+url.QueryEscape(query)), http.StatusOK, says)
	}
	if page := a.get("/messages/new?q=" + url.QueryEscape("@bob @nobody")); !strings.Contains(page.body, `aria-label="Remove @bob"`) {
		t.Error("who is known is not chosen")
	}
}
