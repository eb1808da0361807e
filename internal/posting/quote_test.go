package posting_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// quote posts a quote of a status.
func quote(w *apptest.World, by, of linnet.ID, text string) linnet.StatusView {
	w.Helper()
	return w.Draft(by, linnet.Draft{Text: text, QuoteOf: of})
}

// quoteSeen describes the quoted status in a status as seen by a viewer.
func quoteSeen(w *apptest.World, viewer, id linnet.ID) string {
	w.Helper()
	v, err := w.View.Status(w.Ctx, viewer, id)
	if err != nil {
		apptest.WantKind(w, err, linnet.NotFound)
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

// TestWhoMayQuote checks that the author's policy determines who can quote a public status. A quote
// is not more public than its original, and the quoted author can see it.
func TestWhoMayQuote(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, bob, cat := w.Person("ann"), w.Person("bob"), w.Person("cat")
		w.Follow(bob, ann)
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
			of := w.Draft(ann, linnet.Draft{Text: "quoted @bob @cat", Visibility: &x.vis, QuotePolicy: &x.policy}).ID
			for who, may := range map[linnet.ID]bool{ann: x.ann, bob: x.bob, cat: x.cat} {
				if v := apptest.Must(w.View.Status(w.Ctx, who, of))(w); v.MayQuote != may {
					w.Errorf("%v %v: %v may quote: %v", x.vis, x.policy, who, v.MayQuote)
				}
				v, err := w.Posting.Post(w.Ctx, who, linnet.Draft{Text: "look", QuoteOf: of})
				if !may {
					apptest.WantKind(w, err, linnet.Forbidden)
				} else if private := x.vis == linnet.Private; err != nil || v.QuoteOf != of || v.QuoteAuthor != ann || (v.Visibility == linnet.Private) != private {
					w.Errorf("%v %v: %v, %v", x.vis, x.policy, v.Visibility, err)
				}
			}
		}
		public := w.Post(ann, "public").ID
		_, err := w.Posting.Post(w.Ctx, bob, linnet.Draft{Text: "psst", QuoteOf: public, Visibility: new(linnet.Direct)})
		apptest.WantKind(w, err, linnet.Invalid)
		apptest.Must(w.Posting.Post(w.Ctx, bob, linnet.Draft{Text: "psst @ann", QuoteOf: public, Visibility: new(linnet.Direct)}))(w)
		apptest.Must(w.Posting.Post(w.Ctx, bob, linnet.Draft{QuoteOf: public}))(w) // a quote needs no text
		boost := apptest.Must(w.Posting.Repost(w.Ctx, bob, public, nil))(w).ID
		if v := quote(w, cat, boost, "of a boost"); v.QuoteOf != public {
			w.Errorf("a quote of a boost quotes %v", v.QuoteOf)
		}
		for _, id := range []linnet.ID{5, w.Draft(ann, linnet.Draft{Text: "private", Visibility: new(linnet.Private)}).ID} {
			_, err = w.Posting.Post(w.Ctx, cat, linnet.Draft{Text: "x", QuoteOf: id})
			apptest.WantKind(w, err, linnet.NotFound)
		}
		apptest.Must(w.Social.Block(w.Ctx, cat, ann))(w)
		w.Drain()
		_, err = w.Posting.Post(w.Ctx, cat, linnet.Draft{Text: "x", QuoteOf: public})
		apptest.WantKind(w, err, linnet.Forbidden)
		_, err = w.Posting.Post(w.Ctx, ann, linnet.Draft{Text: "x", QuoteOf: w.Post(cat, "by cat").ID})
		apptest.WantKind(w, err, linnet.NotFound)
		w.Check()
	})
}

