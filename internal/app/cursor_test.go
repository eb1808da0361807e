package app_test

import (
	"strings"
	"testing"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
)

// TestSealedCursors checks that a sealed cursor is a number that only its own list can read, on all
// servers.
func TestSealedCursors(t *testing.T) {
	w := memWorld(t)
	other := idleWorld(t, w.store.Engine(), store.Options{})
	list := func() string { return "a list" }
	for _, plain := range []linnet.Cursor{linnet.CursorOf(1), linnet.CursorOf(113_000_000_000_000_000), linnet.CursorOf(1<<63 - 1),
		linnet.ScoredCursor(1, 2), linnet.ScoredCursor(1_799_999_999_999, 1<<63-1)} {
		sealed := must(w.Core.SealCursor(w.ctx, list, plain))(t)
		if strings.Trim(string(sealed), "0123456789") != "" || strings.Contains(string(sealed), string(plain)) && len(plain) > 3 {
			t.Errorf("%s is sealed as %s", plain, sealed)
		}
		for _, s := range []*core.Service{w.Core, other.Core} {
			p := must(s.OpenPage(w.ctx, list, linnet.Page{Max: sealed, Since: plain, Min: sealed, Limit: 7}))(t)
			if p != (linnet.Page{Max: plain, Since: plain, Min: plain, Limit: 7}) {
				t.Errorf("%s is opened as %+v", plain, p)
			}
		}
		_, err := w.Core.OpenPage(w.ctx, func() string { return "another list" }, linnet.Page{Max: sealed})
		kindIs(t, err, linnet.Invalid)
		for i := range sealed {
			bad := []byte(sealed)
			bad[i] = '0' + (bad[i]-'0'+1)%10
			if _, err := w.Core.OpenPage(w.ctx, list, linnet.Page{Min: linnet.Cursor(bad)}); linnet.KindOf(err) != linnet.Invalid {
				t.Fatalf("%s, changed at %d: %v", sealed, i, err)
			}
		}
	}
	for _, plain := range []linnet.Cursor{"", "7", "soon"} {
		if p := must(w.Core.OpenPage(w.ctx, list, linnet.Page{Max: plain}))(t); p.Max != plain {
			t.Errorf("%q becomes %q", plain, p.Max)
		}
	}
}

// TestPagesBehindVeryManyHiddenEntries checks that a page that stops among hidden entries continues
// with a sealed cursor, in both directions, and finally shows the visible entries behind them.
func TestPagesBehindVeryManyHiddenEntries(t *testing.T) {
	w := memWorld(t)
	ann, me := w.person("ann"), w.person("me")
	first := w.post(ann, "first").ID
	direct := linnet.Status{Author: ann, Visibility: linnet.Direct}
	for part := range 13 { // entries of missing statuses are hidden, like others
		var ops []kv.Op
		for range 1000 {
			direct.ID = w.store.NewID(ann.Shard(), 0)
			ops = append(ops, kv.Add{Key: record.PostsKey(ann), Member: record.ProfileEntry(&direct), Score: direct.ID.Millis()})
		}
		if err := w.store.Engine().Apply(w.ctx, ops...); err != nil {
			t.Fatal(part, err)
		}
	}
	last := w.post(ann, "last").ID
	w.drain()
	read := func(p linnet.Page) linnet.Slice[linnet.StatusView] {
		return must(w.Reading.Profile(w.ctx, me, ann, linnet.ProfileFilter{}, p))(t)
	}
	var down []linnet.ID
	pages := 0
	for p := (linnet.Page{Limit: 2}); ; pages++ {
		s := read(p)
		if down = append(down, ids(s.Items)...); s.Last == "" {
			break
		}
		p.Max = s.Last
	}
	equal(t, "downwards", down, []linnet.ID{last, first})
	up, at := []linnet.ID(nil), linnet.CursorOf(first)
	for range 5 {
		s := read(linnet.Page{Min: at, Limit: 1})
		up = append(up, ids(s.Items)...)
		if s.First == "" {
			break
		}
		at = s.First
	}
	equal(t, "upwards", up, []linnet.ID{last})
	if pages < 1 {
		t.Error("the page was not given up, so that nothing is shown")
	}
}
