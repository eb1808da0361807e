package admin_test

import (
	"fmt"
	"strings"
	"testing"

	"linnet/internal/admin"
	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// TestFullFeeds checks that the check accepts a home feed that is longer than one read and ends at
// a floor.
func TestFullFeeds(t *testing.T) {
	var follows strings.Builder
	for i := range 150 {
		fmt.Fprintf(&follows, "0\t%d\n", i+1)
	}
	opt := admin.ImportOptions{Follows: file(t, "f", follows.String()), Posts: postsFile(t, 50), PerUser: 10}
	engines(t, func(t *testing.T, open func(*testing.T) kv.Engine) {
		w := newWorld(t, open(t))
		_, err := admin.ImportGraph(w.ctx, w.App, opt)
		w.must(err)
		reader, err := w.View.UserByLogin(w.ctx, 0, "u0")
		w.must(err)
		author, err := w.View.UserByLogin(w.ctx, 0, "u1")
		w.must(err)
		_, err = w.Reading.Home(w.ctx, reader.ID, linnet.Page{})
		w.must(err)
		for i := range 60 {
			w.post(author.ID, linnet.Draft{Text: fmt.Sprint("new ", i)})
		}
		w.drain()
		page := &kv.Feed{Key: key("home", reader.ID), Limit: 1000}
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
