package accounts

import (
	"context"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// topLogins returns the possible logins of the server's account. The first free one is used,
// because the server can be older than the account.
func topLogins() []string { return []string{"top", "top_list", "linnet_top"} }

// MakeTop creates the account that promotes: a user record without secrets, which isn't listed,
// counted or searchable. It can run more than once.
func (s *Store) MakeTop(ctx context.Context, u linnet.User) error {
	u.ID, u.Version = linnet.TopAccount, 1
	for _, u.Login = range topLogins() {
		if _, err := s.db.Txn(ctx, []kv.Cond{kv.Absent(record.LoginKey(u.Login))},
			kv.Put{Key: record.LoginKey(u.Login), Data: record.Encode(record.Login{User: record.JID(u.ID)}), Version: 1}); err != nil {
			return fmt.Errorf("claim a login: %w", err)
		}
		owner, err := s.UserByLogin(ctx, u.Login)
		if err != nil {
			return err
		}
		if owner == u.ID {
			_, err = s.db.Txn(ctx, []kv.Cond{kv.Absent(record.UserKey(u.ID))}, kv.Put{Key: record.UserKey(u.ID), Data: record.EncodeUser(&u, false), Version: 1})
			return err
		}
	}
	return fmt.Errorf("the logins %q are already taken by members", topLogins())
}
