package seed

import (
	"context"
	"fmt"
	"time"

	"linnet/internal/kv"
	"linnet/internal/record"
)

// mark has the settings that an interrupted import needs to continue. Its progress is derived from
// the records that exist.
type mark struct {
	source string    // identifies the files and options
	base   time.Time // all dates of imported records are earlier
	seed   uint64    // of all random values
	done   bool
}

// beginImport stores the mark of an import under a name and returns it, or returns the mark of an
// earlier run.
func beginImport(ctx context.Context, db kv.Store, name string, m mark) (mark, error) {
	get := &kv.Get{Key: record.ImportKey(name)}
	for range bulkRaces {
		if err := db.Read(ctx, get); err != nil {
			return m, fmt.Errorf("read the progress of the import: %w", err)
		}
		if get.Version != 0 {
			var r record.Import
			err := record.Decode(get, &r)
			return mark{source: r.Source, base: time.UnixMilli(r.Base), seed: r.Seed, done: r.Done}, err
		}
		if err := putImport(ctx, db, name, m, 0); err != nil {
			return m, err
		}
	}
	return m, fmt.Errorf("write the progress of import %s: %w", name, kv.ErrUnavailable)
}

// endImport marks an import as complete.
func endImport(ctx context.Context, db kv.Store, name string, m mark) error {
	m.done = true
	return putImport(ctx, db, name, m, 1)
}

// putImport writes a mark if it has the version. It can be repeated.
func putImport(ctx context.Context, db kv.Store, name string, m mark, version uint64) error {
	_, err := db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: record.ImportKey(name), Version: version}}, kv.Put{Key: record.ImportKey(name),
		Version: version + 1, Data: record.Encode(record.Import{Source: m.source, Base: m.base.UnixMilli(), Seed: m.seed, Done: m.done})})
	if err != nil {
		return fmt.Errorf("write the progress of the import: %w", err)
	}
	return nil
}
