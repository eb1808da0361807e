package accounts

import (
	"context"
	"fmt"
	"slices"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// OutsideFeed reads the feed of an account, or returns nil.
func (s *Store) OutsideFeed(ctx context.Context, user linnet.ID) (*linnet.OutsideFeed, error) {
	all, err := s.outsideFeeds(ctx, []linnet.ID{user})
	if err != nil || len(all) == 0 {
		return nil, err
	}
	return &all[0], nil
}

// outsideFeeds reads the feeds of some accounts. It leaves out missing ones.
func (s *Store) outsideFeeds(ctx context.Context, users []linnet.ID) (out []linnet.OutsideFeed, err error) {
	qs := make([]kv.Query, len(users))
	for i, id := range users {
		qs[i] = &kv.Get{Key: record.OutsideFeedKey(id)}
	}
	if len(qs) == 0 {
		return nil, nil
	}
	if err := s.db.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("read external feeds: %w", err)
	}
	for i, q := range qs {
		get := q.(*kv.Get)
		if get.Version == 0 {
			continue
		}
		f, err := record.DecodeOutsideFeed(users[i], get)
		if err != nil {
			return nil, err
		}
		out = append(out, *f)
	}
	return out, nil
}

// OutsideFeedAt returns the account of the feed with an address, or 0.
func (s *Store) OutsideFeedAt(ctx context.Context, address string) (linnet.ID, error) {
	get := &kv.Get{Key: record.OutsideURLKey(address)}
	if err := s.db.Read(ctx, get); err != nil || get.Version == 0 {
		return 0, err
	}
	var r record.OutsideURL
	err := record.Decode(get, &r)
	return linnet.ID(r.User), err
}

// ClaimOutsideURL claims the address of a feed for an account. It returns the owner of the address,
// which is another account if that was first.
func (s *Store) ClaimOutsideURL(ctx context.Context, address string, user linnet.ID) (linnet.ID, error) {
	for range db.MaxRaces {
		owner, err := s.OutsideFeedAt(kv.Durable(ctx), address)
		if err != nil || owner != 0 {
			return owner, err
		}
		key := record.OutsideURLKey(address)
		made, err := s.db.Txn(ctx, []kv.Cond{kv.Absent(key)}, kv.Put{Key: key, Data: record.Encode(record.OutsideURL{User: record.JID(user)}), Version: 1})
		if err != nil {
			return 0, fmt.Errorf("claim the address of a feed: %w", err)
		}
		if made {
			return user, nil
		}
	}
	return 0, db.TooManyRaces("address of a feed for", user)
}

// AddOutsideFeed stores the feed of a new account together with its task, and lists the account. It
// can run more than once, and returns false if the feed already exists.
func (s *Store) AddOutsideFeed(ctx context.Context, f *linnet.OutsideFeed, with ...kv.Op) (made bool, err error) {
	key := record.OutsideFeedKey(f.User)
	f.Version = 1
	made, err = s.db.Txn(ctx, []kv.Cond{kv.Absent(key), db.UserPresent(f.User)}, append(with, kv.Put{Key: key, Data: record.EncodeOutsideFeed(f), Version: 1})...)
	if err != nil {
		return false, fmt.Errorf("write an external feed: %w", err)
	}
	err = s.db.Apply(ctx, kv.Add{Key: record.OutsideFeedsKey(), Member: record.OutsideFeedMember(f.By, f.User)})
	return made, err
}

// SetOutsideFeed replaces the state of a feed. It returns false if the record has changed since f
// was read.
func (s *Store) SetOutsideFeed(ctx context.Context, f *linnet.OutsideFeed, with ...kv.Op) (bool, error) {
	key := record.OutsideFeedKey(f.User)
	made, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: key, Version: f.Version}}, append(with, kv.Put{Key: key, Data: record.EncodeOutsideFeed(f), Version: f.Version + 1})...)
	if err != nil {
		return false, fmt.Errorf("write an external feed: %w", err)
	}
	if made {
		f.Version++
	}
	return made, nil
}

