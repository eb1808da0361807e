package main

// mutant is a change that makes the program wrong, with the test that must fail.
type mutant struct {
	name string
	file string
	old  string // occurs in the file exactly once
	new  string
	pkg  string
	run  string // argument of go test -run
}

// mutants are defects that would cost users data or privacy.
var mutants = []mutant{
	{"visibility: followers-only is for everybody who is logged in", "internal/view/reason.go",
		"	case l.Viewer == 0:\n		return WhyLoggedOut\n	case st.Visibility == linnet.Private:\n		return WhyNotFollowing\n", "	case l.Viewer == 0:\n		return WhyLoggedOut\n	case st.Visibility == linnet.Private:\n		return Seen\n",
		"./internal/app", "TestVisibilityMatrix"},
	{"visibility: a block is one-sided", "internal/view/reason.go",
		"	case l.Relation(st.Author).BlockedBy():\n		return WhyBlockedBy\n", "",
		"./internal/mastodon", "TestAuthorisationOfBlocks"},
	{"visibility: what is for members is for everybody", "internal/view/reason.go",
		"		if l.forMember(st) {\n			return Seen\n		}\n		return WhyNotInGroup\n", "		return Seen\n",
		"./internal/mastodon", "TestClosedGroupsLeakNothing"},
	{"versions: a relation that ends leaves no trace", "internal/record/relation.go",
		"kv.Remove{Key: h.Live, Member: h.Member}, kv.Add{Key: h.Gone, Member: h.Member, Score: version})", "kv.Remove{Key: h.Live, Member: h.Member})",
		"./internal/app", "Order|Follow|Model"},
	{"versions: a change does not raise the version", "internal/store/relations/setrelation.go",
		"version := max(now, w.Version+1)", "version := now",
		"./internal/app", "Order|Follow|Model"},
	{"floors: a trimmed feed forgets where it ends", "internal/kv/diskkv/feeds/feed.go",
		"f.floor = max(f.floor, floor)", "_ = floor",
		"./internal/kv/diskkv", "TestEngine|TestFeed"},
	{"fsync: yes comes before the disk", "internal/kv/diskkv/commit.go",
		"	if err := e.waitDone(ctx, c); err != nil {\n		return err\n	}\n	if c.behind", "	if c.behind",
		"./internal/kv/diskkv", "PowerLoss|Crash|Slow|Disk"},
	{"fsync: a failed condition does not wait for what it read", "internal/kv/diskkv/commit.go",
		"if c.behind <= e.durable.Load() || kv.IsRelaxed(ctx) {", "if true {",
		"./internal/kv/diskkv", "Relaxed|PowerLoss|Crash"},
	{"WAIT: too few replicas are enough", "internal/kv/rediskv/durable.go",
		"case n < int64(e.opts.WaitReplicas):", "case n < 0:",
		"./internal/kv/rediskv", "TestWaitReplicas|TestCutOffReplica"},
	{"WAIT: a Cluster's pipelines do not wait", "internal/kv/rediskv/homes.go",
		"got, err := e.sendWait(ctx, node, some)", "got, err := node.DoMulti(ctx, some...), error(nil)",
		"./internal/kv/rediskv", "TestCutOffReplica"},
	{"facts: the error of a handler is ignored", "internal/event/event.go",
		"			failed = errors.Join(failed, err)\n", "			_ = errors.Join(failed, err)\n",
		"./internal/app", "TestFailedHandlersAreRetried"},
	{"caches: a server does not forget what it writes", "internal/store/db/cache.go",
		"			w.cache.changed(kv.KeyOfOp(op), memberOf(op))\n", "",
		"./internal/store", "."},
	{"caches: what was read while it changed is kept", "internal/store/db/cache.go",
		"if s.epoch.Load() == epoch && c.alive.Load() {", "if c.alive.Load() {",
		"./internal/store", "."},
	{"caches: other servers do not hear of favourites", "internal/store/db/cache.go",
		"record.KindTally, record.Follows().Owned, record.Favourites().Owned,", "record.KindTally, record.Follows().Owned,",
		"./internal/app", "Servers"},
	{"limits: a page may be of any length", "internal/linnet/limits.go",
		"MaxPage      = 40", "MaxPage      = 4000",
		"./internal/mastodon", "TestEveryLimit|TestBehaviour/memory"},
	{"limits: each spelling of a login has tries of its own", "internal/identity/logintry.go",
		"return id, id.String(), nil", "return id, login, nil",
		"./internal/app", "TestLogInCountsSpellingsTogether"},
	{"limits: free space is looked at without what is to be written", "internal/kv/diskkv/txn.go",
		"e.space.check(b.Len())", "e.space.check(0)",
		"./internal/kv/diskkv", "Full|Space|Room"},
}
