package view

import (
	"context"
	"slices"

	"linnet/internal/core"
	"linnet/internal/linnet"
)

var errNoCollection = linnet.Errorf(linnet.NotFound, "Record not found")

// Collection returns a collection. It returns NotFound if its owner is hidden or blocks the viewer.
// https://docs.joinmastodon.org/methods/collections/#get_collection
func (s *Service) Collection(ctx context.Context, viewer, id linnet.ID) (linnet.CollectionView, error) {
	c, err := s.st.Relations.Collection(ctx, id)
	if err != nil {
		return linnet.CollectionView{}, core.StoreError(err)
	}
	if c == nil {
		return linnet.CollectionView{}, errNoCollection
	}
	shown, err := s.Collections(ctx, viewer, []linnet.Collection{*c})
	if err != nil {
		return linnet.CollectionView{}, err
	}
	if len(shown) == 0 {
		return linnet.CollectionView{}, errNoCollection
	}
	return shown[0], nil
}

// Collections returns the collections whose owner the viewer can see, with the accounts that the
// viewer can see and has no block with. It makes one round trip.
func (s *Service) Collections(ctx context.Context, viewer linnet.ID, cs []linnet.Collection) ([]linnet.CollectionView, error) {
	var ids []linnet.ID
	for i := range cs {
		ids = append(append(ids, cs[i].Owner), cs[i].Accounts()...)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	refs, reader, err := s.WithRelationships(ctx, viewer, ids)
	if err != nil {
		return nil, err
	}
	users := make(map[linnet.ID]linnet.UserView, len(refs))
	for i, ref := range refs {
		if ref.User != nil && !ref.User.Hidden() && !reader.Relationship(ids[i]).BlockedBy() {
			users[ids[i]] = s.UserView(ref)
		}
	}
	var out []linnet.CollectionView
	for _, c := range cs {
		by, ok := users[c.Owner]
		if !ok {
			continue
		}
		v := linnet.CollectionView{Collection: c, By: by}
		v.Items = nil
		for _, it := range c.Items {
			if u, ok := users[it.Account]; ok && it.State == linnet.ItemAccepted && !reader.Relationship(it.Account).Blocks() {
				v.Items, v.People = append(v.Items, it), append(v.People, u)
			}
		}
		out = append(out, v)
	}
	return out, nil
}

// CollectionsOf returns up to limit collections of a user from an offset, newest first. Other
// viewers see only the discoverable ones.
// https://docs.joinmastodon.org/methods/collections/#get_collections
func (s *Service) CollectionsOf(ctx context.Context, viewer, of linnet.ID, offset, limit int) ([]linnet.CollectionView, error) {
	if _, err := s.User(ctx, viewer, of); err != nil {
		return nil, err
	}
	all, err := s.st.Relations.CollectionsOf(ctx, of)
	if err != nil {
		return nil, core.StoreError(err)
	}
	all = slices.DeleteFunc(all, func(c linnet.Collection) bool { return viewer != of && !c.Discoverable })
	slices.Reverse(all)
	all = all[min(offset, len(all)):]
	return s.Collections(ctx, viewer, all[:min(limit, len(all))])
}

// CollectionsWith returns up to limit collections that show me, from an offset, last added first.
// https://docs.joinmastodon.org/methods/collections/#in_collections
func (s *Service) CollectionsWith(ctx context.Context, me, account linnet.ID, offset, limit int) ([]linnet.CollectionView, error) {
	if _, err := s.User(ctx, me, account); err != nil {
		return nil, err
	}
	if me != account {
		return nil, linnet.Errorf(linnet.Forbidden, "This action is not allowed.")
	}
	all, err := s.st.Relations.CollectionsWith(ctx, me, offset, limit)
	if err != nil {
		return nil, core.StoreError(err)
	}
	return s.Collections(ctx, me, all)
}

// FoundCollections returns up to limit discoverable collections from an offset, newest first. It
// leaves out empty ones, and those of users who are silenced or not discoverable.
func (s *Service) FoundCollections(ctx context.Context, viewer linnet.ID, offset, limit int) ([]linnet.CollectionView, error) {
	all, err := s.st.Relations.FoundCollections(ctx, offset, limit)
	if err != nil {
		return nil, core.StoreError(err)
	}
	shown, err := s.Collections(ctx, viewer, all)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(shown, func(v linnet.CollectionView) bool {
		return !v.Discoverable || !v.By.Discoverable || v.By.Silenced || len(v.Items) == 0
	}), nil
}
