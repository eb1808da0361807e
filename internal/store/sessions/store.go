// Package sessions holds what proves who somebody is: tokens and sessions, apps and
// their codes, the second factor, links that set a password anew, and the list of what
// has touched a password.
package sessions

import "linnet/internal/store/db"

// Store reads and writes the records of this package. It is safe for concurrent use.
type Store struct {
	db *db.DB
}

// New makes the store of these records.
func New(d *db.DB) *Store { return &Store{db: d} }
