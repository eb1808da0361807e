package linnet

import (
	"slices"
	"time"
)

// OldPosts determines which posts of a user are deleted automatically at an age. Boosts count as
// posts.
type OldPosts struct {
	Days int // minimum age, one of OldPostsAges; 0 deletes nothing

	// Exceptions: posts that are not deleted.
	Pinned     bool
	Direct     bool
	Favourited bool // favourited by their author
	Bookmarked bool // bookmarked by their author
	Polls      bool
	Media      bool
	Favourites int // posts with at least this number of favourites; 0 for no exception
	Reposts    int // posts with at least this number of boosts; 0 for no exception
}

// MaxOldPostsCount is the maximum threshold of favourites or boosts.
const MaxOldPostsCount = 1_000_000

// UsualOldPosts returns the defaults.
func UsualOldPosts() OldPosts {
	return OldPosts{Pinned: true, Direct: true, Favourited: true, Bookmarked: true}
}

// OldPostsAges returns the possible ages in days, as in Mastodon.
func OldPostsAges() []int { return []int{7, 14, 30, 61, 91, 183, 365, 730} }

// Check returns Invalid if a value is not allowed.
func (o OldPosts) Check() error {
	switch {
	case o.Days != 0 && !slices.Contains(OldPostsAges(), o.Days):
		return FieldError("days", "ERR_INCLUSION", "can't be %d days. Choose one of the available ages", o.Days)
	case o.Favourites < 0 || o.Favourites > MaxOldPostsCount:
		return FieldError("favourites", "ERR_INVALID", "must be a number from 0 to %d", MaxOldPostsCount)
	case o.Reposts < 0 || o.Reposts > MaxOldPostsCount:
		return FieldError("reposts", "ERR_INVALID", "must be a number from 0 to %d", MaxOldPostsCount)
	}
	return nil
}

// Age returns the age from which posts are deleted.
func (o OldPosts) Age() time.Duration { return time.Duration(o.Days) * 24 * time.Hour }

// Spares reports whether a post stays because of its kind or its favourites and boosts.
func (o OldPosts) Spares(st *Status, favourites, reposts int64) bool {
	return o.Pinned && st.Pinned || o.Direct && st.Visibility == Direct || o.Polls && st.Poll != nil || o.Media && len(st.Media) > 0 ||
		o.Favourites > 0 && favourites >= int64(o.Favourites) || o.Reposts > 0 && reposts >= int64(o.Reposts)
}
