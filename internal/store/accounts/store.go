// Package accounts holds the records of users: sign-up and the claim of a login,
// invitations, names by which people are found, the directory, the sets that moderators
// look through, the installation's own record, and the end of an account.
package accounts

import "linnet/internal/store/db"

// Store reads and writes the records of this package. It is safe for concurrent use.
type Store struct {
	db *db.DB
}

// New makes the store of these records.
func New(d *db.DB) *Store { return &Store{db: d} }
