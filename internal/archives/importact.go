package archives

import (
	"cmp"
	"context"
	"slices"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// acts are what the rows of each kind do.
func (p *importing) acts() map[linnet.CSVKind]importAct {
	return map[linnet.CSVKind]importAct{
		linnet.FollowingCSV: {see: p.seeRelations(p.follows), do: p.follow, undo: p.unfollow, all: p.allRelated(record.Follows().OwnedKey(p.me), p.follows)},
		linnet.BlocksCSV:    {see: p.seeRelations(blocks), do: p.block, undo: p.unblock, all: p.allRelated(record.Blocks().OwnedKey(p.me), blocks)},
		linnet.MutesCSV:     {see: p.seeRelations(mutes), do: p.mute, undo: p.unmute, all: p.allRelated(record.MutesKey(p.me), mutes)},
		linnet.ListsCSV:     {see: p.seeLists, do: p.enlist, undo: p.unlist, all: p.allListed},
		linnet.BookmarksCSV: {see: p.seeBookmarks, do: p.bookmark, undo: p.unbookmark, all: p.allBookmarks},
	}
}

// standing says of a relation whether it is what an import makes, and with which options.
type standing func(r *linnet.Relationship) (is bool, with *record.ImportOptions)

func (p *importing) follows(r *linnet.Relationship) (bool, *record.ImportOptions) {
	languages := r.Languages
	if languages == nil {
		languages = []string{}
	}
	return r.Following || r.Requested, &record.ImportOptions{Reposts: &r.Reposts, Notify: &r.Notify, Languages: &languages}
}

func blocks(r *linnet.Relationship) (bool, *record.ImportOptions) { return r.Blocking, nil }

func mutes(r *linnet.Relationship) (bool, *record.ImportOptions) {
	return r.Muting, &record.ImportOptions{Notices: &r.MutingNotices}
}

// seeRelations notes how the user stands to those whom rows name.
func (p *importing) seeRelations(is standing) func(context.Context, []*record.ImportRow) error {
	return func(ctx context.Context, rows []*record.ImportRow) error {
		ids := make([]linnet.ID, len(rows))
		for n, r := range rows {
			ids[n] = linnet.ID(r.ID)
		}
		rels, err := p.social.Relationships(ctx, p.me, ids)
		for _, rel := range rels {
			for _, r := range rows {
				if linnet.ID(r.ID) != rel.ID {
					continue
				}
				so, with := is(&rel)
				if r.Made = !so; so && r.Opt != nil && with != nil && changes(r.Opt, with) {
					r.Was = with
				}
			}
		}
		return err
	}
}

// changes reports whether a file says something else than what was.
func changes(o, was *record.ImportOptions) bool {
	differ := func(a, b *bool) bool { return a != nil && b != nil && *a != *b }
	if o.Languages != nil && was.Languages != nil {
		a, b := slices.Sorted(slices.Values(*o.Languages)), slices.Sorted(slices.Values(*was.Languages))
		if !slices.Equal(a, b) {
			return true
		}
	}
	return differ(o.Reposts, was.Reposts) || differ(o.Notify, was.Notify) || differ(o.Notices, was.Notices)
}

// allRelated are people in a set of the user's own, as rows that are so.
func (p *importing) allRelated(key kv.Key, is standing) func(context.Context) ([]record.ImportRow, record.SetPlace, bool, error) {
	return func(ctx context.Context) (rows []record.ImportRow, then record.SetPlace, done bool, err error) {
		ids, last, err := p.st.After(ctx, key, kv.Member(p.i.From), chunkRows)
		if err != nil {
			return nil, then, false, core.StoreError(err)
		}
		rels, at, err := p.relations(ctx, p.me, ids)
		for _, r := range rels {
			if so, with := is(&r); so && at[r.ID] != "" {
				rows = append(rows, record.ImportRow{Name: at[r.ID], ID: record.JID(r.ID), Opt: with})
			}
		}
		return rows, record.SetPlace(last), len(ids) < chunkRows, err
	}
}

func (p *importing) follow(ctx context.Context, r *record.ImportRow) error {
	var o linnet.FollowOptions
	if r.Opt != nil {
		o = linnet.FollowOptions{Reposts: r.Opt.Reposts, Notify: r.Opt.Notify, Languages: r.Opt.Languages}
	}
	_, err := p.social.Follow(ctx, p.me, linnet.ID(r.ID), o)
	return err
}

func (p *importing) unfollow(ctx context.Context, r *record.ImportRow) error {
	if !r.Made && r.Was != nil {
		return p.follow(ctx, &record.ImportRow{ID: r.ID, Opt: r.Was})
	}
	_, err := p.social.Unfollow(ctx, p.me, linnet.ID(r.ID))
	return err
}

func (p *importing) block(ctx context.Context, r *record.ImportRow) error {
	_, err := p.social.Block(ctx, p.me, linnet.ID(r.ID))
	return err
}

func (p *importing) unblock(ctx context.Context, r *record.ImportRow) error {
	_, err := p.social.Unblock(ctx, p.me, linnet.ID(r.ID))
	return err
}

// mute mutes notifications too unless the file says otherwise, as Mastodon.
func (p *importing) mute(ctx context.Context, r *record.ImportRow) error {
	o := linnet.MuteOptions{Notices: true}
	if r.Opt != nil && r.Opt.Notices != nil {
		o.Notices = *r.Opt.Notices
	}
	_, err := p.social.Mute(ctx, p.me, linnet.ID(r.ID), o)
	return err
}

func (p *importing) unmute(ctx context.Context, r *record.ImportRow) error {
	if !r.Made && r.Was != nil {
		return p.mute(ctx, &record.ImportRow{ID: r.ID, Opt: r.Was})
	}
	_, err := p.social.Unmute(ctx, p.me, linnet.ID(r.ID))
	return err
}

func (p *importing) seeBookmarks(ctx context.Context, rows []*record.ImportRow) error {
	ids := make([]linnet.ID, len(rows))
	for n, r := range rows {
		ids[n] = linnet.ID(r.ID)
	}
	all, err := p.view.Statuses(ctx, p.me, ids)
	for _, r := range rows {
		r.Made = !slices.ContainsFunc(all, func(v linnet.StatusView) bool { return v.ID == linnet.ID(r.ID) && v.Bookmarked })
	}
	return err
}

func (p *importing) bookmark(ctx context.Context, r *record.ImportRow) error {
	_, err := p.posting.Bookmark(ctx, p.me, linnet.ID(r.ID))
	return err
}

func (p *importing) unbookmark(ctx context.Context, r *record.ImportRow) error {
	_, err := p.posting.Unbookmark(ctx, p.me, linnet.ID(r.ID))
	return err
}

func (p *importing) allBookmarks(ctx context.Context) (rows []record.ImportRow, then record.SetPlace, done bool, err error) {
	ids, last, err := p.st.After(ctx, record.Bookmarks.Key(p.me), kv.Member(p.i.From), chunkRows)
	if err != nil {
		return nil, then, false, core.StoreError(err)
	}
	all, err := p.view.Statuses(ctx, p.me, ids)
	for _, v := range all {
		rows = append(rows, record.ImportRow{Name: v.URI, ID: record.JID(v.ID)})
	}
	return rows, record.SetPlace(last), len(ids) < chunkRows, err
}

// own are the lists that the user has made, oldest first.
func (p *importing) own(ctx context.Context) ([]linnet.List, error) {
	all, err := p.lists.Lists(ctx, p.me)
	return slices.DeleteFunc(all, func(l linnet.List) bool { return l.Kind != linnet.OwnList }), err
}

// titled is the first of the user's lists with a title; ID 0 if there is none.
func (p *importing) titled(ctx context.Context, title string) (linnet.List, error) {
	all, err := p.own(ctx)
	for _, l := range all {
		if l.Title == title {
			return l, err
		}
	}
	return linnet.List{}, err
}

func (p *importing) inList(ctx context.Context, list, who linnet.ID) (bool, error) {
	b := p.st.Batch()
	in := b.EdgeHas(record.Listings(), list, []linnet.ID{who})
	err := b.Run(ctx)
	return in.Has(who), core.StoreError(err)
}

func (p *importing) seeLists(ctx context.Context, rows []*record.ImportRow) error {
	for _, r := range rows {
		l, err := p.titled(ctx, r.List)
		if err != nil {
			return err
		}
		in := false
		if l.ID != 0 {
			if in, err = p.inList(ctx, l.ID, linnet.ID(r.ID)); err != nil {
				return err
			}
		}
		r.Made = !in
	}
	return nil
}

// enlist puts somebody into a list, which is made if there is none with its title.
func (p *importing) enlist(ctx context.Context, r *record.ImportRow) error {
	l, err := p.titled(ctx, r.List)
	if err != nil {
		return err
	}
	if l.ID == 0 {
		if l, err = p.lists.CreateList(ctx, p.me, linnet.ListChange{Title: &r.List}); err != nil {
			return err
		}
		err = p.change(ctx, func(i *record.CSVImport) []kv.Op {
			if i.State == linnet.ImportInProgress {
				i.Made = append(i.Made, record.JID(l.ID))
			}
			return nil
		})
		if err != nil || p.i == nil {
			return err
		}
	}
	if r.ID == 0 { // a list that was removed and comes back
		return nil
	}
	return p.lists.AddToList(ctx, p.me, l.ID, []linnet.ID{linnet.ID(r.ID)})
}

// unlist takes somebody out of a list; a row without anybody is the list itself.
func (p *importing) unlist(ctx context.Context, r *record.ImportRow) error {
	l, err := p.titled(ctx, r.List)
	if err != nil || l.ID == 0 {
		return err
	}
	if r.ID == 0 {
		return p.lists.DeleteList(ctx, p.me, l.ID)
	}
	return p.lists.RemoveFromList(ctx, p.me, l.ID, []linnet.ID{linnet.ID(r.ID)})
}

// allListed are who is in the user's lists, one list after the other by their ids, and
// behind the members of each the list itself.
func (p *importing) allListed(ctx context.Context) (rows []record.ImportRow, then record.SetPlace, done bool, err error) {
	all, err := p.own(ctx)
	if err != nil {
		return nil, then, false, err
	}
	slices.SortFunc(all, func(a, b linnet.List) int { return cmp.Compare(a.ID, b.ID) })
	next := slices.IndexFunc(all, func(l linnet.List) bool { return l.ID >= linnet.ID(p.i.List) })
	if next < 0 {
		return nil, then, true, nil
	}
	l, from := all[next], p.i.From
	if record.JID(l.ID) != p.i.List { // that one is gone
		from = record.SetPlace{}
	}
	p.i.List = record.JID(l.ID)
	ids, last, err := p.st.After(ctx, record.Listings().OwnedKey(l.ID), kv.Member(from), chunkRows-1)
	if err != nil {
		return nil, then, false, core.StoreError(err)
	}
	at, err := p.addresses(ctx, p.me, ids)
	if err != nil {
		return nil, then, false, err
	}
	for _, id := range ids {
		if at[id] != "" {
			rows = append(rows, record.ImportRow{Name: at[id], List: l.Title, ID: record.JID(id)})
		}
	}
	if len(ids) == chunkRows-1 {
		return rows, record.SetPlace(last), false, nil
	}
	rows = append(rows, record.ImportRow{List: l.Title})
	p.i.List++ // the next list
	return rows, then, next == len(all)-1, nil
}
