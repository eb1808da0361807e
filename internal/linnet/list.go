package linnet

// RepliesPolicy says which replies a list shows.
type RepliesPolicy uint8

const (
	RepliesToList     RepliesPolicy = iota // to members of the list
	RepliesToFollowed                      // to people whom the owner follows
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

// List is a named list of people with a timeline of its own.
type List struct {
	ID        ID
	Owner     ID
	Title     string
	Replies   RepliesPolicy
	Exclusive bool // its members' statuses do not stand at home
	Version   uint64
}

// ListChange changes a list; nil leaves a part as it is.
type ListChange struct {
	Title     *string
	Replies   *RepliesPolicy
	Exclusive *bool
}
