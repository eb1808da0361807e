// Package accounts stores users: sign-up and logins, invitations, names for search, the directory,
// the sets for moderators, and the end of an account.
package accounts

import "linnet/internal/store/db"

// Store reads and writes the records of this package. It is safe for concurrent use.
type Store struct {
	db *db.DB
}

// New returns a store of these records.
func New(d *db.DB) *Store { return &Store{db: d} }
