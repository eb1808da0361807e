package linnet

// RepliesPolicy determines which replies a list shows.
type RepliesPolicy uint8

const (
	RepliesToList     RepliesPolicy = iota // to members of the list
	RepliesToFollowed                      // to followees of the owner
	RepliesNone
)

// String returns Mastodon's word for p.
func (p RepliesPolicy) String() string {
	return [...]string{"list", "followed", "none"}[min(p, RepliesNone)]
}

// ParseRepliesPolicy reads Mastodon's word for a policy.
func ParseRepliesPolicy(s string) (RepliesPolicy, bool) {
	for p := RepliesToList; p <= RepliesNone; p++ {
		if p.String() == s {
			return p, true
		}
	}
	return 0, false
}

// ListKind determines who creates a list.
type ListKind uint8

const (
	OwnList    ListKind = iota // its owner
	RankedList                 // the server: promotions
	GroupList                  // the server: boosts by a group the user has joined
	ScoredList                 // the server: the catch-up, in the order of scores
)

// List is a named list of users with its own timeline, or a timeline of the server that is shown as
// a list.
type List struct {
	ID        ID
	Kind      ListKind
	Owner     ID
	Title     string
	Replies   RepliesPolicy
	Exclusive bool // its members' statuses aren't on the home timeline
	Version   uint64
}

// ReadOnly reports whether the list and its members can't be changed.
func (l List) ReadOnly() bool { return l.Kind != OwnList }

// ListChange changes a list. Nil fields stay.
type ListChange struct {
	Title     *string
	Replies   *RepliesPolicy
	Exclusive *bool
}
