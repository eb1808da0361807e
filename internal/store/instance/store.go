// Package instance stores the records of the instance: its description, the format of the store,
// the set-up, totals, custom emoji, roles, sign-up blocks, terms and keys.
package instance

import "linnet/internal/store/db"

// Store reads and writes the records of this package. It is safe for concurrent use.
type Store struct{ db *db.DB }

// New returns the store of these records.
func New(d *db.DB) *Store { return &Store{db: d} }
