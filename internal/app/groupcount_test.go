package app_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"linnet/internal/discovery"
	"linnet/internal/kv"
	"linnet/internal/kv/faultkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/moderation"
	"linnet/internal/store"
)

// TestGroupsAreNotPeople checks that groups are neither counted nor listed as accounts, and appear
// in the lists of groups.
func TestGroupsAreNotPeople(t *testing.T) { onEngines(t, groupsAreNotPeople) }

func groupsAreNotPeople(w *world) {
	ann, bob, cat := w.user("birda"), w.user("birdb"), w.user("cat")
	public := w.group(ann, "birdg", linnet.PublicGroup, bob, cat)
	chat := w.group(ann, "birdh", linnet.Chat, bob)
	w.post(ann, "@birdg a wren")
	w.drain()
	w.counts("people 3, groups 2")
	accounts := func(q moderation.AccountsQuery) []string {
		w.Helper()
		var out []string
		for _, v := range must(w.Moderation.Accounts(w.ctx, linnet.Operator(), q, linnet.Page{}))(w).Items {
			out = append(out, v.Login)
		}
		return sorted(out)
	}
	wants(w.T, "accounts", accounts(moderation.AccountsQuery{}), "birda", "birdb", "cat")
	wants(w.T, "groups", accounts(moderation.AccountsQuery{Groups: true}), "birdg", "birdh")
	wants(w.T, "people named", accounts(moderation.AccountsQuery{Named: "bird"}), "birda", "birdb")
	wants(w.T, "groups named", accounts(moderation.AccountsQuery{Named: "bird", Groups: true}), "birdg", "birdh")
	w.did(w.operate("birdg", linnet.Measure{Act: linnet.Silence}))
	wants(w.T, "silenced people", accounts(moderation.AccountsQuery{State: linnet.StateSilenced}))
	wants(w.T, "silenced groups", accounts(moderation.AccountsQuery{State: linnet.StateSilenced, Groups: true}), "birdg")
	wants(w.T, "active groups", accounts(moderation.AccountsQuery{State: linnet.StateActive, Groups: true}), "birdh")
	w.did(w.operate("birdg", linnet.Measure{Act: linnet.Unsilence}))
	w.drain()
	logins := func(users []linnet.UserView) []string {
		var out []string
		for _, u := range users {
			out = append(out, u.Login)
		}
		return sorted(out)
	}
	wants(w.T, "directory", logins(must(w.Discovery.Directory(w.ctx, cat, linnet.DirectoryQuery{}))(w)), "birda", "birdb", "cat")
	wants(w.T, "directory of groups", logins(must(w.Discovery.Directory(w.ctx, cat, linnet.DirectoryQuery{Groups: true}))(w)), "birdg")
	wants(w.T, "search", logins(must(w.Discovery.SearchUsers(w.ctx, cat, discovery.SearchQuery{Text: "bird"}))(w)), "birda", "birdb", "birdg")
	wants(w.T, "search for people", logins(must(w.Discovery.SearchUsers(w.ctx, cat, discovery.SearchQuery{Text: "bird", People: true}))(w)), "birda", "birdb")
	wants(w.T, "search for groups", logins(must(w.Discovery.SearchUsers(w.ctx, cat, discovery.SearchQuery{Text: "bird", Groups: true}))(w)), "birdg")
	for _, s := range must(w.Discovery.Suggestions(w.ctx, w.user("dan"), 0))(w) {
		if s.ID == public || s.ID == chat {
			w.Errorf("group %s is suggested as a person", s.Login)
		}
	}
	today := time.Now().UTC().Truncate(24 * time.Hour)
	m := must(w.Moderation.Statistics.Measures(w.ctx, linnet.Operator(), []string{"new_users"}, today, today))(w)
	if m[0].Total != 4 {
		w.Errorf("%d signed up, want 4", m[0].Total)
	}
	w.did(w.Groups.DeleteGroup(w.ctx, ann, public))
	w.drain()
	w.counts("people 4, groups 1")
	w.check()
}

// counts compares the stored size of the server with want.
func (w *world) counts(want string) {
	w.Helper()
	n := must(w.store.Instance.Totals(w.ctx))(w)
	if got := fmt.Sprintf("people %d, groups %d", n.People, n.Groups); got != want {
		w.Errorf("%s, want %s", got, want)
	}
}

// TestDirectoryBehindGroups checks that pages of the directory continue behind groups when they
// list accounts, and behind accounts when they list groups.
func TestDirectoryBehindGroups(t *testing.T) {
	w := memWorld(t)
	people, groups := 0, 0
	for i := range 80 {
		id := w.user(fmt.Sprintf("p%d", i))
		people++
		if i < 10 {
			for n := range 6 {
				w.group(id, fmt.Sprintf("g%dx%d", i, n), linnet.PublicGroup)
				groups++
			}
		}
	}
	w.drain()
	for _, of := range []struct {
		groups bool
		want   int
	}{{false, people}, {true, groups}} {
		var seen []linnet.ID
		for q := (linnet.DirectoryQuery{Groups: of.groups, Order: linnet.DirectoryNew, Limit: 7}); ; q.Offset += 7 {
			page := must(w.Discovery.Directory(w.ctx, 0, q))(w)
			for _, u := range page {
				seen = append(seen, u.ID)
			}
			if len(page) < q.Limit {
				break
			}
		}
		slices.Sort(seen)
		if got := len(slices.Compact(seen)); got != of.want {
			t.Errorf("groups %t: %d in the directory, want %d", of.groups, got, of.want)
		}
	}
}

// TestGroupsOfOlderStores checks that the first server that starts upgrades a store without counts
// of groups, once, whichever write fails.
func TestGroupsOfOlderStores(t *testing.T) {
	e := faultkv.New(memkv.New(memkv.Options{}))
	w := newWorld(t, e)
	ann := w.user("ann")
	groups := []linnet.ID{w.group(ann, "one", linnet.PublicGroup), w.group(ann, "two", linnet.PrivateGroup), w.group(ann, "three", linnet.Chat)}
	w.drain()
	w.stop()
	older := func() {
		t.Helper()
		for _, g := range groups {
			stats := kv.Key{Kind: "stats", Shard: g.Shard()}
			n := &kv.Counters{Key: stats, Names: []string{"groups"}}
			w.did(e.Read(w.ctx, n))
			_, err := e.Txn(w.ctx, nil, kv.Delete{Key: kv.Key{Kind: "groups", Shard: g.Shard()}}, kv.Incr{Key: stats, Name: "groups", By: -n.Values[0]})
			w.did(err)
		}
		w.did(e.Apply(w.ctx, kv.Delete{Key: kv.Key{Kind: "meta", ID: "groups"}}))
	}
	older()
	w.counts("people 4, groups 0")
	w.check() // as the earlier release left it
	for n, failed := 1, true; failed; n++ {
		for _, when := range []faultkv.When{faultkv.Before, faultkv.After} {
			older()
			first := idleWorld(t, e, store.Options{})
			e.FailAt(n, when)
			failed = first.Groups.Upgrade(w.ctx) != nil
			for shard, from, done := 0, (kv.Member{}), false; !done; { // batches, one of which fails and is repeated
				next, after, end, err := first.store.Accounts.ListGroupsFrom(w.ctx, shard, from)
				if failed = failed || err != nil; err == nil {
					shard, from, done = next, after, end
				}
			}
			e.Reset()
			next := idleWorld(t, e, store.Options{})
			w.did(next.Groups.Upgrade(w.ctx))
			serve(t, e, store.Options{})
			next.counts("people 1, groups 3")
			next.check()
		}
	}
}
