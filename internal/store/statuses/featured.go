package statuses

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// ErrFullTags means that the limit of featured tags is reached.
var ErrFullTags = errors.New("the limit of featured tags is reached")

// Featured stores the featured tags of users.
type Featured struct{ db *db.DB }

// ownTagOps returns the changes that add a status to its author's counts of its folded tags, or
// remove it.
func ownTagOps(st *linnet.Status, folded []string, by int64) (ops []kv.Op) {
	for _, t := range folded {
		key, member := record.UserTagKey(st.Author, t), st.ID.String()
		if by > 0 {
			ops = append(ops, kv.Add{Key: key, Member: member, Score: st.ID.Millis()})
		} else {
			ops = append(ops, kv.Remove{Key: key, Member: member})
		}
		ops = append(ops, kv.Incr{Key: record.UserTagsKey(st.Author), Name: record.TagName(t), By: by})
	}
	return ops
}

func (s *Featured) read(ctx context.Context, user linnet.ID) (r record.Featured, version uint64, err error) {
	get := &kv.Get{Key: record.FeaturedKey(user)}
	if err := s.db.Read(ctx, get); err != nil {
		return r, 0, fmt.Errorf("read featured tags: %w", err)
	}
	if get.Version != 0 {
		err = record.Decode(get, &r)
	}
	return r, get.Version, err
}

// change changes a user's featured tags. f returns false if there is no change. change returns
// ErrDeleted if the user does not exist.
func (s *Featured) change(ctx context.Context, user linnet.ID, f func(*record.Featured) (bool, error)) error {
	for range db.MaxRaces {
		r, version, err := s.read(ctx, user)
		if err != nil {
			return err
		}
		if change, err := f(&r); err != nil || !change {
			if db.RetryDurable(&ctx) {
				continue
			}
			return err
		}
		made, err := s.db.Txn(ctx, []kv.Cond{db.Else(db.UserPresent(user), db.ErrDeleted), kv.VersionIs{Key: record.FeaturedKey(user), Version: version}},
			kv.Put{Key: record.FeaturedKey(user), Data: record.Encode(r), Version: version + 1})
		switch {
		case errors.Is(err, kv.ErrUnknown): // the next attempt reads the outcome
			ctx = kv.Durable(ctx)
		case errors.Is(err, db.ErrDeleted):
			return err
		case err != nil:
			return fmt.Errorf("write featured tags: %w", err)
		case made:
			return nil
		}
	}
	return db.TooManyRaces("featured tags of", user)
}

// Add features a tag on a user's profile. It leaves a featured tag unchanged. It returns
// ErrFullTags beyond MaxFeaturedTags.
func (s *Featured) Add(ctx context.Context, user linnet.ID, name, folded string) error {
	id := s.db.NewID(user.Shard(), 0)
	return s.change(ctx, user, func(r *record.Featured) (bool, error) {
		if slices.ContainsFunc(r.Tags, func(t record.FeaturedTag) bool { return t.Tag == folded }) {
			return false, nil
		}
		if len(r.Tags) >= linnet.MaxFeaturedTags {
			return false, ErrFullTags
		}
		r.Tags = append(r.Tags, record.FeaturedTag{ID: record.JID(id), Name: name, Tag: folded})
		return true, nil
	})
}

// Remove removes a featured tag. It returns false if the user does not feature a tag with that id.
func (s *Featured) Remove(ctx context.Context, user, id linnet.ID) (found bool, err error) {
	err = s.change(ctx, user, func(r *record.Featured) (bool, error) {
		n := len(r.Tags)
		r.Tags = slices.DeleteFunc(r.Tags, func(t record.FeaturedTag) bool { return linnet.ID(t.ID) == id })
		found = found || len(r.Tags) < n
		return len(r.Tags) < n, nil
	})
	return found, err
}

// Names returns the ids of a user's featured tags by folded tag.
func (s *Featured) Names(ctx context.Context, user linnet.ID) (map[string]linnet.ID, error) {
	r, _, err := s.read(ctx, user)
	ids := make(map[string]linnet.ID, len(r.Tags))
	for _, t := range r.Tags {
		ids[t.Tag] = linnet.ID(t.ID)
	}
	return ids, err
}

// List returns a user's featured tags, with the number and the time of the last of the
// user's public statuses with each.
func (s *Featured) List(ctx context.Context, user linnet.ID) ([]linnet.FeaturedTag, error) {
	r, _, err := s.read(ctx, user)
	if err != nil || len(r.Tags) == 0 {
		return nil, err
	}
	counts := &kv.Counters{Key: record.UserTagsKey(user)}
	qs := []kv.Query{counts}
	for _, t := range r.Tags {
		counts.Names = append(counts.Names, record.TagName(t.Tag))
		qs = append(qs, &kv.Range{Key: record.UserTagKey(user, t.Tag), Desc: true, Limit: 1})
	}
	if err := s.db.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("count featured tags: %w", err)
	}
	out := make([]linnet.FeaturedTag, len(r.Tags))
	for i, t := range r.Tags {
		out[i] = linnet.FeaturedTag{ID: linnet.ID(t.ID), Name: t.Name, Folded: t.Tag, Statuses: max(counts.Values[i], 0)}
		for _, m := range qs[i+1].(*kv.Range).Members {
			out[i].LastAt = time.UnixMilli(m.Score)
		}
	}
	return out, nil
}

// Counts returns the number of a user's public statuses with each of some folded tags.
func (s *Featured) Counts(ctx context.Context, user linnet.ID, folded []string) ([]int64, error) {
	counts := &kv.Counters{Key: record.UserTagsKey(user)}
	for _, t := range folded {
		counts.Names = append(counts.Names, record.TagName(t))
	}
	if err := s.db.Read(ctx, counts); err != nil {
		return nil, fmt.Errorf("count tags: %w", err)
	}
	return counts.Values, nil
}
