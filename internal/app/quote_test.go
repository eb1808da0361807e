package app_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// quote posts a quote of a status.
func (w *world) quote(by, of linnet.ID, text string) linnet.StatusView {
	w.Helper()
	return w.draft(by, linnet.Draft{Text: text, QuoteOf: of})
}

// quoteSeen describes the quoted status in a status as seen by a viewer.
func (w *world) quoteSeen(viewer, id linnet.ID) string {
	w.Helper()
	v, err := w.View.Status(w.ctx, viewer, id)
	if err != nil {
		kindIs(w, err, linnet.NotFound)
		return "not found"
	}
	return quoteWords(&v)
}

func quoteWords(v *linnet.StatusView) string {
	if v.Repost != nil {
		v = v.Repost
	}
	q := v.Quote
	switch {
	case q == nil:
		return "none"
	case q.Status == nil:
		return string(q.State)
	}
	return string(q.State) + " " + q.Status.Text
}

// quoted returns the texts of the quotes of a status as seen by a viewer.
func (w *world) quoted(viewer, id linnet.ID) []string {
	w.Helper()
	return texts(must(w.Reading.Quotes(w.ctx, viewer, id, linnet.Page{}))(w).Items)
}

// TestWhoMayQuote checks that the author's policy determines who can quote a public status. A quote
// is not more public than its original, and the quoted author can see it.
func TestWhoMayQuote(t *testing.T) {
	onEngines(t, func(w *world) {
		ann, bob, cat := w.person("ann"), w.person("bob"), w.person("cat")
		w.follow(bob, ann)
		for _, x := range []struct {
			vis           linnet.Visibility
			policy        linnet.QuotePolicy
			ann, bob, cat bool
		}{
			{linnet.Public, linnet.QuotePublic, true, true, true},
			{linnet.Unlisted, linnet.QuoteFollowers, true, true, false},
			{linnet.Public, linnet.QuoteNobody, true, false, false},
			{linnet.Private, linnet.QuotePublic, true, false, false},
			{linnet.Direct, linnet.QuotePublic, false, false, false},
		} {
			of := w.draft(ann, linnet.Draft{Text: "quoted @bob @cat", Visibility: &x.vis, QuotePolicy: &x.policy}).ID
			for who, may := range map[linnet.ID]bool{ann: x.ann, bob: x.bob, cat: x.cat} {
				if v := must(w.View.Status(w.ctx, who, of))(w); v.MayQuote != may {
					w.Errorf("%v %v: %v may quote: %v", x.vis, x.policy, who, v.MayQuote)
				}
				v, err := w.Posting.Post(w.ctx, who, linnet.Draft{Text: "look", QuoteOf: of})
				if !may {
					kindIs(w, err, linnet.Forbidden)
				} else if private := x.vis == linnet.Private; err != nil || v.QuoteOf != of || v.QuoteAuthor != ann || (v.Visibility == linnet.Private) != private {
					w.Errorf("%v %v: %v, %v", x.vis, x.policy, v.Visibility, err)
				}
			}
		}
		public := w.post(ann, "public").ID
		_, err := w.Posting.Post(w.ctx, bob, linnet.Draft{Text: "psst", QuoteOf: public, Visibility: new(linnet.Direct)})
		kindIs(w, err, linnet.Invalid)
		must(w.Posting.Post(w.ctx, bob, linnet.Draft{Text: "psst @ann", QuoteOf: public, Visibility: new(linnet.Direct)}))(w)
		must(w.Posting.Post(w.ctx, bob, linnet.Draft{QuoteOf: public}))(w) // a quote needs no text
		boost := must(w.Posting.Repost(w.ctx, bob, public, nil))(w).ID
		if v := w.quote(cat, boost, "of a boost"); v.QuoteOf != public {
			w.Errorf("a quote of a boost quotes %v", v.QuoteOf)
		}
		for _, id := range []linnet.ID{5, w.draft(ann, linnet.Draft{Text: "private", Visibility: new(linnet.Private)}).ID} {
			_, err = w.Posting.Post(w.ctx, cat, linnet.Draft{Text: "x", QuoteOf: id})
			kindIs(w, err, linnet.NotFound)
		}
		must(w.Social.Block(w.ctx, cat, ann))(w)
		w.drain()
		_, err = w.Posting.Post(w.ctx, cat, linnet.Draft{Text: "x", QuoteOf: public})
		kindIs(w, err, linnet.Forbidden)
		_, err = w.Posting.Post(w.ctx, ann, linnet.Draft{Text: "x", QuoteOf: w.post(cat, "by cat").ID})
		kindIs(w, err, linnet.NotFound)
		w.check()
	})
}

