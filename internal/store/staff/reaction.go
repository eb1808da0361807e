package staff

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// Reactions to an announcement are counted in its shard, in one transaction with the reacting user.
// Each name has an index below the maximum number of names. A set has the reacting users with a bit
// per index. So only a new name conflicts on the record of names, and other reactions only on the
// user's own bits. A deleted custom emoji keeps its index, because freeing it would require a walk
// over all users who chose it.

// ErrReactions is returned if an announcement has the maximum number of different reactions.
var ErrReactions = errors.New("the announcement has too many different reactions")

// React adds a reaction of a user to an announcement, or removes it if on is false. changed is
// false if nothing changed. n is the new count. Before that, it records the announcement in a set
// of the user, for the deletion of the account. It returns ErrDeleted if there is no such
// announcement or user.
func (s *Store) React(ctx context.Context, user, id linnet.ID, name string, on bool) (changed bool, n int64, err error) {
	if on {
		if err := s.note(ctx, record.ReactedKey(user), user, id); err != nil && !errors.Is(err, kv.ErrUnknown) {
			return false, 0, err
		}
	}
	for range db.MaxRaces {
		r := reactionRead{user: user, id: id}
		if err := r.read(ctx, s.db); err != nil {
			return false, 0, err
		}
		index, err := r.indexOf(name)
		if err != nil && on {
			return false, 0, err
		}
		if have := err == nil && r.mask&(1<<index) != 0; have == on {
			if !db.RetryDurable(&ctx) {
				return changed, r.countOf(name), nil
			}
			continue
		}
		made, err := s.db.Txn(ctx, r.conds(index, name), r.ops(index, name, on)...)
		switch {
		case errors.Is(err, kv.ErrUnknown): // the next attempt reads the result
			ctx, changed = kv.Durable(ctx), true
		case errors.Is(err, db.ErrDeleted):
			return false, 0, err
		case err != nil:
			return false, 0, fmt.Errorf("write a reaction: %w", err)
		case made && on:
			return true, r.set.Counts[index] + 1, nil
		case made:
			return true, r.set.Counts[index] - 1, nil
		}
	}
	return false, 0, db.TooManyRaces("reactions to announcement", id)
}

// reactionRead has the data read before a reaction is counted.
type reactionRead struct {
	user, id linnet.ID
	set      linnet.ReactionSet
	names    *kv.Get
	mine     *kv.Scores
	mask     uint32
}

func (r *reactionRead) read(ctx context.Context, from *db.DB) error {
	there := &kv.Get{Key: record.AnnouncementKey(r.id)}
	r.names = &kv.Get{Key: record.ReactionNamesKey(r.id)}
	counts := &kv.Counters{Key: record.ReactionCountsKey(r.id), Names: record.ReactionCounters()}
	r.mine = &kv.Scores{Key: record.ReactionsKey(r.id), Members: []string{r.user.String()}}
	if err := from.Read(ctx, there, r.names, counts, r.mine); err != nil {
		return fmt.Errorf("read reactions: %w", err)
	}
	if there.Version == 0 || r.mine.Found[0] && r.mine.Values[0] == 0 { // or the account is deleted
		return db.ErrDeleted
	}
	set, err := reactionSet(r.names, counts, r.mine)
	r.set, r.mask = set, set.Mine
	return err
}

// indexOf returns the index of a name, or a free one. It returns ErrReactions if there is none.
func (r *reactionRead) indexOf(name string) (int, error) {
	if at := slices.Index(r.set.Names, name); at >= 0 {
		return at, nil
	}
	for i := range linnet.MaxReactions {
		if i >= len(r.set.Names) || r.set.Counts[i] == 0 {
			return i, nil
		}
	}
	return 0, ErrReactions
}

func (r *reactionRead) countOf(name string) int64 {
	if at := slices.Index(r.set.Names, name); at >= 0 {
		return r.set.Counts[at]
	}
	return 0
}

// known reports whether a name already has its index.
func (r *reactionRead) known(index int, name string) bool {
	return index < len(r.set.Names) && r.set.Names[index] == name
}

// asRead returns the conditions that the names and the user's reactions haven't changed.
func (r *reactionRead) asRead() []kv.Cond {
	conds := []kv.Cond{db.Else(kv.Present{Key: record.AnnouncementKey(r.id)}, db.ErrDeleted), kv.VersionIs{Key: r.names.Key, Version: r.names.Version}}
	if r.mine.Found[0] {
		return append(conds, kv.ScoreIs{Key: r.mine.Key, Member: r.mine.Members[0], Score: r.mine.Values[0]})
	}
	return append(conds, kv.NoMember{Key: r.mine.Key, Member: r.mine.Members[0]})
}

// conds returns the conditions of writing a reaction: asRead, and that a new index is free.
func (r *reactionRead) conds(index int, name string) []kv.Cond {
	if r.known(index, name) {
		return r.asRead()
	}
	return append(r.asRead(), kv.CounterBelow{Key: record.ReactionCountsKey(r.id), Name: record.ReactionCounters()[index], Limit: 1})
}

func (r *reactionRead) ops(index int, name string, on bool) []kv.Op {
	mask, by := r.mask^1<<index, int64(1)
	if !on {
		by = -1
	}
	ops := []kv.Op{kv.Incr{Key: record.ReactionCountsKey(r.id), Name: record.ReactionCounters()[index], By: by}}
	if mask == 0 {
		ops = append(ops, kv.Remove{Key: r.mine.Key, Member: r.mine.Members[0]})
	} else {
		ops = append(ops, kv.Add{Key: r.mine.Key, Member: r.mine.Members[0], Score: int64(mask)})
	}
	if !r.known(index, name) {
		names := slices.Clone(r.set.Names)
		if index == len(names) {
			names = append(names, name)
		}
		names[index] = name
		ops = append(ops, kv.Put{Key: r.names.Key, Data: record.Encode(record.ReactionNames{Names: names}), Version: r.names.Version + 1})
	}
	return ops
}

// ForgetReactions removes the reactions of a deleted user to at most limit announcements and
// returns their number. It leaves a member without bits, so that a reaction that is being written
// is refused.
func (s *Store) ForgetReactions(ctx context.Context, user linnet.ID, limit int) (int, error) {
	ids, _, err := s.db.After(ctx, record.ReactedKey(user), kv.Member{}, limit)
	if err != nil {
		return 0, err
	}
	for _, id := range ids {
		if err := s.forgetReactions(ctx, user, id); err != nil {
			return 0, fmt.Errorf("remove reactions: %w", err)
		}
	}
	return len(ids), nil
}

func (s *Store) forgetReactions(ctx context.Context, user, id linnet.ID) error {
	for range db.MaxRaces {
		r := reactionRead{user: user, id: id}
		err := r.read(kv.Durable(ctx), s.db)
		if err != nil && !errors.Is(err, db.ErrDeleted) {
			return err
		}
		if err == nil {
			ops := []kv.Op{kv.Add{Key: r.mine.Key, Member: user.String()}}
			for index, name := range record.ReactionCounters() {
				if r.mask&(1<<index) != 0 {
					ops = append(ops, kv.Incr{Key: record.ReactionCountsKey(id), Name: name, By: -1})
				}
			}
			made, err := s.db.Txn(ctx, r.asRead(), ops...)
			if err != nil && !errors.Is(err, db.ErrDeleted) {
				return err
			}
			if !made && err == nil {
				continue
			}
		}
		return s.db.Apply(ctx, kv.Remove{Key: record.ReactedKey(user), Member: id.String()})
	}
	return db.TooManyRaces("reactions to announcement", id)
}
