package linnet

import (
	"time"
)

// FeaturedTag is a tag that a user shows on the profile.
type FeaturedTag struct {
	ID       ID
	Name     string // as typed
	Folded   string // for comparisons
	Statuses int64  // number of the user's public statuses with the tag
	LastAt   time.Time
	URL      string // address of the page with the user's statuses with the tag
}

// MaxFollowedTags is the maximum number of followed tags. Each is one more set to merge for a page
// of the home timeline.
const MaxFollowedTags = 100

// FollowedTag is a tag that a user follows.
type FollowedTag struct {
	Tag   string // folded
	Since time.Time
}