// TestQuoteSeen checks that a quote shows the quoted status according to the viewer's access to it.
func TestQuoteSeen(t *testing.T) {
	onEngines(t, func(w *world) {
		ann, bob, fan, other := w.person("ann"), w.person("bob"), w.person("fan"), w.person("other")
		w.follow(fan, bob)
		private := w.draft(bob, linnet.Draft{Text: "secret", Visibility: new(linnet.Private)}).ID
		mine := w.draft(bob, linnet.Draft{Text: "look @other", QuoteOf: private})
		if mine.Visibility != linnet.Private {
			w.Errorf("a quote of what is for followers is %v", mine.Visibility)
		}
		of := w.post(ann, "words").ID
		id := w.quote(bob, of, "see this").ID
		see := func(who linnet.ID, id linnet.ID, want string) {
			w.Helper()
			if got := w.quoteSeen(who, id); got != want {
				w.Errorf("seen %q, want %q", got, want)
			}
		}
		see(bob, mine.ID, "accepted secret")
		see(fan, mine.ID, "accepted secret")
		see(other, mine.ID, "unauthorized")
		see(ann, mine.ID, "not found")
		for _, who := range []linnet.ID{0, ann, bob, fan, other} {
			see(who, id, "accepted words")
		}
		must(w.Social.Block(w.ctx, ann, other))(w)
		must(w.Social.Mute(w.ctx, fan, ann, linnet.MuteOptions{}))(w)
		w.drain()
		see(other, id, "unauthorized")
		see(fan, id, "muted_account words")
		must(w.Social.Unblock(w.ctx, ann, other))(w)
		must(w.Social.Block(w.ctx, other, ann))(w)
		w.drain()
		see(other, id, "blocked_account words")
		see(0, id, "accepted words")
		w.did(w.operate("ann", linnet.Measure{Act: linnet.Silence, Reason: "x"}))
		w.drain()
		see(0, id, "unauthorized")
		see(ann, id, "accepted words")
		w.did(w.operate("ann", linnet.Measure{Act: linnet.Unsilence, Reason: "x"}))
		w.drain()
		w.did(w.operate("ann", linnet.Measure{Act: linnet.Suspend, Reason: "x"}))
		w.drain()
		see(bob, id, "unauthorized")
		w.did(w.operate("ann", linnet.Measure{Act: linnet.Unsuspend, Reason: "x"}))
		w.drain()
		see(bob, id, "accepted words")
		must(w.Posting.Delete(w.ctx, ann, of))(w)
		w.drain()
		see(bob, id, "deleted")
		w.check()
		second := w.quote(bob, w.post(ann, "more").ID, "again").ID
		w.deleteUser(ann, of)
		w.drain()
		see(bob, second, "deleted")
		w.check()
	})
}