// TestQuoteSeen checks that a quote shows the quoted status according to the viewer's access to it.
func TestQuoteSeen(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, bob, fan, other := w.Person("ann"), w.Person("bob"), w.Person("fan"), w.Person("other")
		w.Follow(fan, bob)
		private := w.Draft(bob, linnet.Draft{Text: "secret", Visibility: new(linnet.Private)}).ID
		mine := w.Draft(bob, linnet.Draft{Text: "look @other", QuoteOf: private})
		if mine.Visibility != linnet.Private {
			w.Errorf("a quote of what is for followers is %v", mine.Visibility)
		}
		of := w.Post(ann, "words").ID
		id := quote(w, bob, of, "see this").ID
		see := func(who linnet.ID, id linnet.ID, want string) {
			w.Helper()
			if got := quoteSeen(w, who, id); got != want {
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
		apptest.Must(w.Social.Block(w.Ctx, ann, other))(w)
		apptest.Must(w.Social.Mute(w.Ctx, fan, ann, linnet.MuteOptions{}))(w)
		w.Drain()
		see(other, id, "unauthorized")
		see(fan, id, "muted_account words")
		apptest.Must(w.Social.Unblock(w.Ctx, ann, other))(w)
		apptest.Must(w.Social.Block(w.Ctx, other, ann))(w)
		w.Drain()
		see(other, id, "blocked_account words")
		see(0, id, "accepted words")
		w.OK(w.Operate("ann", linnet.Measure{Act: linnet.Silence, Reason: "x"}))
		w.Drain()
		see(0, id, "unauthorized")
		see(ann, id, "accepted words")
		w.OK(w.Operate("ann", linnet.Measure{Act: linnet.Unsilence, Reason: "x"}))
		w.Drain()
		w.OK(w.Operate("ann", linnet.Measure{Act: linnet.Suspend, Reason: "x"}))
		w.Drain()
		see(bob, id, "unauthorized")
		w.OK(w.Operate("ann", linnet.Measure{Act: linnet.Unsuspend, Reason: "x"}))
		w.Drain()
		see(bob, id, "accepted words")
		apptest.Must(w.Posting.Delete(w.Ctx, ann, of))(w)
		w.Drain()
		see(bob, id, "deleted")
		w.Check()
		second := quote(w, bob, w.Post(ann, "more").ID, "again").ID
		w.DeleteUser(ann, of)
		w.Drain()
		see(bob, second, "deleted")
		w.Check()
	})
}

// TestQuotes checks that a quoted author is notified, can list all quotes, and can revoke one
// permanently. Viewers and counts follow the visibility of each quote.
func TestQuotes(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, bob, cat := w.Person("ann"), w.Person("bob"), w.Person("cat")
		of := w.Post(ann, "words").ID
		public := quote(w, bob, of, "public").ID
		private := w.Draft(bob, linnet.Draft{Text: "private", QuoteOf: of, Visibility: new(linnet.Private)}).ID
		quote(w, ann, of, "own")
		apptest.Equal(w, "quotes for the author", w.QuoteTexts(ann, of), []string{"own", "private", "public"})
		apptest.Equal(w, "quotes for others", w.QuoteTexts(cat, of), []string{"own", "public"})
		apptest.Equal(w, "quotes for nobody", w.QuoteTexts(0, of), []string{"own", "public"})
		if got := told(w, ann); got != "quote quote " {
			w.Errorf("ann was told %q", got)
		}
		count := func(want int64) {
			w.Helper()
			if n := apptest.Must(w.View.Status(w.Ctx, 0, of))(w).Quotes; n != want {
				w.Errorf("%d quotes are counted, want %d", n, want)
			}
		}
		count(2)
		if got := quoteSeen(w, ann, private); got != "accepted words" {
			w.Errorf("who is quoted for few sees %q", got)
		}
		page := apptest.Must(w.Reading.Quotes(w.Ctx, ann, of, linnet.Page{Limit: 2}))(w)
		rest := apptest.Must(w.Reading.Quotes(w.Ctx, ann, of, linnet.Page{Limit: 2, Max: page.Last}))(w)
		apptest.Equal(w, "pages", append(apptest.Texts(page.Items), apptest.Texts(rest.Items)...), []string{"own", "private", "public"})
		_, err := w.Posting.RevokeQuote(w.Ctx, cat, of, public)
		apptest.WantKind(w, err, linnet.Forbidden)
		_, err = w.Posting.RevokeQuote(w.Ctx, ann, of, w.Post(bob, "no quote").ID)
		apptest.WantKind(w, err, linnet.NotFound)
		for range 2 {
			v := apptest.Must(w.Posting.RevokeQuote(w.Ctx, ann, of, public))(w)
			if v.ID != public || v.Quote.State != linnet.QuoteRevoked || v.Quote.Status != nil {
				w.Errorf("revoked: %+v", v.Quote)
			}
		}
		w.Drain()
		count(1)
		apptest.Equal(w, "quotes for others", w.QuoteTexts(cat, of), []string{"own"})
		for _, who := range []linnet.ID{0, bob, cat} {
			if got := quoteSeen(w, who, public); got != "revoked" {
				w.Errorf("seen %q", got)
			}
		}
		apptest.Must(w.Social.Block(w.Ctx, bob, ann))(w)
		w.Drain()
		apptest.Must(w.Posting.RevokeQuote(w.Ctx, ann, of, private))(w) // although ann can no longer see it
		w.Drain()
		w.Check()
		apptest.Must(w.Posting.Delete(w.Ctx, bob, public))(w)
		apptest.Must(w.Posting.Delete(w.Ctx, bob, private))(w)
		w.Drain()
		if got := told(w, ann); got != "" {
			w.Errorf("of quotes that are gone ann is told %q", got)
		}
		apptest.Must(w.Posting.Delete(w.Ctx, ann, of))(w)
		w.Drain()
		w.Check()
	})
}

