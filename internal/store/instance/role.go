package instance

import (
	"context"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// Roles reads all custom roles.
func (s *Store) Roles(ctx context.Context) (*linnet.RoleSet, error) {
	get := &kv.Get{Key: record.RolesKey()}
	if err := s.db.Read(ctx, get); err != nil {
		return nil, fmt.Errorf("read roles: %w", err)
	}
	return record.DecodeRoles(get)
}

// ChangeRoles replaces the roles by the result of change, which must not modify its argument. It
// calls change again after a concurrent change.
func (s *Store) ChangeRoles(ctx context.Context, change func(*linnet.RoleSet) ([]linnet.CustomRole, error)) (*linnet.RoleSet, error) {
	for range db.MaxRaces {
		now, err := s.Roles(kv.Durable(ctx))
		if err != nil {
			return nil, err
		}
		all, err := change(now)
		if err != nil {
			return nil, err
		}
		made, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: record.RolesKey(), Version: now.Version}},
			kv.Put{Key: record.RolesKey(), Data: record.EncodeRoles(all), Version: now.Version + 1})
		if err != nil {
			return nil, fmt.Errorf("write roles: %w", err)
		}
		if made {
			return &linnet.RoleSet{Version: now.Version + 1, Roles: all}, nil
		}
	}
	return nil, db.TooManyRaces("roles", 0)
}

// NewRole generates the id of a role.
func (s *Store) NewRole() linnet.ID { return s.db.NewID(0, 0) }
