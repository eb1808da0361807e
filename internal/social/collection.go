package social

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/notify"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/task"
	"linnet/internal/text"
	"linnet/internal/view"
)

// Collections manages collections of accounts. It is safe for concurrent use.
type Collections struct {
	st    *store.Store
	tasks *task.Queue

	core   *core.Service
	view   *view.Service
	notify *notify.Service
	social *Service
}

// announceAfter is the minimum time between two notifications of an account about the changes of a
// collection.
const announceAfter = time.Hour

// Create creates a collection with some accounts. The name is required. It returns Forbidden if one
// of the accounts can't be added.
// https://docs.joinmastodon.org/methods/collections/#create
func (s *Collections) Create(ctx context.Context, me linnet.ID, change linnet.CollectionChange, accounts []linnet.ID) (linnet.CollectionView, error) {
	c := linnet.Collection{Owner: me, Discoverable: true, Updated: s.st.Now()}
	if change.Name == nil {
		change.Name = new(string)
	}
	if err := changeCollection(&c, change); err != nil {
		return linnet.CollectionView{}, err
	}
	have, err := s.st.Relations.CollectionsOf(ctx, me)
	if err != nil {
		return linnet.CollectionView{}, core.StoreError(err)
	}
	if len(have) >= linnet.MaxCollections {
		return linnet.CollectionView{}, linnet.Errorf(linnet.Invalid, "You can have at most %d collections. Delete one first.", linnet.MaxCollections)
	}
	for _, id := range accounts {
		if c.Item(id) == nil {
			c.Items = append(c.Items, linnet.CollectionItem{ID: s.st.Relations.NewCollectionItem(me), Account: id, State: linnet.ItemAccepted})
		}
	}
	if len(c.Items) > linnet.MaxCollectionItems {
		return linnet.CollectionView{}, errFullCollection()
	}
	for _, it := range c.Items {
		if err := s.mayAdd(ctx, me, it.Account); err != nil {
			return linnet.CollectionView{}, err
		}
	}
	t, err := s.tasks.New(me.Shard(), TaskCollection, collectionArgs{})
	if err != nil {
		return linnet.CollectionView{}, err
	}
	err = s.st.Relations.CreateCollection(ctx, &c, func() []kv.Op {
		t = t.With(collectionArgs{Collection: c.ID, Accounts: c.Accounts(), Added: true})
		return t.Ops()
	})
	if errors.Is(err, db.ErrDeleted) {
		err = core.ErrNoUser
	}
	if err != nil {
		return linnet.CollectionView{}, core.StoreError(err)
	}
	s.tasks.Run(ctx, t)
	return s.view.Collection(ctx, me, c.ID)
}

// changeCollection applies and checks a change.
func changeCollection(c *linnet.Collection, change linnet.CollectionChange) error {
	var all linnet.Faults
	if n := change.Name; n != nil {
		c.Name = text.Line(*n)
		if c.Name == "" {
			all.Add(linnet.FieldError("name", "ERR_BLANK", "can't be blank"))
		}
		all.Add(core.CheckText("name", n, linnet.MaxCollectionName))
	}
	if d := change.Description; d != nil {
		c.Description = text.Line(*d)
		all.Add(core.CheckText("description", d, linnet.MaxCollectionDescription))
	}
	if t := change.Tag; t != nil {
		c.Tag = strings.TrimPrefix(strings.TrimSpace(*t), "#")
		if c.Tag != "" && !text.ValidTag(c.Tag) {
			all.Add(linnet.FieldError("tag_name", "ERR_INVALID", "must contain only letters, digits and underscores, and can't be all digits"))
		}
	}
	if l := change.Language; l != nil {
		c.Language = core.Language(*l)
		if c.Language == "" && *l != "" {
			all.Add(linnet.FieldError("language", "ERR_INVALID", "is not a known language"))
		}
	}
	core.Set(&c.Sensitive, change.Sensitive)
	core.Set(&c.Discoverable, change.Discoverable)
	return all.Err()
}

// Update changes a collection of me. It notifies the accounts of a new name or description, at most
// once an hour.
// https://docs.joinmastodon.org/methods/collections/#update_collection
func (s *Collections) Update(ctx context.Context, me, id linnet.ID, change linnet.CollectionChange) (linnet.CollectionView, error) {
	err := s.change(ctx, me, id, nil, func(c *linnet.Collection) (collectionArgs, error) {
		before := *c
		if err := changeCollection(c, change); err != nil {
			return collectionArgs{}, err
		}
		args := collectionArgs{}
		if (c.Name != before.Name || c.Description != before.Description) && c.Updated.Sub(c.Announced) >= announceAfter {
			c.Announced = c.Updated
			args.Announced, args.Former = c.Announced.UnixMilli(), before.Announced.UnixMilli()
		}
		return args, nil
	})
	if err != nil {
		return linnet.CollectionView{}, err
	}
	return s.view.Collection(ctx, me, id)
}

// errUnchanged ends a change without a write.
var errUnchanged = errors.New("the change has no effect on the collection")

// change changes a collection of me in a transaction. f is called again after a concurrent change.
// It returns what the task has to do, whose batch runs before change returns.
func (s *Collections) change(ctx context.Context, me, id linnet.ID, conds []kv.Cond, f func(*linnet.Collection) (collectionArgs, error)) error {
	t, err := s.tasks.New(id.Shard(), TaskCollection, collectionArgs{})
	if err != nil {
		return err
	}
	for range core.PageRounds {
		c, err := core.RetryDurable(ctx, func(ctx context.Context) (*linnet.Collection, error) { return s.own(ctx, me, id) })
		if err != nil {
			return err
		}
		c.Updated = s.st.Now()
		args, err := f(c)
		if err != nil {
			return err
		}
		args.Collection = id
		t = t.With(args)
		ok, err := s.st.Relations.UpdateCollection(ctx, c, conds, t.Ops()...)
		if err != nil {
			return core.StoreError(err)
		}
		if ok {
			s.tasks.Run(ctx, t)
			return nil
		}
	}
	return linnet.Errorf(linnet.Conflict, "Someone else changed the collection. Try again.")
}

// own returns a collection of me. It returns Forbidden for collections of others that me can see.
func (s *Collections) own(ctx context.Context, me, id linnet.ID) (*linnet.Collection, error) {
	c, err := s.st.Relations.Collection(ctx, id)
	if err != nil {
		return nil, core.StoreError(err)
	}
	if c == nil || c.Owner != me {
		_, err := s.view.Collection(ctx, me, id)
		return nil, cmp.Or(err, error(errBarred))
	}
	return c, nil
}

// Delete deletes a collection of me.
// https://docs.joinmastodon.org/methods/collections/#delete_collection
func (s *Collections) Delete(ctx context.Context, me, id linnet.ID) error {
	c, err := core.RetryDurable(ctx, func(ctx context.Context) (*linnet.Collection, error) { return s.own(ctx, me, id) })
	if err != nil {
		return err
	}
	return core.StoreError(s.delete(ctx, c))
}

func (s *Collections) delete(ctx context.Context, c *linnet.Collection) error {
	t, err := s.tasks.New(c.ID.Shard(), TaskCollection, collectionArgs{Collection: c.ID, Accounts: c.Accounts()})
	if err != nil {
		return err
	}
	if err := s.st.Relations.DeleteCollection(ctx, c, t.Ops()...); err != nil {
		return err
	}
	s.tasks.Run(ctx, t)
	return nil
}
