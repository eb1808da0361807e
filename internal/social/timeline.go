package social

import (
	"context"
	"slices"

	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
)

// candidate is an entry that may belong on a page.
type candidate struct {
	id, author linnet.ID // author 0: not known yet
}

// look is what one look into a timeline found: candidates, newest first, and how
// far it saw. The next look goes on below reached (rising: above it); end says
// that there is nothing further.
type look struct {
	cands     []candidate
	reached   linnet.ID
	end       bool
	window    []candidate          // of feeds: the candidates and what follows them
	exclusive []linnet.ID          // the viewer's lists whose members are not to be shown
	at        linnet.FilterContext // which of the viewer's filters apply
	also      map[linnet.ID]int    // how many reposts of a status were left out for one that follows
}

// source looks into a timeline: about span.Limit candidates of a span.
type source func(ctx context.Context, sp store.Span) (look, error)

// Rounds bound the work of one page: when entry after entry may not be shown,
// the page ends short, and its cursor leads on from where the search stopped.
const (
	pageRounds = 8
	scanMax    = 200 // candidates a round, at most
)

// page walks a source until limit statuses pass keep, or it ends.
func (s *Service) page(ctx context.Context, viewer linnet.ID, p linnet.Page, next source,
	keep func(*loader, *look, *linnet.StatusView) bool) (out linnet.Slice[linnet.StatusView], err error) {
	sp, err := span(p, linnet.MaxPage)
	if err != nil {
		return out, err
	}
	limit := sp.Limit
	var seen look
	for round := 0; round < pageRounds && len(out.Items) < limit && !seen.end; round++ {
		if seen, err = next(ctx, sp); err != nil {
			return out, kvError(err)
		}
		if err := s.showParts(ctx, viewer, &seen, sp.Asc, limit, &out.Items, keep); err != nil {
			return out, err
		}
		if sp.Asc {
			sp.Above = seen.reached
		} else {
			sp.Below = seen.reached
		}
		sp.Limit = min(max(sp.Limit, 2*(limit-len(out.Items))), scanMax)
	}
	if over := len(out.Items) - limit; over > 0 {
		seen.end = false
		if sp.Asc {
			out.Items = out.Items[over:] // those directly above the bound
		} else {
			out.Items = out.Items[:limit]
		}
	}
	cursors(&out, limit, sp.Asc, seen)
	return out, nil
}

// partLeast is how many candidates are shown together, if there are so many: to
// fill a gap of one, more than one may have to be read. Where that was not enough,
// partGrowth times as many are the next, since every part may be a round trip.
const (
	partLeast  = 10
	partGrowth = 4
)

// showParts shows the candidates of a look, a part at a time, until there are
// limit items. If candidates are left over, the look ends with those shown.
func (s *Service) showParts(ctx context.Context, viewer linnet.ID, seen *look, asc bool, limit int, items *[]linnet.StatusView,
	keep func(*loader, *look, *linnet.StatusView) bool) error {
	rest := seen.cands
	for least := partLeast; len(rest) > 0 && len(*items) < limit; {
		n := max(limit-len(*items), least)
		if len(seen.exclusive) > 0 { // each part asks who is in the lists
			n = len(rest)
		}
		if len(rest) < len(seen.cands) {
			least *= partGrowth
		}
		n = min(n, len(rest))
		part := rest[:n]
		if asc {
			part, rest = rest[len(rest)-n:], rest[:len(rest)-n]
		} else {
			rest = rest[n:]
		}
		found, err := s.show(ctx, viewer, part, seen, keep)
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
			l := look{cands: part}
			l.reach(asc)
			seen.end, seen.reached = false, l.reached
		}
	}
	return nil
}

// cursors sets where the neighbouring pages begin. When the search was given up
// before the page was full, the next page begins where it stopped.
func cursors(out *linnet.Slice[linnet.StatusView], limit int, asc bool, seen look) {
	n := len(out.Items)
	if n > 0 {
		out.First = linnet.CursorOf(out.Items[0].ID)
		out.Last = linnet.CursorOf(out.Items[n-1].ID)
	}
	switch {
	case asc:
	case seen.end:
		out.End()
	case n < limit:
		out.Last = linnet.CursorOf(seen.reached)
	}
}

// lookAt makes a look of ids that were read with a limit.
func lookAt(ids []linnet.ID, sp store.Span) look {
	return lookOf(len(ids), func(i int) linnet.ID { return ids[i] }, sp)
}

// lookIn is lookAt for a page of a feed.
func lookIn(page *store.FeedPage, sp store.Span) look { return lookOf(page.Len(), page.ID, sp) }

func lookOf(n int, id func(int) linnet.ID, sp store.Span) look {
	l := look{end: n < sp.Limit, cands: make([]candidate, n)}
	for i := range l.cands {
		l.cands[i].id = id(i)
	}
	l.reach(sp.Asc)
	return l
}

// lookAtPublic is lookAt for timelines that are the same for all.
func lookAtPublic(ids []linnet.ID, sp store.Span) look {
	l := lookAt(ids, sp)
	l.at = linnet.FilterPublic
	return l
}

