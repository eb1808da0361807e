package accounts

import (
	"context"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/task"
)

// Groups are users and are in the sets of users. They are also in their own set and counter, so
// that persons can be counted and listed without them.

// listGroupOps returns the operations that add a group to the set of groups. It returns none for
// other users.
func listGroupOps(u *linnet.User) []kv.Op {
	if u.Group == linnet.NoGroup {
		return nil
	}
	return []kv.Op{kv.Add{Key: record.GroupsKey(u.ID.Shard()), Member: u.ID.String(), Score: u.ID.Millis()},
		kv.Incr{Key: record.ShardKey(record.KindStats, u.ID.Shard()), Name: record.GroupsCounter, By: 1}}
}

// listGroup adds a group to the set of groups, which stores of earlier releases lack. It can run
// more than once.
func (s *Store) listGroup(ctx context.Context, u *linnet.User) error {
	if u.Group == linnet.NoGroup {
		return nil
	}
	conds := []kv.Cond{kv.NoMember{Key: record.GroupsKey(u.ID.Shard()), Member: u.ID.String()}, db.UserPresent(u.ID),
		kv.HasMember{Key: record.ShardKey(record.KindUsers, u.ID.Shard()), Member: u.ID.String()}}
	if _, err := s.db.Txn(ctx, conds, listGroupOps(u)...); err != nil {
		return fmt.Errorf("add a group to the list of groups: %w", err)
	}
	return nil
}

// unlistGroup removes a deleted user from the set of groups. It can run more than once.
func (s *Store) unlistGroup(ctx context.Context, user linnet.ID) error {
	key, member := record.GroupsKey(user.Shard()), user.String()
	_, err := s.db.Txn(ctx, []kv.Cond{kv.HasMember{Key: key, Member: member}}, kv.Remove{Key: key, Member: member},
		kv.Incr{Key: record.ShardKey(record.KindStats, user.Shard()), Name: record.GroupsCounter, By: -1})
	if err != nil {
		return fmt.Errorf("remove a group from the list of groups: %w", err)
	}
	return nil
}

// GroupsMark returns the operation that records that the task for adding a store's groups to their
// sets was started.
func GroupsMark() kv.Put {
	return kv.Put{Key: record.GroupsMarkKey(), Data: record.Encode(record.GroupsMark{}), Version: 1}
}

// RecheckedMark returns the operation that records that the task for applying past decisions about
// accounts to files and public timelines was started.
func RecheckedMark() kv.Put {
	return kv.Put{Key: record.RecheckedMarkKey(), Data: record.Encode(struct{}{}), Version: 1}
}

// StartUpgrade stores a task that brings a store up to date together with its mark. It returns
// false if the mark exists. Otherwise the caller runs the task.
func (s *Store) StartUpgrade(ctx context.Context, mark kv.Put, t task.Task) (bool, error) {
	get := &kv.Get{Key: mark.Key}
	if err := s.db.Read(ctx, get); err != nil || get.Version != 0 {
		return false, err
	}
	return s.db.Txn(ctx, []kv.Cond{kv.Absent(mark.Key)}, append(t.Ops(), mark)...)
}

// UpgradeShard is the shard of the tasks that bring a store up to date.
const UpgradeShard = 0

// Limits of one batch of ListGroupsFrom.
const (
	listGroupsUsers = 1000
)

// ListGroupsFrom adds the groups among some users to the set of groups, starting after a position
// in a shard. It returns where to continue. done reports that all users were checked. It can run
// more than once.
func (s *Store) ListGroupsFrom(ctx context.Context, shard int, from kv.Member) (next int, after kv.Member, done bool, err error) {
	for end := shard + record.ListGroupsShards; shard < min(end, kv.Shards); {
		r := &kv.Range{Key: record.ShardKey(record.KindUsers, uint16(shard)), Limit: listGroupsUsers}
		if from.Member != "" {
			r.Above = &from
		}
		if err := s.db.Read(ctx, r); err != nil {
			return shard, from, false, err
		}
		if err := s.listGroups(ctx, r.Members); err != nil {
			return shard, from, false, err
		}
		if len(r.Members) == listGroupsUsers {
			return shard, r.Members[listGroupsUsers-1], false, nil
		}
		shard, from = shard+1, kv.Member{}
	}
	if shard < kv.Shards {
		return shard, from, false, nil
	}
	return shard, from, true, s.db.Apply(ctx, kv.Put{Key: record.GroupsMarkKey(), Data: record.Encode(record.GroupsMark{Listed: true}), Version: 2})
}

// listGroups adds the groups among some members of a set of users.
func (s *Store) listGroups(ctx context.Context, users []kv.Member) error {
	b := s.db.Batch()
	var refs []*db.UserRef
	for _, m := range users {
		if id, ok := linnet.ParseID(m.Member); ok {
			refs = append(refs, b.User(id))
		}
	}
	if err := b.Run(ctx); err != nil {
		return fmt.Errorf("read groups: %w", err)
	}
	for _, ref := range refs {
		if ref.User == nil {
			continue
		}
		if err := s.listGroup(ctx, ref.User); err != nil {
			return err
		}
	}
	return nil
}
