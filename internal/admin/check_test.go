package admin_test

import (
	"fmt"
	"hash/fnv"
	"strings"
	"testing"
	"time"

	"linnet/internal/admin"
	"linnet/internal/kv"
	"linnet/internal/kv/enginetest"
	"linnet/internal/linnet"
)

func TestCleanStore(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, open func(*testing.T) kv.Engine) {
		v := newVillage(t, open(t))
		r := v.mustBeClean()
		if r.Users != 3 || r.Statuses != 5 || r.Feeds != 4 || r.Tasks != 0 {
			t.Errorf("%d users, %d statuses, %d warm feeds, %d tasks; want 3, 5, 4, 0", r.Users, r.Statuses, r.Feeds, r.Tasks)
		}
		if len(r.Findings) != 0 {
			t.Errorf("findings in a clean store: %+v", r.Findings)
		}
	})
}

func TestFreshStore(t *testing.T) {
	w := newWorld(t, openMemory(t))
	if r := w.mustBeClean(); r.Users != 0 || r.Keys == 0 {
		t.Errorf("%d users and %d keys in a fresh store", r.Users, r.Keys)
	}
}

// planted returns violations by name: the changes to write into a clean village, and the rule and
// text that a check must report.
func planted(v *village) map[string]struct {
	ops  []kv.Op
	want string
} {
	const some = linnet.ID(7777777777777777) // an id that doesn't exist
	add := func(k kv.Key, member string, score int64) kv.Op { return kv.Add{Key: k, Member: member, Score: score} }
	remove := func(k kv.Key, member string) kv.Op { return kv.Remove{Key: k, Member: member} }
	incr := func(k kv.Key, name string) kv.Op { return kv.Incr{Key: k, Name: name, By: 1} }
	ownTag := kv.Key{Kind: "usertag", Shard: v.bob.Shard(), ID: v.bob.String() + ".greetings"}
	put := func(k kv.Key, text string) kv.Op { return kv.Put{Key: k, Data: []byte(text), Version: 9} }
	users, stats := kv.Key{Kind: "users", Shard: v.ann.Shard()}, kv.Key{Kind: "stats", Shard: v.ann.Shard()}
	login := named("login", "ann")
	return map[string]struct {
		ops  []kv.Op
		want string
	}{
		"user not listed":          {[]kv.Op{remove(users, v.ann.String())}, "orphan user is not in users"},
		"user listed, not there":   {[]kv.Op{kv.Delete{Key: key("user", v.ann)}}, "orphan users does not exist"},
		"user at a wrong time":     {[]kv.Op{add(users, v.ann.String(), 5)}, "record users has the wrong score 5"},
		"user that is no JSON":     {[]kv.Op{put(key("user", v.ann), "{")}, "record user decode record"},
		"user never born":          {[]kv.Op{put(key("user", some), `{"login":"x","pending":true}`)}, "record user was never completed"},
		"login free":               {[]kv.Op{kv.Delete{Key: login}}, "I9 unique user does not exist"},
		"login of another":         {[]kv.Op{put(login, `{"user":"`+v.bob.String()+`"}`)}, "I9 unique login has the username Bob"},
		"two of one login":         {v.twin(), "I9 unique user does not refer back"},
		"login of nobody":          {[]kv.Op{put(login, `{"user":"`+some.String()+`"}`)}, "I9 unique login does not exist"},
		"name not found":           {[]kv.Op{remove(named("names", "bu"), "builder:"+v.bob.String())}, "index names is not in names"},
		"name of nobody":           {[]kv.Op{add(named("names", "bu"), "builder:"+some.String(), 0)}, "index names does not belong in this"},
		"name of old":              {[]kv.Op{add(named("names", "bu"), "bush:"+v.bob.String(), 0)}, "index names does not belong in this"},
		"followers miscounted":     {[]kv.Op{incr(key("counts", v.bob), "followers")}, "I4 counter counts followers is 2"},
		"following miscounted":     {[]kv.Op{incr(key("counts", v.ann), "following")}, "I4 counter counts following is 2"},
		"following of nobody":      {[]kv.Op{incr(key("counts", v.bob), "following")}, "I4 counter counts following is 1, but following"},
		"statuses miscounted":      {[]kv.Op{incr(key("counts", v.ann), "statuses")}, "I4 counter counts statuses is 3"},
		"replies miscounted":       {[]kv.Op{incr(key("tally", v.first), "replies")}, "I4 counter tally replies is 2"},
		"reposts miscounted":       {[]kv.Op{incr(key("tally", v.first), "reposts")}, "I4 counter tally reposts is 2"},
		"favourites miscounted":    {[]kv.Op{incr(key("tally", v.first), "favourites")}, "I4 counter tally favourites is 2"},
		"replies of none":          {[]kv.Op{incr(key("tally", v.reply), "replies")}, "I4 counter tally replies is 1, but replies"},
		"users of a shard":         {[]kv.Op{incr(stats, "users")}, "I4 counter stats users is"},
		"statuses of a shard":      {[]kv.Op{incr(stats, "statuses")}, "I4 counter stats statuses is"},
		"users of an empty shard":  {[]kv.Op{incr(kv.Key{Kind: "stats", Shard: 1 ^ v.ann.Shard()}, "users")}, "I4 counter stats users is"},
		"status not in profile":    {[]kv.Op{remove(key("posts", v.bob), v.first.String())}, "I1 profile status is not in posts"},
		"status twice in profile":  {[]kv.Op{add(key("posts", v.bob), v.first.String()+"u", v.first.Millis())}, "I1 profile posts should be"},
		"status of another":        {[]kv.Op{add(key("posts", v.ann), v.first.String(), v.first.Millis())}, "I1 profile posts is by"},
		"status at a wrong time":   {[]kv.Op{add(key("posts", v.bob), v.first.String(), 3)}, "I1 profile posts has the wrong score 3"},
		"status gone from profile": {[]kv.Op{kv.Delete{Key: key("status", v.first)}}, "I1 profile posts does not exist"},
		"status of nobody":         {[]kv.Op{put(key("status", some), `{"by":"`+(some+1).String()+`"}`)}, "orphan status is not in users"},
		"status that is no JSON":   {[]kv.Op{put(key("status", v.first), "[")}, "record status decode record"},
		"tally of nothing":         {[]kv.Op{incr(key("tally", some), "replies")}, "orphan tally does not exist"},
		"follow on one side":       {[]kv.Op{remove(key("followers", v.bob), v.ann.String())}, "I5 edge following is not in followers"},
		"follow on other side":     {[]kv.Op{remove(key("following", v.ann), v.bob.String())}, "I5 edge followers is not in following"},
		"follow of two versions":   {[]kv.Op{add(key("followers", v.bob), v.ann.String(), 17)}, "I5 edge followers with score 17"},
		"follow and tombstone":     {[]kv.Op{add(key("following.gone", v.ann), v.bob.String(), 17)}, "I5 edge following is also in following.gone"},
		"favourite on one side":    {[]kv.Op{remove(key("favourited", v.first), v.ann.String())}, "I5 edge favourites is not in favourited"},
		"favourite on other side":  {[]kv.Op{remove(key("favourites", v.ann), v.first.String())}, "I5 edge favourited is not in favourites"},
		"repost on one side":       {[]kv.Op{remove(key("reposted", v.first), v.ann.String())}, "I5 edge reposts is not in reposted"},
		"repost not in force":      {[]kv.Op{remove(key("reposts", v.ann), v.first.String())}, "I5 edge status is not in reposts"},
		"repost without record":    {[]kv.Op{kv.Delete{Key: repostKey(v.ann, v.first)}}, "I5 edge status does not exist"},
		"repost of nothing":        {[]kv.Op{put(repostKey(v.ann, some), `{"status":"`+v.reply.String()+`"}`)}, "I5 edge repost is not a repost"},
		"member on one side":       {[]kv.Op{remove(key("listed", v.bob), v.list.String())}, "I5 edge members is not in listed"},
		"member of a gone list":    {[]kv.Op{add(key("listed", v.bob), v.hidden.String(), 9), add(key("members", v.hidden), v.bob.String(), 9)}, "orphan members does not exist"},
		"watch on one side":        {[]kv.Op{remove(key("watchers", v.bob), v.ann.String())}, "I5 edge watching is not in watchers"},
		"stance without a block":   {[]kv.Op{add(key("stance", v.ann), v.eve.String()+"b", 0)}, "I5 edge stance is not in blocks"},
		"stance of no blocker":     {[]kv.Op{add(key("stance", v.ann), v.eve.String()+"x", 0)}, "I5 edge stance is not in blockedby"},
		"stance without a mute":    {[]kv.Op{add(key("stance", v.ann), v.eve.String()+"m", 0)}, "I5 edge stance is not in mutes"},
		"flag of no kind":          {[]kv.Op{add(key("stance", v.ann), v.eve.String()+"?", 0)}, "record stance is not a relationship flag"},
		"block without a flag":     {[]kv.Op{add(key("blocks", v.ann), v.eve.String(), 9)}, "I5 edge blocks is not in stance"},
		"blocker without a flag":   {[]kv.Op{add(key("blockedby", v.ann), v.eve.String(), 9)}, "I5 edge blockedby is not in stance"},
		"mute without a flag":      {[]kv.Op{add(key("mutes", v.ann), v.eve.String(), 9)}, "I5 edge mutes is not in stance"},
		"request on one side":      {[]kv.Op{add(key("requesting", v.eve), v.bob.String(), 9)}, "I5 edge requesting is not in requesters"},
		"request on other side":    {[]kv.Op{add(key("requesters", v.bob), v.eve.String(), 9)}, "I5 edge requesters is not in requesting"},
		"request beside a follow":  {[]kv.Op{add(key("requesting", v.ann), v.bob.String(), 9)}, "I5 edge requesting is also in following"},
		"held that is none":        {[]kv.Op{add(key("held", v.ann), "1.2.3", 1)}, "record held is not a notification"},
		"reply missing":            {[]kv.Op{remove(key("replies", v.first), v.reply.String()+"r")}, "index status is not in replies"},
		"reply gone":               {[]kv.Op{add(key("replies", v.first), v.gone.String(), v.gone.Millis())}, "I6 deleted replies does not exist"},
		"reply to another":         {[]kv.Op{add(key("replies", v.first), v.direct.String()+"d", v.direct.Millis())}, "index replies is not a reply"},
		"replies of nothing":       {[]kv.Op{add(key("replies", some), v.reply.String()+"r", v.reply.Millis())}, "orphan replies does not exist"},
		"global: gone":             {[]kv.Op{add(v.global(v.bob), v.gone.String(), v.gone.Millis())}, "I6 deleted global does not exist"},
		"global: private":          {[]kv.Op{add(v.global(v.bob), v.private.String(), v.private.Millis())}, "I7 private global has visibility private"},
		"global: repost":           {[]kv.Op{add(v.global(v.ann), v.repost.String(), v.repost.Millis())}, "index global does not belong"},
		"global: missing":          {[]kv.Op{remove(v.global(v.bob), v.first.String())}, "index status is not in global"},
		"tag: gone":                {[]kv.Op{add(named("tag", "greetings"), v.gone.String()+"."+v.bob.String(), v.gone.Millis())}, "I6 deleted tag does not exist"},
		"tag: without it":          {[]kv.Op{add(named("tag", "other"), v.first.String()+"."+v.bob.String(), v.first.Millis())}, "index tag does not belong"},
		"tag: direct":              {[]kv.Op{add(named("tag", "greetings"), v.direct.String()+"."+v.bob.String(), v.direct.Millis())}, "I7 private tag has visibility direct"},
		"tag: missing":             {[]kv.Op{remove(named("tag", "greetings"), v.first.String()+"."+v.bob.String())}, "index status is not in tag"},
		"own tag: missing":         {[]kv.Op{remove(ownTag, v.first.String())}, "index status is not in usertag"},
		"own tag: private":         {[]kv.Op{add(ownTag, v.private.String(), v.private.Millis())}, "I7 private usertag has visibility private"},
		"own tag: miscounted":      {[]kv.Op{remove(ownTag, v.first.String()), add(ownTag, v.gone.String(), v.gone.Millis()), add(ownTag, "7", 0)}, "I4 counter usertags is 1"},
		"featured: not readable":   {[]kv.Op{put(key("featured", v.bob), "[")}, "record featured unexpected end"},
		"mention missing":          {[]kv.Op{remove(key("mentioned", v.ann), v.first.String())}, "index status is not in mentioned"},
		"mention of another":       {[]kv.Op{add(key("mentioned", v.eve), v.direct.String(), v.direct.Millis())}, "I7 private mentioned does not mention"},
		"mention gone":             {[]kv.Op{add(key("mentioned", v.eve), v.gone.String(), v.gone.Millis())}, "I6 deleted mentioned does not exist"},
		"notice that is none":      {[]kv.Op{add(key("notices", v.ann), "1.2.3", 1)}, "record notices is not a notification"},
		"erased: still there":      {[]kv.Op{add(key("erased", v.bob), v.first.String(), 9)}, "I6 deleted erased is not deleted"},
		"erased: no status":        {[]kv.Op{add(key("erased", v.bob), "x", 9)}, "record erased is not an id"},
		"erased of nobody":         {[]kv.Op{add(key("erased", some), v.gone.String(), 9)}, "orphan erased is not in users"},
		"list of nobody":           {[]kv.Op{remove(key("lists", v.ann), v.list.String())}, "orphan list is not in lists"},
		"list gone":                {[]kv.Op{add(key("lists", v.ann), v.hidden.String(), v.hidden.Millis())}, "I6 deleted lists does not exist"},
		"list of another":          {[]kv.Op{put(key("list", v.list), `{"owner":"`+v.eve.String()+`","title":"x"}`)}, "I6 deleted lists does not refer back"},
		"collection not listed":    {[]kv.Op{put(key("collection", v.list), `{"owner":"`+v.ann.String()+`"}`)}, "orphan collection is not in collections"},
		"collection deleted":       {[]kv.Op{add(key("collections", v.ann), v.list.String(), 1)}, "I6 deleted collections does not exist"},
		"collected on one side": {[]kv.Op{put(key("collection", v.list), `{"owner":"`+v.ann.String()+`","items":[{"id":"`+v.list.String()+`","account":"`+v.bob.String()+`"}]}`),
			add(key("collections", v.ann), v.list.String(), 1)}, "I5 edge collection is not in incollections"},
		"list miscalled exclusive": {[]kv.Op{add(key("exclusive", v.ann), v.list.String(), v.list.Millis())}, "index list is in exclusive"},
		"home: surplus":            {[]kv.Op{&kv.Push{Key: key("home", v.ann), ID: uint64(v.gone)}}, "I12 feed home does not belong"},
		"home: of no friend":       {[]kv.Op{&kv.Push{Key: key("home", v.bob), ID: uint64(v.reply)}}, "I12 feed home does not belong"},
		"home: direct of another":  {[]kv.Op{&kv.Push{Key: key("home", v.ann), ID: uint64(v.direct)}}, "I12 feed home does not belong"},
		"home: missing":            {[]kv.Op{kv.Pull{Key: key("home", v.ann), ID: uint64(v.first)}}, "I12 feed home is missing"},
		"list: surplus":            {[]kv.Op{&kv.Push{Key: key("listfeed", v.list), ID: uint64(v.reply)}}, "I12 feed listfeed does not belong"},
		"list: missing":            {[]kv.Op{kv.Pull{Key: key("listfeed", v.list), ID: uint64(v.first)}}, "I12 feed listfeed is missing"},
		"promotion of no level":    {[]kv.Op{put(key("status", v.gone), `{"by":"65537","repost_of":"`+v.first.String()+`","repost_of_by":"`+v.bob.String()+`","level":2}`)}, "record status has reached level 1"},
		"promotion not found":      {[]kv.Op{put(key("status", v.gone), `{"by":"65537","repost_of":"`+v.first.String()+`","repost_of_by":"`+v.bob.String()+`","level":1}`)}, "index status is not in promoted"},
		"promotions: gone":         {[]kv.Op{add(key("promotions", v.ann), v.gone.String(), v.gone.Millis())}, "I6 deleted promotions does not exist"},
		"promotions: none":         {[]kv.Op{add(key("promotions", v.ann), v.first.String(), v.first.Millis())}, "index promotions does not belong"},
		"promoted twice":           {[]kv.Op{add(key("promoted", v.first), "7", 1), add(key("promoted", v.first), "8", 1)}, "index promoted is a second promotion"},
		"unknown kind":             {[]kv.Op{put(kv.Key{Kind: "strange", ID: "x"}, "1")}, "orphan strange unknown kind"},
		"unknown setting":          {[]kv.Op{put(kv.Key{Kind: "meta", ID: "x"}, "1")}, "orphan meta does not exist"},
		"profile of nobody":        {[]kv.Op{add(key("posts", some), v.first.String(), 1)}, "orphan posts is not in users"},
		"secret of nobody":         {[]kv.Op{put(key("secret", some), `{}`)}, "orphan secret is not in users"},
		"bookmarks of nobody":      {[]kv.Op{add(key("bookmarks", some), v.first.String(), 1)}, "orphan bookmarks is not in users"},
		"tombstones of nobody":     {[]kv.Op{add(key("followers.gone", some), v.ann.String(), 1)}, "orphan followers.gone is not in users"},
		"token of nobody":          {[]kv.Op{put(kv.Key{Kind: "token", ID: "ab"}, `{"user":"`+some.String()+`","created":1}`)}, "orphan token is not in users"},
		"token without session":    {[]kv.Op{put(kv.Key{Kind: "token", Shard: v.ann.Shard(), ID: "ab"}, `{"user":"`+v.ann.String()+`","created":1}`)}, "orphan token is not in sessions"},
		"task astray":              {[]kv.Op{put(kv.Key{Kind: "task", ID: "T"}, `{"kind":"x","args":{}}`)}, "I11 task task is not in deadtasks"},
	}
}

