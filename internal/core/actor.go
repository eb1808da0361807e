package core

import (
	"context"
	"errors"

	"linnet/internal/linnet"
)

// Who is of staff, and in which role they act, is decided here and nowhere else.

// ErrNotAllowed refuses what the role of whoever acts does not reach.
var ErrNotAllowed = linnet.Errorf(linnet.Forbidden, "This action is not allowed")

// ActingRole is the role in which an actor acts: a user's own, and for the operator an
// administrator's. Forbidden for nobody, for members, and for users whose account is
// hidden, disabled or gone.
func (s *Service) ActingRole(ctx context.Context, by linnet.Actor) (linnet.Role, error) {
	if by.IsOperator() {
		return linnet.Admin, nil
	}
	u, err := s.LookupUser(ctx, by.ID())
	if err != nil {
		return linnet.Member, err
	}
	if u == nil || u.Hidden() || u.Disabled || !u.Role.Staff() {
		return linnet.Member, ErrNotAllowed
	}
	if err := s.secured(ctx, u.ID); err != nil {
		return linnet.Member, err
	}
	return u.Role, nil
}

// StaffSecured reports whether the installation wants a second factor of its staff.
func (s *Service) StaffSecured(ctx context.Context) (bool, error) {
	now, err := s.KnownSettings(ctx)
	return err == nil && now.secured, err
}

// secured refuses users of staff who have neither a second factor nor a passkey, if the
// installation wants that of them.
func (s *Service) secured(ctx context.Context, staff linnet.ID) error {
	if wanted, err := s.StaffSecured(ctx); err != nil || !wanted {
		return err
	}
	ok, err := s.st.Sessions.Secured(ctx, staff)
	if err == nil && !ok {
		err = s.unsecured
	}
	return StoreError(err)
}

// Unsecured reports whether an error is Forbidden because a user of staff lacks a second
// factor, and not for the role.
func (s *Service) Unsecured(err error) bool { return errors.Is(err, s.unsecured) }

// Authorize is Forbidden for an actor who acts in less than a role. All that staff alone
// may do or read asks it, or AuthorizeOn, first.
func (s *Service) Authorize(ctx context.Context, by linnet.Actor, atLeast linnet.Role) error {
	role, err := s.ActingRole(ctx, by)
	if err == nil && role < atLeast {
		err = ErrNotAllowed
	}
	return err
}

// AuthorizeOperator is Forbidden for everybody but the operator.
func AuthorizeOperator(by linnet.Actor) error {
	if !by.IsOperator() {
		return ErrNotAllowed
	}
	return nil
}

// AuthorizeOn is ActingRole for an act on an account. Whether that role reaches the
// account is to be asked of its record. Nobody acts on themselves: a mistake would lock
// them out.
func (s *Service) AuthorizeOn(ctx context.Context, by linnet.Actor, on linnet.ID) (linnet.Role, error) {
	role, err := s.ActingRole(ctx, by)
	if err == nil && !by.IsOperator() && by.ID() == on {
		err = ErrNotAllowed
	}
	return role, err
}

// Above finds the account on, if by may act on it. Groups cannot log in, so there
// is nothing to help them with.
func (s *Service) Above(ctx context.Context, by linnet.Actor, on linnet.ID) (*linnet.User, error) {
	role, err := s.AuthorizeOn(ctx, by, on)
	if err != nil {
		return nil, err
	}
	u, err := s.LookupUser(ctx, on)
	switch {
	case err != nil:
		return nil, err
	case u == nil:
		return nil, ErrNoUser
	case !role.Over(u.Role), u.Group != linnet.NoGroup:
		return nil, ErrNotAllowed
	}
	return u, nil
}
