package timeline

import (
	"cmp"
	"context"
	"slices"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/store/feeds"
)

// Delivery is the result of one batch of fan-out.
type Delivery struct {
	Kind   record.RelationKind
	owners db.Owners
	Undo   func(context.Context, []linnet.ID) error
}

// Deliveries are the deliveries of one batch.
type Deliveries struct {
	Size  int // size of a batch; 0 for BatchSize
	Done  []Delivery
	ahead map[string]*db.Owners // first owners of each kind, if already read
}

func (ds *Deliveries) size() int { return cmp.Or(ds.Size, BatchSize) }

// ReadAhead reads the first owners of several kinds in one round trip.
func (ds *Deliveries) ReadAhead(b *db.Batch, author linnet.ID, kinds ...record.RelationKind) {
	ds.ahead = map[string]*db.Owners{}
	for _, k := range kinds {
		ds.ahead[k.Name] = b.Owners(k, author, kv.Member{}, ds.size())
	}
}

// Deliver delivers to the next owners of a relation to an author. It records the deliveries, which
// makes undoing them possible.
func (s *Service) Deliver(ctx context.Context, author linnet.ID, w Cursor, then Stage, d Delivery, ds *Deliveries,
	do func(db.Owners) error) (int, Cursor, error) {
	if o := ds.ahead[d.Kind.Name]; o != nil && w.From == (kv.Member{}) {
		d.owners = *o
	} else {
		b := s.st.Batch()
		o := b.Owners(d.Kind, author, w.From, ds.size())
		if err := b.Run(ctx); err != nil {
			return 0, w, err
		}
		d.owners = *o
	}
	n := len(d.owners.IDs)
	if n > 0 {
		ds.Done = append(ds.Done, d)
		if err := do(d.owners); err != nil {
			return 0, w, err
		}
	}
	return n, w.Next(n == ds.size(), d.owners.Next, then), nil
}

// Push adds an entry to feeds. feeds returns the feeds of the owners.
func (s *Service) Push(ctx context.Context, e linnet.Entry, kind record.RelationKind, feeds func([]linnet.ID, []string) []kv.Key,
	w Cursor, then Stage, ds *Deliveries) (int, Cursor, error) {
	d := Delivery{Kind: kind, Undo: func(ctx context.Context, ids []linnet.ID) error {
		return s.st.Feeds.Pull(ctx, e.ID, feeds(ids, nil))
	}}
	return s.Deliver(ctx, e.Author, w, then, d, ds, func(o db.Owners) error {
		return s.st.Feeds.Push(ctx, e.ID, feeds(o.IDs, o.Texts))
	})
}

// Overtaken reports whether a status was deleted, or a reader's relation to its author ended,
// during its delivery. The zero result means no. The clean-up after such an action may have read
// before the status arrived, so the delivery is undone here. It costs one small read, and none
// while before, a watch of the status and its author from the start of the batch, holds: the
// clean-up raises their epochs first.
func (s *Service) Overtaken(ctx context.Context, e linnet.Entry, first bool, before *db.Watch, done []Delivery) (now feeds.Overtaken, err error) {
	if !first && len(done) == 0 || before.Valid() {
		return now, nil
	}
	now, err = s.st.Feeds.Overtaken(ctx, e.ID, e.Author)
	if err != nil {
		return now, err
	}
	for _, d := range done {
		ids := d.owners.IDs
		if !now.Deleted {
			if !now.Ended(d.Kind, d.owners) {
				continue
			}
			if ids, err = s.noLongerRelated(ctx, d.Kind, e.Author, ids); err != nil {
				return now, err
			}
		}
		if err := d.Undo(ctx, ids); err != nil {
			return now, err
		}
	}
	return now, nil
}

// noLongerRelated returns the ids that no longer relate to an author.
func (s *Service) noLongerRelated(ctx context.Context, kind record.RelationKind, author linnet.ID, ids []linnet.ID) ([]linnet.ID, error) {
	b := s.st.Batch()
	still := b.RelatedOwners(kind, author, ids)
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
