package linnet

import "time"

// MaxFollowedTags is the maximum number of followed tags. Each is one more set to merge into a home
// page.
const MaxFollowedTags = 100

// FollowedTag is a tag that a user follows.
type FollowedTag struct {
	Tag   string // folded
	Since time.Time
}
