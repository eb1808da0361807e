package posting_test

import (
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// TestUnreadConversations checks that the count of unread conversations costs nothing without
// changes, and is correct as soon as something changes.
func TestUnreadConversations(t *testing.T) {
	c := apptest.NewCosts(t)
	ann, bob, cat := c.Person("ann"), c.Person("bob"), c.Person("cat")
	unread := func(want int) {
		t.Helper()
		c.Drain()
		if n := apptest.Must(c.Posting.Conversations.Unread(c.Ctx, ann))(t); n != want {
			t.Errorf("%d unread, want %d", n, want)
		}
		if s := c.Of("unread, again", func() { apptest.Must(c.Posting.Conversations.Unread(c.Ctx, ann))(t) }); s.RoundTrips() != 0 {
			t.Errorf("%d round trips to count again", s.RoundTrips())
		}
	}
	unread(0)
	first := c.Direct(bob, "@ann one")
	unread(1)
	c.Direct(bob, "@ann two")
	unread(1)
	c.Direct(cat, "@ann three")
	unread(2)
	talks := c.Conversations(ann, 20)
	apptest.Must(c.Posting.Conversations.Mark(c.Ctx, ann, talks[0].ID, false))(t)
	unread(1)
	apptest.Must(c.Posting.Conversations.Mark(c.Ctx, ann, talks[0].ID, true))(t)
	unread(2)
	if err := c.Posting.Conversations.Delete(c.Ctx, ann, talks[0].ID); err != nil {
		t.Fatal(err)
	}
	unread(1)
	apptest.Must(c.Posting.Delete(c.Ctx, bob, first.ID))(t)
	unread(1)
	c.Draft(ann, linnet.Draft{Text: "@bob yes", Visibility: new(linnet.Direct)})
	unread(0)
}

// TestUnreadConversationsOnServers checks that a conversation read on one server is read on the
// others a moment later.
func TestUnreadConversationsOnServers(t *testing.T) {
	apptest.SkipShort(t)
	ws := apptest.Servers(t, 2)
	a, b := ws[0], ws[1]
	ann, bob := a.Person("ann"), a.Person("bob")
	counts := func(want int) {
		t.Helper()
		for i, w := range ws {
			n, end := -1, time.Now().Add(time.Minute)
			for n != want && time.Now().Before(end) {
				time.Sleep(100 * time.Millisecond)
				n = apptest.Must(w.Posting.Conversations.Unread(w.Ctx, ann))(t)
			}
			if n != want {
				t.Errorf("server %d counts %d, want %d", i, n, want)
			}
		}
	}
	counts(0)
	a.Direct(bob, "@ann hello")
	counts(1)
	apptest.Must(b.Posting.Conversations.Mark(b.Ctx, ann, b.Conversations(ann, 20)[0].ID, false))(t)
	counts(0)
}
