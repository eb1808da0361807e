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
	var set linnet.RoleSet
	version, err := s.replace(ctx, record.RolesKey(), "roles", func(get *kv.Get) ([]byte, error) {
		now, err := record.DecodeRoles(get)
		if err == nil {
			set.Roles, err = change(now)
		}
		return record.EncodeRoles(set.Roles), err
	})
	set.Version = version
	return &set, err
}

// replace replaces a value by the result of change, and returns its new version. It calls change
// again after a concurrent change.
func (s *Store) replace(ctx context.Context, key kv.Key, what string, change func(*kv.Get) ([]byte, error)) (uint64, error) {
	for range db.MaxRaces {
		get := &kv.Get{Key: key}
		if err := s.db.Read(kv.Durable(ctx), get); err != nil {
			return 0, fmt.Errorf("read %s: %w", what, err)
		}
		data, err := change(get)
		if err != nil {
			return 0, err
		}
		made, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: key, Version: get.Version}}, kv.Put{Key: key, Data: data, Version: get.Version + 1})
		if err != nil {
			return 0, fmt.Errorf("write %s: %w", what, err)
		}
		if made {
			return get.Version + 1, nil
		}
	}
	return 0, db.TooManyRaces(what, 0)
}

// NewRole generates the id of a role.
func (s *Store) NewRole() linnet.ID { return s.db.NewID(0, 0) }
