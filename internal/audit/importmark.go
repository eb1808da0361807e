package audit

import (
	"context"
	"fmt"
	"time"

	"linnet/internal/kv"
	"linnet/internal/record"
)

// BeginImport stores the mark of an import under a name and returns it, or returns the mark of an
// earlier run.
func BeginImport(ctx context.Context, db kv.Store, name string, m record.ImportMark) (record.ImportMark, error) {
	get := &kv.Get{Key: record.ImportKey(name)}
	for range bulkRaces {
		if err := db.Read(ctx, get); err != nil {
			return m, fmt.Errorf("read the progress of the import: %w", err)
		}
		if get.Version != 0 {
			var r record.Import
			err := record.Decode(get, &r)
			return record.ImportMark{Source: r.Source, Base: time.UnixMilli(r.Base), Seed: r.Seed, Done: r.Done}, err
		}
		if err := putImport(ctx, db, name, m, 0); err != nil {
			return m, err
		}
	}
	return m, fmt.Errorf("write the progress of import %s: %w", name, kv.ErrUnavailable)
}

// EndImport marks an import as complete.
func EndImport(ctx context.Context, db kv.Store, name string, m record.ImportMark) error {
	m.Done = true
	return putImport(ctx, db, name, m, 1)
}

// putImport writes a mark if it has the version. It can be repeated.
func putImport(ctx context.Context, db kv.Store, name string, m record.ImportMark, version uint64) error {
	_, err := db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: record.ImportKey(name), Version: version}}, kv.Put{Key: record.ImportKey(name),
		Version: version + 1, Data: record.Encode(record.Import{Source: m.Source, Base: m.Base.UnixMilli(), Seed: m.Seed, Done: m.Done})})
	if err != nil {
		return fmt.Errorf("write the progress of the import: %w", err)
	}
	return nil
}