// named returns the key of a record that is stored in the shard of its hashed name.
func named(kind, name string) kv.Key {
	h := fnv.New32a()
	h.Write([]byte(name))
	return kv.Key{Kind: kind, Shard: uint16(h.Sum32() % kv.Shards), ID: name}
}

// global returns the key of the slice of the global timeline with an author's statuses.
func (v *village) global(author linnet.ID) kv.Key {
	return kv.Key{Kind: "global", Shard: author.Shard() % 16 * 64}
}

func repostKey(user, status linnet.ID) kv.Key {
	return kv.Key{Kind: "repost", Shard: user.Shard(), ID: fmt.Sprintf("%v.%v", user, status)}
}

// twin returns the changes that add a second user with ann's login.
func (v *village) twin() []kv.Op {
	id := linnet.MakeID(time.Now().Add(-time.Hour), 5, 1)
	return []kv.Op{kv.Put{Key: key("user", id), Data: v.value(key("user", v.ann)), Version: 1},
		kv.Add{Key: kv.Key{Kind: "users", Shard: 5}, Member: id.String(), Score: id.Millis()},
		kv.Incr{Key: kv.Key{Kind: "stats", Shard: 5}, Name: "users", By: 1}}
}

// reported reports whether a report has a finding with this rule, kind and text.
func reported(r *admin.Report, s admin.Severity, want string) bool {
	for _, f := range r.Findings {
		kind, _, _ := strings.Cut(f.Key, ":")
		rest, ok := strings.CutPrefix(want, string(f.Rule)+" "+kind+" ")
		if ok && f.Severity == s && strings.Contains(f.Text, rest) {
			return true
		}
	}
	return false
}

