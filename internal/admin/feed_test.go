package admin_test

import (
	"fmt"
	"testing"

	"linnet/internal/admin"
	"linnet/internal/kv"
	"linnet/internal/kv/enginetest"
	"linnet/internal/linnet"
)

// TestFullFeeds checks that the check accepts a home feed that is longer than one read and ends at
// a floor.
func TestFullFeeds(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, open func(*testing.T) kv.Engine) {
		w := newWorld(t, open(t))
		reader := w.user("reader")
		for i := range 4 {
			author := w.user(fmt.Sprint("author", i))
			w.follow(reader, author)
			for n := range 300 {
				w.post(author, linnet.Draft{Text: fmt.Sprint("note ", n)})
			}
		}
		_, err := w.Reading.Home(w.ctx, reader, linnet.Page{})
		w.must(err)
		w.drain()
		page := &kv.Feed{Key: key("home", reader), Limit: 1000}
		w.must(w.engine.Read(w.ctx, page))
		if page.State != kv.Warm || page.Floor == 0 || len(page.IDs) != 1000 {
			t.Fatalf("the home is no full feed: state %v, floor %d, %d ids", page.State, page.Floor, len(page.IDs))
		}
		if r := w.mustBeClean(); r.Feeds != 1 {
			t.Errorf("%d warm feeds, want 1", r.Feeds)
		}
		w.write(kv.Pull{Key: page.Key, ID: page.IDs[500]})
		r := w.check()
		want := fmt.Sprintf("I12 feed home status %d by", page.IDs[500])
		if !reported(r, admin.Breach, want) || r.Count[admin.Breach] != 1 {
			t.Errorf("no single breach %q in %+v", want, r.Findings)
		}
	})
}
