package social_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"linnet/internal/app/apptest"
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
func TestGroupsAreNotPeople(t *testing.T) { apptest.OnEngines(t, groupsAreNotPeople) }

func groupsAreNotPeople(w *apptest.World) {
	ann, bob, cat := w.User("birda"), w.User("birdb"), w.User("cat")
	public := w.Group(ann, "birdg", linnet.PublicGroup, bob, cat)
	chat := w.Group(ann, "birdh", linnet.Chat, bob)
	w.Post(ann, "@birdg a wren")
	w.Drain()
	counts(w, "people 3, groups 2")
	accounts := func(q moderation.AccountsQuery) []string {
		w.Helper()
		var out []string
		for _, v := range apptest.Must(w.Moderation.Accounts(w.Ctx, linnet.Operator(), q, linnet.Page{}))(w).Items {
			out = append(out, v.Login)
		}
		return apptest.Sorted(out)
	}
	apptest.Want(w.T, "accounts", accounts(moderation.AccountsQuery{}), "birda", "birdb", "cat")
	apptest.Want(w.T, "groups", accounts(moderation.AccountsQuery{Groups: true}), "birdg", "birdh")
	apptest.Want(w.T, "people named", accounts(moderation.AccountsQuery{Named: "bird"}), "birda", "birdb")
	apptest.Want(w.T, "groups named", accounts(moderation.AccountsQuery{Named: "bird", Groups: true}), "birdg", "birdh")
	w.OK(w.Operate("birdg", linnet.Measure{Act: linnet.Silence}))
	apptest.Want(w.T, "silenced people", accounts(moderation.AccountsQuery{State: linnet.StateSilenced}))
	apptest.Want(w.T, "silenced groups", accounts(moderation.AccountsQuery{State: linnet.StateSilenced, Groups: true}), "birdg")
	apptest.Want(w.T, "active groups", accounts(moderation.AccountsQuery{State: linnet.StateActive, Groups: true}), "birdh")
	w.OK(w.Operate("birdg", linnet.Measure{Act: linnet.Unsilence}))
	w.Drain()
	logins := func(users []linnet.UserView) []string {
		var out []string
		for _, u := range users {
			out = append(out, u.Login)
		}
		return apptest.Sorted(out)
	}
	apptest.Want(w.T, "directory", logins(apptest.Must(w.Discovery.Directory(w.Ctx, cat, linnet.DirectoryQuery{}))(w)), "birda", "birdb", "cat")
	apptest.Want(w.T, "directory of groups", logins(apptest.Must(w.Discovery.Directory(w.Ctx, cat, linnet.DirectoryQuery{Groups: true}))(w)), "birdg")
	apptest.Want(w.T, "search", logins(apptest.Must(w.Discovery.SearchUsers(w.Ctx, cat, discovery.SearchQuery{Text: "bird"}))(w)), "birda", "birdb", "birdg")
	apptest.Want(w.T, "search for people", logins(apptest.Must(w.Discovery.SearchUsers(w.Ctx, cat, discovery.SearchQuery{Text: "bird", People: true}))(w)), "birda", "birdb")
	apptest.Want(w.T, "search for groups", logins(apptest.Must(w.Discovery.SearchUsers(w.Ctx, cat, discovery.SearchQuery{Text: "bird", Groups: true}))(w)), "birdg")
	for _, s := range apptest.Must(w.Discovery.Suggestions(w.Ctx, w.User("dan"), 0))(w) {
		if s.ID == public || s.ID == chat {
			w.Errorf("group %s is suggested as a person", s.Login)
		}
	}
	today := time.Now().UTC().Truncate(24 * time.Hour)
	m := apptest.Must(w.Moderation.Statistics.Measures(w.Ctx, linnet.Operator(), []string{"new_users"}, today, today))(w)
	if m[0].Total != 4 {
		w.Errorf("%d signed up, want 4", m[0].Total)
	}
	w.OK(w.Groups.DeleteGroup(w.Ctx, ann, public))
	w.Drain()
	counts(w, "people 4, groups 1")
	w.Check()
}

// counts compares the stored size of the server with want.
func counts(w *apptest.World, want string) {
	w.Helper()
	n := apptest.Must(w.Store.Instance.Totals(w.Ctx))(w)
	if got := fmt.Sprintf("people %d, groups %d", n.People, n.Groups); got != want {
		w.Errorf("%s, want %s", got, want)
	}
}

// TestDirectoryBehindGroups checks that pages of the directory continue behind groups when they
// list accounts, and behind accounts when they list groups.
func TestDirectoryBehindGroups(t *testing.T) {
	w := apptest.InMemory(t)
	people, groups := 0, 0
	for i := range 80 {
		id := w.User(fmt.Sprintf("p%d", i))
		people++
		if i < 10 {
			for n := range 6 {
				w.Group(id, fmt.Sprintf("g%dx%d", i, n), linnet.PublicGroup)
				groups++
			}
		}
	}
	w.Drain()
	for _, of := range []struct {
		groups bool
		want   int
	}{{false, people}, {true, groups}} {
		var seen []linnet.ID
		for q := (linnet.DirectoryQuery{Groups: of.groups, Order: linnet.DirectoryNew, Limit: 7}); ; q.Offset += 7 {
			page := apptest.Must(w.Discovery.Directory(w.Ctx, 0, q))(w)
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
	w := apptest.New(t, e)
	ann := w.User("ann")
	groups := []linnet.ID{w.Group(ann, "one", linnet.PublicGroup), w.Group(ann, "two", linnet.PrivateGroup), w.Group(ann, "three", linnet.Chat)}
	w.Drain()
	w.Stop()
	older := func() {
		t.Helper()
		for _, g := range groups {
			stats := kv.Key{Kind: "stats", Shard: g.Shard()}
			n := &kv.Counters{Key: stats, Names: []string{"groups"}}
			w.OK(e.Read(w.Ctx, n))
			_, err := e.Txn(w.Ctx, nil, kv.Delete{Key: kv.Key{Kind: "groups", Shard: g.Shard()}}, kv.Incr{Key: stats, Name: "groups", By: -n.Values[0]})
			w.OK(err)
		}
		w.OK(e.Apply(w.Ctx, kv.Delete{Key: kv.Key{Kind: "meta", ID: "groups"}}))
	}
	older()
	counts(w, "people 4, groups 0")
	w.Check() // as the earlier release left it
	for n, failed := 1, true; failed; n++ {
		for _, when := range []faultkv.When{faultkv.Before, faultkv.After} {
			older()
			first := apptest.Idle(t, e, store.Options{})
			e.FailAt(n, when)
			failed = first.Groups.Upgrade(w.Ctx) != nil
			for shard, from, done := 0, (kv.Member{}), false; !done; { // batches, one of which fails and is repeated
				next, after, end, err := first.Store.Accounts.ListGroupsFrom(w.Ctx, shard, from)
				if failed = failed || err != nil; err == nil {
					shard, from, done = next, after, end
				}
			}
			e.Reset()
			next := apptest.Idle(t, e, store.Options{})
			w.OK(next.Groups.Upgrade(w.Ctx))
			apptest.Serve(t, e, store.Options{})
			counts(next, "people 1, groups 3")
			next.Check()
		}
	}
}