// undo returns changes that revert the given ones. It must be called before those are written.
func (w *world) undo(ops []kv.Op) []kv.Op {
	w.Helper()
	var back []kv.Op
	for _, op := range ops {
		k := kv.KeyOfOp(op)
		get := &kv.Get{Key: k}
		switch op := op.(type) {
		case kv.Add:
			back = append(back, w.member(k, op.Member))
		case kv.Remove:
			back = append(back, w.member(k, op.Member))
		case kv.Incr:
			back = append(back, kv.Incr{Key: k, Name: op.Name, By: -op.By})
		case *kv.Push:
			back = append(back, kv.Pull{Key: k, ID: op.ID})
		case kv.Pull:
			back = append(back, &kv.Push{Key: k, ID: op.ID})
		default:
			w.must(w.engine.Read(w.ctx, get))
			if get.Version == 0 {
				back = append(back, kv.Delete{Key: k})
			} else {
				back = append(back, kv.Put{Key: k, Data: get.Data, Version: get.Version})
			}
		}
	}
	return back
}

// member returns a change that restores the current state of a member of a set.
func (w *world) member(k kv.Key, m string) kv.Op {
	w.Helper()
	q := &kv.Scores{Key: k, Members: []string{m}}
	w.must(w.engine.Read(w.ctx, q))
	if q.Found[0] {
		return kv.Add{Key: k, Member: m, Score: q.Values[0]}
	}
	return kv.Remove{Key: k, Member: m}
}

func TestBreachesAreFound(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, open func(*testing.T) kv.Engine) {
		v := newVillage(t, open(t))
		for name, p := range planted(v) {
			back := v.undo(p.ops)
			v.write(p.ops...)
			if r := v.check(); !reported(r, admin.Breach, p.want) {
				t.Errorf("%s: no breach %q in %+v", name, p.want, r.Findings)
			}
			v.write(back...)
		}
		v.mustBeClean()
	})
}
