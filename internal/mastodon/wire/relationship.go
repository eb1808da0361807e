package wire

import (
	"linnet/internal/linnet"
)

// Relationship is the entity Relationship.
// https://docs.joinmastodon.org/entities/Relationship/
type Relationship struct {
	ID                  string   `json:"id"`
	Following           bool     `json:"following"`
	ShowingReblogs      bool     `json:"showing_reblogs"`
	Notifying           bool     `json:"notifying"`
	Languages           []string `json:"languages"`
	FollowedBy          bool     `json:"followed_by"`
	Blocking            bool     `json:"blocking"`
	BlockedBy           bool     `json:"blocked_by"`
	Muting              bool     `json:"muting"`
	MutingNotifications bool     `json:"muting_notifications"`
	MutingExpiresAt     *string  `json:"muting_expires_at"`
	Requested           bool     `json:"requested"`
	RequestedBy         bool     `json:"requested_by"`
	DomainBlocking      bool     `json:"domain_blocking"`
	Endorsed            bool     `json:"endorsed"`
	Note                string   `json:"note"`
}

// RelationshipOf encodes the viewer's relationship to an account.
func RelationshipOf(v *linnet.Relationship) Relationship {
	return Relationship{ID: v.ID.String(), Following: v.Following, ShowingReblogs: v.Reposts, Notifying: v.Notify,
		FollowedBy: v.FollowedBy, Requested: v.Requested, RequestedBy: v.RequestedBy, Languages: v.Languages, Endorsed: v.Endorsed, Note: v.Note,
		Blocking: v.Blocking, BlockedBy: v.BlockedBy, Muting: v.Muting, MutingNotifications: v.MutingNotices,
		MutingExpiresAt: OptionalTime(v.MutedUntil)}
}
