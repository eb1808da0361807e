// Package statuses stores statuses and their counters: writes and deletions, replies, quotes, pins,
// public timelines, tags and their names, trends and promotions.
package statuses

import (
	"sync/atomic"

	"linnet/internal/record"
	"linnet/internal/store/db"
)

// Store reads and writes the records of this package. It is safe for concurrent use.
type Store struct {
	searchStore
	quoteStore
	cardStore
	featuredStore
	linkedStore
	draftStore
	db    *db.DB
	added [record.GlobalSlices]atomic.Uint32 // statuses to each slice of the global timeline
}

// New returns the store of these records.
func New(d *db.DB) *Store {
	s := &Store{searchStore: searchStore{d}, quoteStore: quoteStore{d}, cardStore: cardStore{d}, featuredStore: featuredStore{d}, linkedStore: linkedStore{d}, db: d}
	s.draftStore = draftStore{s}
	return s
}
