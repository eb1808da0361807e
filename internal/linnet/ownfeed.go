package linnet

import "time"

// Limits of feeds that people make. They keep the work of a page bounded, and the
// numbers such that a score means something.
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
	FeedWindow      = 24 * time.Hour // if nothing else is said

	// FeedFresh is after how long the first page of a feed is of a new order. Its
	// further pages keep to the order that they go on from.
	FeedFresh = time.Minute
)

// OwnFeed is a timeline that somebody has made: what came
// from some sources within some time, by weights of one's own, or by time.
type OwnFeed struct {
	ID      ID
	Title   string
	Order   FeedOrder
	Weights Weights       // count ByImportance
	Window  time.Duration // how old an entry may be
	Filter  FeedFilter
	Sources []FeedSource
}

// FeedOrder is the order in which a feed stands. The words are those of the API.
type FeedOrder string

const (
	ByImportance FeedOrder = "importance" // by score, as Weights and those of the sources say
	NewestFirst  FeedOrder = "newest"     // by time alone: no weight counts
)

// FeedFilter says what a feed leaves out of what its sources hold. The zero value leaves out
// nothing.
type FeedFilter struct {
	ExcludeReplies bool // to others than their author and the reader; a repost is no reply
	ExcludeReposts bool // but those of groups, which pass on so what is posted in them
	OnlyMedia      bool // what has no pictures itself; of a repost counts what is reposted
}

// Leaves reports whether a feed of the reader leaves out an entry.
func (f FeedFilter) Leaves(v *StatusView, reader ID) bool {
	shown, said := v, v // what is seen, and what its author has done
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

// FeedSourceKind is a kind of timeline that a feed takes entries from. The words are
// those of the API.
type FeedSourceKind string

const (
	FromHome    FeedSourceKind = "home"    // without what its reader wrote
	FromLocal   FeedSourceKind = "local"   // what is public
	FromList    FeedSourceKind = "list"    // one of one's own
	FromTag     FeedSourceKind = "tag"     // what is public and has the tag
	FromAccount FeedSourceKind = "account" // what somebody has posted, as far as one may see it
)

// FeedSource is a timeline that a feed takes entries from.
type FeedSource struct {
	Kind   FeedSourceKind
	ID     ID      // of a list or account
	Tag    string  // folded
	Weight float64 // scores of what comes from there are multiplied by it
}

// OwnFeedChange changes a feed; nil leaves a part as it is.
type OwnFeedChange struct {
	Title                                     *string
	Order                                     *FeedOrder
	Favourites, Reposts, Replies              *float64
	HalfLife, Window                          *time.Duration
	ExcludeReplies, ExcludeReposts, OnlyMedia *bool // FeedFilter
	Sources                                   *[]FeedSource
}
