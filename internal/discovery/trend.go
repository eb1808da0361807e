package discovery

import (
	"cmp"
	"context"
	"maps"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"linnet/internal/cards"
	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/reading"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/store/statuses"
	"linnet/internal/task"
	"linnet/internal/timeline"
	"linnet/internal/view"
)

const (
	// trendLeast is the minimum number of different users of a trend within a day.
	trendLeast = 3
	trendMost  = 100 // maximum trends of a kind
	trendAge   = 30 * time.Second
	trendDays  = tagDays
)

// TrendQuery selects a part of a list of trends.
type TrendQuery struct{ Offset, Limit int }

// trendPart returns the selected part of a list. usual is the default limit.
func trendPart[T any](all []T, q TrendQuery, usual, most int) []T {
	if q.Limit == 0 {
		q.Limit = usual
	}
	all = all[min(max(q.Offset, 0), len(all)):]
	return all[:min(max(q.Limit, 1), most, len(all))]
}

// trending has the trends as read some time ago. It is immutable.
type trending struct {
	at       time.Time
	today    time.Time
	of       map[record.TrendKind][]trend              // highest score first, at most trendMost
	earlier  map[record.TrendKind]map[int64]usesByName // by day (Unix), for days that no longer change
	statuses []linnet.ID
	cards    map[string]*linnet.Card      // cards of links whose pages were fetched
	shown    map[record.TrendKind][]trend // without those hidden by moderators
}

type trend struct {
	name  string
	score float64
	days  []TagDay
}

type usesByName map[string]statuses.Trend

// Trends counts tags, links and statuses that many users share. It is safe for concurrent use.
type Trends struct {
	st    *store.Store
	opt   core.Options
	tasks *task.Queue

	core    *core.Service
	view    *view.Service
	reading *reading.Service
	cards   *cards.Service

	window *trendWindow
	board  trendBoard
}

// NewTrends returns the Trends of a store.
func NewTrends(b core.Base, c *core.Service, v *view.Service, r *reading.Service, cs *cards.Service) *Trends {
	return &Trends{st: b.Store, opt: b.Options, tasks: b.Tasks, core: c, view: v, reading: r, cards: cs, window: &trendWindow{full: make(chan struct{}, 1)}}
}

// trendBoard caches the trends. It is safe for concurrent use.
type trendBoard struct {
	last    atomic.Pointer[trending]
	reading sync.Mutex
}

// readTrends reads the days of history. It reads days that no longer change only once.
func (s *Trends) readTrends(ctx context.Context, now time.Time, last *trending) (*trending, error) {
	t := &trending{at: now, today: now.UTC().Truncate(24 * time.Hour), of: map[record.TrendKind][]trend{}, shown: map[record.TrendKind][]trend{}, earlier: map[record.TrendKind]map[int64]usesByName{}}
	for _, kind := range []record.TrendKind{record.TrendTags, record.TrendLinks, record.TrendStatuses} {
		var known map[int64]usesByName
		if last != nil {
			known = last.earlier[kind]
		}
		history := 2
		if kind != record.TrendStatuses {
			history = trendDays
		}
		days, err := s.trendDays(ctx, kind, t.today, history, known)
		if err != nil {
			return nil, err
		}
		t.of[kind] = rankTrends(t.today, days)
		t.earlier[kind] = map[int64]usesByName{}
		for i := 2; i < len(days); i++ {
			t.earlier[kind][t.today.AddDate(0, 0, -i).Unix()] = days[i]
		}
	}
	decided, err := s.st.Statuses.Tags.HiddenTrends(ctx)
	if err != nil {
		return nil, err
	}
	for kind, all := range t.of {
		t.shown[kind] = slices.DeleteFunc(slices.Clone(all), func(x trend) bool { return hides(decided, kind, x.name) })
	}
	links := t.of[record.TrendLinks]
	names := make([]string, len(links))
	for i, l := range links {
		names[i] = l.name
	}
	known, err := s.cards.Known(ctx, names)
	if err != nil {
		return nil, err
	}
	t.cards = map[string]*linnet.Card{}
	for i, c := range known {
		if c != nil {
			t.cards[names[i]] = c
		}
	}
	for _, st := range t.shown[record.TrendStatuses] {
		if id, ok := linnet.ParseID(st.name); ok {
			t.statuses = append(t.statuses, id)
		}
	}
	return t, nil
}

