package admin_test

import (
	"strings"
	"testing"

	"linnet/internal/admin"
	"linnet/internal/kv"
	"linnet/internal/kv/enginetest"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/view"
)

// traced is a small world with statuses to trace.
type traced struct {
	*world
	ann, bob, cat, dan, eve        linnet.ID
	public, private, direct, reply linnet.ID
}

// newTraced returns a world in which bob, cat and dan follow ann. dan has muted ann and has no home
// feed, and ann blocks eve. bob replies to eve, an author without followers.
func newTraced(t *testing.T, e kv.Engine) *traced {
	t.Helper()
	w := &traced{world: newWorld(t, e)}
	w.ann, w.bob, w.cat, w.dan, w.eve = w.user("ann"), w.user("bob"), w.user("cat"), w.user("dan"), w.user("eve")
	for _, who := range []linnet.ID{w.bob, w.cat, w.dan} {
		w.follow(who, w.ann)
	}
	for _, who := range []linnet.ID{w.bob, w.cat} { // gives them home feeds
		_, err := w.Reading.Home(w.ctx, who, linnet.Page{Limit: 1})
		w.must(err)
	}
	w.public = w.post(w.ann, linnet.Draft{Text: "a wren #birds"})
	w.private = w.post(w.ann, linnet.Draft{Text: "for friends", Visibility: new(linnet.Private)})
	w.direct = w.post(w.ann, linnet.Draft{Text: "@bob alone", Visibility: new(linnet.Direct)})
	w.reply = w.post(w.bob, linnet.Draft{Text: "@eve no", InReplyTo: w.post(w.eve, linnet.Draft{Text: "hm"})})
	w.follow(w.cat, w.bob)
	_, err := w.Social.Block(w.ctx, w.ann, w.eve)
	w.must(err)
	_, err = w.Social.Mute(w.ctx, w.dan, w.ann, linnet.MuteOptions{})
	w.must(err)
	w.drain()
	return w
}

func (w *traced) trace(id, viewer linnet.ID) admin.StatusTrace {
	w.Helper()
	tr, ok, err := admin.TraceStatus(w.ctx, w.App, w.engine, id, viewer, 100)
	if w.must(err); !ok {
		w.Fatalf("%v is not found", id)
	}
	return tr
}

// TestTrace checks that a trace has the correct locations and home feeds of a status on every
// engine. It reports missing entries, with examples of affected homes.
func TestTrace(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, open func(*testing.T) kv.Engine) {
		e := open(t)
		w := newTraced(t, e)
		got := w.trace(w.public, 0)
		if h := got.Homes; h.Followers != 3 || h.Looked != 3 || h.Reached != 2 || h.Cold != 1 || h.Lacking != 0 {
			t.Errorf("homes %+v", h)
		}
		if got.Author != "ann" || len(got.Tasks) != 0 || len(got.Timelines) != 3 {
			t.Errorf("%+v", got)
		}
		for _, p := range append(got.Timelines, w.trace(w.reply, 0).Timelines...) {
			if p.Belongs != p.Is {
				t.Errorf("%+v", p)
			}
		}
		w.write(kv.Remove{Key: record.TagKey("birds"), Member: w.public.String() + "." + w.ann.String()})
		w.must(e.Apply(w.ctx, kv.Pull{Key: record.HomeKey(w.cat), ID: uint64(w.public)}))
		got = w.trace(w.public, w.cat)
		if h := got.Homes; h.Lacking != 1 || len(h.Examples) != 1 || h.Examples[0] != w.cat.String() {
			t.Errorf("homes %+v", h)
		}
		if p := got.Timelines[2]; p.Name != "#birds" || p.Is || !p.Belongs {
			t.Errorf("%+v", p)
		}
		if got.For.Feed != "does not contain the post" {
			t.Errorf("%+v", got.For)
		}
		var out strings.Builder
		w.must(got.Print(&out))
		for _, want := range []string{"@ann, public", "#birds: missing", "1 lack it", "@cat sees it"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("the print lacks %q:\n%s", want, &out)
			}
		}
		if _, ok, err := admin.TraceStatus(w.ctx, w.App, e, linnet.ID(uint64(w.public)+1<<20), 0, 1); ok || err != nil {
			t.Errorf("what there is not: %v %v", ok, err)
		}
		u, err := admin.TraceUser(w.ctx, w.App, e, w.dan)
		if w.must(err); u.Home != "cold" || u.Following != 1 || len(u.Tasks) != 0 {
			t.Errorf("%+v", u)
		}
		if u, err = admin.TraceUser(w.ctx, w.App, e, w.bob); err != nil || u.Home != "warm" || u.Entries == 0 || u.Followers != 1 {
			t.Errorf("%+v %v", u, err)
		}
	})
}

// TestTraceSaysWhy checks that each reason is the rule that hides the status, and the service
// agrees.
func TestTraceSaysWhy(t *testing.T) {
	w := newTraced(t, openMemory(t))
	for _, c := range []struct {
		id, viewer linnet.ID
		sees       bool
		why        view.Why // a part of it; for the home feed if the viewer sees the status
	}{
		{w.public, w.ann, true, ""}, {w.public, w.bob, true, ""}, {w.public, w.eve, false, "blocked the viewer"}, {w.public, w.dan, true, "blocked or muted"},
		{w.private, w.cat, true, ""}, {w.private, w.eve, false, "blocked the viewer"}, {w.direct, w.bob, true, ""}, {w.direct, w.cat, false, "mentioned users"},
		{w.reply, w.cat, true, "does not follow"}, {w.reply, w.dan, true, "follows neither the author"},
	} {
		s := w.trace(c.id, c.viewer).For
		if (s.Sees == view.Seen) != c.sees || !strings.Contains(string(s.Home), string(c.why)) || c.why == "" && s.Home != "" {
			t.Errorf("%v for %s: %+v, want %q", c.id, s.Login, s, c.why)
		}
		if _, err := w.View.Status(w.ctx, c.viewer, c.id); (err == nil) != c.sees {
			t.Errorf("%v for %s: the page says %v", c.id, s.Login, err)
		}
	}
}
