// Package relations holds how users stand to users, lists and statuses: relations with a
// half on each side, and what one side knows alone: mutes and other relationship flags, languages,
// notes, lists, kept sets.
package relations

import "linnet/internal/store/db"

// Store reads and writes the records of this package. It is safe for concurrent use.
type Store struct {
	db *db.DB
}

// New makes the store of these records.
func New(d *db.DB) *Store { return &Store{db: d} }
