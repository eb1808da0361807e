package audit

import (
	"slices"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// relationRows are the rows of relations between users, groups, lists and statuses.
func relationRows() map[string]row {
	rows := map[string]row{
		record.KindRelationships: {owner: ofUser, set: members(flagRefs)},
		record.KindMutes:         {owner: ofUser, set: slices.Concat(ids(anyID), flagged(record.Mutes))},
		record.KindEndorsed:      {owner: ofUser, set: ids(anyID)},
		record.KindDismissed:     {owner: ofUser, set: ids(anyID)},
		record.KindNote: {key: pair, value: func(x *auditing, _ *kv.Get) []ref {
			return []ref{in(record.IDKey(record.KindNoted, x.id), x.rest).as(RuleOrphan)}
		}},
		record.KindNoted: {owner: ofUser, set: ids(func(x *auditing, id linnet.ID, _ kv.Member) []ref {
			return []ref{exists(record.NoteKey(x.id, id)).as(RuleIndex)}
		})},

		record.KindList:        {key: idKey, value: stored(listRefs)},
		record.KindLists:       {owner: ofUser, set: ids(listsRefs)},
		record.KindExclusive:   {owner: ofUser, set: ids(listsRefs)},
		record.KindMemberships: {owner: ofUser, set: ids(membershipRefs)},

		record.KindPulled: {key: anyOf(record.PulledKey()), set: ids(anyUser)},
		record.KindPushed: {key: anyOf(record.PushedKey()), set: ids(anyUser)},
	}
	for _, k := range record.RelationKinds() {
		owner, other := sideOf(k.DocOwner), sideOf(k.DocOther)
		rows[k.Owned] = row{owner: owner, set: slices.Concat(otherSide(k, true), noTombstones())}
		rows[k.Copied] = row{owner: other, set: slices.Concat(otherSide(k, false), noTombstones())}
		rows[k.Owned+".gone"] = row{owner: owner}
		rows[k.Copied+".gone"] = row{owner: other}
	}
	also := func(kind string, more []pageCheck) {
		r := rows[kind]
		r.set = append(r.set, more...)
		rows[kind] = r
	}
	also(record.Blocks().Owned, flagged(record.Blocking))
	also(record.Blocks().Copied, flagged(record.BlockedBy))
	also(record.Requests().Owned, notFollowed())
	for _, k := range []record.RelationKind{record.GroupOwners(), record.GroupModerators(), record.GroupOffers()} {
		also(k.Owned, roles(k))
	}
	return rows
}

// sideOf expects the user, list or status of one side of relations. The set can have been deleted
// since its key was read.
func sideOf(kind string) owner {
	key, affair := record.StatusKey, record.StatusSubject
	switch kind {
	case "user":
		return ofUser
	case "list":
		key, affair = record.ListKey, record.ListSubject
	}
	return func(x *auditing, then func()) {
		x.expect([]ref{when(notEmpty(x.key), exists(key(x.id))).awaits(affair(x.id))})
		then()
	}
}

// otherSide expects each relation on the other side at the same version.
func otherSide(k record.RelationKind, owned bool) []pageCheck {
	return ids(func(x *auditing, id linnet.ID, m kv.Member) []ref {
		owner, other, set := x.id, id, k.CopyKey(id)
		if !owned {
			owner, other, set = id, x.id, k.OwnedKey(id)
		}
		r := inAt(set, x.id.String(), m.Score).as(RuleRelation).awaits(k.Subject(owner, other))
		switch {
		case k.DocOwner == "list":
			r = r.awaits(record.ListSubject(owner))
		case k.DocOther == "status":
			return []ref{{reads: r.reads, check: func() *Finding {
				if f := r.finding(); f != nil {
					x.oneSided(k, owner, other, f)
				}
				return nil
			}}}
		}
		return []ref{r}
	})
}

// oneSided reports a relation to a status whose sides differ. If the status is deleted, the
// left-over side isn't visible.
func (x *auditing) oneSided(k record.RelationKind, owner, of linnet.ID, f *Finding) {
	exists := &kv.Get{Key: record.StatusKey(of)}
	repost := &kv.Get{Key: record.RepostKey(owner, of)}
	x.ask(func() {
		f.awaits(record.StatusSubject(of))
		var r record.Idem
		if k.Name == record.Reposts().Name && repost.Version != 0 && record.Decode(repost, &r) == nil {
			f.awaits(record.StatusSubject(linnet.ID(r.Status)))
		}
		if exists.Version == 0 {
			f.Minor, f.Text = true, f.Text+", and the status does not exist"
		}
		x.report(f)
	}, exists, repost)
}

// noTombstones expects no tombstones of members.
func noTombstones() []pageCheck {
	return []pageCheck{func(x *auditing, page []kv.Member) []ref {
		return none(kv.Key{Kind: x.key.Kind + ".gone", Shard: x.key.Shard, ID: x.key.ID}, memberTexts(page))
	}}
}

// notFollowed expects that no user requests to follow a followee.
func notFollowed() []pageCheck {
	return []pageCheck{func(x *auditing, page []kv.Member) []ref {
		return none(record.Follows().OwnedKey(x.id), memberTexts(page))
	}}
}

// roles expects that users with a role in a group are members of it, and that invited users are
// not.
func roles(k record.RelationKind) []pageCheck {
	ofGroup := []pageCheck{func(x *auditing, _ []kv.Member) []ref { return []ref{group(x.id)} }}
	return append(ofGroup, members(func(x *auditing, m kv.Member) []ref {
		id, ok := linnet.ParseID(m.Member)
		if !ok {
			return nil // otherSide reports it
		}
		r := in(record.Follows().CopyKey(x.id), m.Member)
		if k == record.GroupOffers() {
			r = not(r, "user %v is invited, but already a member", id)
		}
		return []ref{r.as(RuleGroup).awaits(record.Follows().Subject(id, x.id), k.Subject(x.id, id),
			record.UserSubject(x.id), record.UserSubject(id))}
	})...)
}

// groupRefs expects that a group has an owner, is listed in its shard, and is in the sets of its
// members. Stores of earlier releases have no lists of groups.
func groupRefs(x *auditing, u *linnet.User) []ref {
	followers := record.Follows().CopyKey(u.ID)
	x.pages(followers, func(page []kv.Member) {
		for _, m := range page {
			if id, ok := linnet.ParseID(m.Member); ok { // others are reported as relations
				joined := inAt(record.MembershipsKey(id), u.ID.String(), m.Score).as(RuleGroup).about(followers)
				x.expect([]ref{joined.awaits(record.Follows().Subject(id, u.ID), record.UserSubject(id))})
			}
		}
	}, nil)
	affair := record.UserSubject(u.ID)
	marked := refersBack(record.GroupsMarkKey(), func(r *record.GroupsMark) bool { return r.Listed })
	return []ref{
		notEmpty(record.GroupOwners().OwnedKey(u.ID)).as(RuleGroup).awaits(affair),
		when(marked, in(record.GroupsKey(u.ID.Shard()), u.ID.String())).as(RuleGroup).awaits(affair),
	}
}

// membershipRefs expects a group that the user has followed since the same time.
func membershipRefs(x *auditing, id linnet.ID, m kv.Member) []ref {
	follow, born := record.Follows().Subject(x.id, id), record.UserSubject(id)
	return []ref{
		inAt(record.Follows().OwnedKey(x.id), m.Member, m.Score).as(RuleGroup).awaits(follow, born),
		exists(record.UserKey(id)).as(RuleGroup).awaits(follow, born),
		group(id),
	}
}

// flagRefs expects that a relationship flag has a known kind and that the set of relations of that
// kind agrees.
func flagRefs(x *auditing, m kv.Member) []ref {
	if tag, ok := record.FollowedTagOf(m.Member); ok {
		return must(tag != "" && m.Score < record.LanguagesScore, "%q with score %d is not a followed tag", m.Member, m.Score)
	}
	other, state := db.FlagStates(m)
	if other == 0 || state == 0 {
		return wrong("%q is not a relationship flag", m.Member)
	}
	if set, ok := record.RelationshipSet(x.id, record.RelationshipFlag(m.Member[len(m.Member)-1])); ok {
		return []ref{in(set, other.String()).as(RuleRelation)}
	}
	return nil
}

// flagged expects that each relation of a user has a relationship flag.
func flagged(c record.RelationshipFlag) []pageCheck {
	return []pageCheck{func(x *auditing, page []kv.Member) []ref {
		flags := memberTexts(page)
		for i := range flags {
			flags[i] += string(c)
		}
		return all(record.RelationshipsKey(x.id), flags)
	}}
}

func listRefs(x *auditing, r *record.List) []ref {
	owner := linnet.ID(r.Owner)
	x.Feeds = append(x.Feeds, record.ListFeedKey(x.id))
	return []ref{
		user(owner),
		in(record.ListsKey(owner), x.key.ID).as(RuleOrphan),
		inIf(r.Exclusive, record.ExclusiveKey(owner), x.key.ID),
	}
}

func listsRefs(x *auditing, id linnet.ID, _ kv.Member) []ref {
	return []ref{refersBack(record.ListKey(id), func(r *record.List) bool {
		return linnet.ID(r.Owner) == x.id
	}).as(RuleDeleted)}
}
