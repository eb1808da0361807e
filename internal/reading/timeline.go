package reading

import (
	"context"
	"slices"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/timeline"
	"linnet/internal/view"
)

// Page walks a source until limit statuses pass keep, or it ends.
func (s *Service) Page(ctx context.Context, viewer linnet.ID, p linnet.Page, next timeline.Source,
	keep func(*view.Loader, *timeline.PageRead, *linnet.StatusView) bool) (out linnet.Slice[linnet.StatusView], err error) {
	sp, err := timeline.Span(p, linnet.MaxPage)
	if err != nil {
		return out, err
	}
	limit := sp.Limit
	var seen timeline.PageRead
	for round := 0; round < core.PageRounds && len(out.Items) < limit && !seen.End; round++ {
		if seen, err = next(ctx, sp); err != nil {
			return out, core.StoreError(err)
		}
		if err := s.showParts(ctx, viewer, &seen, sp.Asc, limit, &out.Items, keep); err != nil {
			return out, err
		}
		if sp.Asc {
			sp.Above = seen.Reached
		} else {
			sp.Below = seen.Reached
		}
		sp.Limit = min(max(sp.Limit, 2*(limit-len(out.Items))), timeline.ScanMax)
	}
	if over := len(out.Items) - limit; over > 0 {
		seen.End = false
		if sp.Asc {
			out.Items = out.Items[over:] // those directly above the bound
		} else {
			out.Items = out.Items[:limit]
		}
	}
	cursors(&out, limit, sp.Asc, seen)
	return out, nil
}

// PartLeast is how many candidates are shown together, if there are so many: to
// fill a gap of one, more than one may have to be read. Where that was not enough,
// partGrowth times as many are the next, since every part may be a round trip.
const (
	PartLeast  = 10
	partGrowth = 4
)

// showParts shows the candidates of a look, a part at a time, until there are
// limit items. If candidates are left over, the look ends with those shown.
func (s *Service) showParts(ctx context.Context, viewer linnet.ID, seen *timeline.PageRead, asc bool, limit int, items *[]linnet.StatusView,
	keep func(*view.Loader, *timeline.PageRead, *linnet.StatusView) bool) error {
	rest := seen.Cands
	for least := PartLeast; len(rest) > 0 && len(*items) < limit; {
		n := max(limit-len(*items), least)
		if len(seen.Exclusive) > 0 { // each part asks who is in the lists
			n = len(rest)
		}
		if len(rest) < len(seen.Cands) {
			least *= partGrowth
		}
		n = min(n, len(rest))
		part := rest[:n]
		if asc {
			part, rest = rest[len(rest)-n:], rest[:len(rest)-n]
		} else {
			rest = rest[n:]
		}
		found, err := s.Show(ctx, viewer, part, seen, keep)
		switch {
		case err != nil:
			return err
		case *items == nil:
			*items = found
		case asc:
			*items = append(found, *items...)
		default:
			*items = append(*items, found...)
		}
		if len(rest) > 0 && len(*items) >= limit {
			l := timeline.PageRead{Cands: part}
			l.Reach(asc)
			seen.End, seen.Reached = false, l.Reached
		}
	}
	return nil
}

// cursors sets where the neighbouring pages begin. When the search was given up
// before the page was full, the next page begins where it stopped.
func cursors(out *linnet.Slice[linnet.StatusView], limit int, asc bool, seen timeline.PageRead) {
	n := len(out.Items)
	if n > 0 {
		out.First = linnet.CursorOf(out.Items[0].ID)
		out.Last = linnet.CursorOf(out.Items[n-1].ID)
	}
	switch {
	case asc:
	case seen.End:
		out.End()
	case n < limit:
		out.Last = linnet.CursorOf(seen.Reached)
	}
}

// Show turns candidates into views, leaving out what may not be shown.
func (s *Service) Show(ctx context.Context, viewer linnet.ID, cands []timeline.Entry, seen *timeline.PageRead,
	keep func(*view.Loader, *timeline.PageRead, *linnet.StatusView) bool) ([]linnet.StatusView, error) {
	l := s.view.Loader(viewer)
	defer l.Release()
	l.Lists = seen.Exclusive
	if seen.At != 0 {
		l.At = seen.At
	}
	for _, c := range cands {
		l.Want(c.Id, c.Author)
	}
	l.Near.Window = seen.Window
	if err := l.Run(ctx); err != nil {
		return nil, err
	}
	out := make([]linnet.StatusView, 0, len(cands))
	for _, c := range cands {
		v, ok := l.View(c.Id)
		if !ok {
			continue
		}
		if out = append(out, v); keep != nil && !keep(l, seen, &out[len(out)-1]) {
			out = out[:len(out)-1]
		}
	}
	return out, nil
}

