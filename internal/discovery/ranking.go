package discovery

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/reading"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/timeline"
	"linnet/internal/view"
)

// A ranking sorts the statuses of some sources within a period by score. The first reader's request
// computes it with bounded work and stores it in the reader's shard for linnet.RankingAge. So all
// servers return the same pages and entries don't move between them. The stored ranking doesn't
// grant access: each entry is checked when it is shown, like on the home timeline.

// keepRule reports whether a status belongs in a timeline.
type keepRule = reading.Rule

// rankSource is a timeline that a ranking is computed from.
type rankSource struct {
	next   timeline.PageReader
	rule   func(ctx context.Context) (keepRule, error) // rule of the timeline; nil means don't read the source
	weight float64
}

// recipe describes how a ranking is computed and where it is stored.
type recipe struct {
	key     kv.Key
	owner   linnet.ID // the feed of the ranking; 0 for the catch-up
	weights linnet.Weights
	sources []rankSource
	guards  []kv.Cond                                    // conditions of storing the ranking
	since   func(ctx context.Context) (linnet.ID, error) // entries above this id are included
	stale   func(*record.RankOrder) bool                 // reports whether to compute it again; nil for never
}

// ranked is a ranking for one request.
type ranked struct {
	s         *Feeds
	me        linnet.ID
	r         *recipe
	o         *record.RankOrder
	exclusive []linnet.ID
	rules     map[int]keepRule // of the sources that were needed
	checked   bool             // show has checked o.Newest
	visible   bool             // whether the viewer can see o.Newest
}

// ranking reads a stored ranking, or computes it if there is none.
func (s *Feeds) ranking(ctx context.Context, me linnet.ID, r *recipe) (*ranked, error) {
	x := &ranked{s: s, me: me, r: r, rules: map[int]keepRule{}}
	if err := x.read(ctx); err != nil {
		return nil, err
	}
	if x.o.Version != 0 && (r.stale == nil || !r.stale(x.o)) {
		return x, nil
	}
	made := &record.RankOrder{Owner: r.owner, At: s.st.Now(), Version: x.o.Version}
	var err error
	if made.Since, err = r.since(ctx); err != nil {
		return nil, core.StoreError(err)
	}
	made.Since = max(made.Since, 1)
	best := map[linnet.ID]scored{} // by the scored status
	for i := range r.sources {
		if err := x.gather(ctx, i, made, best); err != nil {
			return nil, core.StoreError(err)
		}
	}
	all := make([]scored, 0, len(best))
	for _, e := range best {
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b scored) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.ID, a.ID)) })
	for _, e := range all[:min(len(all), linnet.RankingEntries)] {
		made.Entries = append(made.Entries, e.RankedEntry)
	}
	stored, err := s.st.Feeds.PutOrder(ctx, r.key, made, r.guards...)
	switch {
	case errors.Is(err, db.ErrDeleted): // the user or feed is deleted, so there is no next page
	case err != nil && ctx.Err() != nil:
		return nil, core.StoreError(err)
	case err != nil: // pages can be shown although the ranking can't be stored
		s.opt.Log.Debug("cannot cache ranking", "key", r.key, "err", err)
	case !stored: // a concurrent request was first, and all pages use its ranking
		if err := x.read(ctx); err != nil || x.o.Version != 0 {
			return x, err
		}
	}
	x.o = made
	return x, nil
}

// read reads the stored ranking and data about the reader.
func (x *ranked) read(ctx context.Context) error {
	b := x.s.st.Batch()
	x.o = b.Order(x.r.key)
	reader := b.Reader(x.me)
	reader.AskExclusive()
	if err := b.Run(ctx); err != nil {
		return core.StoreError(err)
	}
	x.exclusive = reader.Exclusive()
	return nil
}

func (x *ranked) rule(ctx context.Context, source int) (keepRule, error) {
	if rule, ok := x.rules[source]; ok {
		return rule, nil
	}
	if source >= len(x.r.sources) {
		return nil, nil
	}
	rule, err := x.r.sources[source].rule(ctx)
	if err == nil {
		x.rules[source] = rule
	}
	return rule, err
}

// scored is an entry with its score.
type scored struct {
	record.RankedEntry
	score float64
}

// gather scores the newest entries of a source. It reads a fixed number, however many of them are
// visible, so it doesn't use timeline.Fill. If a status was found in several ways, the way with the
// highest score counts, then the status itself before a boost, then the newest.
func (x *ranked) gather(ctx context.Context, source int, o *record.RankOrder, best map[linnet.ID]scored) error {
	rule, err := x.rule(ctx, source)
	if err != nil || rule == nil {
		return err
	}
	src := x.r.sources[source]
	rest := linnet.RankingReads / len(x.r.sources)
	sp := db.Span{Above: o.Since, Limit: min(rest, timeline.ScanMax)}
	for round := 0; rest > 0 && round < 2*linnet.RankingReads/timeline.ScanMax; round++ {
		seen, err := src.next(ctx, sp)
		if err != nil {
			return err
		}
		cands := seen.Entries[:min(len(seen.Entries), rest)]
		for part := range slices.Chunk(cands, timeline.ScanMax) {
			views, err := x.s.reading.Show(ctx, x.me, part, &seen, rule)
			if err != nil {
				return err
			}
			for i := range views {
				o.Newest = max(o.Newest, views[i].ID)
				v := &views[i]
				of := v
				if v.Repost != nil {
					of = v.Repost
				}
				e := scored{RankedEntry: record.RankedEntry{ID: v.ID, Author: v.Author, Of: of.ID, Source: source, Votes: of.Votes()}}
				e.score = x.why(&e.RankedEntry, o.At).Score
				have, ok := best[of.ID]
				if !ok || e.score > have.score || e.score == have.score && have.ID != of.ID && (v.ID == of.ID || v.ID > have.ID) {
					best[of.ID] = e
				}
			}
		}
		if seen.End {
			break
		}
		rest -= len(cands)
		sp.Below, sp.Limit = seen.Reached, min(max(rest, 1), timeline.ScanMax)
	}
	return nil
}

