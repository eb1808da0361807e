package audit

import (
	"slices"
	"strings"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// accountRows are the rows of accounts, sessions, credentials and invitations.
func accountRows() map[string]row {
	return map[string]row{
		record.KindUser:      {key: idKey, value: userRefs},
		record.KindUsers:     {set: shardIDs(listedUser), check: checkStatusTotal},
		record.KindCounts:    {owner: ofUser},
		record.KindStats:     {},
		record.KindActive:    {set: shardIDs(anyUser)},
		record.KindLogin:     {key: keyFrom(record.LoginKey), value: stored(loginRefs)},
		record.KindNames:     {set: members(nameRefs)},
		record.KindGroups:    {set: shardIDs(groupsRefs)},
		record.KindState:     {set: ids(stateRefs)},
		record.KindStaff:     {set: ids(staffRefs)},
		record.KindDirectory: {key: anyOf(directoryKeys()...), set: ids(directoryRefs)},

		record.KindSecret:      {owner: ofUser, value: stored(secretRefs)},
		record.KindEmail:       {key: keyFrom(record.EmailKey), value: stored(emailRefs)},
		record.KindPasskeys:    {owner: ofUser, value: stored(passkeysRefs)},
		record.KindPasskey:     {key: keyFrom(record.PasskeyKey), value: stored(passkeyRefs)},
		record.KindTOTP:        {owner: ofUser},
		record.KindReset:       {owner: ofUser},
		record.KindDevices:     {owner: ofUser},
		record.KindSecurityLog: {owner: ofUser},
		record.KindTicket:      {},
		record.KindRefused:     {},
		record.KindConfirmed:   {},
		record.KindChallenge:   {},
		record.KindToken:       {value: stored(tokenRefs)},
		record.KindSessions:    {owner: ofUser},
		record.KindCode:        {value: stored(codeRefs)},
		record.KindApp:         {key: idKey, value: readable[record.App]},
		// Records of deleted users expire within the hour. Nothing refers to them, so the deletion
		// of a user can't find them.
		record.KindIdem:   {key: dotted},
		record.KindPush:   {value: decoded(withoutID(record.DecodePush), pushRefs), reread: true},
		record.KindPushes: {owner: ofUser}, // sessions of browsers expire, so members can be missing
		record.KindVAPID:  {value: readable[record.VAPID]},

		record.KindOutsideFeed:  {owner: ofUser, value: decoded(record.DecodeOutsideFeed, outsideFeedRefs)},
		record.KindOutsideURL:   {key: keyFrom(record.OutsideURLHashKey), value: stored(outsideURLRefs)},
		record.KindOutsideFeeds: {set: members(outsideFeedsRefs)},

		record.KindInvite:     {value: stored(inviteRefs)},
		record.KindInvites:    {set: members(invitesRefs)},
		record.KindInvitees:   {set: ids(anyID)}, // deleted users still count
		record.KindInviteUses: {},
	}
}

// outsideFeedRefs expects the account to be the feed's, listed, and found by the feed's address.
func outsideFeedRefs(x *auditing, f *linnet.OutsideFeed) []ref {
	affair := record.UserSubject(x.id)
	return []ref{
		userWho(RuleIndex, x.id, func(u *linnet.User, _ bool) bool { return u.Feed != "" }),
		in(record.OutsideFeedsKey(), record.OutsideFeedMember(f.By, x.id)).awaits(affair),
		refersBack(record.OutsideURLKey(f.URL), func(r *record.OutsideURL) bool { return linnet.ID(r.User) == x.id }).as(RuleUnique).awaits(affair),
	}
}

func outsideFeedsRefs(_ *auditing, m kv.Member) []ref {
	_, id, ok := record.SplitOutsideFeedMember(m.Member)
	if !ok {
		return wrong("%q doesn't name a feed", m.Member)
	}
	return []ref{exists(record.OutsideFeedKey(id)).awaits(record.UserSubject(id))}
}

func outsideURLRefs(x *auditing, r *record.OutsideURL) []ref {
	id := linnet.ID(r.User)
	return []ref{refersBack(record.OutsideFeedKey(id), func(f *record.OutsideFeed) bool {
		return slices.ContainsFunc(append(f.Former, f.URL), func(address string) bool { return record.Hash(address) == x.key.ID })
	}).as(RuleOrphan).awaits(record.UserSubject(id))}
}

func anyUser(_ *auditing, id linnet.ID, _ kv.Member) []ref { return []ref{user(id)} }

func groupsRefs(_ *auditing, id linnet.ID, _ kv.Member) []ref {
	return []ref{userWho(RuleGroup, id, func(u *linnet.User, _ bool) bool { return u.Group != linnet.NoGroup })}
}

func stateRefs(x *auditing, id linnet.ID, _ kv.Member) []ref {
	state := linnet.AccountState(x.key.ID)
	return []ref{userWho(RuleIndex, id, func(u *linnet.User, _ bool) bool { return u.InState(state) })}
}

func staffRefs(_ *auditing, id linnet.ID, _ kv.Member) []ref {
	return []ref{userWho(RuleIndex, id, func(u *linnet.User, _ bool) bool { return u.Role.Staff() })}
}

func userRefs(x *auditing, get *kv.Get) []ref {
	u, born, err := record.DecodeUser(x.id, get)
	if err != nil {
		return wrong("%v", err)
	}
	x.checkFiles(u)
	affair := record.UserSubject(u.ID)
	if !born {
		return []ref{fails(broken(RuleRecord, "the sign-up of %s was never completed", u.Login).awaits(affair))}
	}
	refs := []ref{refersBack(record.LoginKey(u.Login), func(r *record.Login) bool {
		return linnet.ID(r.User) == u.ID
	}).as(RuleUnique).awaits(affair)}
	if u.ID.System() {
		return refs
	}
	x.Users++
	x.Feeds = append(x.Feeds, record.HomeKey(u.ID), record.TopKey(u.ID))
	refs = append(refs, user(u.ID))
	for _, w := range record.NameWords(u) {
		set := record.NamesKey(record.CutRunes(w, record.NamePrefix))
		refs = append(refs, in(set, w+":"+u.ID.String()).about(set).awaits(affair))
	}
	for _, state := range record.ListedStates() {
		refs = append(refs, inIf(u.InState(state), record.StateKey(u.ID.Shard(), state), u.ID.String()))
	}
	if u.Role.Staff() { // wrong members are found by the audit of the set
		refs = append(refs, in(record.ShardKey(record.KindStaff, 0), u.ID.String()).awaits(affair))
	}
	if u.Group != linnet.NoGroup {
		refs = append(refs, groupRefs(x, u)...)
	}
	return refs
}

func listedUser(x *auditing, id linnet.ID, m kv.Member) []ref {
	created := userWho(RuleOrphan, id, func(_ *linnet.User, born bool) bool { return born })
	return append(must(m.Score == id.Millis(), "%v has the wrong score %d", id, m.Score), created)
}

// checkStatusTotal compares the number of statuses of a shard with its users' counters.
func checkStatusTotal(x *auditing) {
	var sum int64
	x.pages(x.key, func(page []kv.Member) {
		for _, m := range page {
			id, _ := linnet.ParseID(m.Member)
			q := &kv.Counters{Key: record.CountsKey(id), Names: []string{"statuses"}}
			x.ask(func() { sum += q.Values[0] }, q)
		}
	}, func(*kv.Member) {
		x.ask(func() { // after all counters were added
			x.expect(x.countersAre(record.ShardKey(record.KindStats, x.key.Shard), []string{"statuses"}, sum))
		})
	})
}

func loginRefs(x *auditing, r *record.Login) []ref {
	id := linnet.ID(r.User)
	return []ref{account(id, func(u *linnet.User, born bool) *Finding {
		switch {
		case u == nil && r.Gone:
			return nil
		case u == nil:
			return broken(RuleUnique, "user %v does not exist", id).awaits(record.UserSubject(id))
		case !strings.EqualFold(u.Login, x.key.ID):
			return broken(RuleUnique, "user %v has the username %s", id, u.Login)
		case !born:
			return broken(RuleUnique, "the sign-up of user %v was never completed", id).awaits(record.UserSubject(id))
		}
		return nil
	})}
}

func nameRefs(x *auditing, m kv.Member) []ref {
	i := strings.LastIndexByte(m.Member, ':')
	id, ok := linnet.ParseID(m.Member[i+1:])
	if i < 0 || !ok || record.NamesKey(record.CutRunes(m.Member[:i], record.NamePrefix)) != x.key {
		return wrong("%q is not an entry of this index", m.Member)
	}
	return []ref{userWho(RuleIndex, id, func(u *linnet.User, _ bool) bool {
		return slices.Contains(record.NameWords(u), m.Member[:i])
	})}
}

func directoryKeys() (keys []kv.Key) {
	for slice := range record.DirectorySlices {
		keys = append(keys, record.DirectoryKey(linnet.DirectoryActive, slice), record.DirectoryKey(linnet.DirectoryNew, slice))
	}
	return keys
}

func directoryRefs(x *auditing, id linnet.ID, m kv.Member) []ref {
	if record.DirectoryKey(linnet.DirectoryOrder(x.key.ID), record.DirectorySlice(id)) != x.key {
		return wrong("%q is not a user of this slice", m.Member)
	}
	return []ref{userWho(RuleIndex, id, func(u *linnet.User, born bool) bool { return born && u.Listed() })}
}

// secretRefs expects a claim of the confirmed e-mail address. It expects the user in the set of the
// invitation, unless that was deleted.
func secretRefs(x *auditing, r *record.Secret) (refs []ref) {
	if r.Mail.Confirmed != 0 {
		hash := record.Hash(r.Email)
		refs = append(refs, refersBack(record.EmailKey(hash), func(r *record.Claim) bool {
			return linnet.ID(r.User) == x.id
		}).as(RuleUnique).awaits(record.EmailSubject(hash)))
	}
	if r.Invite != "" {
		set := record.InviteesKey(r.Invite)
		refs = append(refs, when(exists(record.InviteKey(r.Invite)), in(set, x.id.String())).about(set).awaits(record.UserSubject(x.id)))
	}
	return refs
}

func emailRefs(x *auditing, r *record.Claim) []ref {
	return []ref{refersBack(record.SecretKey(linnet.ID(r.User)), func(s *record.Secret) bool {
		return s.Mail.Confirmed != 0 && record.Hash(s.Email) == x.key.ID
	}).as(RuleUnique).awaits(record.EmailSubject(x.key.ID))}
}

// passkeysRefs expects no claim by another user. Passkeys of earlier releases have no claim until
// their next login.
func passkeysRefs(x *auditing, all *[]record.Passkey) (refs []ref) {
	for _, p := range *all {
		claim := record.PasskeyKey(p.Hash())
		refs = append(refs, when(exists(claim), refersBack(claim, func(r *record.Claim) bool {
			return linnet.ID(r.User) == x.id
		})).as(RuleUnique).awaits(record.PasskeySubject(p.Hash())))
	}
	return refs
}

func passkeyRefs(x *auditing, r *record.Claim) []ref {
	return []ref{refersBack(record.PasskeysKey(linnet.ID(r.User)), func(all *[]record.Passkey) bool {
		return record.HasPasskey(*all, x.key.ID)
	}).as(RuleUnique).awaits(record.PasskeySubject(x.key.ID))}
}

func codeRefs(_ *auditing, r *record.CodeRecord) []ref { return []ref{user(linnet.ID(r.User))} }

// tokenRefs expects that the user can end the session.
func tokenRefs(x *auditing, r *record.Token) []ref {
	if r.User == 0 {
		return nil
	}
	id := linnet.ID(r.User)
	return []ref{user(id), in(record.IDKey(record.KindSessions, id), x.key.ID).as(RuleOrphan)}
}

func pushRefs(x *auditing, p *linnet.PushSubscription) []ref {
	if p.User.Shard() != x.key.Shard || p.Endpoint == "" {
		return wrong("the record belongs to user %v of another shard, or has no endpoint", p.User)
	}
	token := record.HashKey(record.KindToken, x.key.Shard, x.key.ID)
	return []ref{user(p.User), exists(token).awaits(record.UserSubject(p.User)),
		when(exists(token), in(record.PushesKey(p.User), x.key.ID)).as(RuleOrphan)}
}

func invitesRefs(_ *auditing, m kv.Member) []ref { return []ref{exists(record.InviteKey(m.Member))} }

func inviteRefs(x *auditing, r *record.Invite) []ref {
	uses := &kv.Counters{Key: record.InviteUsesKey(x.key.ID), Names: []string{record.UsesCounter}}
	return []ref{
		in(record.InvitesKey(), x.key.ID).as(RuleOrphan),
		reading(uses, func() *Finding {
			if uses.Values[0] <= r.Most {
				return nil
			}
			return broken(RuleCounter, "the invitation was used %d times, but at most %d are allowed", uses.Values[0], r.Most)
		}).about(uses.Key),
	}
}
