package linnet

import (
	"encoding/base64"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A ranking is an order by score that is computed once and cached, so that its pages stay the same
// while a user reads them. The catch-up is one.
const (
	// RankingAge is the time for which a ranking is cached.
	RankingAge = 30 * time.Minute
	// RankingReads is the number of entries read for a ranking, and RankingEntries the number of
	// entries with the highest scores in it.
	RankingReads   = 800
	RankingEntries = 400

	// CatchUpAge is the period of the catch-up for users without a home marker.
	CatchUpAge = 24 * time.Hour
	// CatchUpList is the list "Catch-up" of users who have turned it on.
	CatchUpList ID = 2
)

// RankPage selects a page of a ranking: Limit entries (0: DefaultPage; at most MaxPage) after a
// cursor, or from the top with "".
type RankPage struct {
	After RankCursor
	Limit int
}

// Ranked is a status with its rank.
type Ranked struct {
	StatusView
	Why Why
}

// Ranking is a page of a ranking.
type Ranking struct {
	Items []Ranked
	Next  RankCursor // "" at the end
	At    time.Time  // when the ranking was computed
	From  time.Time  // start of its period
	Total int        // number of entries when it was computed

	Newest ID // the newest visible entry that was considered; 0 for none
}

// RankCursor is a position in a ranking. Clients must not interpret it.
type RankCursor string

// RankCursorOf returns the position after the rank-th entry (from 1), which has an id.
func RankCursorOf(rank int, id ID) RankCursor {
	return RankCursor(base64.RawURLEncoding.EncodeToString([]byte(strconv.Itoa(rank) + "." + id.String())))
}

// Parse parses a cursor. It returns 0, 0 for "".
func (c RankCursor) Parse() (rank int, id ID, err error) {
	if c == "" {
		return 0, 0, nil
	}
	b, err := base64.RawURLEncoding.DecodeString(string(c))
	head, tail, _ := strings.Cut(string(b), ".")
	rank, errRank := strconv.Atoi(head)
	id, ok := ParseID(tail)
	if err != nil || errRank != nil || rank < 1 || rank > RankingEntries || !ok {
		return 0, 0, FieldError("cursor", "ERR_INVALID", "wasn't issued by this server. Start from the first page")
	}
	return rank, id, nil
}

// Constants for the score of a status. The value of votes decreases with the age of the status.
// docs/ranking.md has the reasons and an example. Only these constants and Weights.Rank determine
// the score.
const (
	// OwnVote is the score of a status without votes. It counts as the author's vote, as in the
	// book (section 1.3.1).
	OwnVote = 1.0
	// FavouriteVote is the value of a favourite: the book's +1.
	FavouriteVote = 1.0
	// RepostVote is the value of a boost, which recommends a status to others.
	RepostVote = 2.0
	// ReplyVote is the value of a reply. At most as many replies count as there are favourites and
	// boosts, because many replies can also mean an argument.
	ReplyVote = 1.0
	// VoteHalfLife is the half-life of the value of votes.
	VoteHalfLife = 24 * time.Hour

	// FirstLevel is the minimum score for a promotion. Each level is twice the previous one.
	FirstLevel = 5
	// BestOf is the share of statuses with a score below the first level. It refers to at most
	// SampleMost statuses that are at least SampleAge old, because then most votes have been made.
	BestOf     = 0.8
	SampleMost = 200
	SampleAge  = 12 * time.Hour
	// SampleLeast is the minimum number of them. A smaller server uses the square root of its
	// number of users as its first level, up to NewFirstLevel.
	SampleLeast   = 50
	NewFirstLevel = 16
	// MaxPromoters is the number of recent voters whose followers get a promotion. A further
	// promotion is also delivered to followers of earlier promoters, up to StoredPromoters in
	// total, so that it replaces the earlier one in their feeds.
	MaxPromoters    = 20
	StoredPromoters = 60
)

const (
	// TopAccount is the account @top, which makes promotions. Its record has no password and is not
	// listed.
	TopAccount ID = 1<<16 | 1
	// TopList is the list "Top", which every user has.
	TopList ID = 1
)

// Votes are the counts of actions on a status.
type Votes struct{ Favourites, Reposts, Replies int64 }

// Votes returns the counts of a status.
func (s *SharedStatus) Votes() Votes { return Votes{s.Favourites, s.Reposts, s.Replies} }

// Weights are the values of votes and how fast they decrease.
type Weights struct {
	Favourites float64
	Reposts    float64
	Replies    float64
	HalfLife   time.Duration // 0 if age doesn't matter
}

// UsualWeights returns the weights of "Top" and the catch-up, which are the defaults of feeds.
func UsualWeights() Weights { return Weights{FavouriteVote, RepostVote, ReplyVote, VoteHalfLife} }

// Why explains the score of a status:
//
//	Score = (Own + Favourites + Reposts + Replies) * Decay * Weight
type Why struct {
	Score      float64
	Own        float64
	Favourites float64
	Reposts    float64
	Replies    float64
	Decay      float64 // 1 for a new status, half of it after each half-life
	Weight     float64 // weight of the source in a feed; 1 otherwise
}

// Rank returns the score of a status at an age. A negative age counts as 0.
func (w Weights) Rank(v Votes, age time.Duration) Why {
	y := Why{Own: OwnVote, Favourites: w.Favourites * float64(v.Favourites), Reposts: w.Reposts * float64(v.Reposts),
		Replies: w.Replies * float64(min(v.Replies, v.Favourites+v.Reposts)), Decay: 1, Weight: 1}
	if w.HalfLife > 0 {
		y.Decay = math.Exp2(-float64(max(age, 0)) / float64(w.HalfLife))
	}
	y.Score = (y.Own + y.Favourites + y.Reposts + y.Replies) * y.Decay
	return y
}

// From returns the score with the weight of a source.
func (y Why) From(weight float64) Why {
	y.Score, y.Weight = y.Score*weight, weight
	return y
}

// FirstBar returns the score for the first promotion of a status. It depends on the number of users
// and the scores of earlier statuses regardless of age. It sorts the scores.
func FirstBar(people int64, scores []float64) int64 {
	if len(scores) < SampleLeast {
		return min(max(FirstLevel, int64(math.Ceil(math.Sqrt(float64(people))))), NewFirstLevel)
	}
	slices.Sort(scores)
	return max(FirstLevel, int64(math.Ceil(scores[int(BestOf*float64(len(scores)))])))
}

// Reaches reports whether a score, rounded to an integer, reaches a bar. Rounding hides the decay
// of votes within minutes.
func (y Why) Reaches(bar int64) bool { return math.Round(y.Score) >= float64(bar) }

// Promotable reports whether a status can be promoted: public or unlisted, and not a boost.
func (st *Status) Promotable() bool { return st.RepostOf == 0 && st.Visibility.Open() }

// Promotion reports whether a status is a promotion, which the server makes.
func (st *Status) Promotion() bool { return st.RepostOf != 0 && st.Author == TopAccount }

// Rises reports whether these votes exceed the next level of a status, before its author is
// checked.
func (st *Status) Rises(v Votes, now time.Time) bool {
	return st.Promotable() && UsualWeights().Rank(v, now.Sub(st.ID.Time())).Reaches(max(st.Bar, FirstLevel))
}

// System reports whether an account is the server's own. It has no login and is not listed.
func (id ID) System() bool { return id == TopAccount }

// Limits of custom feeds. They bound the work for a page and keep scores meaningful.
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
	shown, said := v, v // the shown status, and the action of its author
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
