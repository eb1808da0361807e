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

// own returns the lists that the user has created, oldest first.
func (p *importing) own(ctx context.Context) ([]linnet.List, error) {
	all, err := p.s.lists.Lists(ctx, p.me)
	return slices.DeleteFunc(all, func(l linnet.List) bool { return l.Kind != linnet.OwnList }), err
}

// titled returns the user's first list with a title. Its ID is 0 if there is none.
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
	b := p.s.st.Batch()
	in := b.Related(record.Listings(), list, []linnet.ID{who})
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

// enlist adds a user to a list. It creates the list if none has the title.
func (p *importing) enlist(ctx context.Context, r *record.ImportRow) error {
	if r.Of != 0 {
		return p.relist(ctx, r)
	}
	l, err := p.titled(ctx, r.List)
	if err != nil {
		return err
	}
	if l.ID == 0 {
		if l, err = p.s.lists.CreateList(ctx, p.me, linnet.ListChange{Title: &r.List}); err != nil {
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
	if r.ID == 0 { // a removed list that is restored
		return nil
	}
	return p.s.lists.AddToList(ctx, p.me, l.ID, []linnet.ID{linnet.ID(r.ID)})
}

// relist restores a list, or a user in it, by the list's id. A deleted list is created with a new
// id, which is recorded first, because memberships refer to the id and left-over old ones would
// interfere.
func (p *importing) relist(ctx context.Context, r *record.ImportRow) error {
	l, err := p.s.lists.OwnList(ctx, p.me, p.now(r.Of))
	if linnet.KindOf(err) == linnet.NotFound {
		if p.now(r.Of) == linnet.ID(r.Of) {
			now := p.s.st.NewID(p.me.Shard(), 0)
			err = p.change(ctx, func(i *record.CSVImport) []kv.Op {
				i.Back = append(i.Back, [2]record.JID{r.Of, record.JID(now)})
				return nil
			})
			if err != nil || p.i == nil {
				return err
			}
		}
		l, err = p.s.lists.CreateListAs(ctx, p.me, p.now(r.Of), linnet.ListChange{Title: &r.List})
	}
	switch {
	case err != nil:
		return err
	case r.ID != 0:
		return p.s.lists.AddToList(ctx, p.me, l.ID, []linnet.ID{linnet.ID(r.ID)})
	case r.Opt != nil:
		_, err = p.s.lists.UpdateList(ctx, p.me, l.ID, linnet.ListChange{Exclusive: &r.Opt.Exclusive, Replies: &r.Opt.Replies})
	}
	return err
}

// now returns the current id of a list that may have been restored.
func (p *importing) now(list record.JID) linnet.ID {
	for _, b := range p.i.Back {
		if b[0] == list {
			return linnet.ID(b[1])
		}
	}
	return linnet.ID(list)
}

// unlist removes a user from a list, or the list itself for a row without a user.
func (p *importing) unlist(ctx context.Context, r *record.ImportRow) error {
	l, err := p.listOf(ctx, r)
	if err != nil || l.ID == 0 {
		return err
	}
	if r.ID == 0 {
		return p.s.lists.DeleteList(ctx, p.me, l.ID)
	}
	return p.s.lists.RemoveFromList(ctx, p.me, l.ID, []linnet.ID{linnet.ID(r.ID)})
}

// listOf returns the list of a row. Its ID is 0 if it is deleted.
func (p *importing) listOf(ctx context.Context, r *record.ImportRow) (linnet.List, error) {
	if r.Of == 0 {
		return p.titled(ctx, r.List)
	}
	l, err := p.s.lists.OwnList(ctx, p.me, linnet.ID(r.Of))
	if linnet.KindOf(err) == linnet.NotFound {
		return linnet.List{}, nil
	}
	return l, err
}

// allListed returns the members of the user's lists in the order of ids. After the members of each
// list comes the list itself.
func (p *importing) allListed(ctx context.Context) (rows []record.ImportRow, then record.ImportPosition, done bool, err error) {
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
	if record.JID(l.ID) != p.i.List { // the list is deleted
		from = record.ImportPosition{}
	}
	p.i.List = record.JID(l.ID)
	ids, last, err := p.s.st.After(ctx, record.Listings().OwnedKey(l.ID), kv.Member(from), chunkRows-1)
	if err != nil {
		return nil, then, false, core.StoreError(err)
	}
	at, err := p.s.addresses(ctx, p.me, ids)
	if err != nil {
		return nil, then, false, err
	}
	for _, id := range ids {
		if at[id] != "" {
			rows = append(rows, record.ImportRow{Name: at[id], List: l.Title, Of: record.JID(l.ID), ID: record.JID(id)})
		}
	}
	if len(ids) == chunkRows-1 {
		return rows, record.ImportPosition(last), false, nil
	}
	rows = append(rows, record.ImportRow{List: l.Title, Of: record.JID(l.ID), Opt: &record.ImportOptions{Exclusive: l.Exclusive, Replies: l.Replies}})
	p.i.List++ // the next list
	return rows, then, next == len(all)-1, nil
}