// why returns the reasons for the rank of an entry. The age of a status counts at the time of the
// ranking.
func (x *ranked) why(e *record.RankedEntry, at time.Time) linnet.Why {
	w := 1.0
	if e.Source < len(x.r.sources) {
		w = x.r.sources[e.Source].weight
	}
	return x.r.weights.Rank(e.Votes, at.Sub(e.Of.Time())).From(w)
}

// down returns up to limit visible entries with ranks from from (0 is the first) to before to, and
// the rank at which it stopped.
func (x *ranked) down(ctx context.Context, from, to, limit int) ([]linnet.Ranked, int, error) {
	items, rest, err := timeline.ShowParts(x.o.Entries[from:to], false, limit, timeline.PartLeast, func(part []record.RankedEntry) ([]linnet.Ranked, error) {
		return x.show(ctx, part)
	})
	if len(items) > limit {
		items = items[:limit]
		return items, x.rank(items[limit-1].ID) + 1, err
	}
	return items, to - len(rest), err
}

// up shows the limit entries directly above a rank, in the order of the ranking.
func (x *ranked) up(ctx context.Context, to, limit int) ([]linnet.Ranked, error) {
	items, _, err := timeline.ShowParts(x.o.Entries[:to], true, limit, timeline.PartLeast, func(part []record.RankedEntry) ([]linnet.Ranked, error) {
		return x.show(ctx, part)
	})
	return items[max(0, len(items)-limit):], err
}

// show returns views of entries that the viewer can still see. The first time it also checks
// whether o.Newest is visible, which saves a round trip.
func (x *ranked) show(ctx context.Context, part []record.RankedEntry) ([]linnet.Ranked, error) {
	cands := make([]linnet.Entry, len(part))
	at := make(map[linnet.ID]*record.RankedEntry, len(part))
	for i := range part {
		e := &part[i]
		cands[i], at[e.ID] = linnet.Entry{ID: e.ID, Author: e.Author}, e
		if _, err := x.rule(ctx, e.Source); err != nil {
			return nil, core.StoreError(err)
		}
	}
	if newest := x.o.Newest; !x.checked && newest != 0 && at[newest] == nil {
		cands = append(cands, linnet.Entry{ID: newest})
	}
	x.checked = true
	seen := timeline.PageRead{Exclusive: x.exclusive, At: linnet.FilterHome}
	views, err := x.s.reading.Show(ctx, x.me, cands, &seen, func(l *view.Loader, seen *timeline.PageRead, v *linnet.StatusView) bool {
		x.visible = x.visible || v.ID == x.o.Newest
		e := at[v.ID]
		if e == nil { // o.Newest is only checked
			return false
		}
		rule := x.rules[e.Source]
		return rule != nil && rule(l, seen, v)
	})
	out := make([]linnet.Ranked, len(views))
	for i, v := range views {
		out[i] = linnet.Ranked{StatusView: v, Why: x.why(at[v.ID], x.o.At)}
	}
	return out, err
}

// rank returns the rank of an entry, or -1.
func (x *ranked) rank(id linnet.ID) int {
	return slices.IndexFunc(x.o.Entries, func(e record.RankedEntry) bool { return e.ID == id })
}

// page returns the page after a cursor. If the ranking was computed again, it continues after the
// same entry, or at least at the same rank.
func (x *ranked) page(ctx context.Context, p linnet.RankPage) (out linnet.Ranking, err error) {
	from, id, err := p.After.Parse()
	if err != nil {
		return out, err
	}
	if i := x.rank(id); id != 0 && i >= 0 {
		from = i + 1
	}
	all := len(x.o.Entries)
	out = linnet.Ranking{At: x.o.At, From: x.o.Since.Time(), Total: all}
	if out.Items, from, err = x.down(ctx, min(from, all), all, rankLimit(p.Limit)); err != nil {
		return out, err
	}
	if n := len(out.Items); n > 0 && from < all {
		last := out.Items[n-1].ID
		out.Next = linnet.RankCursorOf(x.rank(last)+1, last)
	}
	out.Newest, err = x.newest(ctx)
	return out, err
}

// newest returns the newest entry that was considered for the ranking, if the viewer can still see
// it. Otherwise it returns the newest visible entry of the ranking, 0 if there is none.
func (x *ranked) newest(ctx context.Context) (linnet.ID, error) {
	if x.o.Newest == 0 {
		return 0, nil
	}
	if !x.checked { // the page shows no entries
		if _, err := x.show(ctx, nil); err != nil {
			return 0, err
		}
	}
	if x.visible {
		return x.o.Newest, nil
	}
	byID := slices.SortedFunc(slices.Values(x.o.Entries), func(a, b record.RankedEntry) int { return cmp.Compare(b.ID, a.ID) })
	items, _, err := timeline.ShowParts(byID, false, 1, timeline.PartLeast, func(part []record.RankedEntry) ([]linnet.Ranked, error) {
		return x.show(ctx, part)
	})
	if err != nil || len(items) == 0 {
		return 0, err
	}
	return items[0].ID, nil
}

func rankLimit(asked int) int {
	if asked == 0 {
		return linnet.DefaultPage
	}
	return min(max(asked, 1), linnet.MaxPage)
}
