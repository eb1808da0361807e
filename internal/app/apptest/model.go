package apptest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// Model is the expected state in plain Go: all statuses and follows.
type Model struct {
	All       []linnet.Status // in ascending order
	Follows   map[[2]linnet.ID]bool
	Muted     map[[2]linnet.ID]bool
	Exclusive map[[2]linnet.ID]bool // owner and member of an exclusive list
	Blocks    map[[2]linnet.ID]bool
}

// NewModel returns a model without accounts and statuses.
func NewModel() *Model {
	return &Model{Follows: map[[2]linnet.ID]bool{}, Muted: map[[2]linnet.ID]bool{}, Exclusive: map[[2]linnet.ID]bool{}, Blocks: map[[2]linnet.ID]bool{}}
}

// Barred reports whether one of two users blocks the other.
func (m *Model) Barred(a, b linnet.ID) bool {
	return m.Blocks[[2]linnet.ID{a, b}] || m.Blocks[[2]linnet.ID{b, a}]
}

// Add adds a status to the model.
func (m *Model) Add(v linnet.StatusView) {
	i, _ := slices.BinarySearchFunc(m.All, v.ID, func(s linnet.Status, id linnet.ID) int { return int(int64(s.ID) - int64(id)) })
	m.All = slices.Insert(m.All, i, v.Status)
}

// Remove deletes a status and its reposts.
func (m *Model) Remove(id linnet.ID) {
	m.All = slices.DeleteFunc(m.All, func(s linnet.Status) bool { return s.ID == id || s.RepostOf == id })
}

// Get returns a status, nil if it does not exist.
func (m *Model) Get(id linnet.ID) *linnet.Status {
	for i := range m.All {
		if m.All[i].ID == id {
			return &m.All[i]
		}
	}
	return nil
}

// Visible reports whether the model lets an account see a status.
func (m *Model) Visible(to linnet.ID, s *linnet.Status) bool {
	switch {
	case m.Barred(to, s.Author):
		return false
	case s.Author == to || s.Visibility.Open():
		return true
	case slices.ContainsFunc(s.Mentions, func(x linnet.Mention) bool { return x.ID == to }):
		return true
	}
	return s.Visibility == linnet.Private && m.Follows[[2]linnet.ID{to, s.Author}]
}

// entered reports whether a status is in the home feed of me, shown or not.
func (m *Model) entered(me linnet.ID, s *linnet.Status) bool {
	return s.Author == me || m.Follows[[2]linnet.ID{me, s.Author}] && s.Visibility != linnet.Direct
}

// shown reports whether home shows a status to me, apart from reposts close to their original.
func (m *Model) shown(me linnet.ID, s *linnet.Status) bool {
	if s.Author == me {
		return true
	}
	if !m.entered(me, s) || !m.Visible(me, s) || m.Exclusive[[2]linnet.ID{me, s.Author}] {
		return false
	}
	if s.RepostOf != 0 {
		o := m.Get(s.RepostOf)
		return o != nil && m.Visible(me, o) && !m.Muted[[2]linnet.ID{me, s.Author}]
	}
	return s.InReplyTo == 0 || s.InReplyAuthor == s.Author || s.InReplyAuthor == me || m.Follows[[2]linnet.ID{me, s.InReplyAuthor}]
}

// Home returns the whole home timeline of me, newest first.
func (m *Model) Home(me linnet.ID) []linnet.ID {
	var feed []*linnet.Status
	for i := len(m.All) - 1; i >= 0; i-- {
		if m.entered(me, &m.All[i]) {
			feed = append(feed, &m.All[i])
		}
	}
	var out []linnet.ID
	for i, s := range feed {
		if !m.shown(me, s) {
			continue
		}
		near := feed[i+1 : min(i+41, len(feed))]
		if s.RepostOf != 0 && slices.ContainsFunc(near, func(o *linnet.Status) bool { return (o.ID == s.RepostOf || o.RepostOf == s.RepostOf) && m.shown(me, o) }) {
			continue
		}
		out = append(out, s.ID)
	}
	return out
}

// CheckHome compares the home timeline of me with the model: downwards with several limits, and
// from a random entry upwards and with since_id.
func (w *World) CheckHome(m *Model, me linnet.ID, rnd *rand.Rand, limits ...int) {
	w.Helper()
	want := m.Home(me)
	for _, limit := range limits {
		Equal(w, fmt.Sprintf("home of %v by %d", me, limit), IDs(w.Home(me, limit)), want)
	}
	if len(want) == 0 {
		return
	}
	at := rnd.IntN(len(want))
	limit := 1 + rnd.IntN(40)
	Equal(w, fmt.Sprintf("home of %v up from entry %d by %d", me, at, limit), w.Up(me, want[at], limit), want[:at])
	since := Must(w.Reading.Home(w.Ctx, me, linnet.Page{Since: linnet.CursorOf(want[at]), Limit: limit}))(w)
	Equal(w, fmt.Sprintf("home of %v since entry %d by %d", me, at, limit), IDs(since.Items), want[:min(at, limit)])
	if at <= limit && since.Last != "" && at < limit {
		w.Errorf("the page says that there are more entries below %v, but the home timeline has no entries since %v", since.Last, want[at])
	}
}

// Up pages upwards with min_id and returns the entries, newest first.
func (w *World) Up(me, from linnet.ID, limit int) []linnet.ID {
	w.Helper()
	var out []linnet.ID
	for range 10_000 {
		s := Must(w.Reading.Home(w.Ctx, me, linnet.Page{Min: linnet.CursorOf(from), Limit: limit}))(w)
		if len(s.Items) == 0 {
			return out
		}
		out = append(IDs(s.Items), out...)
		from = s.Items[0].ID
	}
	w.Fatal("rising pages do not end")
	return nil
}

// CompareFeeds compares a feed grown by pushes, merges and deletions with a rebuilt one. The ids
// must be the same above the higher floor.
func (w *World) CompareFeeds(me linnet.ID) {
	w.Helper()
	read := func() ([]linnet.ID, linnet.ID) {
		Must(w.Reading.Home(w.Ctx, me, linnet.Page{}))(w)
		b := w.Store.Batch()
		page := b.Feed(record.HomeKey(me), db.Span{Limit: kv.MaxRange})
		if err := b.Run(w.Ctx); err != nil || page.Cold || page.Filling {
			w.Fatalf("feed: %+v %v", page, err)
		}
		return page.IDs(), page.Floor
	}
	grown, floor1 := read()
	if err := w.Store.Feeds.ForgetFeeds(w.Ctx, record.HomeKey(me)); err != nil {
		w.Fatal(err)
	}
	rebuilt, floor2 := read()
	floor := max(floor1, floor2)
	below := func(id linnet.ID) bool { return id <= floor }
	Equal(w, "the feed as it grew, and rebuilt", slices.DeleteFunc(grown, below), slices.DeleteFunc(rebuilt, below))
}
