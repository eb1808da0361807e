package moderation

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store/accounts"
	"linnet/internal/store/db"
)

// recheckBatch is the number of accounts that one step of recheck reads.
const recheckBatch = 100

// Upgrade starts the task that withholds the files of accounts suspended by an earlier release and
// removes the statuses of suspended and silenced accounts from public timelines. It does so once
// per store. Call it whenever a server starts.
func (s *Service) Upgrade(ctx context.Context) error {
	t, err := s.tasks.New(accounts.UpgradeShard, taskRecheck, recheckArgs{State: linnet.StateSuspended})
	if err != nil {
		return err
	}
	stored, err := s.st.Accounts.StartUpgrade(ctx, accounts.RecheckedMark(), t)
	if stored {
		s.tasks.Start(t)
	}
	return core.StoreError(err)
}

// recheckArgs are the state of the next accounts, and the id below which they continue.
type recheckArgs struct {
	State linnet.AccountState `json:"state"`
	Below linnet.ID           `json:"below,omitempty"`
}

// recheck runs one step of Upgrade. It stores a task for each account, which continues like after
// the decision about the account.
func (s *Service) recheck(ctx context.Context, a recheckArgs) (*recheckArgs, error) {
	ids, reached, end, err := s.st.Accounts.Accounts(ctx, a.State, false, db.Span{Below: a.Below, Limit: recheckBatch})
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		t, err := s.tasks.New(id.Shard(), taskModerated, moderatedArgs{User: id, Files: a.State == linnet.StateSuspended, Relist: a.State == linnet.StateSilenced})
		if err != nil {
			return nil, err
		}
		if err := s.st.Sessions.Leave(ctx, t); err != nil {
			return nil, err
		}
		s.tasks.Start(t)
	}
	switch {
	case !end:
		return &recheckArgs{a.State, reached}, nil
	case a.State == linnet.StateSuspended:
		return &recheckArgs{State: linnet.StateSilenced}, nil
	}
	return nil, nil
}
