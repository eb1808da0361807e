package cards_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// TestCardPreviews checks that the card of a link can be seen before it is posted, that the link is
// fetched once, and that the number of links per user is limited.
func TestCardPreviews(t *testing.T) { apptest.OnFetchers(t, cardPreviews) }

func cardPreviews(t *testing.T, w *apptest.World, e kv.Engine) {
	s := newSite(t)
	ann, bob := w.Person("ann"), w.Person("bob")
	preview := func(me linnet.ID, text string) (*linnet.Card, bool) {
		t.Helper()
		c, pending, err := w.Cards.Preview(w.Ctx, me, text)
		if err != nil {
			t.Fatal(err)
		}
		return c, pending
	}
	if c, pending := preview(ann, s.URL+"/page/1"); c != nil || pending || s.asked.Load() != 0 {
		t.Fatal("a link was previewed although previews are off")
	}
	w.WithCards(true)
	for _, text := range []string{"", "no link", "https://linnet.test/@ann"} {
		if c, pending := preview(ann, text); c != nil || pending {
			t.Errorf("%q: %+v, %v", text, c, pending)
		}
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { preview(ann, "see "+s.URL+"/page/1") })
	}
	all.Wait()
	until := func(text, title string) {
		t.Helper()
		for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
			if c, pending := preview(bob, text); !pending && (c == nil && title == "" || c != nil && c.Title == title) {
				return
			} else if time.Now().After(end) {
				t.Fatalf("%s: %+v", text, c)
			}
		}
	}
	until("see "+s.URL+"/page/1#part", "Page 1")
	cardOf(w, e, w.Post(ann, "%s/page/1", s.URL).ID, "Page 1")
	if n := s.asked.Load(); n != 1 {
		t.Errorf("the page was fetched %d times", n)
	}
	until("http://10.0.0.1/", "") // the network of the server
	until(s.URL+"/inside", "")    // redirects there
	until(s.URL+"/missing", "")
	w.Drain()
	w.Check()
	for i := 0; ; i++ {
		if _, _, err := w.Cards.Preview(w.Ctx, ann, fmt.Sprintf("http://10.0.0.%d/%d", i%250, i)); linnet.KindOf(err) == linnet.TooMany {
			break
		} else if err != nil || i > 60 {
			t.Fatalf("after %d links: %v", i, err)
		}
	}
	preview(ann, s.URL+"/page/1") // is known
}
