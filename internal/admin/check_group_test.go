package admin_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"linnet/internal/admin"
	"linnet/internal/kv"
	"linnet/internal/kv/enginetest"
	"linnet/internal/linnet"
)

// hamlet is a village with bob's private group. In it eve is a moderator, ann requests to join, and
// cat is invited.
type hamlet struct {
	*village
	group, cat linnet.ID
}

func newHamlet(t *testing.T, e kv.Engine) *hamlet {
	t.Helper()
	h := &hamlet{village: newVillage(t, e)}
	h.cat = h.user("cat")
	g, err := h.Groups.CreateGroup(h.ctx, h.bob, linnet.NewGroup{Login: "birds", Kind: linnet.PrivateGroup, Invite: []linnet.ID{h.eve, h.cat}})
	h.must(err)
	h.group = g.ID
	h.follow(h.eve, h.group)
	h.follow(h.ann, h.group)
	_, err = h.Groups.SetGroupRole(h.ctx, h.bob, h.group, h.eve, linnet.GroupModerator)
	h.must(err)
	h.post(h.eve, linnet.Draft{Text: "@birds wren", Visibility: ptr(linnet.Direct)})
	h.drain()
	return h
}

// score returns the score of a member in a set.
func (h *hamlet) score(k kv.Key, member linnet.ID) int64 {
	h.Helper()
	q := &kv.Scores{Key: k, Members: []string{member.String()}}
	h.must(h.engine.Read(h.ctx, q))
	if !q.Found[0] {
		h.Fatalf("%v is not in %v", member, k)
	}
	return q.Values[0]
}

type damage struct {
	ops  []kv.Op
	want string
}

// groupDamage returns violations of the rules for groups, by name.
func groupDamage(h *hamlet) map[string]damage {
	add := func(k kv.Key, member linnet.ID, score int64) kv.Op {
		return kv.Add{Key: k, Member: member.String(), Score: score}
	}
	remove := func(k kv.Key, member linnet.ID) kv.Op { return kv.Remove{Key: k, Member: member.String()} }
	joined, following, followers := key("joined", h.eve), key("following", h.eve), key("followers", h.group)
	since := h.score(joined, h.group)
	owners, owns := key("owners", h.group), key("owns", h.bob)
	return map[string]damage{
		"member without the set":    {[]kv.Op{remove(joined, h.group)}, "group followers is not in joined"},
		"member of another time":    {[]kv.Op{add(joined, h.group, since-5)}, "group followers is not in joined"},
		"in the set, no member":     {[]kv.Op{remove(following, h.group), remove(followers, h.eve)}, "group joined is not in following"},
		"joined what is no group":   {[]kv.Op{add(key("joined", h.ann), h.bob, h.score(key("following", h.ann), h.bob))}, "group joined is not a group"},
		"joined what is not there":  {[]kv.Op{add(key("joined", h.ann), 7777777777777777, 5)}, "group joined does not exist"},
		"joined that is no id":      {[]kv.Op{kv.Add{Key: joined, Member: "x", Score: 1}}, "record joined is not an id"},
		"no owner":                  {[]kv.Op{remove(owners, h.bob), remove(owns, h.group)}, "group user is empty"},
		"owner on one side":         {[]kv.Op{remove(owns, h.group)}, "I5 edge owners is not in owns"},
		"owner on the other side":   {[]kv.Op{add(key("owns", h.ann), h.group, 9)}, "I5 edge owns is not in owners"},
		"owner outside":             {[]kv.Op{add(owners, h.ann, 9), add(key("owns", h.ann), h.group, 9)}, "group owners is not in followers"},
		"moderator on one side":     {[]kv.Op{remove(key("moderates", h.eve), h.group)}, "I5 edge moderators is not in moderates"},
		"moderator outside":         {[]kv.Op{add(key("moderators", h.group), h.cat, 9), add(key("moderates", h.cat), h.group, 9)}, "group moderators is not in followers"},
		"owner of a person":         {[]kv.Op{add(key("owners", h.ann), h.cat, 9), add(key("owns", h.cat), h.ann, 9)}, "group owners ann is not a group"},
		"invited on one side":       {[]kv.Op{remove(key("offered", h.cat), h.group)}, "I5 edge offers is not in offered"},
		"invited on the other side": {[]kv.Op{remove(key("offers", h.group), h.cat)}, "I5 edge offered is not in offers"},
		"invited by a person":       {[]kv.Op{add(key("offers", h.ann), h.cat, 9), add(key("offered", h.cat), h.ann, 9)}, "group offers ann is not a group"},
		"invited by nobody":         {[]kv.Op{add(key("offers", 7777777777777777), h.cat, 9), add(key("offered", h.cat), 7777777777777777, 9)}, "orphan offers is not in users"},
		"invited members":           {[]kv.Op{add(key("offers", h.group), h.eve, 9), add(key("offered", h.eve), h.group, 9)}, "group offers already a member"},
		"group among people":        {[]kv.Op{remove(kv.Key{Kind: "groups", Shard: h.group.Shard()}, h.group)}, "group user is not in groups"},
		"person among groups":       {[]kv.Op{add(kv.Key{Kind: "groups", Shard: h.ann.Shard()}, h.ann, h.ann.Millis())}, "group groups does not belong in this"},
		"groups of a shard":         {[]kv.Op{kv.Incr{Key: kv.Key{Kind: "stats", Shard: h.group.Shard()}, Name: "groups", By: 1}}, "I4 counter stats groups is 2"},
		"request on one side":       {[]kv.Op{remove(key("requesters", h.group), h.ann)}, "I5 edge requesting is not in requesters"},
	}
}