// TestQuotesAtOnce checks that quotes that are made, revoked and deleted concurrently end in a
// consistent state.
func TestQuotesAtOnce(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann := w.Person("ann")
		of := w.Post(ann, "words").ID
		people := w.People(6)
		var all sync.WaitGroup
		for i, who := range people {
			all.Go(func() {
				v, err := w.Posting.Post(w.Ctx, who, linnet.Draft{Text: fmt.Sprint(i), QuoteOf: of})
				if err == nil && i%3 == 1 {
					_, err = w.Posting.RevokeQuote(w.Ctx, ann, of, v.ID)
				}
				if err == nil && i%3 == 2 {
					_, err = w.Posting.Delete(w.Ctx, who, v.ID)
				}
				if err != nil {
					w.Error(err)
				}
			})
		}
		all.Wait()
		w.Drain()
		apptest.Equal(w, "what is left", apptest.Sorted(w.QuoteTexts(ann, of)), []string{"0", "3"})
		w.Check()
	})
}

// TestQuotesOfQuotes checks that a nested quote has a link and is not shown, and that a boost of a
// quote shows the quote.
func TestQuotesOfQuotes(t *testing.T) {
	w := apptest.InMemory(t)
	ann, bob, cat := w.Person("ann"), w.Person("bob"), w.Person("cat")
	first := w.Post(ann, "first").ID
	second := quote(w, bob, first, "second").ID
	third := quote(w, cat, second, "third").ID
	v := apptest.Must(w.View.Status(w.Ctx, 0, third))(w)
	if in := v.Quote.Status.Quote; in == nil || !in.Nested || in.Of != first || in.Status != nil || in.State != linnet.QuoteAccepted {
		t.Errorf("within what is quoted: %+v", in)
	}
	boost := apptest.Must(w.Posting.Repost(w.Ctx, ann, third, nil))(w)
	if got := quoteWords(&boost); got != "accepted second" {
		t.Errorf("a boost of a quote shows %q", got)
	}
	// Each status shows its quote in any order and combination on a page.
	for _, ids := range [][]linnet.ID{{third, second, first}, {first, second, third}, {boost.ID, first, second}} {
		for _, v := range apptest.Must(w.View.Statuses(w.Ctx, cat, ids))(w) {
			want := map[string]string{"first": "none", "second": "accepted first", "third": "accepted second", "": "accepted second"}[v.Text]
			if got := quoteWords(&v); got != want {
				t.Errorf("%q shows %q, want %q", v.Text, got, want)
			}
		}
	}
	apptest.Must(w.Social.Block(w.Ctx, ann, cat))(w)
	w.Drain()
	if in := apptest.Must(w.View.Status(w.Ctx, cat, third))(w).Quote.Status.Quote; in.State != linnet.QuoteUnauthorized || in.Of != 0 {
		t.Errorf("what is quoted by somebody who blocks the viewer: %+v", in)
	}
	w.Filter(cat, linnet.FilterEverywhere, "second")
	v = apptest.Must(w.View.Status(w.Ctx, cat, third))(w)
	if v.Filtered != nil || v.Quote.Status.Filtered == nil {
		t.Errorf("filtered: %v, within the quote %v", v.Filtered, v.Quote.Status.Filtered)
	}
	w.Check()
}