// TestQuotes checks that a quoted author is notified, can list all quotes, and can revoke one
// permanently. Viewers and counts follow the visibility of each quote.
func TestQuotes(t *testing.T) {
	onEngines(t, func(w *world) {
		ann, bob, cat := w.person("ann"), w.person("bob"), w.person("cat")
		of := w.post(ann, "words").ID
		public := w.quote(bob, of, "public").ID
		private := w.draft(bob, linnet.Draft{Text: "private", QuoteOf: of, Visibility: new(linnet.Private)}).ID
		w.quote(ann, of, "own")
		equal(w, "quotes for the author", w.quoted(ann, of), []string{"own", "private", "public"})
		equal(w, "quotes for others", w.quoted(cat, of), []string{"own", "public"})
		equal(w, "quotes for nobody", w.quoted(0, of), []string{"own", "public"})
		if got := w.told(ann); got != "quote quote " {
			w.Errorf("ann was told %q", got)
		}
		count := func(want int64) {
			w.Helper()
			if n := must(w.View.Status(w.ctx, 0, of))(w).Quotes; n != want {
				w.Errorf("%d quotes are counted, want %d", n, want)
			}
		}
		count(2)
		if got := w.quoteSeen(ann, private); got != "accepted words" {
			w.Errorf("who is quoted for few sees %q", got)
		}
		page := must(w.Reading.Quotes(w.ctx, ann, of, linnet.Page{Limit: 2}))(w)
		rest := must(w.Reading.Quotes(w.ctx, ann, of, linnet.Page{Limit: 2, Max: page.Last}))(w)
		equal(w, "pages", append(texts(page.Items), texts(rest.Items)...), []string{"own", "private", "public"})
		_, err := w.Posting.RevokeQuote(w.ctx, cat, of, public)
		kindIs(w, err, linnet.Forbidden)
		_, err = w.Posting.RevokeQuote(w.ctx, ann, of, w.post(bob, "no quote").ID)
		kindIs(w, err, linnet.NotFound)
		for range 2 {
			v := must(w.Posting.RevokeQuote(w.ctx, ann, of, public))(w)
			if v.ID != public || v.Quote.State != linnet.QuoteRevoked || v.Quote.Status != nil {
				w.Errorf("revoked: %+v", v.Quote)
			}
		}
		w.drain()
		count(1)
		equal(w, "quotes for others", w.quoted(cat, of), []string{"own"})
		for _, who := range []linnet.ID{0, bob, cat} {
			if got := w.quoteSeen(who, public); got != "revoked" {
				w.Errorf("seen %q", got)
			}
		}
		must(w.Social.Block(w.ctx, bob, ann))(w)
		w.drain()
		must(w.Posting.RevokeQuote(w.ctx, ann, of, private))(w) // although ann can no longer see it
		w.drain()
		w.check()
		must(w.Posting.Delete(w.ctx, bob, public))(w)
		must(w.Posting.Delete(w.ctx, bob, private))(w)
		w.drain()
		if got := w.told(ann); got != "" {
			w.Errorf("of quotes that are gone ann is told %q", got)
		}
		must(w.Posting.Delete(w.ctx, ann, of))(w)
		w.drain()
		w.check()
	})
}

// TestQuotesAtOnce checks that quotes that are made, revoked and deleted concurrently end in a
// consistent state.
func TestQuotesAtOnce(t *testing.T) {
	onEngines(t, func(w *world) {
		ann := w.person("ann")
		of := w.post(ann, "words").ID
		people := w.people(6)
		var all sync.WaitGroup
		for i, who := range people {
			all.Go(func() {
				v, err := w.Posting.Post(w.ctx, who, linnet.Draft{Text: fmt.Sprint(i), QuoteOf: of})
				if err == nil && i%3 == 1 {
					_, err = w.Posting.RevokeQuote(w.ctx, ann, of, v.ID)
				}
				if err == nil && i%3 == 2 {
					_, err = w.Posting.Delete(w.ctx, who, v.ID)
				}
				if err != nil {
					w.Error(err)
				}
			})
		}
		all.Wait()
		w.drain()
		equal(w, "what is left", sorted(w.quoted(ann, of)), []string{"0", "3"})
		w.check()
	})
}

