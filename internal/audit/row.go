package audit

import (
	"fmt"
	"strings"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// row describes the checks of a kind of record. An empty row has no checks. A missing record has
// none either, because it was deleted or expired since its key was read.
type row struct {
	key    form            // form of the key; by default the id of the owner, or any
	owner  owner           // record that must exist
	value  value           // references of a value
	reread bool            // the value often changes with other records: compare only its latest version
	set    []pageCheck     // references of the members of a set
	check  func(*auditing) // rules that no reference expresses
}

type (
	// form parses a key into the fields of auditing and returns false if it can't.
	form func(*auditing) bool
	// owner checks that the owner of a record exists. It calls then to check the rest.
	owner func(x *auditing, then func())
	// value decodes a value and returns its references.
	value func(*auditing, *kv.Get) []ref
	// pageCheck returns the references of one page of members.
	pageCheck func(*auditing, []kv.Member) []ref
)

// auditing is the audit of one key.
type auditing struct {
	*Audit
	*rounds
	key    kv.Key
	id     linnet.ID      // first part of the key, in most forms
	rest   string         // rest of the key after a dot
	status *linnet.Status // status that owns the record, if one must
}

// audit checks the key, then the owner, then the contents.
func (x *auditing) audit(r row) {
	if r.key == nil && r.owner != nil {
		r.key = idKey
	}
	if r.key != nil && !r.key(x) {
		return
	}
	contents := func() {
		if r.value != nil {
			x.checkValue(r)
		}
		if r.set != nil {
			count, end := x.count()
			x.pages(x.key, func(page []kv.Member) {
				count(page)
				for _, f := range r.set {
					x.expect(f(x, page))
				}
			}, end)
		}
		if r.check != nil {
			r.check(x)
		}
		all := x.counters.in[x.key.Kind]
		if len(all) == 0 {
			return
		}
		q := &kv.Counters{Key: x.key}
		for _, c := range all {
			q.Names = append(q.Names, c.name)
		}
		x.ask(func() {
			for i, n := range q.Values {
				set := kv.Key{Kind: all[i].set, Shard: x.key.Shard, ID: x.key.ID}
				switch {
				case n < 0:
					x.found(RuleCounter, "%s is %d", q.Names[i], n)
				case n > 0:
					first := &kv.Range{Key: set, Limit: 1}
					x.ask(func() {
						if len(first.Members) == 0 {
							x.found(RuleCounter, "%s is %d, but %v is empty", q.Names[i], n, set)
						}
					}, first)
				}
			}
		}, q)
	}
	if r.owner != nil {
		r.owner(x, contents)
	} else {
		contents()
	}
}

// checkValue checks the references of a value.
func (x *auditing) checkValue(r row) {
	get := &kv.Get{Key: x.key}
	x.ask(func() {
		if get.Version == 0 {
			return
		}
		refs := r.value(x, get)
		if !r.reread {
			x.expect(refs)
			return
		}
		again := &kv.Get{Key: x.key}
		x.ask(func() {
			if again.Version == get.Version {
				x.compare(refs)
			}
		}, append(reads(refs), again)...)
	}, get)
}

// pages reads a whole set, one page per round, and then calls end with the last member.
func (x *auditing) pages(key kv.Key, f func([]kv.Member), end func(last *kv.Member)) {
	x.page(&kv.Range{Key: key, Limit: firstPage}, f, end)
}

// firstPage is the size of the first page of a set. Most sets are short, and many are read
// together.
const firstPage = 50

func (x *auditing) page(q *kv.Range, f func([]kv.Member), end func(*kv.Member)) {
	x.ask(func() {
		last := q.Above
		if n := len(q.Members); n > 0 {
			f(q.Members)
			last = &q.Members[n-1]
		}
		if len(q.Members) == q.Limit {
			x.page(&kv.Range{Key: q.Key, Above: last, Limit: kv.MaxRange}, f, end)
		} else if end != nil {
			end(last)
		}
	}, q)
}

// expect reads the records of references and reports the references that fail.
func (x *auditing) expect(refs []ref) {
	if len(refs) > 0 {
		x.ask(func() { x.compare(refs) }, reads(refs)...)
	}
}

func (x *auditing) compare(refs []ref) {
	for i := range refs {
		if f := refs[i].finding(); f != nil {
			x.report(f)
		}
	}
}

// report adds a finding. It is about the audited key if it names no other.
func (x *auditing) report(f *Finding) {
	if f.At = x.key; f.Key == (kv.Key{}) {
		f.Key = x.key
	}
	x.Findings = append(x.Findings, *f)
}

// found reports a finding about the audited key.
func (x *auditing) found(rule Rule, format string, args ...any) {
	x.report(broken(rule, format, args...))
}

// idKey accepts a key that is an id of its shard.
func idKey(x *auditing) bool {
	id, ok := linnet.ParseID(x.key.ID)
	if x.id = id; !ok || id.Shard() != x.key.Shard {
		x.found(RuleRecord, "the key is not an id of its shard")
		return false
	}
	return true
}

// dotted accepts a key that is an id of its shard, a dot, and more.
func dotted(x *auditing) bool {
	id, rest, ok := strings.Cut(x.key.ID, ".")
	user, isID := linnet.ParseID(id)
	if x.id, x.rest = user, rest; !ok || !isID || user.Shard() != x.key.Shard {
		x.found(RuleRecord, "the key does not start with an id of its shard and a dot")
		return false
	}
	return true
}

// pair accepts a key that is two ids, the first one of its shard.
func pair(x *auditing) bool {
	if !dotted(x) {
		return false
	}
	if _, ok := linnet.ParseID(x.rest); !ok {
		x.found(RuleRecord, "the key does not consist of an id of its shard and another id")
		return false
	}
	return true
}

// second returns the second id of a pair.
func (x *auditing) second() linnet.ID {
	id, _ := linnet.ParseID(x.rest)
	return id
}

// keyFrom accepts the keys that f makes. It finds keys in a wrong shard.
func keyFrom(f func(string) kv.Key) form {
	return func(x *auditing) bool {
		if f(x.key.ID) != x.key {
			x.found(RuleRecord, "the key is not in the shard of %q", x.key.ID)
			return false
		}
		return true
	}
}

// anyOf accepts a few keys.
func anyOf(keys ...kv.Key) form {
	return func(x *auditing) bool {
		for _, key := range keys {
			if key == x.key {
				return true
			}
		}
		x.found(RuleRecord, "the key is not allowed")
		return false
	}
}

// ofUser expects the user whose id is in the key. It checks the contents of orphans too.
func ofUser(x *auditing, then func()) {
	x.expect([]ref{user(x.id)})
	then()
}

// ofStatus expects the status whose id is in the key. It does not check the contents of orphans,
// because a task deletes them in steps.
func ofStatus(x *auditing, then func()) {
	x.ownedBy(then, "does not exist", func(*linnet.Status) bool { return true })
}

// ofPoll expects a status with a poll.
func ofPoll(x *auditing, then func()) {
	x.ownedBy(then, "has no poll", func(st *linnet.Status) bool { return st.Poll != nil })
}

// ownedBy reads the status whose id is in the key. It reports an orphan unless right accepts the
// status.
func (x *auditing) ownedBy(then func(), otherwise string, right func(*linnet.Status) bool) {
	x.expect([]ref{status(x.id, func(st *linnet.Status) *Finding {
		if st == nil || !right(st) {
			return broken(RuleOrphan, "%v %s", record.StatusKey(x.id), otherwise).awaits(record.StatusSubject(x.id))
		}
		x.status = st
		then()
		return nil
	})})
}

// ofAnnouncement expects the announcement whose id is in the key.
func ofAnnouncement(x *auditing, then func()) {
	x.expect([]ref{exists(record.AnnouncementKey(x.id))})
	then()
}

// stored decodes a value of type T. refs returns its references.
func stored[T any](refs func(*auditing, *T) []ref) value {
	return decoded(func(_ linnet.ID, get *kv.Get) (*T, error) {
		v := new(T)
		return v, record.Decode(get, v)
	}, refs)
}

// readable decodes a value without references.
func readable[T any](x *auditing, get *kv.Get) []ref { return stored[T](nil)(x, get) }

// decoded decodes a value with its own decoder and checks its files. A nil refs means that it has
// no references.
func decoded[T any](decode func(linnet.ID, *kv.Get) (T, error), refs func(*auditing, T) []ref) value {
	return func(x *auditing, get *kv.Get) []ref {
		v, err := decode(x.id, get)
		if err != nil {
			return wrong("%v", err)
		}
		x.checkFiles(v)
		if refs == nil {
			return nil
		}
		return refs(x, v)
	}
}

// withoutID adapts a decoder that doesn't need the id of the key.
func withoutID[T any](decode func(*kv.Get) (T, error)) func(linnet.ID, *kv.Get) (T, error) {
	return func(_ linnet.ID, get *kv.Get) (T, error) { return decode(get) }
}

// members checks the members of a set one by one.
func members(f func(*auditing, kv.Member) []ref) []pageCheck {
	return []pageCheck{func(x *auditing, page []kv.Member) []ref {
		refs := make([]ref, 0, len(page))
		for _, m := range page {
			refs = append(refs, f(x, m)...)
		}
		return refs
	}}
}

// ids checks a set of ids.
func ids(f func(x *auditing, id linnet.ID, m kv.Member) []ref) []pageCheck {
	return members(func(x *auditing, m kv.Member) []ref {
		id, ok := linnet.ParseID(m.Member)
		if !ok {
			return wrong("%q is not an id", m.Member)
		}
		return f(x, id, m)
	})
}

// anyID accepts each id, because deleted objects stay in the set.
func anyID(*auditing, linnet.ID, kv.Member) []ref { return nil }

// shardIDs checks a set of ids of its shard.
func shardIDs(f func(x *auditing, id linnet.ID, m kv.Member) []ref) []pageCheck {
	return ids(func(x *auditing, id linnet.ID, m kv.Member) []ref {
		if id.Shard() != x.key.Shard {
			return wrong("%q is not an id of this shard", m.Member)
		}
		return f(x, id, m)
	})
}

// eachHas checks a set of ids that each have a record.
func eachHas(key func(linnet.ID) kv.Key) []pageCheck {
	return ids(func(_ *auditing, id linnet.ID, _ kv.Member) []ref { return []ref{exists(key(id))} })
}

// broken returns a finding.
func broken(rule Rule, format string, args ...any) *Finding {
	return &Finding{Rule: rule, Text: fmt.Sprintf(format, args...)}
}

// awaits sets the tasks that fix the finding. While one of them is queued, the finding is expected.
func (f *Finding) awaits(waits ...record.Subject) *Finding {
	f.Waits = append(f.Waits, waits...)
	return f
}