// TestQuoteEdits checks that authors of quotes are notified of the last edit of the original only.
// An edit can change the quote policy, but not the quoted status.
func TestQuoteEdits(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, bob, cat := w.Person("ann"), w.Person("bob"), w.Person("cat")
		of := w.Post(ann, "words").ID
		id := quote(w, bob, of, "see").ID
		quote(w, ann, of, "own")
		revoked := quote(w, cat, of, "revoked").ID
		apptest.Must(w.Posting.RevokeQuote(w.Ctx, ann, of, revoked))(w)
		w.Drain()
		for i := range 2 {
			w.Edit(ann, of, linnet.Edit{Text: fmt.Sprint("words ", i)})
			notices := w.NoticesOf(bob, linnet.NotificationFilter{}, 40)
			if len(notices) != 1 || notices[0].Type != linnet.NotifyQuoted || notices[0].From != ann || notices[0].Status.ID != id {
				w.Errorf("bob was told %+v", notices)
			}
		}
		if got := told(w, cat); got != "" {
			w.Errorf("whose quote was taken back is told %q", got)
		}
		v := w.Edit(bob, id, linnet.Edit{Text: "look", QuoteOf: of})
		if got := quoteWords(&v); got != "accepted words 1" {
			w.Errorf("an edited quote shows %q", got)
		}
		_, err := w.Posting.Edit(w.Ctx, bob, id, linnet.Edit{Text: "x", QuoteOf: revoked})
		apptest.WantKind(w, err, linnet.Invalid)
		apptest.Must(w.Posting.Edit(w.Ctx, bob, id, linnet.Edit{}))(w) // without text
		v = w.Edit(ann, of, linnet.Edit{Text: "words 1", QuotePolicy: new(linnet.QuoteNobody)})
		if len(v.Edits) != 2 || v.QuotePolicy != linnet.QuoteNobody {
			w.Errorf("who may quote is an edit: %d, %v", len(v.Edits), v.QuotePolicy)
		}
		_, err = w.Posting.Post(w.Ctx, cat, linnet.Draft{Text: "x", QuoteOf: of})
		apptest.WantKind(w, err, linnet.Forbidden)
		if got := quoteSeen(w, cat, id); got != "accepted words 1" {
			w.Errorf("what was quoted before: %q", got)
		}
		apptest.Must(w.Posting.SetQuotePolicy(w.Ctx, ann, of, linnet.QuotePublic))(w)
		quote(w, cat, of, "now")
		_, err = w.Posting.SetQuotePolicy(w.Ctx, bob, of, linnet.QuotePublic)
		apptest.WantKind(w, err, linnet.NotFound)
		private := w.Draft(ann, linnet.Draft{Text: "p", Visibility: new(linnet.Private)}).ID
		if v := apptest.Must(w.Posting.SetQuotePolicy(w.Ctx, ann, private, linnet.QuotePublic))(w); v.Quoters() != linnet.QuoteNobody {
			w.Errorf("what is for followers may be quoted by %v", v.Quoters())
		}
		direct := w.Draft(bob, linnet.Draft{Text: "@ann", QuoteOf: of, Visibility: new(linnet.Direct)}).ID
		_, err = w.Posting.Edit(w.Ctx, bob, direct, linnet.Edit{Text: "@cat"})
		apptest.WantKind(w, err, linnet.Invalid)
		apptest.Must(w.Social.Profiles.Update(w.Ctx, ann, linnet.ProfileChange{QuotePolicy: new(linnet.QuoteFollowers)}))(w)
		if p := w.Post(ann, "later").Quoters(); p != linnet.QuoteFollowers {
			w.Errorf("the preference is %v", p)
		}
		w.Check()
	})
}

