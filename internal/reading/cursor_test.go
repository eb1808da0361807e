package reading_test

import (
	"strings"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
)

// TestSealedCursors checks that a sealed cursor is a number that only its own list can read, on all
// servers.
func TestSealedCursors(t *testing.T) {
	w := apptest.InMemory(t)
	other := apptest.Idle(t, w.Store.Engine(), store.Options{})
	list := func() string { return "a list" }
	for _, plain := range []linnet.Cursor{linnet.CursorOf(1), linnet.CursorOf(113_000_000_000_000_000), linnet.CursorOf(1<<63 - 1),
		linnet.ScoredCursor(1, 2), linnet.ScoredCursor(1_799_999_999_999, 1<<63-1)} {
		sealed := apptest.Must(w.Core.SealCursor(w.Ctx, list, plain))(t)
		if strings.Trim(string(sealed), "0123456789") != "" || strings.Contains(string(sealed), string(plain)) && len(plain) > 3 {
			t.Errorf("%s is sealed as %s", plain, sealed)
		}
		for _, s := range []*core.Service{w.Core, other.Core} {
			p := apptest.Must(s.OpenPage(w.Ctx, list, linnet.Page{Max: sealed, Since: plain, Min: sealed, Limit: 7}))(t)
			if p != (linnet.Page{Max: plain, Since: plain, Min: plain, Limit: 7}) {
				t.Errorf("%s is opened as %+v", plain, p)
			}
		}
		_, err := w.Core.OpenPage(w.Ctx, func() string { return "another list" }, linnet.Page{Max: sealed})
		apptest.WantKind(t, err, linnet.Invalid)
		for i := range sealed {
			bad := []byte(sealed)
			bad[i] = '0' + (bad[i]-'0'+1)%10
			if _, err := w.Core.OpenPage(w.Ctx, list, linnet.Page{Min: linnet.Cursor(bad)}); linnet.KindOf(err) != linnet.Invalid {
				t.Fatalf("%s, changed at %d: %v", sealed, i, err)
			}
		}
	}
	for _, plain := range []linnet.Cursor{"", "7", "soon"} {
		if p := apptest.Must(w.Core.OpenPage(w.Ctx, list, linnet.Page{Max: plain}))(t); p.Max != plain {
			t.Errorf("%q becomes %q", plain, p.Max)
		}
	}
}

// TestPagesBehindVeryManyHiddenEntries checks that a page that stops among hidden entries continues
// with a sealed cursor, in both directions, and finally shows the visible entries behind them.
func TestPagesBehindVeryManyHiddenEntries(t *testing.T) {
	w := apptest.InMemory(t)
	ann, me := w.Person("ann"), w.Person("me")
	first := w.Post(ann, "first").ID
	direct := linnet.Status{Author: ann, Visibility: linnet.Direct}
	for part := range 13 { // entries of missing statuses are hidden, like others
		var ops []kv.Op
		for range 1000 {
			direct.ID = w.Store.NewID(ann.Shard(), 0)
			ops = append(ops, kv.Add{Key: record.PostsKey(ann), Member: record.ProfileEntry(&direct), Score: direct.ID.Millis()})
		}
		if err := w.Store.Engine().Apply(w.Ctx, ops...); err != nil {
			t.Fatal(part, err)
		}
	}
	last := w.Post(ann, "last").ID
	w.Drain()
	read := func(p linnet.Page) linnet.Slice[linnet.StatusView] {
		return apptest.Must(w.Reading.Profile(w.Ctx, me, ann, linnet.ProfileFilter{}, p))(t)
	}
	var down []linnet.ID
	pages := 0
	for p := (linnet.Page{Limit: 2}); ; pages++ {
		s := read(p)
		if down = append(down, apptest.IDs(s.Items)...); s.Last == "" {
			break
		}
		p.Max = s.Last
	}
	apptest.Equal(t, "downwards", down, []linnet.ID{last, first})
	up, at := []linnet.ID(nil), linnet.CursorOf(first)
	for range 5 {
		s := read(linnet.Page{Min: at, Limit: 1})
		up = append(up, apptest.IDs(s.Items)...)
		if s.First == "" {
			break
		}
		at = s.First
	}
	apptest.Equal(t, "upwards", up, []linnet.ID{last})
	if pages < 1 {
		t.Error("the page was not given up, so that nothing is shown")
	}
}
