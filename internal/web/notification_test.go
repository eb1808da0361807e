package web_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

func TestNotificationsOnPages(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	st := w.post(ann.ID, linnet.Draft{Text: "sing"})
	for _, name := range []string{"bob", "eve"} {
		u := w.user(name)
		if _, err := w.svc.Posting.Marks.Favourite(t.Context(), u.ID, st.ID); err != nil {
			t.Fatal(err)
		}
		w.post(u.ID, linnet.Draft{Text: "@ann louder, says " + name})
	}
	eventually(t, "tasks end", w.svc.Idle)
	b := w.browser().logIn("ann")
	want(t, b.get("/about"), http.StatusOK, `<span class="n">4<span class="unseen"> unread`)
	want(t, b.get("/notifications?kind=mentions"), http.StatusOK, "Mark as read")
	want(t, b.get("/notifications"), http.StatusOK, "favourited your post", "louder, says bob", "louder, says eve", "Unread")
	upto := b.inputs(t, `<form class="inline" method="post" action="/notifications">`).Get("upto")
	wantTo(t, b.post("/notifications", "act", "read", "upto", upto), "/notifications")
	if a := b.get("/notifications"); strings.Contains(a.body, "> unread<") || strings.Contains(a.body, "Unread") || strings.Contains(a.body, "Mark as read") {
		t.Error("what was read is unread")
	}
	if a := b.get("/notifications?kind=mentions"); !strings.Contains(a.body, "louder") || strings.Contains(a.body, "favourited") {
		t.Error("the tab of mentions does not hold just these")
	}
	b.get("/notifications?kind=favourites")
	group := b.inputs(t, `<form method="post" action="/notifications">`).Get("group")
	wantTo(t, b.post("/notifications", "act", "dismiss", "group", group), "/notifications")
	if a := b.get("/notifications"); strings.Contains(a.body, "favourited") {
		t.Error("a dismissed group is there")
	}
	want(t, b.press("/notifications", "act", "explode"), http.StatusBadRequest)
	want(t, b.get("/notifications/clear"), http.StatusOK, "Clear all notifications?")
	wantTo(t, b.post("/notifications/clear"), "/notifications")
	want(t, b.get("/notifications"), http.StatusOK, "No notifications yet")
}

