package archives

import (
	"context"
	"errors"
	"fmt"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/task"
)

// TaskExpireArchive is the kind of task that deletes an expired archive. Its arguments are an
// ArchiveOf.
const TaskExpireArchive = "expire-archive"

// ArchiveOf identifies an archive.
type ArchiveOf struct {
	User  linnet.ID `json:"user"`
	Asked int64     `json:"asked"` // Unix milliseconds
}

// Archive reads the archive of a user and the version of its record. It returns nil if there is
// none.
func (s *Store) Archive(ctx context.Context, user linnet.ID) (*record.Archive, uint64, error) {
	get := &kv.Get{Key: record.ArchiveKey(user)}
	if err := s.db.Read(ctx, get); err != nil {
		return nil, 0, fmt.Errorf("read an archive: %w", err)
	}
	if get.Version == 0 {
		return nil, 0, nil
	}
	a := new(record.Archive)
	if err := record.Decode(get, a); err != nil {
		return nil, 0, err
	}
	return a, get.Version, nil
}

// PutArchive replaces version was of an export (0 for none) with a, and writes its tasks and one
// that deletes it when it expires. It returns false if the version has changed or the user is
// deleted.
func (s *Store) PutArchive(ctx context.Context, user linnet.ID, a *record.Archive, was uint64, tasks ...task.Task) (bool, error) {
	key := record.ArchiveKey(user)
	ops := []kv.Op{kv.Put{Key: key, Data: record.Encode(a), Version: was + 1}}
	for _, t := range tasks {
		ops = append(ops, t.Ops()...)
	}
	if a.Until != 0 {
		t, err := task.NewLater(user.Shard(), record.ArchiveEnd(user, a.Asked), TaskExpireArchive, ArchiveOf{user, a.Asked}, time.UnixMilli(a.Until))
		if err != nil {
			return false, err
		}
		ops = append(ops, t.Ops()...)
	}
	made, err := s.db.Txn(ctx, []kv.Cond{db.UserPresent(user), kv.VersionIs{Key: key, Version: was}}, ops...)
	if errors.Is(err, kv.ErrUnknown) {
		found, version, rerr := s.Archive(kv.Durable(ctx), user)
		if rerr == nil && version == was+1 && string(record.Encode(found)) == string(record.Encode(a)) {
			return true, nil
		}
	}
	if err != nil {
		return false, fmt.Errorf("write an archive: %w", err)
	}
	return made, nil
}

// ForgetArchive deletes the record of an export if it has the given version.
func (s *Store) ForgetArchive(ctx context.Context, user linnet.ID, version uint64) error {
	key := record.ArchiveKey(user)
	if _, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: key, Version: version}}, kv.Delete{Key: key}); err != nil {
		return fmt.Errorf("remove an archive: %w", err)
	}
	return nil
}

// FilesOf returns the files of a user's export and imports, for the deletion of the account.
func (s *Store) FilesOf(ctx context.Context, user linnet.ID) (names []string, err error) {
	all, _, err := s.Imports(kv.Durable(ctx), user)
	if err != nil {
		return nil, err
	}
	for i := range all.All {
		names = append(names, all.All[i].Files()...)
	}
	a, _, err := s.Archive(kv.Durable(ctx), user)
	if err != nil || a == nil {
		return names, err
	}
	return append(names, a.Files()...), nil
}
