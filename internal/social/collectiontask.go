package social

import (
	"context"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// collectionArgs are the arguments of TaskCollection. They describe a change of a collection.
type collectionArgs struct {
	Collection linnet.ID   `json:"collection"`
	Accounts   []linnet.ID `json:"accounts,omitempty"`  // whose sets are updated
	Added      bool        `json:"added,omitempty"`     // they were added and are notified
	Announced  int64       `json:"announced,omitempty"` // Unix milliseconds of a change that all accounts are notified of
	Former     int64       `json:"former,omitempty"`    // Unix milliseconds of the last such change
}

// copy updates the copies of a collection and notifies accounts. It can run more than once.
func (s *Collections) copy(ctx context.Context, a collectionArgs) (*collectionArgs, error) {
	deleted, err := s.st.Relations.CopyCollection(ctx, a.Collection, a.Accounts)
	if err != nil {
		return nil, err
	}
	c, err := s.st.Relations.Collection(ctx, a.Collection)
	if err != nil || c == nil {
		return nil, err
	}
	for _, id := range deleted {
		if err := s.end(ctx, c.Owner, c.ID, id, nil); err != nil {
			return nil, err
		}
	}
	if a.Added {
		if err := s.notify.NotifyCollected(ctx, c, a.Accounts); err != nil {
			return nil, err
		}
	}
	if a.Announced != 0 {
		return nil, s.notify.NotifyCollectionEdited(ctx, c, a.Announced, a.Former)
	}
	return nil, nil
}

// forgetCollectionsOf deletes the collections of a deleted user and returns their number.
func (s *Collections) forgetCollectionsOf(ctx context.Context, user linnet.ID, _ int) (int, error) {
	all, err := s.st.Relations.CollectionsOf(ctx, user)
	if err != nil {
		return 0, err
	}
	for i := range all {
		if err := s.delete(ctx, &all[i]); err != nil {
			return 0, err
		}
	}
	return len(all), nil
}

// forgetCollected removes a deleted user from the collections of others and returns their number.
func (s *Collections) forgetCollected(ctx context.Context, user linnet.ID, limit int) (int, error) {
	ids, _, err := s.st.After(ctx, record.InCollectionsKey(user), kv.Member{}, limit)
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	all, err := s.st.Relations.Collections(ctx, ids)
	if err != nil {
		return 0, err
	}
	for _, c := range all {
		if err := s.end(ctx, c.Owner, c.ID, user, nil); err != nil {
			return 0, err
		}
	}
	return len(ids), s.st.Relations.LeaveCollections(ctx, user, ids)
}
