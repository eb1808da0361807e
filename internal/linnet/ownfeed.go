package linnet

import "time"

// Limits of custom feeds. They limit the work for a page and ensure that scores are meaningful.
const (
	MaxOwnFeeds     = 20 // per user
	MaxFeedTitle    = 100
	MaxFeedSources  = 5
	MaxVoteWeight   = 100.0
	MinSourceWeight = 0.1
	MaxSourceWeight = 10.0
	MinHalfLife     = 10 * time.Minute // unless it is 0
	MaxHalfLife     = 30 * 24 * time.Hour
	MinFeedWindow   = time.Hour
	MaxFeedWindow   = 30 * 24 * time.Hour
	FeedWindow      = 24 * time.Hour // by default

	// FeedFresh is the maximum age of the ranking of a feed's first page. Further pages use the
	// same ranking.
	FeedFresh = time.Minute
)

// OwnFeed is a custom feed: statuses from some sources within a period, by score or by time.
type OwnFeed struct {
	ID      ID
	Title   string
	Order   FeedOrder
	Weights Weights       // count ByImportance
	Window  time.Duration // maximum age of an entry
	Filter  FeedFilter
	Sources []FeedSource
}

// FeedOrder is the order of a feed. The values are the API's.
type FeedOrder string

const (
	ByImportance FeedOrder = "importance" // by score, from Weights and the weights of the sources
	NewestFirst  FeedOrder = "newest"     // by time, without weights
)

// FeedFilter describes what a feed excludes. The zero value excludes nothing.
type FeedFilter struct {
	ExcludeReplies bool // to users other than the author and the reader; boosts don't count as replies
	ExcludeReposts bool // except boosts by groups, which are the posts in them
	OnlyMedia      bool // statuses without attachments are excluded; for a boost the original counts
}

// Leaves reports whether a feed of the reader leaves out an entry.
func (f FeedFilter) Leaves(v *StatusView, reader ID) bool {
	shown, said := v, v // the shown status and the action of its author
	if v.Repost != nil {
		shown = v.Repost
		if !v.By.Person() {
			said = v.Repost
		}
	}
	switch {
	case f.OnlyMedia && len(shown.Media) == 0, f.ExcludeReposts && said.RepostOf != 0:
		return true
	}
	return f.ExcludeReplies && said.RepliesToOther() && said.InReplyAuthor != reader
}

// FeedSourceKind is a kind of source of a feed. The values are the API's.
type FeedSourceKind string

const (
	FromHome    FeedSourceKind = "home"    // except the reader's own statuses
	FromLocal   FeedSourceKind = "local"   // public statuses
	FromList    FeedSourceKind = "list"    // a list of the owner
	FromTag     FeedSourceKind = "tag"     // public statuses with a tag
	FromAccount FeedSourceKind = "account" // visible statuses of a user
)

// FeedSource is a timeline that a feed takes entries from.
type FeedSource struct {
	Kind   FeedSourceKind
	ID     ID      // id of a list or account
	Tag    string  // folded
	Weight float64 // factor of the scores of this source
}

// OwnFeedChange changes a feed. Nil fields stay.
type OwnFeedChange struct {
	Title                                     *string
	Order                                     *FeedOrder
	Favourites, Reposts, Replies              *float64
	HalfLife, Window                          *time.Duration
	ExcludeReplies, ExcludeReposts, OnlyMedia *bool // FeedFilter
	Sources                                   *[]FeedSource
}