// trendDays reads the uses of n days, today first. It skips known days that no longer change.
func (s *Trends) trendDays(ctx context.Context, kind record.TrendKind, today time.Time, n int, known map[int64]usesByName) ([]usesByName, error) {
	days, ask, indexes := make([]usesByName, n), []time.Time{}, []int{}
	for i := range days {
		day := today.AddDate(0, 0, -i)
		if have, ok := known[day.Unix()]; ok && i >= 2 {
			days[i] = have
			continue
		}
		ask, indexes = append(ask, day), append(indexes, i)
	}
	read, err := s.st.Statuses.Tags.Trends(ctx, kind, ask)
	for i, ts := range read {
		days[indexes[i]] = make(usesByName, len(ts))
		for _, t := range ts {
			days[indexes[i]][t.Name] = t
		}
	}
	return days, err
}

// rankTrends sorts the items used today or yesterday. With the heat h and the average u of users
// per day before, the score is h·h/(h+u): daily topics need more users than new ones.
func rankTrends(today time.Time, days []usesByName) []trend {
	names := maps.Clone(days[0])
	maps.Copy(names, days[1])
	all := make([]trend, 0, len(names))
	for name := range names {
		if max(days[0][name].People, days[1][name].People) < trendLeast {
			continue
		}
		heat, usual := days[0][name].Heat+days[1][name].Heat, 0.0
		t := trend{name: name, days: make([]TagDay, len(days))}
		for i, day := range days {
			u := day[name]
			t.days[i] = TagDay{Day: today.AddDate(0, 0, -i), Uses: u.Uses, Users: u.People}
			if i > 0 {
				usual += float64(u.People) / float64(len(days)-1)
			}
		}
		t.score = heat * heat / (heat + usual)
		all = append(all, t)
	}
	slices.SortFunc(all, func(a, b trend) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.name, b.name)) })
	return all[:min(len(all), trendMost)]
}

// On reports whether the server shows trends.
func (s *Trends) On(ctx context.Context) (bool, error) {
	now, err := s.core.KnownSettings(ctx)
	return err == nil && now.Trends, err
}

// shownTrends returns the trends, or none if the server shows none. While another goroutine reads
// them, or if they can't be read, it returns the last ones.
func (s *Trends) shownTrends(ctx context.Context) (*trending, error) {
	on, err := s.On(ctx)
	if err != nil || !on {
		return &trending{}, err
	}
	b, now := &s.board, s.st.Now()
	last := b.last.Load()
	if last != nil {
		if now.Sub(last.at).Abs() < trendAge || !b.reading.TryLock() {
			return last, nil
		}
		defer b.reading.Unlock()
	}
	next, err := s.readTrends(ctx, now, last)
	switch {
	case err == nil:
		b.last.Store(next)
	case last != nil:
		return last, nil
	}
	return next, core.StoreError(err)
}

// Tags returns the tags with more users than usual. A user counts once a day. The limit is 1 to 20;
// 0 means 10. https://docs.joinmastodon.org/methods/trends/#tags
func (s *Trends) Tags(ctx context.Context, q TrendQuery) ([]TagView, error) {
	t, err := s.shownTrends(ctx)
	if err != nil {
		return nil, err
	}
	var out []TagView
	for _, tag := range trendPart(t.shown[record.TrendTags], q, 10, 20) {
		out = append(out, TagView{Name: tag.name, URL: s.opt.PublicURL + "/tags/" + url.PathEscape(tag.name), Days: tag.days})
	}
	return out, nil
}

// Statuses returns the statuses that most users have recently favourited or boosted, one
// per author. They are public, not replies, without a warning, by discoverable authors, and visible
// to the viewer. The limit is 1 to 40; 0 means 20.
// https://docs.joinmastodon.org/methods/trends/#statuses
func (s *Trends) Statuses(ctx context.Context, viewer linnet.ID, q TrendQuery) ([]linnet.StatusView, error) {
	t, err := s.shownTrends(ctx)
	if err != nil || len(t.statuses) == 0 {
		return nil, err
	}
	seen := timeline.PublicPageOf(t.statuses, db.Span{})
	authors := map[linnet.ID]bool{}
	vs, err := s.reading.Show(ctx, viewer, seen.Entries, &seen, func(l *view.Loader, _ *timeline.PageRead, v *linnet.StatusView) bool {
		if authors[v.Author] || !mayTrend(&v.Status, &v.By.User) || l.Unwanted(v) {
			return false
		}
		authors[v.Author] = true
		return true
	})
	return trendPart(vs, q, linnet.DefaultPage, linnet.MaxPage), err
}

