package core

import (
	"context"
	"errors"

	"linnet/internal/linnet"
)

// The staff, their ranks and their permissions are determined only in this file.

// ErrNotAllowed is returned if the role of an actor lacks a permission.
var ErrNotAllowed = linnet.Errorf(linnet.Forbidden, "This action is not allowed")

// Acting is the rights of an actor.
type Acting struct {
	Role linnet.Role // rank towards other users
	May  linnet.Permission
	As   linnet.ID // the custom role with the permissions; 0 for Role
}

// Acting returns the role of an actor. The operator acts as an administrator. It returns Forbidden
// for members, for the zero actor and for users whose account is hidden, disabled or deleted.
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

// StaffSecured reports whether the instance requires a second factor of its staff.
func (s *Service) StaffSecured(ctx context.Context) (bool, error) {
	now, err := s.KnownSettings(ctx)
	return err == nil && now.secured, err
}

// secured returns an error for staff without a second factor or passkey, if the server requires one
// of staff.
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

// Unsecured reports whether an error is Forbidden because a staff member lacks a second factor, not
// because of the role.
func (s *Service) Unsecured(err error) bool { return errors.Is(err, s.unsecured) }

// Authorize returns Forbidden unless an actor has all of some permissions. All staff actions and
// reads call it or AuthorizeOn first.
func (s *Service) Authorize(ctx context.Context, by linnet.Actor, all linnet.Permission) error {
	acting, err := s.Acting(ctx, by)
	if err == nil && !acting.May.Has(all) {
		err = ErrNotAllowed
	}
	return err
}

// AuthorizeAny returns Forbidden unless an actor has one of some permissions.
func (s *Service) AuthorizeAny(ctx context.Context, by linnet.Actor, of linnet.Permission) error {
	acting, err := s.Acting(ctx, by)
	if err == nil && !acting.May.Any(of) {
		err = ErrNotAllowed
	}
	return err
}

// AuthorizeOperator returns Forbidden unless the actor is the operator.
func AuthorizeOperator(by linnet.Actor) error {
	if !by.IsOperator() {
		return ErrNotAllowed
	}
	return nil
}

// AuthorizeOn is Authorize for an action on an account, and returns the actor's rights. The caller
// compares the ranks. Nobody can act on their own account, because a mistake would lock them out.
func (s *Service) AuthorizeOn(ctx context.Context, by linnet.Actor, all linnet.Permission, on linnet.ID) (Acting, error) {
	acting, err := s.Acting(ctx, by)
	if err == nil && (!acting.May.Has(all) || !by.IsOperator() && by.ID() == on) {
		err = ErrNotAllowed
	}
	return acting, err
}

// MayActOn reports whether a user has all of some permissions and outranks another user.
func (s *Service) MayActOn(by *linnet.User, all linnet.Permission, on *linnet.User) bool {
	return by.ID != on.ID && s.KnownRoles().May(by).Has(all) && by.Role.Over(on.Role)
}

// Above returns an account if by has all of some permissions and outranks it. It refuses groups
// and external feeds, which can't log in.
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
	case !acting.Role.Over(u.Role), !u.Person():
		return nil, ErrNotAllowed
	}
	return u, nil
}