// TestQuotesOfQuotes checks that a nested quote has a link and is not shown, and that a boost of a
// quote shows the quote.
func TestQuotesOfQuotes(t *testing.T) {
	w := memWorld(t)
	ann, bob, cat := w.person("ann"), w.person("bob"), w.person("cat")
	first := w.post(ann, "first").ID
	second := w.quote(bob, first, "second").ID
	third := w.quote(cat, second, "third").ID
	v := must(w.View.Status(w.ctx, 0, third))(w)
	if in := v.Quote.Status.Quote; in == nil || !in.Nested || in.Of != first || in.Status != nil || in.State != linnet.QuoteAccepted {
		t.Errorf("within what is quoted: %+v", in)
	}
	boost := must(w.Posting.Repost(w.ctx, ann, third, nil))(w)
	if got := quoteWords(&boost); got != "accepted second" {
		t.Errorf("a boost of a quote shows %q", got)
	}
	// Each status shows its quote in any order and combination on a page.
	for _, ids := range [][]linnet.ID{{third, second, first}, {first, second, third}, {boost.ID, first, second}} {
		for _, v := range must(w.View.Statuses(w.ctx, cat, ids))(w) {
			want := map[string]string{"first": "none", "second": "accepted first", "third": "accepted second", "": "accepted second"}[v.Text]
			if got := quoteWords(&v); got != want {
				t.Errorf("%q shows %q, want %q", v.Text, got, want)
			}
		}
	}
	must(w.Social.Block(w.ctx, ann, cat))(w)
	w.drain()
	if in := must(w.View.Status(w.ctx, cat, third))(w).Quote.Status.Quote; in.State != linnet.QuoteUnauthorized || in.Of != 0 {
		t.Errorf("what is quoted by somebody who blocks the viewer: %+v", in)
	}
	w.filter(cat, linnet.FilterEverywhere, "second")
	v = must(w.View.Status(w.ctx, cat, third))(w)
	if v.Filtered != nil || v.Quote.Status.Filtered == nil {
		t.Errorf("filtered: %v, within the quote %v", v.Filtered, v.Quote.Status.Filtered)
	}
	w.check()
}

// TestQuoteEdits checks that authors of quotes are notified of the last edit of the original only.
// An edit can change the quote policy, but not the quoted status.
func TestQuoteEdits(t *testing.T) {
	onEngines(t, func(w *world) {
		ann, bob, cat := w.person("ann"), w.person("bob"), w.person("cat")
		of := w.post(ann, "words").ID
		id := w.quote(bob, of, "see").ID
		w.quote(ann, of, "own")
		revoked := w.quote(cat, of, "revoked").ID
		must(w.Posting.RevokeQuote(w.ctx, ann, of, revoked))(w)
		w.drain()
		for i := range 2 {
			w.edit(ann, of, linnet.Edit{Text: fmt.Sprint("words ", i)})
			notices := w.noticesOf(bob, linnet.NotificationFilter{}, 40)
			if len(notices) != 1 || notices[0].Type != linnet.NotifyQuoted || notices[0].From != ann || notices[0].Status.ID != id {
				w.Errorf("bob was told %+v", notices)
			}
		}
		if got := w.told(cat); got != "" {
			w.Errorf("whose quote was taken back is told %q", got)
		}
		v := w.edit(bob, id, linnet.Edit{Text: "look", QuoteOf: of})
		if got := quoteWords(&v); got != "accepted words 1" {
			w.Errorf("an edited quote shows %q", got)
		}
		_, err := w.Posting.Edit(w.ctx, bob, id, linnet.Edit{Text: "x", QuoteOf: revoked})
		kindIs(w, err, linnet.Invalid)
		must(w.Posting.Edit(w.ctx, bob, id, linnet.Edit{}))(w) // without text
		v = w.edit(ann, of, linnet.Edit{Text: "words 1", QuotePolicy: new(linnet.QuoteNobody)})
		if len(v.Edits) != 2 || v.QuotePolicy != linnet.QuoteNobody {
			w.Errorf("who may quote is an edit: %d, %v", len(v.Edits), v.QuotePolicy)
		}
		_, err = w.Posting.Post(w.ctx, cat, linnet.Draft{Text: "x", QuoteOf: of})
		kindIs(w, err, linnet.Forbidden)
		if got := w.quoteSeen(cat, id); got != "accepted words 1" {
			w.Errorf("what was quoted before: %q", got)
		}
		must(w.Posting.SetQuotePolicy(w.ctx, ann, of, linnet.QuotePublic))(w)
		w.quote(cat, of, "now")
		_, err = w.Posting.SetQuotePolicy(w.ctx, bob, of, linnet.QuotePublic)
		kindIs(w, err, linnet.NotFound)
		private := w.draft(ann, linnet.Draft{Text: "p", Visibility: new(linnet.Private)}).ID
		if v := must(w.Posting.SetQuotePolicy(w.ctx, ann, private, linnet.QuotePublic))(w); v.Quoters() != linnet.QuoteNobody {
			w.Errorf("what is for followers may be quoted by %v", v.Quoters())
		}
		direct := w.draft(bob, linnet.Draft{Text: "@ann", QuoteOf: of, Visibility: new(linnet.Direct)}).ID
		_, err = w.Posting.Edit(w.ctx, bob, direct, linnet.Edit{Text: "@cat"})
		kindIs(w, err, linnet.Invalid)
		must(w.Social.Profiles.Update(w.ctx, ann, linnet.ProfileChange{QuotePolicy: new(linnet.QuoteFollowers)}))(w)
		if p := w.post(ann, "later").Quoters(); p != linnet.QuoteFollowers {
			w.Errorf("the preference is %v", p)
		}
		w.check()
	})
}