// Profile shows what a user has posted, as far as the viewer may see it.
// https://docs.joinmastodon.org/methods/accounts/#statuses
func (s *Service) Profile(ctx context.Context, viewer, of linnet.ID, f linnet.ProfileFilter, p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
	u, err := s.view.User(ctx, viewer, of)
	if err != nil || u.Suspended {
		return linnet.Slice[linnet.StatusView]{}, err
	}
	if f.OnlyMedia {
		return linnet.Slice[linnet.StatusView]{}, nil // no status carries media
	}
	pass := func(post record.Post) bool {
		return !(f.ExcludeReplies && post.Reply) && !(f.ExcludeReposts && post.Repost) &&
			(viewer != 0 || post.Visibility <= linnet.Unlisted)
	}
	next := func(ctx context.Context, sp db.Span) (timeline.PageRead, error) {
		l, err := s.LookAtProfile(ctx, of, sp, pass)
		l.At = linnet.FilterAccount
		return l, err
	}
	if m, err := s.view.Stance(ctx, viewer, of); err != nil || m.BlockedBy() {
		return linnet.Slice[linnet.StatusView]{}, err
	}
	if in, err := s.view.InsideOf(ctx, viewer, []*linnet.User{&u.User}); err != nil || !in[of] {
		return linnet.Slice[linnet.StatusView]{}, err // the group is no secret, what is posted there is
	}
	tag := core.FoldTags([]string{f.Tag})
	return s.Page(ctx, viewer, p, next, func(l *view.Loader, _ *timeline.PageRead, v *linnet.StatusView) bool {
		return (f.Tag == "" || core.HasTag(v, tag)) && !(v.Repost != nil && l.Relation(v.Repost.Author).Blocks())
	})
}

// ProfileScan is how many entries of a profile one look takes: their flags tell
// most of what may not be shown without reading the statuses.
const ProfileScan = 500

// LookAtProfile reads a range of somebody's statuses, of which pass keeps some.
func (s *Service) LookAtProfile(ctx context.Context, of linnet.ID, sp db.Span, pass func(record.Post) bool) (l timeline.PageRead, err error) {
	want := sp.Limit
	for range core.PageRounds {
		b := s.st.Batch()
		ref := b.Posts(of, sp)
		if err := b.Run(ctx); err != nil {
			return l, err
		}
		posts := ref.Posts()
		for _, post := range posts {
			l.Reached = post.ID
			if pass(post) {
				l.Cands = append(l.Cands, timeline.Entry{Id: post.ID, Author: of})
			}
			if len(l.Cands) == want {
				break
			}
		}
		l.End = len(posts) < sp.Limit && len(l.Cands) < want
		if l.End || len(l.Cands) == want {
			break
		}
		sp.Limit = ProfileScan
		if sp.Asc {
			sp.Above = l.Reached
		} else {
			sp.Below = l.Reached
		}
	}
	if sp.Asc {
		slices.Reverse(l.Cands)
	}
	return l, nil
}

// Public shows the global timeline: public statuses that are no replies to
// others and no reposts.
// https://docs.joinmastodon.org/methods/timelines/#public
func (s *Service) Public(ctx context.Context, viewer linnet.ID, q linnet.PublicQuery, p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
	if q.Remote || q.OnlyMedia {
		return linnet.Slice[linnet.StatusView]{}, nil // there are neither remote statuses nor media
	}
	next := func(ctx context.Context, sp db.Span) (timeline.PageRead, error) {
		ids, err := s.st.Statuses.Global(ctx, sp)
		return timeline.LookAtPublic(ids, sp), err
	}
	return s.Page(ctx, viewer, p, next, func(l *view.Loader, _ *timeline.PageRead, v *linnet.StatusView) bool {
		return !v.By.Silenced && !l.Unwanted(v)
	})
}

// Tag shows public statuses by tag.
// https://docs.joinmastodon.org/methods/timelines/#tag
func (s *Service) Tag(ctx context.Context, viewer linnet.ID, q linnet.TagQuery, p linnet.Page) (out linnet.Slice[linnet.StatusView], err error) {
	if len(q.Any) > linnet.MaxTagQuery || len(q.All) > linnet.MaxTagQuery || len(q.None) > linnet.MaxTagQuery {
		return out, linnet.FieldError("any", "ERR_TOO_LONG", "more than %d tags to combine", linnet.MaxTagQuery)
	}
	if q.OnlyMedia {
		return out, nil
	}
	tags, all, none := core.FoldTags(append([]string{q.Tag}, q.Any...)), core.FoldTags(q.All), core.FoldTags(q.None)
	if len(tags) == 0 {
		return out, nil
	}
	next := func(ctx context.Context, sp db.Span) (timeline.PageRead, error) {
		ids, err := s.st.Statuses.Tagged(ctx, tags, sp)
		return timeline.LookAtPublic(ids, sp), err
	}
	return s.Page(ctx, viewer, p, next, func(l *view.Loader, _ *timeline.PageRead, v *linnet.StatusView) bool {
		if v.By.Silenced || l.Unwanted(v) {
			return false
		}
		for _, t := range all {
			if !core.HasTag(v, []string{t}) {
				return false
			}
		}
		return len(none) == 0 || !core.HasTag(v, none)
	})
}
