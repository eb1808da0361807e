package social

import (
	"context"
	"slices"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
)

// delivery is what one piece of fan-out has brought to whom.
type delivery struct {
	kind   record.EdgeKind
	owners store.Owners
	undo   func(context.Context, []linnet.ID) error
}

// deliveries are those of one pass.
type deliveries struct {
	done  []delivery
	ahead map[string]*store.Owners // those with whom a kind begins, if they have been read already
}

// readAhead asks for those to whom a status goes first, of each kind, together.
func (ds *deliveries) readAhead(b *store.Batch, author linnet.ID, kinds ...record.EdgeKind) {
	ds.ahead = map[string]*store.Owners{}
	for _, k := range kinds {
		ds.ahead[k.Name] = b.Owners(k, author, kv.Member{}, passSize)
	}
}

// nextOwners are the next owners of relations to an author.
func (s *Service) nextOwners(ctx context.Context, kind record.EdgeKind, author linnet.ID, from kv.Member, ds *deliveries) (store.Owners, error) {
	if o := ds.ahead[kind.Name]; o != nil && from == (kv.Member{}) {
		return *o, nil
	}
	b := s.st.Batch()
	o := b.Owners(kind, author, from, passSize)
	err := b.Run(ctx)
	return *o, err
}

// deliver brings something to the next owners of relations to an author. What it
// did is noted, so that it can be undone.
func (s *Service) deliver(ctx context.Context, author linnet.ID, w walk, then int, d delivery, ds *deliveries,
	do func(store.Owners) error) (int, walk, error) {
	var err error
	if d.owners, err = s.nextOwners(ctx, d.kind, author, w.From, ds); err != nil {
		return 0, w, err
	}
	n := len(d.owners.IDs)
	if n > 0 {
		ds.done = append(ds.done, d)
		if err := do(d.owners); err != nil {
			return 0, w, err
		}
	}
	return n, w.next(n == passSize, d.owners.Next, then), nil
}

// push is deliver for feeds.
func (s *Service) push(ctx context.Context, st *linnet.Status, kind record.EdgeKind, feeds func([]linnet.ID, []string) []kv.Key,
	w walk, then int, ds *deliveries) (int, walk, error) {
	d := delivery{kind: kind, undo: func(ctx context.Context, ids []linnet.ID) error {
		return s.st.Pull(ctx, st.ID, feeds(ids, nil))
	}}
	return s.deliver(ctx, st.Author, w, then, d, ds, func(o store.Owners) error {
		return s.st.Push(ctx, st.ID, feeds(o.IDs, o.Texts))
	})
}

// overtaken looks whether a status was deleted, or somebody turned away from its
// author, while it was carried out. Whoever cleans up after such an act may have
// looked before the status came, so it is taken back here. It costs one small
// read, and more only if something has happened; and nothing while before, a watch
// of the status and its author from before they were read, holds: whoever cleans
// up has raised their epochs first.
func (s *Service) overtaken(ctx context.Context, st *linnet.Status, first bool, before *store.Watch, done []delivery) (gone bool, err error) {
	if !first && len(done) == 0 || before.Holds() {
		return false, nil
	}
	now, err := s.st.Overtaken(ctx, st)
	if err != nil {
		return false, err
	}
	for _, d := range done {
		ids := d.owners.IDs
		if !now.Gone {
			if !now.Ended(d.kind, d.owners) {
				continue
			}
			if ids, err = s.turnedAway(ctx, d.kind, st.Author, ids); err != nil {
				return false, err
			}
		}
		if err := d.undo(ctx, ids); err != nil {
			return false, err
		}
	}
	if now.Gone && first {
		return true, s.eraseFirst(ctx, eraseOf(st))
	}
	return now.Gone, nil
}

// turnedAway are those of some who no longer relate to an author.
func (s *Service) turnedAway(ctx context.Context, kind record.EdgeKind, author linnet.ID, ids []linnet.ID) ([]linnet.ID, error) {
	b := s.st.Batch()
	still := b.EdgeHasOwner(kind, author, ids)
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	have := still.Found()
	slices.Sort(have)
	return slices.DeleteFunc(slices.Clone(ids), func(id linnet.ID) bool {
		_, in := slices.BinarySearch(have, id)
		return in
	}), nil
}
