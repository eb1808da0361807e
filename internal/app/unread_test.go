package app_test

import (
	"testing"
	"time"

	"linnet/internal/linnet"
)

// TestUnreadConversations checks that the count of unread conversations costs nothing without
// changes, and is correct as soon as something changes.
func TestUnreadConversations(t *testing.T) {
	c := newCosts(t)
	ann, bob, cat := c.person("ann"), c.person("bob"), c.person("cat")
	unread := func(want int) {
		t.Helper()
		c.drain()
		if n := must(c.Posting.Conversations.Unread(c.ctx, ann))(t); n != want {
			t.Errorf("%d unread, want %d", n, want)
		}
		if s := c.of("unread, again", func() { must(c.Posting.Conversations.Unread(c.ctx, ann))(t) }); s.RoundTrips() != 0 {
			t.Errorf("%d round trips to count again", s.RoundTrips())
		}
	}
	unread(0)
	first := c.direct(bob, "@ann one")
	unread(1)
	c.direct(bob, "@ann two")
	unread(1)
	c.direct(cat, "@ann three")
	unread(2)
	talks := c.conversations(ann, 20)
	must(c.Posting.Conversations.Mark(c.ctx, ann, talks[0].ID, false))(t)
	unread(1)
	must(c.Posting.Conversations.Mark(c.ctx, ann, talks[0].ID, true))(t)
	unread(2)
	if err := c.Posting.Conversations.Delete(c.ctx, ann, talks[0].ID); err != nil {
		t.Fatal(err)
	}
	unread(1)
	must(c.Posting.Delete(c.ctx, bob, first.ID))(t)
	unread(1)
	c.draft(ann, linnet.Draft{Text: "@bob yes", Visibility: new(linnet.Direct)})
	unread(0)
}

// TestUnreadConversationsOnServers checks that a conversation read on one server is read on the
// others a moment later.
func TestUnreadConversationsOnServers(t *testing.T) {
	notWhenShort(t)
	ws := servers(t, 2)
	a, b := ws[0], ws[1]
	ann, bob := a.person("ann"), a.person("bob")
	counts := func(want int) {
		t.Helper()
		for i, w := range ws {
			n, end := -1, time.Now().Add(20*time.Second)
			for n != want && time.Now().Before(end) {
				time.Sleep(100 * time.Millisecond)
				n = must(w.Posting.Conversations.Unread(w.ctx, ann))(t)
			}
			if n != want {
				t.Errorf("server %d counts %d, want %d", i, n, want)
			}
		}
	}
	counts(0)
	a.direct(bob, "@ann hello")
	counts(1)
	must(b.Posting.Conversations.Mark(b.ctx, ann, b.conversations(ann, 20)[0].ID, false))(t)
	counts(0)
}
