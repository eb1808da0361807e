package reading

import (
	"context"
	"fmt"
	"slices"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/timeline"
	"linnet/internal/view"
)

// Rule decides whether a visible status belongs in a timeline. Nil accepts all.
type Rule = func(*view.Loader, *timeline.PageRead, *linnet.StatusView) bool

// defaultRule is the Rule of timelines without one.
func defaultRule(l *view.Loader, _ *timeline.PageRead, v *linnet.StatusView) bool {
	return !l.Unwanted(v)
}

// Source is a timeline that is shown in pages.
type Source struct {
	Name core.ListName // including all filters
	Read timeline.PageReader
	Rule Rule
	Skip view.Skip // statuses that Rule rejects
}

// Page reads a source until it has a page of statuses that the viewer can see and the source's Rule
// accepts. It gives up after core.PageScans reads.
func (s *Service) Page(ctx context.Context, viewer linnet.ID, p linnet.Page, src Source) (linnet.Slice[linnet.StatusView], error) {
	sifting := false
	return timeline.FillPage(ctx, s.core, p, timeline.List[linnet.StatusView]{Name: src.Name, Most: linnet.MaxPage, Position: statusPosition,
		Read: func(sp db.Span, missing int) (timeline.Round[linnet.StatusView], error) {
			seen, err := src.Read(ctx, sp)
			if err != nil {
				return timeline.Round[linnet.StatusView]{}, core.StoreError(err)
			}
			read := len(seen.Entries)
			if sifting {
				ids := make([]linnet.ID, read) // costs less than loading invisible ones for display
				for i, e := range seen.Entries {
					ids[i] = e.ID
				}
				visible, err := s.view.Sift(ctx, viewer, ids, src.Skip)
				if err != nil {
					return timeline.Round[linnet.StatusView]{}, err
				}
				seen.Entries = slices.DeleteFunc(slices.Clone(seen.Entries), func(e linnet.Entry) bool { return !visible[e.ID] })
			}
			items, err := s.showParts(ctx, viewer, &seen, sp.Asc, missing, src.Rule)
			sifting = len(items) < min(missing, read)/2 // if most entries were hidden, the next ones probably are too
			return timeline.Round[linnet.StatusView]{Items: items, Reached: seen.Reached, End: seen.End}, err
		}})
}

func statusPosition(v *linnet.StatusView) timeline.Position { return timeline.Position{ID: v.ID} }

// showParts shows the entries of a page, one part at a time, until there are limit items. If
// entries are left over, the page ends with the last shown one.
func (s *Service) showParts(ctx context.Context, viewer linnet.ID, seen *timeline.PageRead, asc bool, limit int,
	keep Rule) ([]linnet.StatusView, error) {
	least := timeline.PartLeast
	if len(seen.Exclusive) > 0 { // each part queries the members of the lists
		least = len(seen.Entries)
	}
	items, rest, err := timeline.ShowParts(seen.Entries, asc, limit, least, func(part []linnet.Entry) ([]linnet.StatusView, error) {
		return s.Show(ctx, viewer, part, seen, keep)
	})
	if n := len(rest); n > 0 {
		seen.End, seen.Reached = false, seen.Entries[len(seen.Entries)-n-1].ID
		if asc {
			seen.Reached = seen.Entries[n].ID
		}
	}
	return items, err
}

// Show loads entries for display and leaves out invisible ones.
func (s *Service) Show(ctx context.Context, viewer linnet.ID, cands []linnet.Entry, seen *timeline.PageRead,
	keep Rule) ([]linnet.StatusView, error) {
	l := s.view.Loader(viewer)
	defer l.Release()
	l.Lists = seen.Exclusive
	if seen.At != 0 {
		l.At = seen.At
	}
	for _, c := range cands {
		l.Want(c.ID, c.Author)
	}
	l.Near.Window = seen.Window
	if err := l.Run(ctx); err != nil {
		return nil, err
	}
	out := make([]linnet.StatusView, 0, len(cands))
	for _, c := range cands {
		v, ok := l.View(c.ID)
		if !ok {
			continue
		}
		if out = append(out, v); keep != nil && !keep(l, seen, &out[len(out)-1]) {
			out = out[:len(out)-1]
		}
	}
	return out, nil
}

