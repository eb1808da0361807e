package audit

import (
	"slices"
	"strings"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// serverRows are the rows of settings, moderation, announcements, backups and moves of the store.
func serverRows() map[string]row {
	return map[string]row{
		record.KindMeta:  {value: settingRefs},
		record.KindTerms: {value: stored(termsRefs)},
		record.KindStyle: {value: stored(styleRefs)},
		record.KindSetup: {},

		record.KindBackup: {value: single(map[kv.Key]value{
			record.LastBackupKey():    readable[record.LastBackup],
			record.BackupRunningKey(): readable[record.BackupRunning],
			record.BackupResultsKey(): readable[record.BackupResults],
			record.BackupNamesKey():   readable[record.BackupNames],
			record.RestoredKey():      readable[record.Restoring],
			record.RestoringKey(): stored(func(*auditing, *record.Restoring) []ref {
				return []ref{fails(broken(RuleTask, "a restore is running or was interrupted: run linnet restore again"))}
			}),
		})},
		record.KindMove:          {check: checkMove},
		record.KindMediaLocation: {value: single(map[kv.Key]value{record.MediaLocationKey(): readable[record.MediaLocation]})},
		record.KindDay:           {key: dayKey, value: stored(dayRefs)},

		record.KindAct:        {value: stored(actRefs)},
		record.KindActs:       {set: eachHas(record.ActKey)},
		record.KindReport:     {key: idKey, value: decoded(record.DecodeReport, reportRefs)},
		record.KindReports:    {set: ids(reportsRefs)},
		record.KindReportDays: {},
		record.KindReported:   {},
		record.KindStrike:     {key: idKey, value: decoded(record.DecodeStrike, strikeRefs)},
		record.KindStrikes:    {owner: ofUser, set: ids(strikesRefs)},
		record.KindAppeals:    {set: shardIDs(appealsRefs)},

		record.KindAnnouncement:   {key: idKey, value: decoded(record.DecodeAnnouncement, announcementRefs)},
		record.KindAnnouncements:  {set: eachHas(record.AnnouncementKey), check: checkAnnouncements},
		record.KindReactionNames:  {owner: ofAnnouncement, value: stored(reactionNamesRefs)},
		record.KindReactions:      {owner: ofAnnouncement, check: checkReactions},
		record.KindReactionCounts: {owner: ofAnnouncement},
		record.KindReacted:        {owner: ofUser},
		record.KindAnnounced:      {owner: ofUser},
	}
}

// single returns the check of a kind of key with some records of fixed keys. A nil check accepts
// each value.
func single(records map[kv.Key]value) value {
	return func(x *auditing, get *kv.Get) []ref {
		check, ok := records[x.key]
		switch {
		case !ok:
			return []ref{fails(broken(RuleOrphan, "the record does not exist"))}
		case check == nil:
			return nil
		}
		return check(x, get)
	}
}

func settingRefs(x *auditing, get *kv.Get) []ref {
	if x.key.Shard == 0 && strings.HasPrefix(x.key.ID, record.ImportPrefix) {
		return stored(importRefs)(x, get)
	}
	return single(map[kv.Key]value{
		record.MetaKey("instance"):      stored(instanceRefs),
		record.MetaKey("format"):        nil,
		record.AdminKey():               nil,
		record.GroupsMarkKey():          nil,
		record.RecheckedMarkKey():       nil,
		record.EmojisMarkKey():          nil,
		record.AnnouncementsMarkKey():   nil,
		record.MailStateKey():           readable[record.MailState],
		record.SignUpBlocksKey():        readable[[]record.SignUpBlock],
		record.OutsideFeedSettingsKey(): readable[record.OutsideFeedSettings],
		record.RolesKey():               readable[[]record.CustomRole],
		record.TagRulesKey():            stored(func(_ *auditing, r *[]record.TagRule) []ref { return atMost(len(*r), linnet.MaxTagRules) }),
		record.EmojisKey():              decoded(withoutID(record.DecodeEmojis), emojisRefs),
	})(x, get)
}

// importRefs notes an interrupted import of sample data: for example, users have no followers.
func importRefs(_ *auditing, r *record.Import) []ref {
	if r.Done {
		return nil
	}
	return []ref{fails(broken(RuleTask, "the import is not complete: run it again")).harmless()}
}

func instanceRefs(_ *auditing, r *record.Instance) []ref {
	refs := must(len(r.Terms) <= linnet.MaxTermsVersions && slices.IsSorted(r.Terms), "the days of the terms of service are too many or not in order: %v", r.Terms)
	for _, day := range r.Terms {
		refs = append(refs, exists(record.TermsKey(day)))
	}
	if r.Style != "" {
		refs = append(refs, exists(record.StyleKey()))
	}
	return refs
}

func termsRefs(x *auditing, _ *record.Terms) []ref {
	return []ref{refersBack(record.MetaKey("instance"), func(r *record.Instance) bool {
		return slices.Contains(r.Terms, x.key.ID) && x.key == record.TermsKey(x.key.ID)
	})}
}

func styleRefs(x *auditing, _ *record.Style) []ref {
	return []ref{refersBack(record.MetaKey("instance"), func(r *record.Instance) bool { return r.Style != "" && x.key == record.StyleKey() })}
}

// emojisRefs expects different shortcodes, and that servers are notified of this version.
func emojisRefs(_ *auditing, set *linnet.EmojiSet) []ref {
	codes := make([]string, len(set.All))
	for i := range set.All {
		codes[i] = set.All[i].Shortcode
	}
	mark := &kv.Get{Key: record.EmojisMarkKey()}
	return append(distinct(codes, len(codes)), reading(mark, func() *Finding {
		if mark.Version == set.Version {
			return nil
		}
		return broken(RuleIndex, "the record has version %d, but servers were notified of version %d", set.Version, mark.Version)
	}))
}

// checkMove checks the records of moves of the store. Barriers have keys with numbers.
func checkMove(x *auditing) {
	if !strings.HasPrefix(x.key.ID, record.BarrierKey(0, "").ID) {
		x.checkValue(row{value: single(map[kv.Key]value{
			record.FenceKey():     readable[record.Fence],
			record.StoreNameKey(): readable[record.StoreName],
			record.FillingKey(): stored(func(*auditing, *record.Filling) []ref {
				return []ref{fails(broken(RuleTask, "a migration into this store is running or was interrupted: run linnet migrate again"))}
			}),
		})})
	}
}

// dayKey accepts a key that is a date.
func dayKey(x *auditing) bool {
	t, err := time.Parse(time.DateOnly, x.key.ID)
	if err != nil || record.DayKey(t) != x.key {
		x.found(RuleRecord, "the key is not a date or is in the wrong shard")
		return false
	}
	return true
}

func dayRefs(_ *auditing, r *record.Day) []ref {
	n := len(r.Active)
	return must(n == 0 || n == record.SketchRegisters, "the sketch has %d registers", n)
}

func actRefs(x *auditing, _ *record.Act) []ref {
	return []ref{in(record.ActsKey(), x.key.ID).as(RuleOrphan)}
}

// reportRefs expects a report in each of its sets.
func reportRefs(_ *auditing, r linnet.Report) (refs []ref) {
	for _, set := range record.ReportSets(&r) {
		refs = append(refs, in(set, r.ID.String()))
	}
	return refs
}

func reportsRefs(x *auditing, id linnet.ID, _ kv.Member) []ref {
	get := &kv.Get{Key: record.IDKey(record.KindReport, id)}
	return []ref{reading(get, func() *Finding {
		if get.Version == 0 {
			return broken(RuleOrphan, "%v does not exist", get.Key)
		}
		if r, err := record.DecodeReport(id, get); err == nil && !slices.Contains(record.ReportSets(&r), x.key) {
			return broken(RuleIndex, "report %v does not belong in this set", id)
		}
		return nil
	})}
}

// strikeRefs expects a strike in the shard of its account, on the account's list, and among the
// pending appeals exactly if it has one.
func strikeRefs(_ *auditing, s linnet.Strike) []ref {
	refs := must(s.ID.Shard() == s.On.Shard(), "the strike is not in the shard of user %v", s.On)
	return append(refs, user(s.On), in(record.StrikesKey(s.On), s.ID.String()).awaits(record.UserSubject(s.On)),
		inIf(s.Pending(), record.AppealsKey(s.ID.Shard()), s.ID.String()))
}

func strikesRefs(x *auditing, id linnet.ID, _ kv.Member) []ref {
	return []ref{strike(id, func(s linnet.Strike) bool { return s.On == x.id }).awaits(record.UserSubject(x.id))}
}

func appealsRefs(_ *auditing, id linnet.ID, _ kv.Member) []ref {
	return []ref{strike(id, func(s linnet.Strike) bool { return s.Pending() })}
}

// strike expects a strike that belongs in this set.
func strike(id linnet.ID, belongs func(linnet.Strike) bool) ref {
	get := &kv.Get{Key: record.StrikeKey(id)}
	return reading(get, func() *Finding {
		if get.Version == 0 {
			return broken(RuleOrphan, "%v does not exist", get.Key)
		}
		if s, err := record.DecodeStrike(id, get); err == nil && !belongs(s) {
			return broken(RuleIndex, "strike %v does not belong in this set", id)
		}
		return nil
	})
}

func announcementRefs(x *auditing, _ linnet.Announcement) []ref {
	return append(must(x.key.Shard == 0, "the record is not in shard 0"), in(record.AnnouncementsKey(), x.key.ID))
}

func reactionNamesRefs(_ *auditing, r *record.ReactionNames) []ref {
	return distinct(r.Names, linnet.MaxReactions)
}

// checkAnnouncements checks the number of announcements.
func checkAnnouncements(x *auditing) {
	q := &kv.Range{Key: x.key, Limit: linnet.MaxAnnouncements + 1}
	x.ask(func() { x.compare(atMost(len(q.Members), linnet.MaxAnnouncements)) }, q)
}

// checkReactions compares reactions with the counters. Each user's set names the announcement, and
// each counted reaction has a name.
func checkReactions(x *auditing) {
	x.countChoices(linnet.MaxReactions, true, record.ReactedKey, func(_ int64, votes []int64) {
		refs := x.countersAre(record.ReactionCountsKey(x.id), record.ReactionCounters(), votes...)
		for used := len(votes); used > 0; used-- {
			if votes[used-1] > 0 {
				refs = append(refs, refersBack(record.ReactionNamesKey(x.id), func(r *record.ReactionNames) bool { return len(r.Names) >= used }).as(RuleRecord))
				break
			}
		}
		x.expect(refs)
	})
}