// mayTrend reports whether a status can be shown to strangers among the trends.
func mayTrend(st *linnet.Status, by *linnet.User) bool {
	return st.Visibility == linnet.Public && st.RepostOf == 0 && st.InReplyTo == 0 && !st.Sensitive && st.Warning == "" && by.Listed()
}

// uses collects noted uses by kind and name.
type uses map[record.TrendKind]map[string]*record.TrendUse

func (us uses) add(kind record.TrendKind, name string, by linnet.ID) {
	if us[kind] == nil {
		us[kind] = map[string]*record.TrendUse{}
	}
	u := us[kind][name]
	if u == nil {
		u = &record.TrendUse{Name: name}
		us[kind][name] = u
	}
	u.Uses++
	if !slices.Contains(u.People, by) {
		u.People = append(u.People, by)
	}
}

// countTrends adds noted uses to the stored counts.
func (s *Trends) countTrends(ctx context.Context, n noted) error {
	on, err := s.On(ctx)
	if err != nil || !on {
		return err
	}
	b := s.st.Batch()
	marked := make([]*db.StatusRef, len(n.marks))
	people := map[linnet.ID]*db.UserRef{}
	ask := func(id linnet.ID) {
		if people[id] == nil {
			people[id] = b.User(id)
		}
	}
	for i, m := range n.marks {
		marked[i] = b.Status(m.status)
		ask(m.by)
	}
	for _, st := range n.posts {
		ask(st.Author)
	}
	if err := b.Run(ctx); err != nil {
		return err
	}
	for _, ref := range marked {
		if ref.Status != nil {
			ask(ref.Status.Author)
		}
	}
	if err := b.Run(ctx); err != nil {
		return err
	}
	us := uses{}
	for _, st := range n.posts {
		s.countPost(us, st, people[st.Author].User)
	}
	for i, m := range n.marks {
		st, by := marked[i].Status, people[m.by].User
		if st != nil && m.by != st.Author && trusted(by) && people[st.Author].User != nil && mayTrend(st, people[st.Author].User) {
			us.add(record.TrendStatuses, st.ID.String(), m.by)
		}
	}
	for kind, names := range us {
		all := make([]record.TrendUse, 0, len(names))
		for _, u := range names {
			all = append(all, *u)
		}
		if err := s.st.Statuses.Tags.MergeTrends(ctx, kind, all); err != nil {
			return err
		}
	}
	if len(us) > 0 {
		s.board.stale()
	}
	return nil
}

// trusted reports whether a user's actions count for trends.
func trusted(u *linnet.User) bool { return u != nil && !u.Hidden() && !u.Silenced }

// countPost counts the tags and links of a public status. Links to this server and links behind a
// warning do not count.
func (s *Trends) countPost(us uses, st *linnet.Status, by *linnet.User) {
	if st.Visibility != linnet.Public || st.RepostOf != 0 || !trusted(by) {
		return
	}
	for _, t := range core.FoldTags(st.Tags) {
		us.add(record.TrendTags, t, st.Author)
	}
	if st.Sensitive {
		return
	}
	for _, l := range s.linksOf(st) {
		us.add(record.TrendLinks, l, st.Author)
	}
}

// newestUse raises the counts of a tag to those of its trend, which isn't limited to the newest
// 1,000 statuses.
func (s *Trends) newestUse(ctx context.Context, v *TagView, folded string) {
	t, err := s.shownTrends(ctx)
	if err != nil {
		return // the tag is shown without it
	}
	for _, tag := range t.of[record.TrendTags] {
		if tag.name != folded {
			continue
		}
		for i := range min(len(v.Days), len(tag.days)) {
			v.Days[i].Uses, v.Days[i].Users = max(v.Days[i].Uses, tag.days[i].Uses), max(v.Days[i].Users, tag.days[i].Users)
		}
	}
}
