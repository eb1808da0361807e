package web_test

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/posting"
)

// unreadMessagesCount checks that the navigation counts conversations with unread messages. Own
// actions update the number at once, and other users' actions when their task is done.
func unreadMessagesCount(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann, bob := w.user("ann"), w.user("bob")
	b := w.browser().logIn("ann")
	const mark = `<span class="label">Messages</span><span class="n">1<span class="unseen"> unread</span></span>`
	if strings.Contains(b.get("/").body, mark) {
		t.Error("something is unread before anything came")
	}
	for range 2 { // both in one conversation
		w.post(bob.ID, linnet.Draft{Text: "@ann psst", Visibility: vis(linnet.Direct)})
	}
	eventually(t, "the message is counted", func() bool { return strings.Contains(b.get("/").body, mark) })
	eventually(t, "tasks end", w.svc.Idle)
	want(t, b.get("/about"), http.StatusOK, mark)
	all, err := w.svc.Posting.Conversations.List(t.Context(), ann.ID, linnet.Page{})
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

// TestMessageToNamesAtOnce checks that entering several logins at once starts a message to them.
// Texts that are no logins become a search.
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
	for query, says := range map[string]string{"bob": `href="/messages/new?to=bob"`, "bob nobody": "No results", "@bob @nobody": "There's no account named", "@" + strings.Repeat("x ", 60): "No results"} {
		want(t, a.get("/messages/new?q="+url.QueryEscape(query)), http.StatusOK, says)
	}
	if page := a.get("/messages/new?q=" + url.QueryEscape("@bob @nobody")); !strings.Contains(page.body, `aria-label="Remove @bob"`) {
		t.Error("who is known is not chosen")
	}
}

// addEmoji adds a custom emoji.
func (w *world) addEmoji(t *testing.T, code string) {
	t.Helper()
	f, err := w.svc.Uploads.Receive(bytes.NewReader(aPicture(40, 40)))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := w.svc.Emojis.Add(t.Context(), linnet.Operator(), linnet.NewEmoji{Shortcode: code}, f); err != nil {
		t.Fatal(err)
	}
}

// TestConversationWithDeletedAccount checks that a conversation with a deleted account says so and
// has no composer. Message excerpts show custom emoji.
func TestConversationWithDeletedAccount(t *testing.T) {
	w := newWorld(t, publicURL)
	ann, bob := w.user("ann"), w.user("bob")
	w.addEmoji(t, "blob1")
	w.post(ann.ID, linnet.Draft{Text: "@bob psst :blob1:", Visibility: vis(linnet.Direct)})
	eventually(t, "tasks end", w.svc.Idle)
	b := w.browser().logIn("ann")
	path := "/messages/" + posting.ConversationWith(ann.ID, []linnet.ID{bob.ID}).String()
	want(t, b.get(path), http.StatusOK, "only the two of you can read this", `name="to" value="bob"`)
	want(t, b.get("/messages"), http.StatusOK, `class="gist" dir="auto">You: psst <img class="emoji"`)
	if err := w.svc.Social.Deletion.DeleteUser(t.Context(), bob.ID); err != nil {
		t.Fatal(err)
	}
	eventually(t, "tasks end", w.svc.Idle)
	want(t, b.get(path), http.StatusOK, "Deleted account", "You can't reply.", "psst", "This is the start of your conversation.")
	if strings.Contains(b.page, "composer") && strings.Contains(b.page, `name="visibility" value="direct"`) || strings.Contains(b.page, "Notes to yourself") {
		t.Error("one writes to oneself without being told")
	}
	want(t, b.get("/messages"), http.StatusOK, "Deleted account")
	w.post(ann.ID, linnet.Draft{Text: "a note", Visibility: vis(linnet.Direct)})
	eventually(t, "tasks end", w.svc.Idle)
	want(t, b.get("/messages/"+posting.ConversationWith(ann.ID, nil).String()), http.StatusOK, "This is the start of your notes to yourself.", "Only you can read this")
}
