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
	"linnet/internal/task"
)

// Rule is an invariant that a check holds records to.
type Rule string

// The rules, with the numbers that the operator's manual gives them. The last
// four are about records as such.
const (
	RuleProfile Rule = "I1 profile" // a status is in its author's profile exactly once
	RuleCounter Rule = "I4 counter" // counters equal set sizes
	RuleEdge    Rule = "I5 edge"    // a relation is there from both sides or from neither
	RuleDeleted Rule = "I6 deleted" // no record shows a deleted one
	RulePrivate Rule = "I7 private" // no public record shows a private one
	RuleUnique  Rule = "I9 unique"  // no login belongs to two
	RuleTask    Rule = "I11 task"   // tasks end
	RuleFeed    Rule = "I12 feed"   // a warm feed is what a rebuild would give
	RuleGroup   Rule = "group"      // a group has an owner, and its members know of it
	RuleOrphan  Rule = "orphan"     // every record can be reached
	RuleIndex   Rule = "index"      // the search indexes are complete and correct
	RuleRecord  Rule = "record"     // a record can be read and agrees with its key
)

// Finding is something about a record that breaks a rule.
type Finding struct {
	Rule  Rule
	Key   kv.Key // the record that is wrong
	At    kv.Key // the key whose audit found it, and would find it again
	Text  string
	Mark  string          // changes with the finding: equal text and mark mean that it has lasted
	Minor bool            // no reader ever sees it: worth knowing, no breach
	Waits []record.Affair // while a task about one of these is queued, it is to be expected
}

// PublicPlaces returns the public timelines of a status: the global one, and those of some folded
// tags.
type PublicPlaces func(*linnet.Status) (global bool, tags []string)

// Audit compares records with related ones. It only reads, and not a consistent snapshot: recheck a
// finding if the store is in use. It is safe for concurrent use.
type Audit struct {
	db     kv.Store
	now    func() time.Time
	places PublicPlaces
	checks map[string]func(*auditing, kv.Key)
	weigh  weights
	files  Files    // nil disables the check of files
	floors sync.Map // of long timelines: kv.Key to the time of the last of its newest 1,000
}

// New returns an audit of a store. now is its clock.
func New(db kv.Store, now func() time.Time, places PublicPlaces) *Audit {
	a := &Audit{db: db, now: now, places: places, checks: recordChecks()}
	maps.Copy(a.checks, moderationChecks())
	maps.Copy(a.checks, inviteChecks())
	maps.Copy(a.checks, attachmentChecks())
	maps.Copy(a.checks, searchChecks())
	maps.Copy(a.checks, pushChecks())
	a.checks[record.KindCard] = checkCard
	maps.Copy(a.checks, announcementChecks())
	maps.Copy(a.checks, scheduledChecks())
	maps.Copy(a.checks, archiveChecks())
	for _, k := range record.EdgeKinds() {
		a.checks[k.Owned] = func(x *auditing, key kv.Key) { x.edgeOwner(k, key) }
		a.checks[k.Copied] = func(x *auditing, key kv.Key) { x.edgeCopy(k, key) }
		a.checks[k.Owned+".gone"] = func(x *auditing, key kv.Key) { x.edgeEnd(k.DocOwner, key) }
		a.checks[k.Copied+".gone"] = func(x *auditing, key kv.Key) { x.edgeEnd(k.DocOther, key) }
	}
	for key, c := range map[string]record.RelationshipFlag{record.Blocks().Owned: record.Blocking, record.Blocks().Copied: record.BlockedBy} {
		check := a.checks[key]
		a.checks[key] = func(x *auditing, key kv.Key) {
			check(x, key)
			x.relationshipOf(key, c)
		}
	}
	a.checks[record.Requests().Owned] = checkRequesting
	for _, k := range []record.EdgeKind{record.GroupOwners(), record.GroupModerators(), record.GroupOffers()} {
		check := a.checks[k.Owned]
		a.checks[k.Owned] = func(x *auditing, key kv.Key) {
			check(x, key)
			x.groupRelation(k, key)
		}
	}
	return a
}

