package audit

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// Rule is an invariant of records.
type Rule string

// The rules, with their numbers in the operator's manual.
const (
	RuleProfile  Rule = "I1 profile" // a status is in its author's profile exactly once
	RuleCounter  Rule = "I4 counter" // counters equal set sizes
	RuleRelation Rule = "I5 edge"    // a relation is stored on both sides or on neither
	RuleDeleted  Rule = "I6 deleted" // no record shows a deleted object
	RulePrivate  Rule = "I7 private" // no public record shows a private object
	RuleUnique   Rule = "I9 unique"  // no login belongs to two users
	RuleTask     Rule = "I11 task"   // every task ends
	RuleFeed     Rule = "I12 feed"   // a warm feed has the content of a rebuild
	RuleGroup    Rule = "group"      // a group has an owner, and its members have it in their sets
	RuleOrphan   Rule = "orphan"     // every record can be reached
	RuleIndex    Rule = "index"      // the search indexes are complete and correct
	RuleRecord   Rule = "record"     // a record can be read and agrees with its key
	RuleFile     Rule = "file"       // every file that a record refers to exists
)

// Finding is a violation of a rule by a record.
type Finding struct {
	Rule  Rule
	Key   kv.Key // the wrong record
	At    kv.Key // the key whose audit found it; auditing it again repeats the check
	Text  string
	Mark  string           // changes with the finding: equal text and mark mean that the finding persists
	Minor bool             // it is never visible to users: a note, not a breach
	Waits []record.Subject // the finding is expected while a task about one of these is queued
}

// PublicTimelines returns whether a status is in the global timeline, and the folded tags whose
// timelines contain it.
type PublicTimelines func(*linnet.Status) (global bool, tags []string)

// Audit compares records with related ones. It only reads, and not a consistent snapshot: recheck a
// finding if the store is in use. It is safe for concurrent use.
type Audit struct {
	db              kv.Store
	now             func() time.Time
	publicTimelines PublicTimelines
	rows            map[string]row // by kind of key
	weigh           weights
	files           Files    // nil disables the check of files
	floors          sync.Map // of long timelines: time of the last of the newest 1,000 entries, by kv.Key
}

// New returns an audit of a store. now is its clock.
func New(db kv.Store, now func() time.Time, timelines PublicTimelines) *Audit {
	a := &Audit{db: db, now: now, publicTimelines: timelines, rows: map[string]row{}}
	for _, rows := range []map[string]row{accountRows(), statusRows(), relationRows(), collectionRows(), inboxRows(), fileRows(), serverRows(), discoveryRows()} {
		maps.Copy(a.rows, rows)
	}
	return a
}

// Audited is the result of auditing some keys.
type Audited struct {
	Findings []Finding
	Feeds    []kv.Key // feeds of the users and lists among the keys
	Users    int      // number of active users among the keys
	Statuses int
}

// Keys audits the records under some keys. With all keys of a store the audit is complete:
// relations are checked from both sides, and counters with the set they count.
func (a *Audit) Keys(ctx context.Context, keys []kv.Key) (Audited, error) {
	r := &rounds{weigh: &a.weigh, counters: indexCounters(a.now())}
	for _, key := range keys {
		x := &auditing{Audit: a, rounds: r, key: key}
		if row, ok := a.rows[key.Kind]; ok {
			x.audit(row)
		} else {
			x.found(RuleOrphan, "unknown kind of key")
		}
	}
	err := r.run(ctx, a.db)
	return r.Audited, err
}

// rounds batch the reads of many audits. A check requests records and continues with the results.
// The requests of a round are read together, limited by the size of the results.
type rounds struct {
	Audited
	weigh    *weights
	counters counterIndex
	qs       []kv.Query
	then     []func()
	newest   map[kv.Key]*newestOf // requested in this round
}

// ask adds requests to the next round and calls then after it.
func (r *rounds) ask(then func(), qs ...kv.Query) {
	r.qs, r.then = append(r.qs, qs...), append(r.then, then)
}

func (r *rounds) run(ctx context.Context, from kv.Store) error {
	for len(r.then) > 0 {
		qs, then := r.qs, r.then
		r.qs, r.then, r.newest = nil, nil, nil
		for len(qs) > 0 {
			n, err := r.weigh.read(ctx, from, qs)
			if err != nil {
				return fmt.Errorf("read records to check: %w", err)
			}
			qs = qs[n:]
		}
		for _, f := range then {
			f()
		}
	}
	return nil
}
