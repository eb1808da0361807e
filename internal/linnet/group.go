package linnet

// GroupKind determines who can join a group, and who can post and read in it. Accounts of people
// have none.
type GroupKind uint8

const (
	NoGroup           GroupKind = iota
	PublicGroup                 // open for joining, posting and reading
	PrivateGroup                // joining needs approval; members read
	AnnouncementGroup           // open for joining and reading; owners and moderators post
	Chat                        // by invitation; members see posts from after they joined
)

// String returns the word for k; "" for no group.
func (k GroupKind) String() string {
	return [...]string{"", "public", "private", "announcement", "chat"}[min(k, Chat)]
}

// ParseGroupKind reads the word for a kind of group.
func ParseGroupKind(s string) (GroupKind, bool) {
	for k := PublicGroup; k <= Chat; k++ {
		if k.String() == s {
			return k, true
		}
	}
	return NoGroup, false
}

// Closed reports whether only members see the members and posts of a group.
func (k GroupKind) Closed() bool { return k == PrivateGroup || k == Chat }

// Becomes reports whether a group can change from a kind to another. Posts for members never become
// public.
func (k GroupKind) Becomes(to GroupKind) bool {
	open := k == PublicGroup || k == AnnouncementGroup
	return k == to || open && to != NoGroup && to != Chat
}

// GroupRole is a user's role in a group. Higher roles have more permissions.
type GroupRole uint8

const (
	Outsider GroupRole = iota
	GroupMember
	GroupModerator
	GroupOwner
)

// String returns the word for r; "" for non-members.
func (r GroupRole) String() string {
	return [...]string{"", "member", "moderator", "owner"}[min(r, GroupOwner)]
}

// Over reports whether a user with this role in a group can remove or ban one with another role.
func (r GroupRole) Over(other GroupRole) bool { return r >= GroupModerator && r > other }

// ParseGroupRole reads the word for a role.
func ParseGroupRole(s string) (GroupRole, bool) {
	for r := GroupMember; r <= GroupOwner; r++ {
		if r.String() == s {
			return r, true
		}
	}
	return Outsider, false
}

// NewGroup describes a group to create.
type NewGroup struct {
	Login  string
	Name   string
	Note   string
	Kind   GroupKind
	Invite []ID // users to invite immediately
}

// GroupChange changes a group. Nil fields stay.
type GroupChange struct {
	Name *string
	Note *string
	Kind *GroupKind
}

// GroupRelation is the relation of a user to a group.
type GroupRelation struct {
	ID        ID
	Role      GroupRole
	Requested bool // requested to join
	Invited   bool
	Banned    bool
	Reposts   bool // its posts are on the user's home timeline
	Notify    bool
	Muting    bool
}

// Membership is a member of a group.
type Membership struct {
	UserView
	Role GroupRole
}

// GroupIn is a group with the role of a user.
type GroupIn struct {
	UserView
	Role GroupRole
}

// MyGroups has the groups that are related to a user.
type MyGroups struct {
	In      []GroupIn  // in the order of joining
	Invited []UserView // with an invitation; at most MaxOffersShown
	Asked   []UserView // with a request to join
}

// GroupView is a group for a viewer who can know it exists.
type GroupView struct {
	UserView
	Mine     GroupRelation // zero for non-members
	Inside   bool          // the viewer sees its members and posts
	Requests int64         // pending requests; 0 for viewers who can't decide on them
}

// listOfGroup is added to the id of a group to form the id of its list: in decimal, a 9 before the
// group's id. Ids of other lists won't be as large for several thousand years.
const listOfGroup ID = 9_000_000_000_000_000_000

// ListOfGroup returns the id of the list of a joined group.
func ListOfGroup(group ID) ID { return listOfGroup + group }

// GroupOfList returns the group of a list. It returns false for other lists.
func GroupOfList(list ID) (ID, bool) {
	if list <= listOfGroup {
		return 0, false
	}
	return list - listOfGroup, true
}

// ParseListID parses the id of a list, including lists of groups, whose ids can exceed 63 bits.
func ParseListID(s string) (ID, bool) {
	if id, ok := ParseID(s); ok {
		return id, true
	}
	if len(s) == 0 || s[0] != '9' {
		return 0, false
	}
	group, ok := ParseID(s[1:])
	if !ok || group >= listOfGroup {
		return 0, false
	}
	return ListOfGroup(group), true
}