// TestScheduledQuotes checks that a scheduled quote is checked by the rules at its time, and fails
// with a reason.
func TestScheduledQuotes(t *testing.T) {
	clock := &apptest.Clock{}
	opt := store.Options{Now: clock.Now}
	e := memkv.New(memkv.Options{Now: clock.Now})
	w := apptest.Idle(t, e, opt)
	ann, bob := w.Person("ann"), w.Person("bob")
	at := w.Store.Now().Add(time.Hour)
	plan := func(of linnet.ID, text string) *linnet.Scheduled {
		t.Helper()
		at = at.Add(time.Second)
		return apptest.Must(w.Posting.Scheduled.Create(w.Ctx, bob, linnet.Draft{Text: text, QuoteOf: of, QuotePolicy: new(linnet.QuoteFollowers)}, at))(t)
	}
	open, shut, gone, fails := w.Post(ann, "open").ID, w.Post(ann, "shut").ID, w.Post(ann, "gone").ID, w.Post(ann, "blocks").ID
	own := w.Draft(bob, linnet.Draft{Text: "own", Visibility: new(linnet.Private)}).ID
	if p := plan(own, "of own"); *p.Draft.Visibility != linnet.Private {
		t.Errorf("a scheduled quote of what is for followers is %v", *p.Draft.Visibility)
	}
	boost := apptest.Must(w.Posting.Repost(w.Ctx, bob, open, nil))(t).ID
	if p := apptest.Must(w.Posting.Scheduled.Get(w.Ctx, bob, plan(boost, "of open").ID))(t); p.Draft.QuoteOf != open || *p.Draft.QuotePolicy != linnet.QuoteFollowers {
		t.Errorf("scheduled: %+v", p.Draft)
	}
	plan(shut, "of shut")
	plan(gone, "of gone")
	apptest.Must(w.Posting.SetQuotePolicy(w.Ctx, ann, shut, linnet.QuoteNobody))(t)
	apptest.Must(w.Posting.Delete(w.Ctx, ann, gone))(t)
	_, err := w.Posting.Scheduled.Create(w.Ctx, bob, linnet.Draft{Text: "x", QuoteOf: shut}, at)
	apptest.WantKind(t, err, linnet.Forbidden)
	_, err = w.Posting.Scheduled.Create(w.Ctx, bob, linnet.Draft{Text: "x", QuoteOf: gone}, at)
	apptest.WantKind(t, err, linnet.NotFound)
	_, err = w.Posting.Scheduled.Create(w.Ctx, bob, linnet.Draft{Text: "x", QuoteOf: open, Visibility: new(linnet.Direct)}, at)
	apptest.WantKind(t, err, linnet.Invalid)
	apptest.Must(w.Posting.Scheduled.Create(w.Ctx, bob, linnet.Draft{Text: "", QuoteOf: open}, at))(t) // a quote needs no text
	w.Check()
	clock.Advance(2 * time.Hour)
	w = apptest.ServeDue(t, e, opt)
	if got := w.ScheduledPosts(bob); got != "[of shut: Only the author can quote this post. Link to it instead.][of gone: The quoted post was deleted, or you can no longer see it.]" {
		t.Errorf("not published: %s", got)
	}
	if got := profile(w, bob, bob); got != "[][of open][of own][][own]" {
		t.Errorf("published: %s", got)
	}
	apptest.Equal(w, "quotes", w.QuoteTexts(ann, open), []string{"", "of open"})
	v := apptest.Must(w.Reading.Profile(w.Ctx, 0, bob, linnet.ProfileFilter{ExcludeReposts: true}, linnet.Page{}))(t).Items
	if len(v) != 2 || quoteWords(&v[1]) != "accepted open" || v[1].QuotePolicy != linnet.QuoteFollowers {
		t.Errorf("for everybody: %d", len(v))
	}
	late := apptest.Must(w.Posting.Scheduled.Create(w.Ctx, bob, linnet.Draft{Text: "late", QuoteOf: fails}, w.Store.Now().Add(time.Hour)))(t)
	apptest.Must(w.Social.Block(w.Ctx, ann, bob))(t)
	w.Drain()
	clock.Advance(2 * time.Hour)
	w = apptest.ServeDue(t, e, opt)
	if s := apptest.Must(w.Posting.Scheduled.Get(w.Ctx, bob, late.ID))(t); !strings.Contains(s.Failed, "deleted, or you can no longer see it") {
		t.Errorf("of somebody who blocks: %q", s.Failed)
	}
	w.Check()
}

// TestQuoteStreams checks that streams show each listener only visible quoted statuses, and whether
// the listener can quote a new status.
func TestQuoteStreams(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, bob, fan, shut := w.Person("ann"), w.Person("bob"), w.Person("fan"), w.Person("shut")
		of := w.Draft(ann, linnet.Draft{Text: "words", QuotePolicy: new(linnet.QuotePublic)}).ID
		w.Follow(fan, bob)
		w.Follow(shut, bob)
		apptest.Must(w.Social.Block(w.Ctx, ann, shut))(w)
		w.Drain()
		ears := map[linnet.ID]*apptest.Listener{fan: w.Listen(apptest.Session(fan), apptest.Stream(linnet.StreamUser)), shut: w.Listen(apptest.Session(shut), apptest.Stream(linnet.StreamUser)),
			0: w.Listen(linnet.Session{}, apptest.Stream(linnet.StreamPublic)), ann: w.Listen(apptest.Session(ann), apptest.Stream(linnet.StreamUser))}
		id := quote(w, bob, of, "see").ID
		for _, who := range []linnet.ID{fan, shut, 0} { // events are rendered when they are sent
			ears[who].WaitFor(map[bool]string{true: "public update see", false: "user update see"}[who == 0])
		}
		apptest.Must(w.Posting.RevokeQuote(w.Ctx, ann, of, id))(w)
		w.Drain()
		w.Draft(bob, linnet.Draft{Text: "last", QuotePolicy: new(linnet.QuoteFollowers)})
		seen := func(e *apptest.Listener) (out []string) {
			e.Mu.Lock()
			defer e.Mu.Unlock()
			for _, ev := range e.All {
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
			ears[who].WaitFor(map[bool]string{true: "public update last", false: "user update last"}[who == 0])
			apptest.Equal(w, fmt.Sprint("stream of ", who), seen(ears[who]), want)
		}
		if got := ears[ann].Words(); !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "notification quote") }) {
			w.Errorf("who is quoted hears %q", got)
		}
	})
}