// reach takes the last candidate as how far the look saw.
func (l *look) reach(asc bool) {
	if n := len(l.cands); n > 0 {
		l.reached = l.cands[n-1].id
		if asc {
			l.reached = l.cands[0].id
		}
	}
}

// show turns candidates into views, leaving out what may not be shown.
func (s *Service) show(ctx context.Context, viewer linnet.ID, cands []candidate, seen *look,
	keep func(*loader, *look, *linnet.StatusView) bool) ([]linnet.StatusView, error) {
	l := s.loader(viewer)
	defer l.release()
	l.lists = seen.exclusive
	if seen.at != 0 {
		l.at = seen.at
	}
	for _, c := range cands {
		l.want(c.id, c.author)
	}
	l.near.window = seen.window
	if err := l.run(ctx); err != nil {
		return nil, err
	}
	out := make([]linnet.StatusView, 0, len(cands))
	for _, c := range cands {
		v, ok := l.view(c.id)
		if !ok {
			continue
		}
		if out = append(out, v); keep != nil && !keep(l, seen, &out[len(out)-1]) {
			out = out[:len(out)-1]
		}
	}
	return out, nil
}

// span reads a page's bounds as status ids.
func span(p linnet.Page, maximum int) (sp store.Span, err error) {
	if p.Limit == 0 {
		p.Limit = linnet.DefaultPage
	}
	sp.Limit = min(max(p.Limit, 1), maximum)
	if sp.Below, err = p.Max.ID(); err != nil {
		return sp, err
	}
	if sp.Above, err = p.Since.ID(); err != nil {
		return sp, err
	}
	if p.Min != "" {
		sp.Asc = true
		sp.Above, err = p.Min.ID()
	}
	return sp, err
}

// Profile shows what a user has posted, as far as the viewer may see it.
// https://docs.joinmastodon.org/methods/accounts/#statuses
func (s *Service) Profile(ctx context.Context, viewer, of linnet.ID, f linnet.ProfileFilter, p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
	u, err := s.User(ctx, viewer, of)
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
	next := func(ctx context.Context, sp store.Span) (look, error) {
		l, err := s.lookAtProfile(ctx, of, sp, pass)
		l.at = linnet.FilterAccount
		return l, err
	}
	if m, err := s.stance(ctx, viewer, of); err != nil || m.BlockedBy() {
		return linnet.Slice[linnet.StatusView]{}, err
	}
	if in, err := s.insideOf(ctx, viewer, []*linnet.User{&u.User}); err != nil || !in[of] {
		return linnet.Slice[linnet.StatusView]{}, err // the group is no secret, what is posted there is
	}
	tag := foldTags([]string{f.Tag})
	return s.page(ctx, viewer, p, next, func(l *loader, _ *look, v *linnet.StatusView) bool {
		return (f.Tag == "" || hasTag(v, tag)) && !(v.Repost != nil && l.relation(v.Repost.Author).Blocks())
	})
}

// profileScan is how many entries of a profile one look takes: their flags tell
// most of what may not be shown without reading the statuses.
const profileScan = 500

func (s *Service) lookAtProfile(ctx context.Context, of linnet.ID, sp store.Span, pass func(record.Post) bool) (l look, err error) {
	want := sp.Limit
	for range pageRounds {
		b := s.st.Batch()
		ref := b.Posts(of, sp)
		if err := b.Run(ctx); err != nil {
			return l, err
		}
		posts := ref.Posts()
		for _, post := range posts {
			l.reached = post.ID
			if pass(post) {
				l.cands = append(l.cands, candidate{post.ID, of})
			}
			if len(l.cands) == want {
				break
			}
		}
		l.end = len(posts) < sp.Limit && len(l.cands) < want
		if l.end || len(l.cands) == want {
			break
		}
		sp.Limit = profileScan
		if sp.Asc {
			sp.Above = l.reached
		} else {
			sp.Below = l.reached
		}
	}
	if sp.Asc {
		slices.Reverse(l.cands)
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
	next := func(ctx context.Context, sp store.Span) (look, error) {
		ids, err := s.st.Global(ctx, sp)
		return lookAtPublic(ids, sp), err
	}
	return s.page(ctx, viewer, p, next, func(l *loader, _ *look, v *linnet.StatusView) bool { return !v.By.Silenced && !l.unwanted(v) })
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
	tags, all, none := foldTags(append([]string{q.Tag}, q.Any...)), foldTags(q.All), foldTags(q.None)
	if len(tags) == 0 {
		return out, nil
	}
	next := func(ctx context.Context, sp store.Span) (look, error) {
		ids, err := s.st.Tagged(ctx, tags, sp)
		return lookAtPublic(ids, sp), err
	}
	return s.page(ctx, viewer, p, next, func(l *loader, _ *look, v *linnet.StatusView) bool {
		if v.By.Silenced || l.unwanted(v) {
			return false
		}
		for _, t := range all {
			if !hasTag(v, []string{t}) {
				return false
			}
		}
		return len(none) == 0 || !hasTag(v, none)
	})
}
