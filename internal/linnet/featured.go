package linnet

import "time"

// FeaturedTag is a tag that a user shows on the profile.
type FeaturedTag struct {
	ID       ID
	Name     string // as typed
	Folded   string // as it is compared
	Statuses int64  // public ones of the user with the tag
	LastAt   time.Time
	URL      string // of the page with the user's statuses with the tag
}
