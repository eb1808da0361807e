package social

import (
	"context"
	"errors"
	"slices"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/store/db"
)

func errFullCollection() error {
	return linnet.FieldError("account_ids", "ERR_TOO_MANY", "can't be added: a collection can have at most %d accounts. Remove one first", linnet.MaxCollectionItems)
}

// mayAdd checks that an account allows me to add it to collections.
func (s *Collections) mayAdd(ctx context.Context, me, account linnet.ID) error {
	refs, reader, err := s.view.WithRelationships(ctx, me, []linnet.ID{account})
	if err != nil {
		return err
	}
	u, m := refs[0].User, reader.Relationship(account)
	switch {
	case account.System() || u == nil || u.Hidden() || u.Group == linnet.Chat:
		return core.ErrNoUser
	case m.BlockedBy():
		return errBarred
	case m.Blocks():
		return ErrBlocking
	case !u.Featurable():
		return linnet.Errorf(linnet.Forbidden, "@%s doesn't want to be in collections.", u.Login)
	}
	if account == me {
		return nil
	}
	return s.core.AllowFollow(ctx, me, account)
}

// AddTo adds an account to a collection of me and notifies it. It does nothing if the collection
// shows the account. It returns Forbidden if the account doesn't allow it or has left the
// collection.
// https://docs.joinmastodon.org/methods/collections/#add_account
func (s *Collections) AddTo(ctx context.Context, me, id, account linnet.ID) (item linnet.CollectionItem, err error) {
	if _, err := core.RetryDurable(ctx, func(ctx context.Context) (*linnet.Collection, error) { return s.own(ctx, me, id) }); err != nil {
		return item, err
	}
	if err := s.mayAdd(ctx, me, account); err != nil {
		return item, err
	}
	err = s.change(ctx, me, id, db.NoBlocks(me, account), func(c *linnet.Collection) (collectionArgs, error) {
		have := c.Item(account)
		switch {
		case have != nil && have.State == linnet.ItemAccepted:
			item = *have
			return collectionArgs{}, errUnchanged
		case have != nil, len(c.Items)-len(c.Accounts()) >= linnet.MaxCollectionRevoked:
			return collectionArgs{}, linnet.Errorf(linnet.Forbidden, "This person has left the collection and can't be added again.")
		case len(c.Accounts()) >= linnet.MaxCollectionItems:
			return collectionArgs{}, errFullCollection()
		}
		item = linnet.CollectionItem{ID: s.st.Relations.NewCollectionItem(me), Account: account, State: linnet.ItemAccepted}
		c.Items = append(c.Items, item)
		return collectionArgs{Accounts: []linnet.ID{account}, Added: true}, nil
	})
	switch {
	case errors.Is(err, errUnchanged):
		err = nil
	case errors.Is(err, db.ErrCondition):
		err = errBarred
	}
	return item, err
}

// RemoveFrom removes an item from a collection of me.
// https://docs.joinmastodon.org/methods/collections/#remove_account
func (s *Collections) RemoveFrom(ctx context.Context, me, id, item linnet.ID) error {
	return s.change(ctx, me, id, nil, func(c *linnet.Collection) (collectionArgs, error) {
		at := slices.IndexFunc(c.Items, func(it linnet.CollectionItem) bool { return it.ID == item && it.State == linnet.ItemAccepted })
		if at < 0 {
			return collectionArgs{}, errNoList
		}
		account := c.Items[at].Account
		c.Items = slices.Delete(c.Items, at, at+1)
		return collectionArgs{Accounts: []linnet.ID{account}}, nil
	})
}

// Revoke removes me from a collection of another user, who can't add me again.
// https://docs.joinmastodon.org/methods/collections/#revoke_item
func (s *Collections) Revoke(ctx context.Context, me, id, item linnet.ID) error {
	c, err := core.RetryDurable(ctx, func(ctx context.Context) (linnet.CollectionView, error) { return s.view.Collection(ctx, me, id) })
	if err != nil {
		return err
	}
	at := slices.IndexFunc(c.Items, func(it linnet.CollectionItem) bool { return it.ID == item })
	if at < 0 {
		return errNoList
	}
	if c.Items[at].Account != me {
		return errBarred
	}
	return s.change(ctx, c.Owner, id, nil, func(c *linnet.Collection) (collectionArgs, error) {
		it := c.Item(me)
		if it == nil || it.State != linnet.ItemAccepted {
			return collectionArgs{}, errNoList
		}
		it.State = linnet.ItemRevoked
		return collectionArgs{Accounts: []linnet.ID{me}}, nil
	})
}

// FollowAll makes me follow the accounts of a collection that me can see. It skips accounts that me
// can't follow, and returns TooMany at the daily limit.
func (s *Collections) FollowAll(ctx context.Context, me, id linnet.ID) error {
	v, err := s.view.Collection(ctx, me, id)
	if err != nil {
		return err
	}
	for _, account := range v.Collection.Accounts() {
		if account == me {
			continue
		}
		_, err := s.social.Follow(ctx, me, account, linnet.FollowOptions{})
		if kind := linnet.KindOf(err); err != nil && kind != linnet.Forbidden && kind != linnet.NotFound {
			return err
		}
	}
	return nil
}

// end removes an account from a collection of owner, if conds hold. The account can be added again.
// It returns nil if the collection doesn't have the account.
func (s *Collections) end(ctx context.Context, owner, id, account linnet.ID, conds []kv.Cond) error {
	err := s.change(ctx, owner, id, conds, func(c *linnet.Collection) (collectionArgs, error) {
		if !c.Shows(account) {
			return collectionArgs{}, errUnchanged
		}
		c.Items = slices.DeleteFunc(c.Items, func(it linnet.CollectionItem) bool { return it.Account == account })
		return collectionArgs{Accounts: []linnet.ID{account}}, nil
	})
	if errors.Is(err, errUnchanged) || linnet.KindOf(err) == linnet.NotFound { // someone else was first
		return nil
	}
	return err
}

// part removes other from the collections of me if barred holds.
func (s *Collections) part(ctx context.Context, me, other linnet.ID, barred kv.Cond) error {
	all, err := s.st.Relations.CollectionsOf(ctx, me)
	if err != nil {
		return err
	}
	for i := range all {
		if !all[i].Shows(other) {
			continue
		}
		if err := s.end(ctx, me, all[i].ID, other, []kv.Cond{barred}); err != nil {
			return err
		}
	}
	return nil
}
