package archives

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/task"
)

// ChunkRows is the number of rows of an import per record.
const ChunkRows = 100

// TaskEndImport is the kind of task that deletes an unconfirmed import of posts. Its arguments are
// an ImportOf.
const TaskEndImport = "end-import"

// ImportOf identifies an import.
type ImportOf struct {
	User linnet.ID `json:"user"`
	ID   linnet.ID `json:"id"`
}

// Imports reads a user's recent imports, the latest last, and the version of their record.
func (s *Store) Imports(ctx context.Context, user linnet.ID) (all record.CSVImports, version uint64, err error) {
	get := &kv.Get{Key: record.ImportsKey(user)}
	if err := s.db.Read(ctx, get); err != nil {
		return all, 0, fmt.Errorf("read imports: %w", err)
	}
	if get.Version == 0 {
		return all, 0, nil
	}
	return all, get.Version, record.Decode(get, &all)
}

// Import reads an import; nil if there is none.
func (s *Store) Import(ctx context.Context, user, id linnet.ID) (*record.CSVImport, error) {
	all, _, err := s.Imports(ctx, user)
	if err != nil {
		return nil, err
	}
	return find(&all, id), nil
}

func find(all *record.CSVImports, id linnet.ID) *record.CSVImport {
	for i := range all.All {
		if linnet.ID(all.All[i].ID) == id {
			return &all.All[i]
		}
	}
	return nil
}

// ImportChange changes an import and returns more operations for the same transaction.
type ImportChange func(i *record.CSVImport) ([]kv.Op, error)

// ChangeImport changes an import and writes its tasks. It calls change again after a concurrent
// change. It returns the new import, or nil if there is none or the user is deleted.
func (s *Store) ChangeImport(ctx context.Context, user, id linnet.ID, change ImportChange) (*record.CSVImport, error) {
	for range db.MaxRaces {
		all, version, err := s.Imports(ctx, user)
		if err != nil {
			return nil, err
		}
		i := find(&all, id)
		if i == nil {
			return nil, nil
		}
		ops, err := change(i)
		if err != nil {
			return i, err
		}
		made, err := s.putImports(ctx, user, &all, version, ops...)
		if errors.Is(err, kv.ErrUnknown) {
			ctx = kv.Durable(ctx)
			continue
		}
		if errors.Is(err, db.ErrDeleted) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		if made {
			return i, nil
		}
	}
	return nil, db.TooManyRaces("import of", user)
}

func (s *Store) putImports(ctx context.Context, user linnet.ID, all *record.CSVImports, was uint64, ops ...kv.Op) (bool, error) {
	key := record.ImportsKey(user)
	made, err := s.db.Txn(ctx, []kv.Cond{db.Else(db.UserPresent(user), db.ErrDeleted), kv.VersionIs{Key: key, Version: was}},
		append(ops, kv.Put{Key: key, Data: record.Encode(all), Version: was + 1})...)
	if err != nil && !errors.Is(err, db.ErrDeleted) {
		return false, fmt.Errorf("write imports: %w", err)
	}
	return made, err
}

// AddImport writes an import with its rows. It deletes the oldest finished ones to make room. admit
// returns which can be deleted.
func (s *Store) AddImport(ctx context.Context, user linnet.ID, i *record.CSVImport, rows []record.ImportRow, admit func(others []record.CSVImport) (drop []linnet.ID, err error)) error {
	i.ID = record.JID(s.db.NewID(user.Shard(), 0))
	i.Chunks = (len(rows) + ChunkRows - 1) / ChunkRows
	state := i.State
	i.State = ""
	var dropped []record.CSVImport
	added := false
	for range db.MaxRaces {
		all, version, err := s.Imports(kv.Durable(ctx), user)
		if err != nil {
			return err
		}
		if added = find(&all, linnet.ID(i.ID)) != nil; added { // by an attempt with a lost response
			break
		}
		drop, err := admit(all.All)
		if err != nil {
			return err
		}
		dropped = dropped[:0]
		all.All = slices.DeleteFunc(all.All, func(o record.CSVImport) bool {
			if !slices.Contains(drop, linnet.ID(o.ID)) {
				return false
			}
			dropped = append(dropped, o)
			return true
		})
		all.All = append(all.All, *i)
		ops, err := ending(user, i)
		if err != nil {
			return err
		}
		for _, o := range dropped {
			ops = append(ops, forgetRows(user, &o)...)
		}
		if added, err = s.putImports(ctx, user, &all, version, ops...); err != nil && !errors.Is(err, kv.ErrUnknown) {
			return err
		}
		if added {
			break
		}
	}
	if !added {
		return db.TooManyRaces("imports of", user)
	}
	if err := s.addRows(ctx, user, linnet.ID(i.ID), rows); err != nil {
		return err
	}
	now, err := s.ChangeImport(ctx, user, linnet.ID(i.ID), func(i *record.CSVImport) ([]kv.Op, error) {
		i.State = state
		return nil, nil
	})
	if err == nil && now == nil {
		err = db.ErrDeleted
	}
	if err == nil {
		*i = *now
	}
	return err
}

