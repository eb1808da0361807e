package store

import (
	"context"
	"fmt"
	"time"

	"linnet/internal/kv"
)

// ImportMark is what an import has to know when it is run again after it was
// broken off. How far it has come is not part of it: that is seen from what is
// there.
type ImportMark struct {
	Source string    // tells these files and settings from others
	Base   time.Time // the dates of what is imported lie before it
	Seed   uint64    // of everything that is drawn
	Done   bool
}

type importRecord struct {
	Source string `json:"source"`
	Base   int64  `json:"base"`
	Seed   uint64 `json:"seed"`
	Done   bool   `json:"done"`
}

// importPrefix begins the names of marks among the settings.
const importPrefix = "import."

// BeginImport keeps the mark of an import under a name, and returns it; or the
// one that an earlier run of the import has kept.
func (s *Store) BeginImport(ctx context.Context, name string, m ImportMark) (ImportMark, error) {
	get := &kv.Get{Key: ImportKey(name)}
	for range maxRaces {
		if err := s.kv.Read(ctx, get); err != nil {
			return m, fmt.Errorf("read the mark of the import: %w", err)
		}
		if get.Version != 0 {
			var r importRecord
			err := decode(get, &r)
			return ImportMark{r.Source, time.UnixMilli(r.Base), r.Seed, r.Done}, err
		}
		if err := s.putImport(ctx, name, m, 0); err != nil {
			return m, err
		}
	}
	return m, fmt.Errorf("mark of the import %s: %w", name, kv.ErrUnavailable)
}

// EndImport marks an import as complete.
func (s *Store) EndImport(ctx context.Context, name string, m ImportMark) error {
	m.Done = true
	return s.putImport(ctx, name, m, 1)
}

// putImport writes a mark if it has the version; it may be repeated.
func (s *Store) putImport(ctx context.Context, name string, m ImportMark, version uint64) error {
	_, err := s.kv.Txn(ctx, []kv.Cond{kv.VersionIs{Key: ImportKey(name), Version: version}}, kv.Put{Key: ImportKey(name),
		Version: version + 1, Data: encode(importRecord{m.Source, m.Base.UnixMilli(), m.Seed, m.Done})})
	if err != nil {
		return fmt.Errorf("write the mark of the import: %w", err)
	}
	return nil
}
