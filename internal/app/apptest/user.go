package apptest

import (
	"errors"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/task"
)

// SignUpFast signs up a user without a password, which is faster.
func (w *World) SignUpFast(login string) (linnet.User, error) {
	u, t, err := w.Store.Accounts.CreateUser(w.Ctx, store.RandomShard(), linnet.User{Login: login}, record.Secret{},
		func(id linnet.ID) (task.Task, error) {
			return task.New(id.Shard(), "settle-user", map[string]linnet.ID{"user": id}, w.Store.Now())
		})
	if t.ID != "" {
		err = errors.Join(err, w.Store.Accounts.FinishSignUp(w.Ctx, u.ID))
	}
	return u, err
}
