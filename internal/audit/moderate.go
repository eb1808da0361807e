package audit

import (
	"fmt"
	"slices"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// moderationChecks returns the checks of moderation.
func moderationChecks() map[string]func(*auditing, kv.Key) {
	return map[string]func(*auditing, kv.Key){
		record.KindState: checkState, record.KindStaff: checkStaff, record.KindAct: checkAct, record.KindActs: checkActs,
		record.KindReport: checkReport, record.KindReports: checkReports, record.KindReportDays: ignore, record.KindReported: ignore,
	}
}

// inStates checks that a user is in exactly the sets of their states, and among the staff exactly
// if their role says so.
func (x *auditing) inStates(u *linnet.User) {
	key := record.UserKey(u.ID)
	for _, st := range record.ListedStates() {
		q := &kv.Scores{Key: record.StateKey(u.ID.Shard(), st), Members: []string{u.ID.String()}}
		x.ask(func() {
			if q.Found[0] != u.InState(st) {
				x.found(RuleIndex, key, fmt.Sprintf("whether %s is %s is %v, but whether %v has them is %v", u.Login, st, u.InState(st), q.Key, q.Found[0]))
			}
		}, q)
	}
	if !u.Role.Staff() {
		return // wrong members are found from the other side
	}
	q := &kv.Scores{Key: record.ShardKey(record.KindStaff, 0), Members: []string{u.ID.String()}}
	x.ask(func() {
		if !q.Found[0] {
			x.found(RuleIndex, key, fmt.Sprintf("%s is not in %v", u.Login, q.Key), record.UserAffair(u.ID))
		}
	}, q)
}

// member checks a set of users: f says whether one belongs there.
func (x *auditing) member(key kv.Key, f func(*linnet.User) bool) {
	x.each(key, func(m kv.Member) {
		id, ok := linnet.ParseID(m.Member)
		if !ok {
			x.found(RuleRecord, key, fmt.Sprintf("%q is not a user", m.Member))
			return
		}
		get := &kv.Get{Key: record.UserKey(id)}
		x.ask(func() {
			u, _, ok := x.decodeUser(id, get)
			if get.Version == 0 || ok && !f(u) {
				x.found(RuleIndex, key, fmt.Sprintf("user %v does not belong there", id), record.UserAffair(id))
			}
		}, get)
	}, nil)
}

// state: its members are in that state.
func checkState(x *auditing, key kv.Key) {
	x.member(key, func(u *linnet.User) bool { return u.InState(linnet.AccountState(key.ID)) })
}

// staff: its members have such a role.
func checkStaff(x *auditing, key kv.Key) {
	x.member(key, func(u *linnet.User) bool { return u.Role.Staff() })
}

// act: the log has it.
func checkAct(x *auditing, key kv.Key) {
	get, q := &kv.Get{Key: key}, &kv.Scores{Key: record.ActsKey(), Members: []string{key.ID}}
	x.ask(func() {
		var r record.Act
		if read(x, get, &r) && !q.Found[0] {
			x.found(RuleOrphan, key, fmt.Sprintf("it is not in %v", q.Key))
		}
	}, get, q)
}

// acts: each has its record, and they are counted.
func checkActs(x *auditing, key kv.Key) {
	x.each(key, func(m kv.Member) {
		id, _ := linnet.ParseID(m.Member)
		get := &kv.Get{Key: record.ActKey(id)}
		x.ask(func() {
			if get.Version == 0 {
				x.found(RuleOrphan, key, fmt.Sprintf("act %q has no record", m.Member))
			}
		}, get)
	}, func(w whole) { x.sized(w, record.ShardKey(record.KindStats, record.ActShard), "acts") })
}

// checkReport checks that a report is in each of its sets, and in one state.
func checkReport(x *auditing, key kv.Key) {
	id, ok := x.keyID(key)
	if !ok {
		return
	}
	get := &kv.Get{Key: key}
	x.ask(func() {
		if get.Version == 0 {
			return
		}
		r, err := record.DecodeReport(id, get)
		if err != nil {
			x.found(RuleRecord, key, err.Error())
			return
		}
		for _, set := range record.ReportPlaces(&r) {
			q := &kv.Scores{Key: set, Members: []string{key.ID}}
			x.ask(func() {
				if !q.Found[0] {
					x.found(RuleIndex, key, fmt.Sprintf("it is not in %v", q.Key))
				}
			}, q)
		}
	}, get)
}

// reports: each has a record that belongs there.
func checkReports(x *auditing, key kv.Key) {
	x.each(key, func(m kv.Member) {
		id, _ := linnet.ParseID(m.Member)
		get := &kv.Get{Key: record.IDKey(record.KindReport, id)}
		x.ask(func() {
			if get.Version == 0 {
				x.found(RuleOrphan, key, fmt.Sprintf("report %q does not exist", m.Member))
				return
			}
			if r, err := record.DecodeReport(id, get); err == nil && !slices.Contains(record.ReportPlaces(&r), key) {
				x.found(RuleIndex, key, fmt.Sprintf("report %v does not belong there", id))
			}
		}, get)
	}, nil)
}
