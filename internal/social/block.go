package social

import (
	"cmp"
	"context"
	"errors"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/store/relations"
	"linnet/internal/view"
)

var (
	errBarred   = linnet.Errorf(linnet.Forbidden, "This action is not allowed.")
	ErrBlocking = linnet.Errorf(linnet.Forbidden, "You've blocked this person. Unblock them first.")
)

// Block makes me block other. It ends the follows, requests, and entries in lists and collections
// between them, and removes notifications. Neither sees the other's posts in timelines, and other can't open me's
// posts. The block applies on both sides when Block returns.
// https://docs.joinmastodon.org/methods/accounts/#block
func (s *Service) Block(ctx context.Context, me, other linnet.ID) (linnet.Relationship, error) {
	return s.block(ctx, me, other, true)
}

// Unblock ends a block. It doesn't restore follows.
// https://docs.joinmastodon.org/methods/accounts/#unblock
func (s *Service) Unblock(ctx context.Context, me, other linnet.ID) (linnet.Relationship, error) {
	return s.block(ctx, me, other, false)
}

func (s *Service) block(ctx context.Context, me, other linnet.ID, on bool) (linnet.Relationship, error) {
	if me == other {
		return linnet.Relationship{}, linnet.Errorf(linnet.Forbidden, "You can't block yourself.")
	}
	check := s.MustExist
	if on {
		check = s.mayLeave
	}
	if err := cmp.Or(check(ctx, me, other), core.NotSystem(other)); err != nil {
		return linnet.Relationship{}, err
	}
	a := RelationArgs{Kind: record.Blocks().Name, Owner: me, Other: other}
	t, err := s.tasks.New(me.Shard(), TaskRelation, a)
	if err != nil {
		return linnet.Relationship{}, err
	}
	c := relations.RelationChange{Kind: record.Blocks(), Owner: me, Other: other, Live: on, Below: linnet.MaxBlocks,
		Ops: append(t.Ops(), db.RelationshipOp(me, other, record.Blocking, on))}
	if on {
		c.Conds = []kv.Cond{db.UserPresent(me)}
	}
	did, err := s.st.Relations.SetRelation(ctx, c)
	if errors.Is(err, db.ErrCondition) { // me is being deleted
		return linnet.Relationship{}, core.ErrNoUser
	}
	if errors.Is(err, relations.ErrLimit) {
		return linnet.Relationship{}, linnet.Errorf(linnet.Invalid, "You can block at most %d people. Unblock someone first.", linnet.MaxBlocks)
	}
	if err != nil {
		return linnet.Relationship{}, core.StoreError(err)
	}
	// Copy now instead of in the task: a success response means that the block applies.
	err = s.Relate(ctx, a)
	if did.Changed {
		s.tasks.Start(t)
	}
	if err != nil {
		return linnet.Relationship{}, core.StoreError(err)
	}
	return s.Relationship(ctx, me, other)
}

// blockedOps returns the operations on the blocked user's side.
func blockedOps(a RelationArgs, live bool) []kv.Op {
	return []kv.Op{db.RelationshipOp(a.Other, a.Owner, record.BlockedBy, live)}
}

// blocked applies the consequences of a block or its end after both sides are written. It can run
// more than once.
func (s *Service) blocked(ctx context.Context, by, who linnet.ID, live bool) error {
	for _, id := range [...]linnet.ID{by, who} {
		s.core.Emit(ctx, id, core.Event{Type: core.EventReader, To: id})
	}
	if !live {
		return nil
	}
	for _, side := range [...]struct {
		me, other    linnet.ID
		relationship record.RelationshipFlag
	}{{by, who, record.Blocking}, {who, by, record.BlockedBy}} {
		err := s.part(ctx, side.me, side.other, db.HasFlag(side.me, side.other, side.relationship))
		if errors.Is(err, db.ErrCondition) {
			continue // the block has ended since
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// part ends me's follow of other, me's entries in lists and collections, and notifications about
// other, if barred holds.
func (s *Service) part(ctx context.Context, me, other linnet.ID, barred kv.Cond) error {
	if err := s.removeFollow(ctx, me, other, barred); err != nil {
		return err
	}
	if err := s.Lists.part(ctx, me, other, barred); err != nil {
		return err
	}
	if err := s.Collections.part(ctx, me, other, barred); err != nil {
		return err
	}
	if err := s.forgetFollow(ctx, me, other); err != nil {
		return err
	}
	return s.st.Inbox.RemoveNotices(ctx, me, 0, func(n linnet.Notification) bool { return n.From == other })
}

// Blocks returns the users that me blocks, newest block first.
// https://docs.joinmastodon.org/methods/blocks/#get
func (s *Service) Blocks(ctx context.Context, me linnet.ID, p linnet.Page) (linnet.Slice[linnet.UserView], error) {
	return view.EntryPage(ctx, s.view, record.Blocks().OwnedKey(me), view.UsersPage(p), view.UserID, func(ids []linnet.ID) ([]linnet.UserView, error) {
		return s.view.Users(ctx, me, ids)
	})
}

// MayApproach returns an error if me and other can't interact because one of them blocks the other,
// or because other is the system account.
func (s *Service) MayApproach(ctx context.Context, me, other linnet.ID) error {
	if err := core.NotSystem(other); err != nil {
		return err
	}
	m, err := s.view.Relationship(ctx, me, other)
	switch {
	case err != nil:
		return err
	case m.BlockedBy():
		return errBarred
	case m.Blocks():
		return ErrBlocking
	}
	return nil
}

// BarredStatus returns the error of an action on a status whose author has blocked me or is blocked
// by me: NotFound if me can't see the status.
func (s *Service) BarredStatus(ctx context.Context, me linnet.ID, st *linnet.Status) error {
	if _, err := s.view.Status(ctx, me, st.ID); err != nil {
		return err
	}
	return ErrBlocking
}