// recordChecks returns the checks by kind of key, except relations.
func recordChecks() map[string]func(*auditing, kv.Key) {
	return map[string]func(*auditing, kv.Key){
		record.KindBackup:        checkBackup,
		record.KindMove:          checkMove,
		record.KindPlace:         checkPlace,
		record.KindUser:          checkUser,
		record.KindCounts:        checkCounts,
		record.KindLogin:         checkLogin,
		record.KindUsers:         checkUsers,
		record.KindGroups:        checkGroups,
		record.KindNames:         checkNames,
		record.KindStatus:        checkStatus,
		record.KindTally:         checkTally,
		record.KindPosts:         checkPosts,
		record.KindHome:          ignore,
		record.KindListFeed:      ignore,
		record.KindTopFeed:       ignore,
		record.KindPromotions:    checkPromotions,
		record.KindPromoted:      checkPromoted,
		record.KindCatchUp:       checkCatchUp,
		record.KindOwnFeeds:      checkOwnFeeds,
		record.KindRanking:       checkRanking,
		record.KindList:          checkList,
		record.KindLists:         checkLists,
		record.KindExclusive:     checkLists,
		record.KindJoined:        checkJoined,
		record.KindReplies:       checkReplies,
		record.KindClosed:        checkClosedReplies,
		record.KindErased:        checkErased,
		record.KindRepost:        checkRepost,
		record.KindBookmarks:     checkKept,
		record.KindRelationships: checkRelationships,
		record.KindFilters:       checkFilters,
		record.KindMutes:         checkMutes,
		record.KindMentioned:     checkMentioned,
		record.KindNotices:       checkNotices,
		record.KindMarkers:       checkMarkers,
		record.KindHeld:          checkNotices,
		record.KindPolicy:        checkPolicy,
		record.KindAccepted:      checkKept,
		record.KindMerging:       checkKept,
		record.KindConversation:  checkConversation,
		record.KindConversations: checkConversations,
		record.KindMessages:      checkMessages,
		record.KindPins:          checkPins,
		record.KindFeatured:      checkFeatured,
		record.KindUserTag:       checkUserTag,
		record.KindUserTags:      checkOfUser,
		record.KindNote:          checkNote,
		record.KindNoted:         checkNoted,
		record.KindEndorsed:      checkKept,
		record.KindTOTP:          checkOfUser,
		record.KindTicket:        ignore,
		record.KindReset:         checkOfUser,
		record.KindEmail:         checkEmail,
		record.KindDevices:       checkOfUser,
		record.KindRefused:       ignore,
		record.KindConfirmed:     ignore,
		record.KindPasskeys:      checkPasskeys,
		record.KindPasskey:       checkPasskey,
		record.KindChallenge:     ignore,
		record.KindSecurityLog:   checkOfUser,
		record.KindDay:           checkDay,
		record.KindGlobal:        checkGlobal,
		record.KindTag:           checkTag,
		record.KindTagNames:      checkTagNames,
		record.KindTagRecent:     checkTagNames,
		record.KindTrends:        checkTrends,
		record.KindUntrended:     checkUntrended,
		record.KindDirectory:     checkDirectory,
		record.KindDismissed:     checkKept,
		record.KindToken:         checkToken,
		record.KindSessions:      checkOfUser,
		record.KindCode:          checkCode,
		record.KindApp:           checkApp,
		record.KindIdem:          checkIdem,
		record.KindSetup:         ignore,
		record.KindMeta:          checkMeta,
		record.KindTerms:         checkTerms,
		record.KindStyle:         checkStyle,
		record.KindLinked:        checkLinked,
		record.KindLinks:         checkLinks,
		record.KindStats:         checkStats,
		record.KindActive:        checkActive,
		record.KindPulled:        checkPulled,
		record.KindPushed:        checkPulled,
		task.DueKey(0).Kind:      checkTasks,
		task.LaterKey(0).Kind:    checkTasks,
		record.KindBallots:       checkBallots,
		record.KindVersion:       checkVersion,
		record.KindQuotes:        checkQuotes,
		record.KindClosedQuotes:  checkQuotes,
		record.KindVoters:        checkVoters,
		record.KindVoted:         checkKept,
		task.Key(0, "").Kind:     checkTask,
		task.DeadKey(0).Kind:     checkDeadTasks,
		task.ServersKey().Kind:   ignore,
	}
}

// ignore is for records without checks.
func ignore(*auditing, kv.Key) {}

// Audited is what an audit of some keys found.
type Audited struct {
	Findings []Finding
	Feeds    []kv.Key // the feeds that belong to the users and lists among them
	Users    int      // born users among them
	Statuses int
}

// Keys audits the records under some keys. With all keys of a store the audit is complete:
// relations are checked from both sides, and counters with the set they count.
func (a *Audit) Keys(ctx context.Context, keys []kv.Key) (Audited, error) {
	r := &rounds{weigh: &a.weigh}
	for _, key := range keys {
		x := &auditing{Audit: a, rounds: r, at: key}
		check, ok := a.checks[key.Kind]
		if !ok {
			x.found(RuleOrphan, key, "there is no such kind of key")
			continue
		}
		check(x, key)
	}
	err := r.run(ctx, a.db)
	return r.Audited, err
}

