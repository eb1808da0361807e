// Package inbox holds what reaches a user alone: notifications and the policy that holds
// some back, conversations, positions of reading, filters.
package inbox

import "linnet/internal/store/db"

// Store reads and writes the records of this package. It is safe for concurrent use.
type Store struct {
	db *db.DB
}

// New makes the store of these records.
func New(d *db.DB) *Store { return &Store{db: d} }
