package core

import (
	"context"
	"errors"

	"linnet/internal/linnet"
)

// Who is of staff, how they rank and what they may do is decided here and nowhere else.

// ErrNotAllowed refuses what the role of whoever acts does not reach.
var ErrNotAllowed = linnet.Errorf(linnet.Forbidden, "This action is not allowed")

// Acting is how an actor acts.
type Acting struct {
	Role linnet.Role // how they rank towards others
	May  linnet.Permission
	As   linnet.ID // the role that says what they may, if administrators have made it; 0: Role does
}

// Acting is how an actor acts: by a user's own role, and the operator as an administrator.
// Forbidden for nobody, for members, and for users whose account is hidden, disabled or gone.
func (s *Service) Acting(ctx context.Context, by linnet.Actor) (Acting, error) {
	if by.IsOperator() {
		return Acting{Role: linnet.Admin, May: linnet.Everything()}, nil
	}
	u, err := s.LookupUser(ctx, by.ID())
	if err != nil {
		return Acting{}, err
	}
	if u == nil || u.Hidden() || u.Disabled || !u.Role.Staff() {
		return Acting{}, ErrNotAllowed
	}
	if err := s.secured(ctx, u.ID); err != nil {
		return Acting{}, err
	}
	may, err := s.May(ctx, u)
	if err != nil {
		return Acting{}, err
	}
	return Acting{Role: u.Role, May: may, As: u.Custom}, nil
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

// Authorize is Forbidden for an actor who may not do all of something. All that staff alone
// may do or read asks it, or AuthorizeOn, first.
func (s *Service) Authorize(ctx context.Context, by linnet.Actor, all linnet.Permission) error {
	acting, err := s.Acting(ctx, by)
	if err == nil && !acting.May.Has(all) {
		err = ErrNotAllowed
	}
	return err
}

// AuthorizeAny is Forbidden for an actor who may do nothing of what is asked for.
func (s *Service) AuthorizeAny(ctx context.Context, by linnet.Actor, of linnet.Permission) error {
	acting, err := s.Acting(ctx, by)
	if err == nil && !acting.May.Any(of) {
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

// AuthorizeOn is Authorize for an act on an account, and Acting. Whether the rank reaches the
// account is to be asked of its record. Nobody acts on themselves: a mistake would lock
// them out.
func (s *Service) AuthorizeOn(ctx context.Context, by linnet.Actor, all linnet.Permission, on linnet.ID) (Acting, error) {
	acting, err := s.Acting(ctx, by)
	if err == nil && (!acting.May.Has(all) || !by.IsOperator() && by.ID() == on) {
		err = ErrNotAllowed
	}
	return acting, err
}

// Above finds the account on, if by may do all of something to it. Groups cannot log in, so
// there is nothing to help them with.
func (s *Service) Above(ctx context.Context, by linnet.Actor, all linnet.Permission, on linnet.ID) (*linnet.User, error) {
	acting, err := s.AuthorizeOn(ctx, by, all, on)
	if err != nil {
		return nil, err
	}
	u, err := s.LookupUser(ctx, on)
	switch {
	case err != nil:
		return nil, err
	case u == nil:
		return nil, ErrNoUser
	case !acting.Role.Over(u.Role), u.Group != linnet.NoGroup:
		return nil, ErrNotAllowed
	}
	return u, nil
}
