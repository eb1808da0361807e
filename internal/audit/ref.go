package audit

import (
	"slices"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// ref is one expectation of a record, usually of another record that it refers to.
type ref struct {
	reads []kv.Query
	check func() *Finding // compares the records that were read; returns nil if they are as expected

	// The rest is set in the finding unless it is empty.
	rule  Rule
	key   kv.Key
	waits []record.Subject
	minor bool
}

// reading returns a reference that needs one query.
func reading(q kv.Query, check func() *Finding) ref {
	return ref{reads: []kv.Query{q}, check: check}
}

// finding returns nil if a reference holds.
func (r *ref) finding() *Finding {
	f := r.check()
	if f == nil {
		return nil
	}
	if r.rule != "" {
		f.Rule = r.rule
	}
	if r.key != (kv.Key{}) {
		f.Key = r.key
	}
	f.Minor = f.Minor || r.minor
	return f.awaits(r.waits...)
}

// as sets the rule of a reference.
func (r ref) as(rule Rule) ref { r.rule = rule; return r }

// about sets the key that the finding is about.
func (r ref) about(key kv.Key) ref { r.key = key; return r }

// awaits sets the tasks that fix the reference: while one of them is queued, it can fail.
func (r ref) awaits(waits ...record.Subject) ref {
	r.waits = slices.Concat(r.waits, waits)
	return r
}

// harmless marks a reference whose failure no reader sees.
func (r ref) harmless() ref { r.minor = true; return r }

func reads(refs []ref) []kv.Query {
	qs := make([]kv.Query, 0, len(refs)+1)
	for _, r := range refs {
		qs = append(qs, r.reads...)
	}
	return qs
}

// fails returns a reference that fails.
func fails(f *Finding) ref { return ref{check: func() *Finding { return f }} }

// wrong reports a record that is wrong regardless of others.
func wrong(format string, args ...any) []ref {
	return []ref{fails(broken(RuleRecord, format, args...))}
}

// must expects a condition on the record itself.
func must(ok bool, format string, args ...any) []ref {
	if ok {
		return nil
	}
	return wrong(format, args...)
}

// distinct expects distinct names, and at most most of them.
func distinct[T comparable](names []T, most int) (refs []ref) {
	seen := make(map[T]bool, len(names))
	for _, n := range names {
		if seen[n] {
			refs = append(refs, wrong("%v occurs twice", n)...)
		}
		seen[n] = true
	}
	return append(refs, atMost(len(names), most)...)
}

// atMost expects that a record has at most most entries.
func atMost(n, most int) []ref {
	return must(n <= most, "the set has %d entries (maximum is %d)", n, most)
}

// exists expects a record.
func exists(key kv.Key) ref {
	get := &kv.Get{Key: key}
	return reading(get, func() *Finding {
		if get.Version != 0 {
			return nil
		}
		return broken(RuleOrphan, "%v does not exist", get.Key)
	})
}

// queued expects a task. Its record exists until it is done, even if it has failed.
func queued(key kv.Key) ref { return exists(key).as(RuleTask) }

// in expects a member of a set.
func in(set kv.Key, member string) ref {
	q := &kv.Scores{Key: set, Members: []string{member}}
	return reading(q, func() *Finding {
		if q.Found[0] {
			return nil
		}
		return broken(RuleIndex, "%q is not in %v", q.Members[0], q.Key)
	})
}

// inAt expects a member of a set with a score.
func inAt(set kv.Key, member string, score int64) ref {
	q := &kv.Scores{Key: set, Members: []string{member}}
	return reading(q, func() *Finding {
		if q.Found[0] && q.Values[0] == score {
			return nil
		}
		return broken(RuleIndex, "%q is not in %v with score %d", q.Members[0], q.Key, score)
	})
}

// inIf expects that a set has a member exactly if want is true.
func inIf(want bool, set kv.Key, member string) ref {
	if want {
		return in(set, member)
	}
	return not(in(set, member), "%q is in %v, which contradicts this record", member, set).as(RuleIndex)
}

// memberTexts returns the members of a page without their scores.
func memberTexts(page []kv.Member) (names []string) {
	for _, m := range page {
		names = append(names, m.Member)
	}
	return names
}

// all expects each of some members in a set.
func all(set kv.Key, members []string) []ref {
	return some(set, members, func(found bool, member string) *Finding {
		if found {
			return nil
		}
		return broken(RuleRelation, "%q is not in %v", member, set)
	})
}

// none expects none of some members in a set.
func none(set kv.Key, members []string) []ref {
	return some(set, members, func(found bool, member string) *Finding {
		if !found {
			return nil
		}
		return broken(RuleRelation, "%q is also in %v", member, set)
	})
}

// some looks for members of a set with one read.
func some(set kv.Key, members []string, check func(found bool, member string) *Finding) []ref {
	q := &kv.Scores{Key: set, Members: members}
	return together(q, len(members), func(i int) *Finding { return check(q.Found[i], members[i]) })
}

// together returns n references that one query reads.
func together(q kv.Query, n int, check func(i int) *Finding) []ref {
	refs := make([]ref, n)
	for i := range refs {
		refs[i].check = func() *Finding { return check(i) }
	}
	if n > 0 {
		refs[0].reads = []kv.Query{q}
	}
	return refs
}

// notEmpty expects a set with members.
func notEmpty(set kv.Key) ref {
	q := &kv.Range{Key: set, Limit: 1}
	return reading(q, func() *Finding {
		if len(q.Members) > 0 {
			return nil
		}
		return broken(RuleIndex, "%v is empty", set)
	})
}

// refersBack expects another record that agrees. An unreadable one is reported by its own audit.
func refersBack[T any](key kv.Key, agrees func(*T) bool) ref {
	get := &kv.Get{Key: key}
	return reading(get, func() *Finding {
		v := new(T)
		switch {
		case get.Version == 0:
			return broken(RuleOrphan, "%v does not exist", key)
		case record.Decode(get, v) == nil && !agrees(v):
			return broken(RuleOrphan, "%v does not refer back", key)
		}
		return nil
	})
}

// user expects a user in the set of all users.
func user(id linnet.ID) ref {
	return in(record.ShardKey(record.KindUsers, id.Shard()), id.String()).as(RuleOrphan).awaits(record.UserSubject(id))
}

// account reads a user and checks it with f. u is nil if it doesn't exist.
func account(id linnet.ID, f func(u *linnet.User, born bool) *Finding) ref {
	get := &kv.Get{Key: record.UserKey(id)}
	return reading(get, func() *Finding {
		if get.Version == 0 {
			return f(nil, false)
		}
		if u, born, err := record.DecodeUser(id, get); err == nil {
			return f(u, born)
		}
		return nil
	})
}

// userWho expects a user who belongs in this set.
func userWho(rule Rule, id linnet.ID, belongs func(u *linnet.User, born bool) bool) ref {
	return account(id, func(u *linnet.User, born bool) *Finding {
		if u != nil && belongs(u, born) {
			return nil
		}
		return broken(rule, "user %v does not exist or does not belong in this record", id).awaits(record.UserSubject(id))
	})
}

// group reports a user who is not a group.
func group(id linnet.ID) ref {
	return account(id, func(u *linnet.User, _ bool) *Finding {
		if u == nil || u.Group != linnet.NoGroup {
			return nil
		}
		return broken(RuleGroup, "%s is not a group", u.Login)
	})
}

// status reads a status and checks it with f. st is nil if it doesn't exist.
func status(id linnet.ID, f func(st *linnet.Status) *Finding) ref {
	get := &kv.Get{Key: record.StatusKey(id)}
	return reading(get, func() *Finding {
		if get.Version == 0 {
			return f(nil)
		}
		if st, err := record.DecodeStatus(id, get); err == nil {
			return f(st)
		}
		return nil
	})
}

// deleted returns the finding that a record refers to a deleted status.
func deleted(id linnet.ID) *Finding {
	return broken(RuleDeleted, "%v does not exist", record.StatusKey(id)).awaits(record.StatusSubject(id))
}

// not expects that a reference fails.
func not(r ref, format string, args ...any) ref {
	return ref{reads: r.reads, check: func() *Finding {
		if r.finding() != nil {
			return nil
		}
		return broken(RuleRecord, format, args...)
	}}
}

// when expects a reference if the condition holds.
func when(condition, r ref) ref {
	return ref{reads: slices.Concat(condition.reads, r.reads), check: func() *Finding {
		if condition.finding() != nil {
			return nil
		}
		return r.finding()
	}}
}

// either expects one of two references.
func either(a, b ref) ref {
	return ref{reads: slices.Concat(a.reads, b.reads), check: func() *Finding {
		f, g := a.finding(), b.finding()
		if f == nil || g == nil {
			return nil
		}
		return broken(f.Rule, "%s, and %s", f.Text, g.Text)
	}}
}
