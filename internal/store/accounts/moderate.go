package accounts

import (
	"context"
	"fmt"
	"slices"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/task"
)

// stateOps returns the operations that update the sets of states after a change of a user. from is
// nil for a new user.
func stateOps(from, to *linnet.User) (ops []kv.Op) {
	for _, st := range record.ListedStates() {
		was, is := from != nil && from.InState(st), to.InState(st)
		key := record.StateKey(to.ID.Shard(), st)
		switch {
		case is && !was:
			ops = append(ops, kv.Add{Key: key, Member: to.ID.String(), Score: to.ID.Millis()})
		case was && !is:
			ops = append(ops, kv.Remove{Key: key, Member: to.ID.String()})
		}
	}
	return ops
}

// ModerateUser is like UpdateUser and writes a task in the same transaction, for the consequences
// in other shards. The zero Task is none. with has operations of the user's shard.
func (s *Store) ModerateUser(ctx context.Context, id linnet.ID, t task.Task, f func(*linnet.User) error, with ...kv.Op) (u linnet.User, ok bool, err error) {
	return s.changeUser(ctx, id, f, func(_, _ *linnet.User) ([]kv.Op, error) {
		if t.ID == "" {
			return nil, nil
		}
		return append(t.Ops(), with...), nil
	})
}

// IndexUser updates the index of names and the sets of staff and groups to a user's current record.
// It can run more than once. It checks again before it returns, so that concurrent calls can't
// leave an older state.
func (s *Store) IndexUser(ctx context.Context, id linnet.ID) error {
	var late []string // words that a concurrent call may have added too late
	for range db.MaxRaces {
		get := &kv.Get{Key: record.UserKey(id)}
		if err := s.db.Read(ctx, get); err != nil || get.Version == 0 {
			return err
		}
		u, born, err := record.DecodeUser(id, get)
		if err != nil || !born {
			return err
		}
		seen := *u // as a searchable user
		seen.Suspended, seen.Unapproved = false, false
		now := record.NameWords(u)
		if err := s.db.Apply(ctx, append(nameOps(id, slices.Concat(late, record.NameWords(&seen)), now), staffOp(u))...); err != nil {
			return fmt.Errorf("update the index of a user: %w", err)
		}
		if err := s.listGroup(ctx, u); err != nil {
			return err
		}
		again := &kv.Get{Key: record.UserKey(id)}
		if err := s.db.Read(ctx, again); err != nil || again.Version == get.Version {
			return err
		}
		late = append(late, now...)
	}
	return db.TooManyRaces("user", id)
}

func staffOp(u *linnet.User) kv.Op {
	if u.Role.Staff() {
		return kv.Add{Key: record.ShardKey(record.KindStaff, 0), Member: u.ID.String(), Score: int64(u.Role)}
	}
	return kv.Remove{Key: record.ShardKey(record.KindStaff, 0), Member: u.ID.String()}
}

// MaxStaff is the maximum number of staff.
const MaxStaff = 1000

// Staff returns the moderators, administrators and users with a custom role.
func (s *Store) Staff(ctx context.Context) ([]linnet.ID, error) {
	return s.db.All(ctx, record.ShardKey(record.KindStaff, 0), MaxStaff)
}

// accountsOfShard is the minimum number of accounts read from a shard at a time. If they are evenly
// distributed, a page needs a fraction of one from each.
const accountsOfShard = 4

// Accounts reads about limit users with a state, or with any, in a span of ids, newest first. They
// include groups. With groups set it returns only groups, as far as they are stored separately. It
// reads each shard once, so it is for staff and commands. reached is the last id it covered. end
// reports that nothing follows.
func (s *Store) Accounts(ctx context.Context, state linnet.AccountState, groups bool, sp db.Span) (ids []linnet.ID, reached linnet.ID, end bool, err error) {
	each := sp
	each.Limit = max(accountsOfShard, (sp.Limit+kv.Shards-1)*accountsOfShard/kv.Shards)
	qs := make([]kv.Query, kv.Shards)
	for i := range qs {
		key := record.ShardKey(record.KindUsers, uint16(i))
		switch {
		case state != linnet.AnyState && state != linnet.StateActive:
			key = record.StateKey(uint16(i), state)
		case groups:
			key = record.GroupsKey(uint16(i))
		}
		qs[i] = each.Query(key)
	}
	if err := s.db.Read(ctx, qs...); err != nil {
		return nil, 0, false, fmt.Errorf("list accounts: %w", err)
	}
	return mergeCut(qs, each.Limit, sp)
}

// mergeCut merges ranges that were read with a limit each. It returns the entries that no further
// entry of a range can precede.
func mergeCut(qs []kv.Query, limit int, sp db.Span) (ids []linnet.ID, reached linnet.ID, end bool, err error) {
	end = true
	for _, q := range qs {
		r := q.(*kv.Range)
		var last linnet.ID
		for _, m := range r.Members {
			last, _ = linnet.ParseID(m.Member)
			ids = append(ids, last)
		}
		if len(r.Members) == limit && (end || sp.Asc == (last < reached)) {
			end, reached = false, last
		}
	}
	if !end {
		within := ids[:0]
		for _, id := range ids {
			if id == reached || sp.Asc == (id < reached) {
				within = append(within, id)
			}
		}
		ids = within
	}
	slices.Sort(ids)
	if !sp.Asc {
		slices.Reverse(ids)
	}
	if len(ids) > sp.Limit {
		ids, end = ids[:sp.Limit], false
	}
	if len(ids) > 0 {
		reached = ids[len(ids)-1]
	}
	if sp.Asc {
		slices.Reverse(ids)
	}
	return ids, reached, end, nil
}
