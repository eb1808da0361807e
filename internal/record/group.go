package record

import (
	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// GroupOwners relates a group to its owners. A group always has one.
func GroupOwners() RelationKind {
	return RelationKind{"owner", "owners", "owns", "", "", "", KindUser, "user", "user", "suggestion: groups"}
}

// GroupModerators relates a group to its moderators.
func GroupModerators() RelationKind {
	return RelationKind{"moderator", "moderators", "moderates", "", "", "", KindUser, "user", "user", "suggestion: groups"}
}

// GroupOffers relates a group to users with an open invitation.
func GroupOffers() RelationKind {
	return RelationKind{"offer", "offers", "offered", "", "", "", KindUser, "user", "user", ""}
}

// MembershipsKey is the set of groups that a user follows.
func MembershipsKey(user linnet.ID) kv.Key { return IDKey(KindMemberships, user) }

func groupCountKeys() []KeyDoc {
	return []KeyDoc{{KindGroups, "set", "", "groups of the shard, by time of creation", "groups/1024", "", noSecret()}}
}

func GroupsKey(shard uint16) kv.Key { return ShardKey(KindGroups, shard) }

// GroupsCounter counts the groups of a shard.
const GroupsCounter = "groups"

type GroupsMark struct {
	Listed bool `json:"listed"`
}

const (
	ListGroupsShards = 64
)

// GroupsMarkKey records the state of the sets of groups. It is absent in stores of releases before
// these sets. Later it records that they are being filled, and finally that they are complete.
func GroupsMarkKey() kv.Key { return MetaKey("groups") }

// RecheckedMarkKey exists if files and public timelines agree with the suspended and silenced
// accounts, or if a task is making them agree.
func RecheckedMarkKey() kv.Key { return MetaKey("rechecked") }
