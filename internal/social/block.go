package social

import (
	"cmp"
	"context"
	"errors"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
)

var (
	errBarred   = linnet.Errorf(linnet.Forbidden, "This action is not allowed.")
	errBlocking = linnet.Errorf(linnet.Forbidden, "You block this person. Unblock them first.")
)

// Block ends everything between me and other and keeps them out of each other's
// sight: neither follows the other or comes upon the other's statuses, and what
// I write does not exist for them. When it returns, it is in force on both sides.
// https://docs.joinmastodon.org/methods/accounts/#block
func (s *Service) Block(ctx context.Context, me, other linnet.ID) (linnet.Relationship, error) {
	return s.block(ctx, me, other, true)
}

// Unblock ends a block. What the block ended does not come back.
// https://docs.joinmastodon.org/methods/accounts/#unblock
func (s *Service) Unblock(ctx context.Context, me, other linnet.ID) (linnet.Relationship, error) {
	return s.block(ctx, me, other, false)
}

func (s *Service) block(ctx context.Context, me, other linnet.ID, on bool) (linnet.Relationship, error) {
	if me == other {
		return linnet.Relationship{}, linnet.Errorf(linnet.Forbidden, "You cannot block yourself.")
	}
	if err := cmp.Or(s.mayBlock(ctx, me, other, on), notSystem(other)); err != nil {
		return linnet.Relationship{}, err
	}
	a := edgeArgs{record.Blocks().Name, me, other}
	t, err := s.tasks.New(me.Shard(), taskEdge, a)
	if err != nil {
		return linnet.Relationship{}, err
	}
	c := store.EdgeChange{Kind: record.Blocks(), Owner: me, Other: other, Live: on, Below: linnet.MaxBlocks,
		Ops: append(t.Ops(), store.StanceOp(me, other, record.Blocking, on))}
	if on {
		c.Conds = []kv.Cond{store.UserPresent(me)}
	}
	changed, err := s.st.SetEdge(ctx, c)
	if errors.Is(err, store.ErrCondition) { // who blocks is deleted at this moment
		return linnet.Relationship{}, errNoUser
	}
	if errors.Is(err, store.ErrLimit) {
		return linnet.Relationship{}, linnet.Errorf(linnet.Invalid, "You block %d people already, which is the most allowed.", linnet.MaxBlocks)
	}
	if err != nil {
		return linnet.Relationship{}, kvError(err)
	}
	// Not by the task: if it cannot be done now there is no answer yet.
	err = s.relate(ctx, a)
	if changed {
		s.tasks.Start(t)
	}
	if err != nil {
		return linnet.Relationship{}, kvError(err)
	}
	return s.relationship(ctx, me, other)
}

// mayBlock makes sure that other exists, and lets me step down first if it is a
// group.
func (s *Service) mayBlock(ctx context.Context, me, other linnet.ID, on bool) error {
	if on {
		return s.mayLeave(ctx, me, other)
	}
	return s.mustExist(ctx, me, other)
}

// blockedOps are the changes at the side of who is blocked.
func blockedOps(a edgeArgs, live bool) []kv.Op {
	return []kv.Op{store.StanceOp(a.Other, a.Owner, record.BlockedBy, live)}
}

// blocked does what follows from a block, or from its end, when both sides know
// of it. It may be repeated.
func (s *Service) blocked(ctx context.Context, by, who linnet.ID, live bool) error {
	for _, id := range [...]linnet.ID{by, who} {
		s.hub.publish(ctx, id, event{Type: eventReader, To: id})
	}
	if !live {
		return nil
	}
	for _, side := range [...]struct {
		me, other linnet.ID
		stance    record.Stance
	}{{by, who, record.Blocking}, {who, by, record.BlockedBy}} {
		err := s.part(ctx, side.me, side.other, store.Stands(side.me, side.other, side.stance))
		if errors.Is(err, store.ErrCondition) {
			continue // it was ended meanwhile
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// part ends what me has to do with other, for as long as barred holds.
func (s *Service) part(ctx context.Context, me, other linnet.ID, barred kv.Cond) error {
	if err := s.letGo(ctx, me, other, barred); err != nil {
		return err
	}
	lists, err := s.listsWith(ctx, me, other)
	if err != nil {
		return err
	}
	for _, l := range lists {
		if err := s.endEdge(ctx, record.Listings(), l.ID, other, barred); err != nil {
			return err
		}
	}
	if err := s.forgetFollow(ctx, me, other); err != nil {
		return err
	}
	return s.st.RemoveNotices(ctx, me, 0, func(n linnet.Notification) bool { return n.From == other })
}

func (s *Service) endEdge(ctx context.Context, kind record.EdgeKind, owner, other linnet.ID, cond kv.Cond) error {
	_, err := s.change(ctx, store.EdgeChange{Kind: kind, Owner: owner, Other: other, Conds: []kv.Cond{cond}})
	return err
}

// Blocks shows whom me blocks, the latest first.
// https://docs.joinmastodon.org/methods/blocks/#get
func (s *Service) Blocks(ctx context.Context, me linnet.ID, p linnet.Page) (linnet.Slice[linnet.UserView], error) {
	return entryPage(ctx, s, record.Blocks().OwnedKey(me), usersPage(p), func(ids []linnet.ID) ([]linnet.UserView, error) {
		return s.Users(ctx, me, ids)
	})
}

// withStances reads people, in the order of ids, and how a viewer stands to them, in
// one round trip.
func (s *Service) withStances(ctx context.Context, viewer linnet.ID, ids []linnet.ID) ([]*store.UserRef, *store.Reader, error) {
	b := s.st.Batch()
	reader := b.Reader(viewer)
	refs := make([]*store.UserRef, len(ids))
	for i, id := range ids {
		refs[i] = b.User(id)
		reader.AskStance(id)
	}
	if err := b.Run(ctx); err != nil {
		return nil, nil, kvError(err)
	}
	return refs, reader, nil
}

// unbarred shows those of ids that exist, are not suspended, and between whom and the
// viewer there is no block.
func (s *Service) unbarred(ctx context.Context, viewer linnet.ID, ids []linnet.ID) ([]linnet.UserView, error) {
	refs, reader, err := s.withStances(ctx, viewer, ids)
	if err != nil {
		return nil, err
	}
	out := make([]linnet.UserView, 0, len(ids))
	for i, ref := range refs {
		if ref.User != nil && !ref.User.Hidden() && !reader.Stance(ids[i]).Barred() {
			out = append(out, s.userView(ref))
		}
	}
	return s.known(ctx, viewer, out, false)
}

// stance is how a viewer stands to somebody.
func (s *Service) stance(ctx context.Context, viewer, id linnet.ID) (store.Marks, error) {
	b := s.st.Batch()
	reader := b.Reader(viewer)
	reader.AskStance(id)
	if err := b.Run(ctx); err != nil {
		return 0, kvError(err)
	}
	return reader.Stance(id), nil
}

// mayApproach refuses an act of me's towards somebody whom me blocks or who
// blocks me.
func (s *Service) mayApproach(ctx context.Context, me, other linnet.ID) error {
	if err := notSystem(other); err != nil {
		return err
	}
	m, err := s.stance(ctx, me, other)
	switch {
	case err != nil:
		return err
	case m.BlockedBy():
		return errBarred
	case m.Blocks():
		return errBlocking
	}
	return nil
}

// barredStatus is why an act on a status was refused when me turned out to share
// a block with its author.
func (s *Service) barredStatus(ctx context.Context, me linnet.ID, st *linnet.Status) error {
	if _, err := s.Status(ctx, me, st.ID); err != nil {
		return err
	}
	return errBlocking
}
