package view

import (
	"context"
	"slices"
	"strings"

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

// CollectionAt returns the collection with an address, or nothing for other texts.
func (s *Service) CollectionAt(ctx context.Context, viewer linnet.ID, address string) ([]linnet.CollectionView, error) {
	ids := s.tagged(address)
	if len(ids) != 1 || !strings.HasPrefix(address, s.opt.PublicURL) {
		return nil, nil
	}
	v, err := s.FindCollection(ctx, viewer, ids[0])
	if err != nil || v == nil {
		return nil, err
	}
	return []linnet.CollectionView{*v}, nil
}

// FindCollection is like Collection, but returns nil if the viewer can't see the collection.
func (s *Service) FindCollection(ctx context.Context, viewer, id linnet.ID) (*linnet.CollectionView, error) {
	if id == 0 {
		return nil, nil
	}
	v, err := s.Collection(ctx, viewer, id)
	if linnet.KindOf(err) == linnet.NotFound {
		return nil, nil
	}
	return &v, err
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

// mostTagged is the maximum number of collections that a status shows.
const mostTagged = 4

// tagged returns the ids of the collections whose addresses are in a text.
func (s *Service) tagged(text string) (ids []linnet.ID) {
	const path = "/collections/"
	for {
		at := strings.Index(text, path)
		if at < 0 || len(ids) == mostTagged {
			return ids
		}
		before, rest := text[:at], text[at+len(path):]
		end := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
		if end < 0 {
			end = len(rest)
		}
		if id, ok := linnet.ParseID(rest[:end]); ok && strings.HasSuffix(before, s.opt.PublicURL) && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
		text = rest[end:]
	}
}

// askTagged loads the collections that the statuses link to.
func (l *Loader) askTagged(ctx context.Context) error {
	var ids []linnet.ID
	for i := range l.Statuses {
		if st := l.Statuses[i].Ref.Status; st != nil {
			for _, id := range l.s.tagged(st.Text) {
				if l.tagged[id] == nil && !slices.Contains(ids, id) {
					ids = append(ids, id)
				}
			}
		}
	}
	if len(ids) == 0 {
		return nil
	}
	all, err := l.s.st.Relations.Collections(ctx, ids)
	if err != nil {
		return core.StoreError(err)
	}
	shown, err := l.s.Collections(ctx, l.Viewer, all)
	if err != nil {
		return err
	}
	if l.tagged == nil {
		l.tagged = make(map[linnet.ID]*linnet.CollectionView, len(shown))
	}
	for i := range shown {
		l.tagged[shown[i].ID] = &shown[i]
	}
	return nil
}

// taggedIn returns the loaded collections that a status links to; nil for none.
func (l *Loader) taggedIn(st *linnet.Status) (out []*linnet.CollectionView) {
	if len(l.tagged) == 0 {
		return nil
	}
	for _, id := range l.s.tagged(st.Text) {
		if v := l.tagged[id]; v != nil {
			out = append(out, v)
		}
	}
	return out
}