// TestFilteredNotificationsOnPages checks that filtered notifications are neither shown nor
// counted. A warn filter shows its title instead of the post.
func TestFilteredNotificationsOnPages(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann, bob := w.user("ann"), w.user("bob")
	w.post(bob.ID, linnet.Draft{Text: "@ann a wasp"})
	good := w.post(bob.ID, linnet.Draft{Text: "@ann a bee"})
	if _, err := w.svc.Posting.Repost(t.Context(), ann.ID, good.ID, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := w.svc.Posting.Edit(t.Context(), bob.ID, good.ID, linnet.Edit{Text: "@ann a wasp after all"}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "tasks end", w.svc.Idle)
	title, at, action := "Stingers", linnet.FilterNotifications, linnet.FilterHide
	word := "wasp"
	f, err := w.svc.Reading.CreateFilter(t.Context(), ann.ID, linnet.FilterChange{Title: &title, Context: &at, Action: &action, Keywords: []linnet.KeywordChange{{Keyword: &word}}})
	if err != nil {
		t.Fatal(err)
	}
	b := w.browser().logIn("ann")
	if a := b.get("/about"); strings.Contains(a.body, "unread notification") || strings.Contains(a.body, `<span class="n">`) {
		t.Error("what is hidden is counted")
	}
	if a := b.get("/notifications"); strings.Contains(a.body, "wasp") || !strings.Contains(a.body, "No notifications yet") {
		t.Error("what is hidden is shown")
	}
	if read, err := w.svc.Reading.Markers(t.Context(), ann.ID, []linnet.MarkerTimeline{linnet.MarkerNotifications}); err != nil || read[linnet.MarkerNotifications].LastRead == 0 {
		t.Errorf("what is hidden stays unread: %v, %v", read, err)
	}
	action = linnet.FilterWarn
	if _, err := w.svc.Reading.UpdateFilter(t.Context(), ann.ID, f.ID, linnet.FilterChange{Action: &action}); err != nil {
		t.Fatal(err)
	}
	want(t, b.get("/notifications"), http.StatusOK, "edited a post you boosted", `href="`+postPath(good)+`" dir="auto">Stingers</a>`, "a wasp", "Filtered: <bdi>Stingers</bdi>")
	if strings.Contains(b.page, "after all</a>") {
		t.Error("a line shows what a filter warns of")
	}
}

func TestHeldNotificationsOnPages(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann, bob, eve := w.user("ann"), w.user("bob"), w.user("eve")
	if _, err := w.svc.Notify.ChangePolicy(t.Context(), ann.ID, linnet.PolicyChange{NotFollowing: linnet.Hold}); err != nil {
		t.Fatal(err)
	}
	for _, u := range []linnet.User{bob, eve} {
		w.post(u.ID, linnet.Draft{Text: "@ann psst from " + u.Login})
	}
	eventually(t, "tasks end", w.svc.Idle)
	b := w.browser().logIn("ann")
	want(t, b.get("/notifications"), http.StatusOK, "Filtered notifications from 2 people")
	for _, act := range []string{"accept", "dismiss"} {
		b.get("/notifications/requests")
		id := b.inputs(t, `<form class="inline" method="post" action="/notifications/requests">`).Get("request")
		wantTo(t, b.post("/notifications/requests", "act", act, "request", id), "/notifications/requests")
		eventually(t, "tasks end", w.svc.Idle)
	}
	want(t, b.get("/notifications/requests"), http.StatusOK, "No filtered notifications")
	if n := strings.Count(b.get("/notifications").body, "psst from"); n != 1 {
		t.Errorf("%d notifications after one of two was accepted", n)
	}
}

func TestMessagesOnPages(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	w.user("bob")
	w.user("eve")
	b := w.browser().logIn("ann")
	want(t, b.get("/compose?to=bob"), http.StatusOK, "@bob ", `value="direct" checked`)
	in := b.inputs(t, composerMark)
	in.Set("text", "@bob under the third pot")
	want(t, b.follow(b.postRaw("/compose", in)), http.StatusOK, "third pot")
	other := w.browser().logIn("bob")
	eventually(t, "the message arrives", func() bool { return strings.Contains(other.get("/messages").body, "third pot") })
	path := strings.Trim(regexp.MustCompile(`"/messages/[0-9]+"`).FindString(other.page), `"`)
	want(t, other.get(path), http.StatusOK, "third pot", "Mark as unread", `name="visibility" value="direct"`, `name="to" value="ann"`)
	wantTo(t, other.post(path, "act", "read"), path)
	want(t, other.get(path), http.StatusOK, "Mark as unread")
	in = other.inputs(t, composerMark)
	in.Set("text", "thanks")
	wantTo(t, other.postRaw("/compose", in), path)
	want(t, other.get(path), http.StatusOK, "thanks")
	eve := w.browser().logIn("eve")
	want(t, eve.get(path), http.StatusNotFound)
	other.get("/notifications")
	notified := strings.Trim(regexp.MustCompile(`"`+path+`\?message=[0-9]+"`).FindString(other.page), `"`)
	wantTo(t, other.get(notified), path)
	want(t, eve.get(notified), http.StatusNotFound)
	want(t, other.press(path, "act", "explode"), http.StatusBadRequest)
	wantTo(t, other.press(path, "act", "remove"), "/messages")
	want(t, other.get("/messages"), http.StatusOK, "No messages yet")
	want(t, other.follow(other.get(notified)), http.StatusOK, "third pot")
	w.post(ann.ID, linnet.Draft{Text: "@bob a new start", Visibility: vis(linnet.Direct)})
	eventually(t, "tasks end", w.svc.Idle)
	if a := other.get(path); strings.Contains(a.body, "third pot") || !strings.Contains(a.body, "a new start") {
		t.Error("the restored conversation doesn't have exactly the new message")
	}
	want(t, other.follow(other.get(notified)), http.StatusOK, "third pot")
	want(t, other.get(path+"?message=1"), http.StatusNotFound)
	want(t, other.get("/messages/x"), http.StatusNotFound)
}

// TestFollowBack checks that a notification about a new follower offers to follow back, until the
// reader does.
func TestFollowBack(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann, bob := w.user("ann"), w.user("bob")
	if _, err := w.svc.Social.Follow(t.Context(), bob.ID, ann.ID, linnet.FollowOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "tasks end", w.svc.Idle)
	b := w.browser().logIn("ann")
	want(t, b.get("/notifications"), http.StatusOK, `aria-label="Follow back: @bob">Follow back</button>`)
	want(t, b.post("/@bob", "act", "follow"), http.StatusSeeOther)
	if a := b.get("/notifications"); strings.Contains(a.body, "Follow back") {
		t.Error("the notification still offers to follow back")
	}
}

func TestSearchPage(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	w.user("annabel")
	st := w.post(ann.ID, linnet.Draft{Text: "#ann count"})
	b := w.browser().logIn("annabel")
	want(t, b.get("/search"), http.StatusOK, "autofocus")
	eventually(t, "the tag is found", func() bool { return strings.Contains(b.get("/search?q=ann").body, `href="/tags/ann"`) })
	want(t, b.get("/search?q=ann"), http.StatusOK, "@ann</bdi>", "@annabel</bdi>", `value="follow"`)
	want(t, b.get("/search?q=a"), http.StatusOK, "@ann</bdi>", "@annabel</bdi>")
	if a := b.get("/search?q=%23ann"); strings.Contains(a.body, `handle">@annabel</bdi>`) || !strings.Contains(a.body, "/tags/ann") {
		t.Error("with # just tags are found")
	}
	wantTo(t, b.get("/search?q="+st.URL), postPath(st))
	want(t, b.get("/search?q=ann&type=hashtags"), http.StatusOK, `type=hashtags" aria-current="page">Hashtags<`, "/tags/ann")
	if a := b.get("/search?q=ann&type=hashtags"); strings.Contains(a.body, `handle">@annabel</bdi>`) || strings.Contains(a.body, postPath(st)) {
		t.Error("the tab of hashtags has other results")
	}
	want(t, b.get("/search?q=ann&type=groups"), http.StatusOK, "Nothing found", `href="/search?q=ann">Show results of all kinds`)
	want(t, b.get("/search?q=ann&type=x"), http.StatusOK, `href="/search?q=ann" aria-current="page">All<`)
	for i := range 6 {
		w.user(fmt.Sprintf("ann%d", i))
	}
	eventually(t, "the first accounts lead to all", func() bool {
		return strings.Contains(b.get("/search?q=ann").body, `href="/search?q=ann&amp;type=accounts" aria-describedby="people">Show all`)
	})
	if few, all := strings.Count(b.get("/search?q=ann").body, `class="person"`), strings.Count(b.get("/search?q=ann&type=accounts").body, `class="person"`); few != 6 || all != 8 {
		t.Errorf("the page has %d rows, and the tab of people %d", few, all)
	}
	want(t, b.get("/search?q=zebra"), http.StatusOK, "Nothing found")
	want(t, b.get("/search?q="+strings.Repeat("%C3%A9", 300)), http.StatusOK, "Nothing found")
}
