package linnet

import "time"

// MaxFollowedTags is how many tags an account follows at most: each is one more set that a
// page of its home is merged of.
const MaxFollowedTags = 100

// FollowedTag is a tag that somebody follows.
type FollowedTag struct {
	Tag   string // folded
	Since time.Time
}