// Profile returns the statuses of a user that the viewer can see.
// https://docs.joinmastodon.org/methods/accounts/#statuses
func (s *Service) Profile(ctx context.Context, viewer, of linnet.ID, f linnet.ProfileFilter, p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
	u, err := s.view.User(ctx, viewer, of)
	if err != nil || u.Suspended {
		return linnet.Slice[linnet.StatusView]{}, err
	}
	pass := func(post record.Post) bool {
		return !f.Leaves(post.Media, post.Reply, post.Repost) && (viewer != 0 || post.Visibility.Open()) && !(f.ExcludeDirect && post.Visibility == linnet.Direct)
	}
	next := func(ctx context.Context, sp db.Span) (timeline.PageRead, error) {
		l, err := s.ReadProfile(ctx, of, sp, pass)
		l.At = linnet.FilterAccount
		return l, err
	}
	if m, err := s.view.Relationship(ctx, viewer, of); err != nil || m.BlockedBy() {
		return linnet.Slice[linnet.StatusView]{}, err
	}
	if in, err := s.view.VisibleMembers(ctx, viewer, []*linnet.User{&u.User}); err != nil || !in[of] {
		return linnet.Slice[linnet.StatusView]{}, err // the group is visible, but its posts aren't
	}
	tag := core.FoldTags([]string{f.Tag})
	keep := func(l *view.Loader, _ *timeline.PageRead, v *linnet.StatusView) bool {
		return (f.Tag == "" || core.HasTag(v, tag)) && !(v.Repost != nil && l.Relation(v.Repost.Author).Blocks())
	}
	return s.Page(ctx, viewer, p, Source{Name: func() string { return fmt.Sprint("profile ", viewer, of, f) }, Read: next, Rule: keep})
}

// ProfileScan is the number of entries of a profile that one read takes. Their flags exclude most
// invisible statuses without reading them.
const ProfileScan = 500

// ReadProfile reads a range of a user's statuses that pass accepts.
func (s *Service) ReadProfile(ctx context.Context, of linnet.ID, sp db.Span, pass func(record.Post) bool) (l timeline.PageRead, err error) {
	least := sp.Limit
	position := func(e *linnet.Entry) timeline.Position { return timeline.Position{ID: e.ID} }
	all, err := timeline.Fill(sp, core.PageRounds, position, func(sp db.Span, missing int) (r timeline.Round[linnet.Entry], err error) {
		sp.Limit, least = least, ProfileScan
		b := s.st.Batch()
		ref := b.Posts(of, sp)
		if err := b.Run(ctx); err != nil {
			return r, err
		}
		posts := ref.Posts()
		for _, post := range posts {
			r.Reached = post.ID
			if pass(post) {
				r.Items = append(r.Items, linnet.Entry{ID: post.ID, Author: of})
			}
			if len(r.Items) == missing {
				break
			}
		}
		r.End = len(posts) < sp.Limit && len(r.Items) < missing
		if sp.Asc {
			slices.Reverse(r.Items)
		}
		return r, nil
	})
	return timeline.PageRead{Entries: all.Items, Reached: all.Reached, End: all.End}, err
}

// Strangers returns the authors that public timelines exclude.
func Strangers() view.Skip { return view.Skip{Silenced: true, Unwanted: true} }

// Public returns the global timeline: public statuses except replies to others and boosts.
// https://docs.joinmastodon.org/methods/timelines/#public
func (s *Service) Public(ctx context.Context, viewer linnet.ID, q linnet.PublicQuery, p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
	if q.Remote {
		return linnet.Slice[linnet.StatusView]{}, nil // there are no other servers
	}
	next := func(ctx context.Context, sp db.Span) (timeline.PageRead, error) {
		ids, err := s.st.Statuses.Global(ctx, sp)
		return timeline.PublicPageOf(ids, sp), err
	}
	keep := func(l *view.Loader, _ *timeline.PageRead, v *linnet.StatusView) bool {
		return !v.By.Silenced && !l.Unwanted(v) && !(q.OnlyMedia && len(v.Media) == 0)
	}
	return s.Page(ctx, viewer, p, Source{Name: func() string { return fmt.Sprint("public ", viewer, q) }, Read: next, Rule: keep, Skip: Strangers()})
}

// Tag returns public statuses by tag.
// https://docs.joinmastodon.org/methods/timelines/#tag
func (s *Service) Tag(ctx context.Context, viewer linnet.ID, q linnet.TagQuery, p linnet.Page) (out linnet.Slice[linnet.StatusView], err error) {
	if len(q.Any) > linnet.MaxTagQuery || len(q.All) > linnet.MaxTagQuery || len(q.None) > linnet.MaxTagQuery {
		return out, linnet.FieldError("any", "ERR_TOO_LONG", "can't combine more than %d hashtags", linnet.MaxTagQuery)
	}
	tags, all, none := core.FoldTags(append([]string{q.Tag}, q.Any...)), core.FoldTags(q.All), core.FoldTags(q.None)
	if len(tags) == 0 {
		return out, nil
	}
	next := func(ctx context.Context, sp db.Span) (timeline.PageRead, error) {
		ids, err := s.st.Statuses.Tagged(ctx, tags, sp)
		return timeline.PublicPageOf(ids, sp), err
	}
	keep := func(l *view.Loader, _ *timeline.PageRead, v *linnet.StatusView) bool {
		if v.By.Silenced || l.Unwanted(v) || q.OnlyMedia && len(v.Media) == 0 {
			return false
		}
		for _, t := range all {
			if !core.HasTag(v, []string{t}) {
				return false
			}
		}
		return len(none) == 0 || !core.HasTag(v, none)
	}
	return s.Page(ctx, viewer, p, Source{Name: func() string { return fmt.Sprintf("tag %d %#v", viewer, q) }, Read: next, Rule: keep, Skip: Strangers()})
}
