package groups

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/store/accounts"
)

// Upgrade brings a store of an earlier release up to date, in deferred work that
// goes on where it was broken off: the groups among its users are listed and counted
// apart. Until that has ended groups are counted and listed as people. It is for each
// start of a server, and does nothing where it was done.
func (s *Service) Upgrade(ctx context.Context) error {
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

// listGroupsArgs say where listing the groups goes on.
type listGroupsArgs struct {
	Shard int       `json:"shard"`
	From  kv.Member `json:"from"`
}

// listGroups is a pass of listing the groups of the store: a thousand users.
func (s *Service) listGroups(ctx context.Context, a listGroupsArgs) (*listGroupsArgs, error) {
	shard, from, done, err := s.st.Accounts.ListGroupsFrom(ctx, a.Shard, a.From)
	if done || err != nil {
		return nil, err
	}
	return &listGroupsArgs{shard, from}, nil
}
