package audit

import (
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// inviteChecks returns the checks of invitations.
func inviteChecks() map[string]func(*auditing, kv.Key) {
	return map[string]func(*auditing, kv.Key){
		record.KindInvite: checkInvite, record.KindInvites: checkInvites, record.KindInvitees: checkInvitees, record.KindInviteUses: checkInviteUses,
		record.KindSecret: checkSecret,
	}
}

// checkSecret checks that the user exists and is among the users of their invitation, if that is
// stored.
func checkSecret(x *auditing, key kv.Key) {
	checkOfUser(x, key)
	id, ok := x.keyID(key)
	if !ok {
		return
	}
	get := &kv.Get{Key: key}
	x.ask(func() {
		var sec record.Secret
		if !read(x, get, &sec) {
			return
		}
		x.ownsEmail(key, id, &sec)
		if sec.Invite == "" {
			return
		}
		kept, q := &kv.Get{Key: record.InviteKey(sec.Invite)}, &kv.Scores{Key: record.InviteesKey(sec.Invite), Members: []string{id.String()}}
		x.ask(func() {
			if kept.Version != 0 && !q.Found[0] {
				x.found(RuleIndex, q.Key, fmt.Sprintf("user %v signed up with it but does not exist", id), record.UserAffair(id))
			}
		}, kept, q)
	}, get)
}

// checkInvite checks that an invitation is listed and within its maximum uses.
func checkInvite(x *auditing, key kv.Key) {
	get, listed := &kv.Get{Key: key}, &kv.Scores{Key: record.InvitesKey(), Members: []string{key.ID}}
	uses := &kv.Counters{Key: record.InviteUsesKey(key.ID), Names: []string{record.UsesCounter}}
	x.ask(func() {
		var r record.Invite
		if !read(x, get, &r) {
			return
		}
		if !listed.Found[0] {
			x.found(RuleOrphan, key, fmt.Sprintf("it is not in %v", listed.Key))
		}
		if uses.Values[0] > r.Most {
			x.found(RuleCounter, uses.Key, fmt.Sprintf("uses is %d, but at most %d are allowed", uses.Values[0], r.Most))
		}
	}, get, listed, uses)
}

// invites: each has its record, and they are counted.
func checkInvites(x *auditing, key kv.Key) {
	x.each(key, func(m kv.Member) {
		get := &kv.Get{Key: record.InviteKey(m.Member)}
		x.ask(func() {
			if get.Version == 0 {
				x.found(RuleOrphan, key, fmt.Sprintf("invitation %q has no record", m.Member))
			}
		}, get)
	}, func(w whole) {
		x.sized(w, record.ShardKey(record.KindStats, record.InviteShard), record.InvitesCounter)
	})
}

// checkInvitees checks that the users of an invitation are counted. Deleted users still count.
func checkInvitees(x *auditing, key kv.Key) {
	x.each(key, func(m kv.Member) {
		if _, ok := linnet.ParseID(m.Member); !ok {
			x.found(RuleRecord, key, fmt.Sprintf("%q is not a user", m.Member))
		}
	}, func(w whole) { x.sized(w, record.InviteUsesKey(key.ID), record.UsesCounter) })
}

// checkInviteUses checks that no uses are counted without users.
func checkInviteUses(x *auditing, key kv.Key) {
	q := &kv.Counters{Key: key, Names: []string{record.UsesCounter}}
	x.ask(func() { x.unfilled(key, record.UsesCounter, q.Values[0], record.InviteesKey(key.ID)) }, q)
}

// email: its owner exists and has confirmed an address of that hash.
func checkEmail(x *auditing, key kv.Key) {
	get := &kv.Get{Key: key}
	x.ask(func() {
		var r record.Claim
		if !read(x, get, &r) {
			return
		}
		if record.EmailKey(key.ID) != key {
			x.found(RuleRecord, key, "the key is not of a hash")
			return
		}
		owner := &kv.Get{Key: record.SecretKey(linnet.ID(r.User))}
		x.ask(func() {
			var sec record.Secret
			if owner.Version != 0 && !read(x, owner, &sec) {
				return
			}
			if sec.Mail.Confirmed == 0 || record.Hash(sec.Email) != key.ID {
				x.found(RuleUnique, key, fmt.Sprintf("it belongs to user %v, who has not confirmed it", linnet.ID(r.User)), record.EmailAffair(key.ID))
			}
		}, owner)
	}, get)
}

// ownsEmail: an address that a user has confirmed is theirs.
func (x *auditing) ownsEmail(key kv.Key, id linnet.ID, sec *record.Secret) {
	if sec.Mail.Confirmed == 0 {
		return
	}
	hash := record.Hash(sec.Email)
	get := &kv.Get{Key: record.EmailKey(hash)}
	x.ask(func() {
		var r record.Claim
		if get.Version == 0 || read(x, get, &r) && linnet.ID(r.User) != id {
			x.found(RuleUnique, key, "the e-mail address has no record for this user", record.EmailAffair(hash))
		}
	}, get)
}

// checkPasskeys checks that no passkey of a user is claimed by another user. Passkeys of earlier
// releases have no claim until their next log-in.
func checkPasskeys(x *auditing, key kv.Key) {
	checkOfUser(x, key)
	get := &kv.Get{Key: key}
	x.ask(func() {
		var all []record.Passkey
		if !read(x, get, &all) {
			return
		}
		for _, p := range all {
			hash := p.Hash()
			claim := &kv.Get{Key: record.PasskeyKey(hash)}
			x.ask(func() {
				var r record.Claim
				if read(x, claim, &r) && linnet.ID(r.User).String() != key.ID {
					x.found(RuleUnique, key, fmt.Sprintf("passkey %q is claimed by user %v", p.Name, linnet.ID(r.User)), record.PasskeyAffair(hash))
				}
			}, claim)
		}
	}, get)
}

// checkPasskey checks that the claimed passkey is among the passkeys of its user.
func checkPasskey(x *auditing, key kv.Key) {
	get := &kv.Get{Key: key}
	x.ask(func() {
		var r record.Claim
		if !read(x, get, &r) {
			return
		}
		if record.PasskeyKey(key.ID) != key {
			x.found(RuleRecord, key, "the key is not of a hash")
			return
		}
		owner := &kv.Get{Key: record.PasskeysKey(linnet.ID(r.User))}
		x.ask(func() {
			var all []record.Passkey
			if owner.Version != 0 && !read(x, owner, &all) {
				return
			}
			if !record.HasPasskey(all, key.ID) {
				x.found(RuleUnique, key, fmt.Sprintf("user %v has no such passkey", linnet.ID(r.User)), record.PasskeyAffair(key.ID))
			}
		}, owner)
	}, get)
}
