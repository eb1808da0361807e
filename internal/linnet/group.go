package linnet

// GroupKind says who comes into a group, and who posts and reads there. The
// account of a person has none.
type GroupKind uint8

const (
	NoGroup           GroupKind = iota
	PublicGroup                 // everybody joins, posts and reads
	PrivateGroup                // one asks to be let in; members read
	AnnouncementGroup           // everybody joins and reads; owners and moderators post
	Chat                        // one is invited; members read what was posted since they came
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

// Closed reports whether only members see who is in a group and what is posted
// there.
func (k GroupKind) Closed() bool { return k == PrivateGroup || k == Chat }

// Becomes reports whether a group may turn from a kind into another: what was
// written for few is never opened to more.
func (k GroupKind) Becomes(to GroupKind) bool {
	open := k == PublicGroup || k == AnnouncementGroup
	return k == to || open && to != NoGroup && to != Chat
}

// GroupRole is what somebody is in a group; a higher one may do more.
type GroupRole uint8

const (
	Outsider GroupRole = iota
	GroupMember
	GroupModerator
	GroupOwner
)

// String returns the word for r; "" for an outsider.
func (r GroupRole) String() string {
	return [...]string{"", "member", "moderator", "owner"}[min(r, GroupOwner)]
}

// ParseGroupRole reads the word for a role.
func ParseGroupRole(s string) (GroupRole, bool) {
	for r := GroupMember; r <= GroupOwner; r++ {
		if r.String() == s {
			return r, true
		}
	}
	return Outsider, false
}

// NewGroup is a group to be founded.
type NewGroup struct {
	Login  string
	Name   string
	Note   string
	Kind   GroupKind
	Invite []ID // people who are invited at once
}

// GroupChange changes a group; nil leaves a part as it is.
type GroupChange struct {
	Name *string
	Note *string
	Kind *GroupKind
}

// GroupRelation is how somebody stands to a group.
type GroupRelation struct {
	ID        ID
	Role      GroupRole
	Requested bool // to be let in
	Invited   bool
	Banned    bool
	Reposts   bool // what is posted there stands at home too
	Notify    bool
	Muting    bool
}

// Membership is somebody in a group.
type Membership struct {
	UserView
	Role GroupRole
}

// GroupIn is a group with the role that somebody has in it.
type GroupIn struct {
	UserView
	Role GroupRole
}

// MyGroups are the groups that somebody has to do with.
type MyGroups struct {
	In      []GroupIn  // the first one joined first
	Invited []UserView // into which they are invited; at most MaxOffersShown
	Asked   []UserView // that they ask to be let into
}

// GroupView is a group as somebody sees it who may know of it.
type GroupView struct {
	UserView
	Mine     GroupRelation // zero for strangers
	Inside   bool          // they see who is in it and what is posted there
	Requests int64         // how many ask to be let in; 0 for those who do not decide on it
}

// listOfGroup is added to the id of a group to name the list that stands for it:
// in decimal, a 9 in front of the group's id. Ids of lists that people make do
// not reach so far for some thousand years.
const listOfGroup ID = 9_000_000_000_000_000_000

// ListOfGroup names the list that stands for a group which one has joined.
func ListOfGroup(group ID) ID { return listOfGroup + group }

// GroupOfList returns the group that a list stands for, and false for a list that
// somebody has made.
func GroupOfList(list ID) (ID, bool) {
	if list <= listOfGroup {
		return 0, false
	}
	return list - listOfGroup, true
}

// ParseListID reads the id of a list that somebody has made or that stands for a
// group, which may not fit 63 bits.
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
