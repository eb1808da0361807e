package social

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/store/accounts"
)

// Upgrade migrates a store of an earlier release with a task that can be interrupted: groups are
// listed and counted separately from users. Until it is done, they are counted and listed as users.
// Upgrade is called at each start and does nothing if the migration is done.
func (s *Groups) Upgrade(ctx context.Context) error {
	t, err := s.tasks.New(accounts.UpgradeShard, taskListGroups, listGroupsArgs{})
	if err != nil {
		return err
	}
	begun, err := s.st.Accounts.StartUpgrade(ctx, accounts.GroupsMark(), t)
	if begun {
		s.tasks.Start(t)
	}
	return core.StoreError(err)
}

// listGroupsArgs are the arguments of the task: where to continue.
type listGroupsArgs struct {
	Shard int       `json:"shard"`
	From  kv.Member `json:"from"`
}

// listGroups lists the groups among a thousand users, as one batch.
func (s *Groups) listGroups(ctx context.Context, a listGroupsArgs) (*listGroupsArgs, error) {
	shard, from, done, err := s.st.Accounts.ListGroupsFrom(ctx, a.Shard, a.From)
	if done || err != nil {
		return nil, err
	}
	return &listGroupsArgs{shard, from}, nil
}