// trendDamage returns violations of the rules for trends, the directory and promotions, by name.
func trendDamage(h *hamlet) map[string]damage {
	put := func(k kv.Key, data []byte) []kv.Op { return []kv.Op{kv.Put{Key: k, Data: data, Version: 9}} }
	day := time.Now().UTC().Format("20060102")
	trends := func(shard uint16) kv.Key { return kv.Key{Kind: "trends", Shard: shard, ID: "tags." + day} }
	var many struct {
		Things []map[string]any `json:"things"`
	}
	for i := range 201 {
		many.Things = append(many.Things, map[string]any{"name": fmt.Sprint("t", i), "uses": 1})
	}
	data, err := json.Marshal(many)
	h.must(err)
	promotion := func(of, by linnet.ID) []byte {
		return fmt.Appendf(nil, `{"by":"65537","repost_of":"%v","repost_of_by":"%v","level":1}`, of, by)
	}
	return map[string]damage{
		"trends that are no JSON":     {put(trends(0), []byte("{")), "record trends decode record"},
		"too many trends":             {put(trends(0), data), "record trends has 201 entries"},
		"trend in another slice":      {put(trends(128), []byte(`{"things":[{"name":"a","uses":1},{"name":"b","uses":1},{"name":"c","uses":1}]}`)), "record trends does not belong in this slice"},
		"directory of no order":       {[]kv.Op{kv.Add{Key: kv.Key{Kind: "directory", ID: "x"}, Member: h.ann.String(), Score: 1}}, "record directory the key is not allowed"},
		"promotion of what is gone":   {put(key("status", h.gone), promotion(linnet.MakeID(time.Now().Add(-time.Hour), h.bob.Shard(), 1), h.bob)), "I6 deleted status does not exist"},
		"promotion of what is closed": {put(key("status", h.gone), promotion(h.private, h.bob)), "I7 private status has visibility private"},
		"promoted: of nothing":        {[]kv.Op{kv.Add{Key: key("promoted", 7777777777777777), Member: h.first.String(), Score: 1}}, "orphan promoted does not exist"},
		"promoted: no promotion":      {[]kv.Op{kv.Add{Key: key("promoted", h.reply), Member: h.first.String(), Score: 1}}, "index promoted is not a promotion"},
	}
}

// TestDamageToGroupsIsFound plants each breach in a clean store, on every engine,
// and expects the check to name it.
func TestDamageToGroupsIsFound(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, open func(*testing.T) kv.Engine) {
		h := newHamlet(t, open(t))
		h.mustBeClean()
		for _, all := range []map[string]damage{groupDamage(h), trendDamage(h)} {
			for name, d := range all {
				back := h.undo(d.ops)
				h.write(d.ops...)
				if r := h.check(); !reported(r, admin.Breach, d.want) {
					t.Errorf("%s: no breach %q in %+v", name, d.want, r.Findings)
				}
				h.write(back...)
			}
		}
		h.mustBeClean()
	})
}