// TestScheduledQuotes checks that a scheduled quote is checked by the rules at its time, and fails
// with a reason.
func TestScheduledQuotes(t *testing.T) {
	clock := &clocked{}
	opt := store.Options{Now: clock.now}
	e := memkv.New(memkv.Options{Now: clock.now})
	w := idleWorld(t, e, opt)
	ann, bob := w.person("ann"), w.person("bob")
	at := w.store.Now().Add(time.Hour)
	plan := func(of linnet.ID, text string) *linnet.Scheduled {
		t.Helper()
		at = at.Add(time.Second)
		return must(w.Posting.Scheduled.Create(w.ctx, bob, linnet.Draft{Text: text, QuoteOf: of, QuotePolicy: new(linnet.QuoteFollowers)}, at))(t)
	}
	open, shut, gone, fails := w.post(ann, "open").ID, w.post(ann, "shut").ID, w.post(ann, "gone").ID, w.post(ann, "blocks").ID
	own := w.draft(bob, linnet.Draft{Text: "own", Visibility: new(linnet.Private)}).ID
	if p := plan(own, "of own"); *p.Draft.Visibility != linnet.Private {
		t.Errorf("a scheduled quote of what is for followers is %v", *p.Draft.Visibility)
	}
	boost := must(w.Posting.Repost(w.ctx, bob, open, nil))(t).ID
	if p := must(w.Posting.Scheduled.Get(w.ctx, bob, plan(boost, "of open").ID))(t); p.Draft.QuoteOf != open || *p.Draft.QuotePolicy != linnet.QuoteFollowers {
		t.Errorf("scheduled: %+v", p.Draft)
	}
	plan(shut, "of shut")
	plan(gone, "of gone")
	must(w.Posting.SetQuotePolicy(w.ctx, ann, shut, linnet.QuoteNobody))(t)
	must(w.Posting.Delete(w.ctx, ann, gone))(t)
	_, err := w.Posting.Scheduled.Create(w.ctx, bob, linnet.Draft{Text: "x", QuoteOf: shut}, at)
	kindIs(t, err, linnet.Forbidden)
	_, err = w.Posting.Scheduled.Create(w.ctx, bob, linnet.Draft{Text: "x", QuoteOf: gone}, at)
	kindIs(t, err, linnet.NotFound)
	_, err = w.Posting.Scheduled.Create(w.ctx, bob, linnet.Draft{Text: "x", QuoteOf: open, Visibility: new(linnet.Direct)}, at)
	kindIs(t, err, linnet.Invalid)
	must(w.Posting.Scheduled.Create(w.ctx, bob, linnet.Draft{Text: "", QuoteOf: open}, at))(t) // a quote needs no text
	w.check()
	clock.turn(2 * time.Hour)
	w = closes(t, e, opt)
	if got := w.plans(bob); got != "[of shut: Only the author can quote this post. Link to it instead.][of gone: The quoted post was deleted, or you can no longer see it.]" {
		t.Errorf("not published: %s", got)
	}
	if got := w.profile(bob, bob); got != "[][of open][of own][][own]" {
		t.Errorf("published: %s", got)
	}
	equal(w, "quotes", w.quoted(ann, open), []string{"", "of open"})
	v := must(w.Reading.Profile(w.ctx, 0, bob, linnet.ProfileFilter{ExcludeReposts: true}, linnet.Page{}))(t).Items
	if len(v) != 2 || quoteWords(&v[1]) != "accepted open" || v[1].QuotePolicy != linnet.QuoteFollowers {
		t.Errorf("for everybody: %d", len(v))
	}
	late := must(w.Posting.Scheduled.Create(w.ctx, bob, linnet.Draft{Text: "late", QuoteOf: fails}, w.store.Now().Add(time.Hour)))(t)
	must(w.Social.Block(w.ctx, ann, bob))(t)
	w.drain()
	clock.turn(2 * time.Hour)
	w = closes(t, e, opt)
	if s := must(w.Posting.Scheduled.Get(w.ctx, bob, late.ID))(t); !strings.Contains(s.Failed, "deleted, or you can no longer see it") {
		t.Errorf("of somebody who blocks: %q", s.Failed)
	}
	w.check()
}