func (s *Store) addRows(ctx context.Context, user, id linnet.ID, rows []record.ImportRow) error {
	for n, chunk := range slices.Collect(slices.Chunk(rows, ChunkRows)) {
		if _, err := s.db.Txn(ctx, []kv.Cond{db.Else(db.UserPresent(user), db.ErrDeleted)}, PutRows(user, id, n, chunk, 0)); err != nil {
			return fmt.Errorf("write rows of an import: %w", err)
		}
	}
	return nil
}

// ending returns the operations that write the task that deletes an unconfirmed import of posts.
func ending(user linnet.ID, i *record.CSVImport) ([]kv.Op, error) {
	if i.Posts == nil {
		return nil, nil
	}
	t, err := task.NewLater(user.Shard(), record.ImportEnd(linnet.ID(i.ID)), TaskEndImport, ImportOf{user, linnet.ID(i.ID)}, time.UnixMilli(i.Posts.Until))
	return t.Ops(), err
}

// PutRows returns the operation that replaces a version of a chunk of rows.
func PutRows(user, id linnet.ID, chunk int, rows []record.ImportRow, was uint64) kv.Op {
	return kv.Put{Key: record.ImportRowsKey(user, id, chunk), Data: record.Encode(rows), Version: was + 1}
}

// Rows reads a chunk of the rows of an import, and its version.
func (s *Store) Rows(ctx context.Context, user, id linnet.ID, chunk int) (rows []record.ImportRow, version uint64, err error) {
	get := &kv.Get{Key: record.ImportRowsKey(user, id, chunk)}
	if err := s.db.Read(ctx, get); err != nil {
		return nil, 0, fmt.Errorf("read rows of an import: %w", err)
	}
	if get.Version == 0 {
		return nil, 0, nil
	}
	return rows, get.Version, record.Decode(get, &rows)
}

// DropImport deletes an import with its rows, if may allows it. It returns the deleted import, or
// nil.
func (s *Store) DropImport(ctx context.Context, user, id linnet.ID, may func(*record.CSVImport) bool) (*record.CSVImport, error) {
	for range db.MaxRaces {
		all, version, err := s.Imports(kv.Durable(ctx), user)
		if err != nil {
			return nil, err
		}
		found := find(&all, id)
		if found == nil || !may(found) {
			return nil, nil
		}
		deleted := *found
		all.All = slices.DeleteFunc(all.All, func(o record.CSVImport) bool { return o.ID == deleted.ID })
		made, err := s.putImports(ctx, user, &all, version, forgetRows(user, &deleted)...)
		switch {
		case errors.Is(err, db.ErrDeleted):
			return nil, nil
		case err != nil && !errors.Is(err, kv.ErrUnknown):
			return nil, err
		case made:
			return &deleted, nil
		}
	}
	return nil, db.TooManyRaces("import of", user)
}

// forgetRows returns the operations that delete the rows of an import.
func forgetRows(user linnet.ID, i *record.CSVImport) (ops []kv.Op) {
	for n := range i.Chunks + i.Gone {
		ops = append(ops, kv.Delete{Key: record.ImportRowsKey(user, linnet.ID(i.ID), n)})
	}
	return ops
}

// ForgetImports deletes the rows of a deleted user's imports and returns their number. The list is
// deleted with the user's other records.
func (s *Store) ForgetImports(ctx context.Context, user linnet.ID, limit int) (int, error) {
	all, _, err := s.Imports(kv.Durable(ctx), user)
	if err != nil {
		return 0, err
	}
	for i := range all.All {
		if err := s.db.Apply(ctx, forgetRows(user, &all.All[i])...); err != nil {
			return 0, fmt.Errorf("remove rows of an import: %w", err)
		}
	}
	return min(len(all.All), limit-1), nil
}
