package archives

import (
	"context"
	"slices"
	"time"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// acts returns the actions for the rows of each kind.
func (p *importing) acts() map[linnet.CSVKind]importAct {
	return map[linnet.CSVKind]importAct{
		linnet.FollowingCSV: {see: p.seeRelations(p.follows), do: p.follow, undo: p.unfollow, all: p.allRelated(record.Follows().OwnedKey(p.me), p.follows)},
		linnet.FeedsOPML:    {see: p.seeRelations(p.follows), do: p.follow, undo: p.unfollow},
		linnet.BlocksCSV:    {see: p.seeRelations(blocks), do: p.block, undo: p.unblock, all: p.allRelated(record.Blocks().OwnedKey(p.me), blocks)},
		linnet.MutesCSV:     {see: p.seeRelations(mutes), do: p.mute, undo: p.unmute, all: p.allRelated(record.MutesKey(p.me), mutes)},
		linnet.ListsCSV:     {see: p.seeLists, do: p.enlist, undo: p.unlist, all: p.allListed},
		linnet.BookmarksCSV: {see: p.seeBookmarks, do: p.bookmark, undo: p.unbookmark, all: p.allBookmarks},
	}
}

// relationState returns whether a relation exists in the form that an import creates, and its
// options.
type relationState func(r *linnet.Relationship) (is bool, with *record.ImportOptions)

func (p *importing) follows(r *linnet.Relationship) (bool, *record.ImportOptions) {
	languages := r.Languages
	if languages == nil {
		languages = []string{}
	}
	return r.Following || r.Requested, &record.ImportOptions{Reposts: &r.Reposts, Notify: &r.Notify, Languages: &languages, Endorsed: r.Endorsed}
}

func blocks(r *linnet.Relationship) (bool, *record.ImportOptions) { return r.Blocking, nil }

func mutes(r *linnet.Relationship) (bool, *record.ImportOptions) {
	with := &record.ImportOptions{Notices: &r.MutingNotices}
	if !r.MutedUntil.IsZero() {
		with.Until = r.MutedUntil.UnixMilli()
	}
	return r.Muting, with
}

// seeRelations records the user's relations to the accounts of rows.
func (p *importing) seeRelations(is relationState) func(context.Context, []*record.ImportRow) error {
	return func(ctx context.Context, rows []*record.ImportRow) error {
		ids := make([]linnet.ID, len(rows))
		for n, r := range rows {
			ids[n] = linnet.ID(r.ID)
		}
		rels, err := p.s.social.Relationships(ctx, p.me, ids)
		for _, rel := range rels {
			for _, r := range rows {
				if linnet.ID(r.ID) != rel.ID {
					continue
				}
				so, with := is(&rel)
				if r.Made = !so; so && with != nil && changes(r.Opt, with) {
					r.Was = with
				}
			}
		}
		return err
	}
}

// changes reports whether a row differs from the previous state. A mute in a file has no end and
// always contains whether notifications are muted.
func changes(o, was *record.ImportOptions) bool {
	if was.Notices != nil {
		return mutesNotices(o) != *was.Notices || was.Until != 0
	}
	if o == nil {
		return false
	}
	differ := func(a, b *bool) bool { return a != nil && b != nil && *a != *b }
	if o.Languages != nil && was.Languages != nil {
		a, b := slices.Sorted(slices.Values(*o.Languages)), slices.Sorted(slices.Values(*was.Languages))
		if !slices.Equal(a, b) {
			return true
		}
	}
	return differ(o.Reposts, was.Reposts) || differ(o.Notify, was.Notify)
}

// allRelated returns a function that reads the users in one of the user's sets as rows, if the
// relation exists.
func (p *importing) allRelated(key kv.Key, is relationState) func(context.Context) ([]record.ImportRow, record.ImportPosition, bool, error) {
	return func(ctx context.Context) (rows []record.ImportRow, then record.ImportPosition, done bool, err error) {
		ids, last, err := p.s.st.After(ctx, key, kv.Member(p.i.From), chunkRows)
		if err != nil {
			return nil, then, false, core.StoreError(err)
		}
		rels, at, err := p.s.relations(ctx, p.me, ids)
		for _, r := range rels {
			if so, with := is(&r); so && at[r.ID] != "" {
				rows = append(rows, record.ImportRow{Name: at[r.ID], ID: record.JID(r.ID), Opt: with})
			}
		}
		return rows, record.ImportPosition(last), len(ids) < chunkRows, err
	}
}

func (p *importing) follow(ctx context.Context, r *record.ImportRow) error {
	o := linnet.FollowOptions{Imported: true}
	if r.Opt != nil {
		o.Reposts, o.Notify, o.Languages = r.Opt.Reposts, r.Opt.Notify, r.Opt.Languages
	}
	_, err := p.s.social.Follow(ctx, p.me, linnet.ID(r.ID), o)
	if err == nil && r.Opt != nil && r.Opt.Endorsed {
		_, err = p.s.social.Endorse(ctx, p.me, linnet.ID(r.ID), true)
	}
	return err
}

func (p *importing) unfollow(ctx context.Context, r *record.ImportRow) error {
	if !r.Made && r.Was != nil {
		return p.follow(ctx, &record.ImportRow{ID: r.ID, Opt: r.Was})
	}
	_, err := p.s.social.Unfollow(ctx, p.me, linnet.ID(r.ID))
	return err
}

func (p *importing) block(ctx context.Context, r *record.ImportRow) error {
	_, err := p.s.social.Block(ctx, p.me, linnet.ID(r.ID))
	return err
}

func (p *importing) unblock(ctx context.Context, r *record.ImportRow) error {
	_, err := p.s.social.Unblock(ctx, p.me, linnet.ID(r.ID))
	return err
}

// mutesNotices reports whether a mute includes notifications. It does unless the file says
// otherwise, as in Mastodon.
func mutesNotices(o *record.ImportOptions) bool { return o == nil || o.Notices == nil || *o.Notices }

// mute mutes a user. A restored mute keeps its end, and is skipped if that has passed.
func (p *importing) mute(ctx context.Context, r *record.ImportRow) error {
	o := linnet.MuteOptions{Notices: mutesNotices(r.Opt)}
	if r.Opt != nil && r.Opt.Until != 0 {
		if o.Until = time.UnixMilli(r.Opt.Until); !o.Until.After(p.s.st.Now()) {
			_, err := p.s.social.Unmute(ctx, p.me, linnet.ID(r.ID))
			return err
		}
	}
	_, err := p.s.social.Mute(ctx, p.me, linnet.ID(r.ID), o)
	return err
}

func (p *importing) unmute(ctx context.Context, r *record.ImportRow) error {
	if !r.Made && r.Was != nil {
		return p.mute(ctx, &record.ImportRow{ID: r.ID, Opt: r.Was})
	}
	_, err := p.s.social.Unmute(ctx, p.me, linnet.ID(r.ID))
	return err
}

func (p *importing) seeBookmarks(ctx context.Context, rows []*record.ImportRow) error {
	ids := make([]linnet.ID, len(rows))
	for n, r := range rows {
		ids[n] = linnet.ID(r.ID)
	}
	all, err := p.s.view.Statuses(ctx, p.me, ids)
	for _, r := range rows {
		r.Made = !slices.ContainsFunc(all, func(v linnet.StatusView) bool { return v.ID == linnet.ID(r.ID) && v.Bookmarked })
	}
	return err
}

func (p *importing) bookmark(ctx context.Context, r *record.ImportRow) error {
	_, err := p.s.posting.Marks.Bookmark(ctx, p.me, linnet.ID(r.ID))
	return err
}

func (p *importing) unbookmark(ctx context.Context, r *record.ImportRow) error {
	_, err := p.s.posting.Marks.Unbookmark(ctx, p.me, linnet.ID(r.ID))
	return err
}

func (p *importing) allBookmarks(ctx context.Context) (rows []record.ImportRow, then record.ImportPosition, done bool, err error) {
	ids, last, err := p.s.st.After(ctx, record.Bookmarks.Key(p.me), kv.Member(p.i.From), chunkRows)
	if err != nil {
		return nil, then, false, core.StoreError(err)
	}
	all, err := p.s.view.Statuses(ctx, p.me, ids)
	for _, v := range all {
		rows = append(rows, record.ImportRow{Name: v.URI, ID: record.JID(v.ID)})
	}
	return rows, record.ImportPosition(last), len(ids) < chunkRows, err
}