// OutsideFeeds returns up to limit feeds after a position in the list of all feeds, and the next
// position, which is "" at the end.
func (s *Store) OutsideFeeds(ctx context.Context, after string, limit int) ([]linnet.OutsideFeed, string, error) {
	r := &kv.Range{Key: record.OutsideFeedsKey(), Limit: limit}
	if after != "" {
		r.Above = &kv.Member{Member: after}
	}
	if err := s.db.Read(ctx, r); err != nil {
		return nil, "", fmt.Errorf("list external feeds: %w", err)
	}
	ids := make([]linnet.ID, 0, len(r.Members))
	for _, m := range r.Members {
		if _, id, ok := record.SplitOutsideFeedMember(m.Member); ok {
			ids = append(ids, id)
		}
	}
	next := ""
	if len(r.Members) == limit {
		next = r.Members[limit-1].Member
	}
	feeds, err := s.outsideFeeds(ctx, ids)
	return feeds, next, err
}

// CountOutsideFeeds counts all feeds, or the feeds that a member has added if by is not nil. It
// stops at most.
func (s *Store) CountOutsideFeeds(ctx context.Context, by *linnet.ID, most int) (n int, err error) {
	var after, below *kv.Member
	if by != nil {
		after, below = &kv.Member{Member: by.String() + "."}, &kv.Member{Member: by.String() + "/"}
	}
	for n < most {
		r := &kv.Range{Key: record.OutsideFeedsKey(), Above: after, Below: below, Limit: min(most-n, kv.MaxRange)}
		if err := s.db.Read(ctx, r); err != nil {
			return n, fmt.Errorf("count external feeds: %w", err)
		}
		n += len(r.Members)
		if len(r.Members) < r.Limit {
			break
		}
		after = &r.Members[len(r.Members)-1]
	}
	return n, nil
}

// ForgetOutsideFeed deletes the feed of a deleted account. The last transaction deletes the record,
// and makes further changes of its shard. Until then, it can run again.
func (s *Store) ForgetOutsideFeed(ctx context.Context, f *linnet.OutsideFeed, with ...kv.Op) error {
	for _, address := range slices.Concat(f.Former, []string{f.URL}) {
		owner, err := s.OutsideFeedAt(ctx, address)
		if err == nil && owner == f.User {
			err = s.db.Apply(ctx, kv.Delete{Key: record.OutsideURLKey(address)})
		}
		if err != nil {
			return err
		}
	}
	if err := s.db.Apply(ctx, kv.Remove{Key: record.OutsideFeedsKey(), Member: record.OutsideFeedMember(f.By, f.User)}); err != nil {
		return err
	}
	_, err := s.db.Txn(ctx, nil, append(with, kv.Delete{Key: record.OutsideFeedKey(f.User)})...)
	return err
}

// OutsideFeedSettings reads the settings for external feeds.
func (s *Store) OutsideFeedSettings(ctx context.Context) (linnet.OutsideFeedSettings, error) {
	get := &kv.Get{Key: record.OutsideFeedSettingsKey()}
	if err := s.db.Read(ctx, get); err != nil {
		return linnet.OutsideFeedSettings{}, err
	}
	return record.DecodeOutsideFeedSettings(get)
}

// SetOutsideFeedSettings replaces the settings for external feeds. It returns false if they have
// changed since set was read.
func (s *Store) SetOutsideFeedSettings(ctx context.Context, set linnet.OutsideFeedSettings) (bool, error) {
	key := record.OutsideFeedSettingsKey()
	return s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: key, Version: set.Version}}, kv.Put{Key: key, Version: set.Version + 1,
		Data: record.Encode(record.OutsideFeedSettings{Who: set.Who, PerMember: set.PerMember, Total: set.Total, Blocked: set.Blocked})})
}
