package linnet

import (
	"math"
	"slices"
	"time"
)

// How important a status is, as a number: the votes for it, which lose worth with
// its age. docs/ranking.md gives the reasons and works an example. Nothing but
// these constants and Weights.Rank decides.
const (
	// OwnVote is what a status has before anybody votes: its author's vote, as in
	// the book (section 1.3.1), where an article begins with its poster's.
	OwnVote = 1.0
	// FavouriteVote is what a favourite adds: the book's +1.
	FavouriteVote = 1.0
	// RepostVote is the value of a boost, by which a user recommends a status to others.
	RepostVote = 2.0
	// ReplyVote is what a reply adds. Replies count for no more than there are
	// favourites and reposts: a quarrel is no recommendation.
	ReplyVote = 1.0
	// VoteHalfLife is the half-life of the value of votes.
	VoteHalfLife = 24 * time.Hour

	// FirstLevel is the least score at which a status is promoted. Each further
	// level is twice the one before.
	FirstLevel = 5
	// BestOf is the share of a place's statuses that the first level leaves out, of
	// SampleMost that are at least SampleAge old: by then most votes are in.
	BestOf     = 0.8
	SampleMost = 200
	SampleAge  = 12 * time.Hour
	// SampleLeast is the minimum number of them. A smaller server uses the square root of its
	// number of users as its first level, up to NewFirstLevel.
	SampleLeast   = 50
	NewFirstLevel = 16
	// MaxPromoters is the number of recent voters whose followers get a promotion. A further
	// promotion is also delivered to followers of earlier promoters, so that it moves for them too,
	// up to KeptPromoters in total.
	MaxPromoters  = 20
	KeptPromoters = 60
)

const (
	// TopAccount is the account @top, which promotes: a record without a password,
	// listed nowhere.
	TopAccount ID = 1<<16 | 1
	// TopList is the list "Top", which every user has.
	TopList ID = 1
)

// Votes are the counts of actions on a status.
type Votes struct{ Favourites, Reposts, Replies int64 }

// Votes returns the counts of a status.
func (s *SharedStatus) Votes() Votes { return Votes{s.Favourites, s.Reposts, s.Replies} }

// Weights say what each vote is worth, and how fast all of them lose worth.
type Weights struct {
	Favourites float64
	Reposts    float64
	Replies    float64
	HalfLife   time.Duration // 0: age does not matter
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
	Weight     float64 // of the source of a feed that it came from; 1 everywhere else
}

// Rank scores a status of some age. A negative age counts as none.
func (w Weights) Rank(v Votes, age time.Duration) Why {
	y := Why{Own: OwnVote, Favourites: w.Favourites * float64(v.Favourites), Reposts: w.Reposts * float64(v.Reposts),
		Replies: w.Replies * float64(min(v.Replies, v.Favourites+v.Reposts)), Decay: 1, Weight: 1}
	if w.HalfLife > 0 {
		y.Decay = math.Exp2(-float64(max(age, 0)) / float64(w.HalfLife))
	}
	y.Score = (y.Own + y.Favourites + y.Reposts + y.Replies) * y.Decay
	return y
}

// From is a reason with the weight of a source.
func (y Why) From(weight float64) Why {
	y.Score, y.Weight = y.Score*weight, weight
	return y
}

// FirstBar is the score at which a status is promoted first in a place of so many
// people, where earlier statuses have the scores given without regard to age. It
// sorts the scores.
func FirstBar(people int64, scores []float64) int64 {
	if len(scores) < SampleLeast {
		return min(max(FirstLevel, int64(math.Ceil(math.Sqrt(float64(people))))), NewFirstLevel)
	}
	slices.Sort(scores)
	return max(FirstLevel, int64(math.Ceil(scores[int(BestOf*float64(len(scores)))])))
}

// Reaches reports whether a score, rounded to a whole number, reaches a bar: what
// votes lose within minutes is no matter.
func (y Why) Reaches(bar int64) bool { return math.Round(y.Score) >= float64(bar) }

// Promotable reports whether a status can be promoted: public or unlisted, and not a boost.
func (st *Status) Promotable() bool { return st.RepostOf == 0 && st.Visibility <= Unlisted }

// Promotion reports whether a status is a promotion, which the server makes.
func (st *Status) Promotion() bool { return st.RepostOf != 0 && st.Author == TopAccount }

// Rises reports whether these votes exceed the next level of a status, before its author is
// checked.
func (st *Status) Rises(v Votes, now time.Time) bool {
	return st.Promotable() && UsualWeights().Rank(v, now.Sub(st.ID.Time())).Reaches(max(st.Bar, FirstLevel))
}

// System reports whether an account is the server's own. It has no log-in and is not listed.
func (id ID) System() bool { return id == TopAccount }