// auditing is the audit of one key, with functions shared by the checks.
type auditing struct {
	*Audit
	*rounds
	at kv.Key
}

// rounds batch the reads of many audits. A check requests what it needs and continues with the
// results. The requests of a round are read together, limited by the size of the results.
type rounds struct {
	Audited
	weigh  *weights
	qs     []kv.Query
	then   []func()
	newest map[kv.Key]*newestOf // that are asked for in this round
}

// ask adds requests to the next round, after which then is called.
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

// each reads a whole set, one page per round, and then calls end.
func (x *auditing) each(key kv.Key, f func(kv.Member), end func(whole)) {
	x.pages(whole{key: key}, func(page []kv.Member) {
		for _, m := range page {
			f(m)
		}
	}, end)
}

// whole describes a set that was read: the number of members and the last one.
type whole struct {
	key  kv.Key
	n    int64
	last *kv.Member
}

// firstPage is the size of the first page of a set. Most sets are short, and many are read
// together.
const firstPage = 50

func (x *auditing) pages(w whole, f func([]kv.Member), end func(whole)) {
	q := &kv.Range{Key: w.key, Above: w.last, Limit: kv.MaxRange}
	if w.n == 0 {
		q.Limit = firstPage
	}
	x.ask(func() {
		if n := len(q.Members); n > 0 {
			f(q.Members)
			w.n, w.last = w.n+int64(n), &q.Members[n-1]
		}
		if len(q.Members) == q.Limit {
			x.pages(w, f, end)
		} else if end != nil {
			end(w)
		}
	}, q)
}

func (x *auditing) found(rule Rule, key kv.Key, text string, waits ...record.Affair) {
	x.Findings = append(x.Findings, Finding{Rule: rule, Key: key, At: x.at, Text: text, Waits: waits})
}

func (x *auditing) minor(rule Rule, key kv.Key, text string, waits ...record.Affair) {
	x.Findings = append(x.Findings, Finding{Rule: rule, Key: key, At: x.at, Text: text, Minor: true, Waits: waits})
}

// keyID returns the id of a key, which must be in the shard of the id.
func (x *auditing) keyID(key kv.Key) (linnet.ID, bool) {
	id, ok := linnet.ParseID(key.ID)
	if !ok || id.Shard() != key.Shard {
		x.found(RuleRecord, key, "the key is not an id of its shard")
		return 0, false
	}
	return id, true
}

// read reads a record that must be there and readable.
func read(x *auditing, get *kv.Get, v any) bool {
	if get.Version == 0 {
		return false // deleted since the key was found, or expired
	}
	if err := record.Decode(get, v); err != nil {
		x.found(RuleRecord, get.Key, err.Error())
		return false
	}
	return true
}

// belongs checks that the user of a record exists.
func (x *auditing) belongs(key kv.Key, user linnet.ID) {
	in := &kv.Scores{Key: record.ShardKey(record.KindUsers, user.Shard()), Members: []string{user.String()}}
	x.ask(func() {
		if !in.Found[0] {
			x.found(RuleOrphan, key, fmt.Sprintf("its owner, user %v, is not in %v", user, in.Key), record.UserAffair(user))
		}
	}, in)
}

// checkOfUser is the check of records of which only the user must exist.
func checkOfUser(x *auditing, key kv.Key) {
	if id, ok := x.keyID(key); ok {
		x.belongs(key, id)
	}
}

// sized compares a counter with the size of the set that it counts.
func (x *auditing) sized(w whole, counters kv.Key, name string, waits ...record.Affair) {
	q := &kv.Counters{Key: counters, Names: []string{name}}
	x.ask(func() {
		if q.Values[0] != w.n {
			x.Findings = append(x.Findings, Finding{Rule: RuleCounter, Key: counters, At: x.at, Waits: waits,
				Mark: fmt.Sprint(w.last), Text: fmt.Sprintf("%s is %d, but %v has %d", name, q.Values[0], w.key, w.n)})
		}
	}, q)
}

// unfilled reports a counter above 0 of an empty set, which is not among the
// keys and so is not compared from the other side.
func (x *auditing) unfilled(counters kv.Key, name string, n int64, set kv.Key) {
	if n < 0 {
		x.found(RuleCounter, counters, fmt.Sprintf("%s is %d", name, n))
	}
	if n <= 0 {
		return
	}
	q := &kv.Range{Key: set, Limit: 1}
	x.ask(func() {
		if len(q.Members) == 0 {
			x.found(RuleCounter, counters, fmt.Sprintf("%s is %d, but %v is empty", name, n, set))
		}
	}, q)
}
