// Package statuses stores statuses and their counters: writes and deletions, replies, quotes, pins,
// public timelines, tags and their names, trends and promotions.
package statuses

import (
	"sync/atomic"

	"linnet/internal/record"
	"linnet/internal/store/db"
)

// Store reads and writes statuses. Its fields store related records. It is safe for concurrent use.
type Store struct {
	Attachments Attachments
	Cards       Cards    // link previews
	Featured    Featured // hashtags on profiles
	Links       Links    // statuses by link
	Quotes      Quotes
	Scheduled   Scheduled // scheduled statuses and drafts
	Search      Search    // the search index
	Tags        Tags      // tags and trends

	db    *db.DB
	added [record.GlobalSlices]atomic.Uint32 // number of statuses added to each slice of the global timeline
}

// New returns the store of these records.
func New(d *db.DB) *Store {
	return &Store{db: d, Attachments: Attachments{d}, Cards: Cards{d}, Featured: Featured{d}, Links: Links{d}, Quotes: Quotes{d},
		Scheduled: Scheduled{d}, Search: Search{d}, Tags: Tags{d}}
}
