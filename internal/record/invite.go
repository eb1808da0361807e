package record

import (
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// Invitations are in one shard: they are few, and a sign-up changes one.
const (
	KindInvite     = "invite"
	KindInvites    = "invites"
	KindInvitees   = "invitees"
	KindInviteUses = "inviteuses"

	InviteShard = 2

	InvitesCounter = "invites" // in the shard's stats
	UsesCounter    = "uses"
)

func inviteKeys() []KeyDoc {
	return []KeyDoc{
		{KindInvite, "value", "code", "an invitation: creator, expiry, uses, revoked flag, JSON (shard 2)", "1 KiB", "", noSecret()},
		{KindInvites, "set", "", "invitations, by time (shard 2)", "1,000", "", noSecret()},
		{KindInvitees, "set", "code", "users who signed up with the invitation, by time (shard 2)", "10,000", "", noSecret()},
		{KindInviteUses, "counters", "code", "number of sign-ups with the invitation (shard 2)", "1", "", noSecret()},
	}
}

func InviteKey(code string) kv.Key { return kv.Key{Kind: KindInvite, Shard: InviteShard, ID: code} }

func InvitesKey() kv.Key { return ShardKey(KindInvites, InviteShard) }

func InviteesKey(code string) kv.Key {
	return kv.Key{Kind: KindInvitees, Shard: InviteShard, ID: code}
}

func InviteUsesKey(code string) kv.Key {
	return kv.Key{Kind: KindInviteUses, Shard: InviteShard, ID: code}
}

type Invite struct {
	By      JID   `json:"by,omitempty"`
	Most    int64 `json:"most"`
	Created int64 `json:"created"`           // Unix milliseconds
	Expires int64 `json:"expires,omitempty"` // Unix milliseconds
	Revoked bool  `json:"revoked,omitempty"`

	Collection JID `json:"collection,omitempty"`
}

func (r Invite) Invite(code string, uses int64) linnet.Invite {
	i := linnet.Invite{Code: code, By: linnet.ID(r.By), Most: r.Most, Uses: uses, Created: time.UnixMilli(r.Created), Revoked: r.Revoked, Collection: linnet.ID(r.Collection)}
	if r.Expires != 0 {
		i.Expires = time.UnixMilli(r.Expires)
	}
	return i
}
