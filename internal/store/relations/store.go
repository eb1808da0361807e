// Package relations stores the relations of users to users, lists and statuses. Some have a record
// on each side. Mutes and other flags, languages, notes, lists, and sets such as bookmarks are
// stored on one side only.
package relations

import "linnet/internal/store/db"

// Store reads and writes the records of this package. It is safe for concurrent use.
type Store struct {
	db *db.DB
}

// New returns a store of these records.
func New(d *db.DB) *Store { return &Store{db: d} }
