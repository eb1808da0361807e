package admin_test

import (
	"strings"
	"testing"

	"linnet/internal/admin"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/view"
)

// TestTrace: where a status lies, who has it at home, and why somebody does not see it, on
// every engine; each reason is that of the rule that hides it.
func TestTrace(t *testing.T) {
	engines(t, func(t *testing.T, open func(*testing.T) kv.Engine) {
		e := open(t)
		w := newWorld(t, e)
		ann, bob, cat, dan, eve := w.user("ann"), w.user("bob"), w.user("cat"), w.user("dan"), w.user("eve")
		for _, who := range []linnet.ID{bob, cat, dan} {
			w.follow(who, ann)
		}
		for _, who := range []linnet.ID{bob, cat} { // whose homes are kept ready; dan does not come
			_, err := w.Reading.Home(w.ctx, who, linnet.Page{Limit: 1})
			w.must(err)
		}
		open1 := w.post(ann, linnet.Draft{Text: "a wren #birds"})
		private := w.post(ann, linnet.Draft{Text: "for friends", Visibility: new(linnet.Private)})
		direct := w.post(ann, linnet.Draft{Text: "@bob alone", Visibility: new(linnet.Direct)})
		reply := w.post(bob, linnet.Draft{Text: "@eve no", InReplyTo: w.post(eve, linnet.Draft{Text: "hm"})})
		w.follow(cat, bob)
		_, err := w.Social.Block(w.ctx, ann, eve)
		w.must(err)
		_, err = w.Social.Mute(w.ctx, dan, ann, linnet.MuteOptions{})
		w.must(err)
		w.drain()
		trace := func(id, viewer linnet.ID) admin.StatusTrace {
			t.Helper()
			tr, ok, err := admin.TraceStatus(w.ctx, w.App, e, id, viewer, 100)
			if w.must(err); !ok {
				t.Fatalf("%v is not found", id)
			}
			return tr
		}
		got := trace(open1, 0)
		if h := got.Homes; h.Followers != 3 || h.Looked != 3 || h.Reached != 2 || h.Cold != 1 || h.Lacking != 0 {
			t.Errorf("homes %+v", h)
		}
		if got.Author != "ann" || len(got.Tasks) != 0 || len(got.Places) != 3 {
			t.Errorf("%+v", got)
		}
		for _, p := range append(got.Places, trace(reply, 0).Places...) {
			if p.Belongs != p.Is {
				t.Errorf("%+v", p)
			}
		}
		for _, c := range []struct {
			id, viewer linnet.ID
			sees       bool
			why        view.Why // a part of it; of the home, if they see it
		}{
			{open1, ann, true, ""}, {open1, bob, true, ""}, {open1, eve, false, "blocked them"}, {open1, dan, true, "blocked or muted"},
			{private, cat, true, ""}, {private, eve, false, "blocked them"}, {direct, bob, true, ""}, {direct, cat, false, "whom it mentions"},
			{reply, cat, true, "answers somebody"}, {reply, dan, true, "do not follow the author"},
		} {
			s := trace(c.id, c.viewer).For
			if (s.Sees == view.Seen) != c.sees || !strings.Contains(string(s.Home), string(c.why)) || c.why == "" && s.Home != "" {
				t.Errorf("%v for %s: %+v, want %q", c.id, s.Login, s, c.why)
			}
			shown, err := w.View.Status(w.ctx, c.viewer, c.id)
			if (err == nil) != c.sees {
				t.Errorf("%v for %s: the page says %v (%v)", c.id, s.Login, err, shown.ID)
			}
		}
		// What is missing is told, with whose home lacks it.
		w.write(kv.Remove{Key: record.TagKey("birds"), Member: open1.String() + "." + ann.String()})
		w.must(e.Apply(w.ctx, kv.Pull{Key: record.HomeKey(cat), ID: uint64(open1)}))
		got = trace(open1, cat)
		if h := got.Homes; h.Lacking != 1 || len(h.Examples) != 1 || h.Examples[0] != cat.String() {
			t.Errorf("homes %+v", h)
		}
		if p := got.Places[2]; p.Name != "#birds" || p.Is || !p.Belongs {
			t.Errorf("%+v", p)
		}
		if got.For.Feed != "it does not have the status" {
			t.Errorf("%+v", got.For)
		}
		var out strings.Builder
		w.must(got.Print(&out))
		for _, want := range []string{"@ann, public", "#birds: it is missing", "1 kept ready lack it", "@cat sees it"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("the print lacks %q:\n%s", want, &out)
			}
		}
		if _, ok, err := admin.TraceStatus(w.ctx, w.App, e, linnet.ID(uint64(open1)+1<<20), 0, 1); ok || err != nil {
			t.Errorf("what there is not: %v %v", ok, err)
		}
		u, err := admin.TraceUser(w.ctx, w.App, e, dan)
		if w.must(err); u.Home != "cold" || u.Following != 1 || len(u.Tasks) != 0 {
			t.Errorf("%+v", u)
		}
		if u, err = admin.TraceUser(w.ctx, w.App, e, bob); err != nil || u.Home != "warm" || u.Entries == 0 || u.Followers != 1 {
			t.Errorf("%+v %v", u, err)
		}
	})
}
