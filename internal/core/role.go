package core

import (
	"context"

	"linnet/internal/linnet"
	"linnet/internal/store/db"
)

// Every server has the custom roles in memory. The server that changes one notifies the others, and
// each also checks for changes together with the settings.

// Roles returns the custom roles as known to this server. It reads them if it hasn't yet.
func (s *Service) Roles(ctx context.Context) (*linnet.RoleSet, error) {
	if now := s.roles.Load(); now != nil {
		return now, nil
	}
	return s.ReadRoles(ctx)
}

// KnownRoles is like Roles, but returns nil if this server hasn't read the roles yet.
func (s *Service) KnownRoles() *linnet.RoleSet { return s.roles.Load() }

// ReadRoles reads the current roles.
func (s *Service) ReadRoles(ctx context.Context) (*linnet.RoleSet, error) {
	set, err := s.st.Instance.Roles(ctx)
	if err != nil {
		return nil, StoreError(err)
	}
	return s.TakeRoles(set), nil
}

// RefreshRoles reads the roles unless they have a given version. An event can report a version
// before this server polls.
func (s *Service) RefreshRoles(ctx context.Context, version uint64) error {
	if now := s.roles.Load(); now != nil && now.Version >= version {
		return nil
	}
	_, err := s.ReadRoles(ctx)
	return err
}

// TakeRoles caches roles that were read or written, unless newer ones are known, and returns the
// newest.
func (s *Service) TakeRoles(set *linnet.RoleSet) *linnet.RoleSet {
	for {
		now := s.roles.Load()
		if now != nil && now.Version >= set.Version {
			return now
		}
		if s.roles.CompareAndSwap(now, set) {
			return set
		}
	}
}

// May returns the permissions of a user's role. It reads the roles again if the user's role is
// unknown, because another server may have just created it. It doesn't check the state of the
// account, unlike Acting.
func (s *Service) May(ctx context.Context, u *linnet.User) (linnet.Permission, error) {
	set, err := s.Roles(ctx)
	if err == nil && u.Custom != 0 && set.Find(u.Custom) == nil {
		set, err = s.ReadRoles(ctx)
	}
	if err != nil {
		return 0, err
	}
	return set.May(u), nil
}

// StaffWho returns the users whose role has a permission, for notifications.
func (s *Service) StaffWho(ctx context.Context, may linnet.Permission) ([]linnet.ID, error) {
	staff, err := s.StaffUsers(ctx)
	if err != nil {
		return nil, err
	}
	var out []linnet.ID
	for _, u := range staff {
		has, err := s.May(ctx, u)
		if err != nil {
			return nil, err
		}
		if has.Has(may) {
			out = append(out, u.ID)
		}
	}
	return out, nil
}

// StaffUsers returns all staff.
func (s *Service) StaffUsers(ctx context.Context) ([]*linnet.User, error) {
	ids, err := s.st.Accounts.Staff(ctx)
	if err != nil {
		return nil, StoreError(err)
	}
	b := s.st.Batch()
	refs := make([]*db.UserRef, len(ids))
	for i, id := range ids {
		refs[i] = b.User(id)
	}
	if err := b.Run(ctx); err != nil {
		return nil, StoreError(err)
	}
	var out []*linnet.User
	for _, ref := range refs {
		if ref.User != nil && ref.User.Role.Staff() {
			out = append(out, ref.User)
		}
	}
	return out, nil
}
