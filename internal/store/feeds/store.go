// Package feeds stores feeds, pulled authors, rankings, and custom feeds.
package feeds

import "linnet/internal/store/db"

// Store reads and writes the records of this package. It is safe for concurrent use.
type Store struct {
	db *db.DB
}

// New returns a store of these records.
func New(d *db.DB) *Store { return &Store{db: d} }
