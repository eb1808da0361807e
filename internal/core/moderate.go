package core

import (
	"context"

	"linnet/internal/linnet"
)

// ErrNotAllowed refuses what the role of whoever acts does not reach.
var ErrNotAllowed = linnet.Errorf(linnet.Forbidden, "This action is not allowed")

// Staff finds a moderator or administrator; Forbidden for everybody else.
func (s *Service) Staff(ctx context.Context, me linnet.ID) (*linnet.User, error) {
	u, err := s.LookupUser(ctx, me)
	if err != nil {
		return nil, err
	}
	if u == nil || u.Hidden() || u.Disabled || !u.Role.Staff() {
		return nil, ErrNotAllowed
	}
	return u, nil
}

// Operator stands for whoever runs commands on the server: it may read everything.
// No account has this id; 0 is nobody, who may read nothing.
const Operator = ^linnet.ID(0)

// MayRead is Forbidden for who has not at least a role. All that staff alone may
// read asks it, whoever shows it.
func (s *Service) MayRead(ctx context.Context, by linnet.ID, atLeast linnet.Role) error {
	if by == Operator {
		return nil
	}
	u, err := s.Staff(ctx, by)
	if err == nil && u.Role < atLeast {
		err = ErrNotAllowed
	}
	return err
}

// Actor finds who acts, nil for a command. Nobody acts on themselves: a mistake
// would lock them out.
func (s *Service) Actor(ctx context.Context, by, on linnet.ID) (*linnet.User, error) {
	if by == 0 {
		return nil, nil
	}
	u, err := s.Staff(ctx, by)
	if err == nil && by == on {
		err = ErrNotAllowed
	}
	return u, err
}

// ActArgs are an entry for the log of acts.
type ActArgs struct {
	ID     linnet.ID         `json:"id"`
	By     linnet.ID         `json:"by,omitempty"`
	Act    linnet.Moderation `json:"act"`
	On     linnet.ID         `json:"on,omitempty"`
	Report linnet.ID         `json:"report,omitempty"`
	Detail string            `json:"detail,omitempty"`
	Reason string            `json:"reason,omitempty"`
}

// Record is the act as the log keeps it.
func (a ActArgs) Record() linnet.Act {
	return linnet.Act{ID: a.ID, By: a.By, Act: a.Act, On: a.On, Report: a.Report, Detail: a.Detail, Reason: a.Reason}
}

// AccountNamed finds an account by its login, for commands. NotFound if nobody has it.
func (s *Service) AccountNamed(ctx context.Context, login string) (*linnet.User, error) {
	name, ok := s.LocalLogin(login)
	if !ok {
		return nil, ErrNoUser
	}
	id, err := s.st.Accounts.UserByLogin(ctx, name)
	if err != nil {
		return nil, StoreError(err)
	}
	if id == 0 {
		return nil, ErrNoUser
	}
	u, err := s.LookupUser(ctx, id)
	if err == nil && (u == nil) {
		err = ErrNoUser
	}
	return u, err
}
