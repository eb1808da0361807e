package linnet

import (
	"slices"
	"time"
)

// Limits of strikes.
const (
	MaxStrikes  = 100  // per account; beyond it the oldest is deleted
	MaxExcerpt  = 300  // characters of a post in a strike
	MaxAppeal   = 2000 // characters of an appeal
	MaxModerate = MaxIDsInQuery
)

// Strike is an action of staff against an account, as its owner and the staff can read it.
// https://docs.joinmastodon.org/entities/AccountWarning/
type Strike struct {
	ID      ID // in the shard of On
	On, By  ID // By is 0 for a command on the server
	Act     Moderation
	Text    string       // reason for the owner, one line
	Rules   []BrokenRule // as they were at the time
	Posts   []StruckPost // the posts that the action is about
	Report  ID           // the report that caused it; 0 for none
	Key     string       // secret of the link that opens the strike without a login
	Appeal  *Appeal      // nil for none
	Version uint64
}

// BrokenRule is a rule of the instance in a strike. Numbers change when rules are removed, so the
// text is stored too.
type BrokenRule struct {
	Number int
	Text   string
}

// StruckPost is a post in a strike. It can be deleted.
type StruckPost struct {
	ID      ID
	Excerpt string // beginning of its text
}

// Appeal is the owner's only objection to a strike.
// https://docs.joinmastodon.org/entities/Appeal/
type Appeal struct {
	Text    string
	At      time.Time
	State   AppealState
	By      ID        // the moderator who decided; 0 for none, or for a command on the server
	Decided time.Time // zero while it is pending
}

// AppealState is the state of an appeal. The values are Mastodon's.
type AppealState string

const (
	AppealPending  AppealState = "pending"
	AppealApproved AppealState = "approved"
	AppealRejected AppealState = "rejected"
)

// Pending reports whether the strike has an appeal that no moderator has decided.
func (s *Strike) Pending() bool { return s.Appeal != nil && s.Appeal.State == AppealPending }

// About reports whether the strike is about a post.
func (s *Strike) About(post ID) bool {
	return slices.ContainsFunc(s.Posts, func(p StruckPost) bool { return p.ID == post })
}

// Token returns the part of the link that opens the strike without a login.
func (s *Strike) Token() string { return s.ID.String() + "-" + s.Key }

// Sentence describes the action for the owner.
func (s *Strike) Sentence() string {
	switch s.Act {
	case DeletePosts:
		return "The moderators deleted one or more of your posts."
	case MarkSensitive:
		return "The moderators marked one or more of your posts as sensitive."
	case RemovePicture:
		return "The moderators removed a picture from one of your posts."
	case Sensitize:
		return "The moderators marked all your posts as sensitive."
	case Silence:
		return "The moderators limited the reach of your account."
	case Disable:
		return "The moderators disabled your account."
	case Suspend:
		return "The moderators suspended your account."
	}
	return "The moderators sent you a warning."
}

// StrikeView is a strike as shown. Deleted users are nil.
type StrikeView struct {
	Strike
	OnAccount, ByAccount, DecidedBy *UserView
}