// TestQuoteStreams checks that streams show each listener only visible quoted statuses, and whether
// the listener can quote a new status.
func TestQuoteStreams(t *testing.T) {
	onEngines(t, func(w *world) {
		ann, bob, fan, shut := w.person("ann"), w.person("bob"), w.person("fan"), w.person("shut")
		of := w.draft(ann, linnet.Draft{Text: "words", QuotePolicy: new(linnet.QuotePublic)}).ID
		w.follow(fan, bob)
		w.follow(shut, bob)
		must(w.Social.Block(w.ctx, ann, shut))(w)
		w.drain()
		ears := map[linnet.ID]*ear{fan: w.listen(session(fan), stream(linnet.StreamUser)), shut: w.listen(session(shut), stream(linnet.StreamUser)),
			0: w.listen(linnet.Session{}, stream(linnet.StreamPublic)), ann: w.listen(session(ann), stream(linnet.StreamUser))}
		id := w.quote(bob, of, "see").ID
		for _, who := range []linnet.ID{fan, shut, 0} { // events are rendered when they are sent
			ears[who].until(map[bool]string{true: "public update see", false: "user update see"}[who == 0])
		}
		must(w.Posting.RevokeQuote(w.ctx, ann, of, id))(w)
		w.drain()
		w.draft(bob, linnet.Draft{Text: "last", QuotePolicy: new(linnet.QuoteFollowers)})
		seen := func(e *ear) (out []string) {
			e.mu.Lock()
			defer e.mu.Unlock()
			for _, ev := range e.all {
				if ev.Status != nil {
					out = append(out, fmt.Sprint(ev.Type, " ", quoteWords(ev.Status), " ", ev.Status.MayQuote))
				}
			}
			return out
		}
		for who, want := range map[linnet.ID][]string{
			fan:  {"update accepted words true", "status.update revoked true", "update none true"},
			shut: {"update unauthorized true", "status.update revoked true", "update none true"},
			0:    {"update accepted words false", "status.update revoked false", "update none false"},
		} {
			ears[who].until(map[bool]string{true: "public update last", false: "user update last"}[who == 0])
			equal(w, fmt.Sprint("stream of ", who), seen(ears[who]), want)
		}
		if got := ears[ann].words(); !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "notification quote") }) {
			w.Errorf("who is quoted hears %q", got)
		}
	})
}

// quoteActs are actions on quotes, for the fault tests.
func quoteActs() map[string]faultyAct {
	quote := func(s *stage) (linnet.StatusView, error) {
		return s.Posting.Post(s.ctx, s.dan, linnet.Draft{Text: "see", QuoteOf: s.byAnn, IdempotencyKey: "k"})
	}
	left := func(s *stage) string {
		n := must(s.View.Status(s.ctx, s.ann, s.byAnn))(s).Quotes
		return fmt.Sprint(n, len(s.quoted(s.ann, s.byAnn)), strings.Count(s.notices(s.ann), "quote"))
	}
	return map[string]faultyAct{
		"quote": {
			do:   func(s *stage) error { return second(quote(s)) },
			want: func(s *stage) string { return differs(left(s), "1 1 1") },
		},
		"revoke a quote": {
			do: func(s *stage) error {
				v, err := quote(s)
				if err == nil {
					_, err = s.Posting.RevokeQuote(s.ctx, s.ann, s.byAnn, v.ID)
				}
				return err
			},
			// A quote that is deleted first causes no notification.
			want: func(s *stage) string { return differs(left(s)[:len("0 0")], "0 0") },
		},
	}
}
