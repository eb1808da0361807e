package social_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/social"
	"linnet/internal/store"
)

// shut is an engine that refuses transactions on one shard while it is closed. A task with a write
// there stays.
type shut struct {
	kv.Engine
	shard  atomic.Uint32
	closed atomic.Bool
}

func (s *shut) Txn(ctx context.Context, conds []kv.Cond, ops ...kv.Op) (int, error) {
	if s.closed.Load() && uint32(kv.KeyOfOp(ops[0]).Shard) == s.shard.Load() {
		return -1, kv.ErrUnavailable
	}
	return s.Engine.Txn(ctx, conds, ops...)
}

// asking is a user who asks to follow a locked user, with the expected state of the relation.
type asking struct {
	*apptest.World
	engine *shut
	me, to linnet.ID
	state  string // "", "asks" or "follows"
}

func newAsking(w *apptest.World, e *shut, n int) *asking {
	a := &asking{World: w, engine: e, me: w.Person(fmt.Sprintf("me%d", n))}
	for i := 0; a.to == 0 || a.to.Shard() == a.me.Shard(); i++ {
		a.to = w.Person(fmt.Sprintf("to%d_%d", n, i))
	}
	apptest.Must(w.Social.Profiles.Update(w.Ctx, a.to, linnet.ProfileChange{Locked: new(true)}))(w)
	e.shard.Store(uint32(a.to.Shard()))
	e.closed.Store(true)
	return a
}

// letters are the actions of both users, and the two tasks R and F that update the other side.
const letters = "awtrxRF"

func (a *asking) do(letter byte) {
	a.Helper()
	switch letter {
	case 'a': // ask
		apptest.Must(a.Social.Follow(a.Ctx, a.me, a.to, linnet.FollowOptions{}))(a)
		if a.state == "" {
			a.state = "asks"
		}
	case 'w': // withdraw or unfollow
		apptest.Must(a.Social.Unfollow(a.Ctx, a.me, a.to))(a)
		a.state = ""
	case 't': // accept
		a.answers(a.Social.AcceptRequest, "asks", "follows", true)
	case 'r': // reject
		a.answers(a.Social.RejectRequest, "asks", "", true)
	case 'x': // remove the follower
		a.answers(a.Social.RemoveFollower, "follows", "", false)
	case 'R':
		a.carry(record.Requests())
	case 'F':
		a.carry(record.Follows())
	}
}

// answers performs an action of the followed user, which changes the state from one to another.
func (a *asking) answers(act func(context.Context, linnet.ID, linnet.ID) (linnet.Relationship, error), from, to string, strict bool) {
	a.Helper()
	_, err := act(a.Ctx, a.to, a.me)
	switch {
	case a.state == from && err == nil:
		a.state = to
	case a.state == from, !strict && err != nil, strict && linnet.KindOf(err) != linnet.NotFound:
		a.Fatalf("answer in state %q: %v", a.state, err)
	}
}

func (a *asking) carry(k record.RelationKind) {
	a.Helper()
	a.engine.closed.Store(false)
	if err := a.Social.Relate(a.Ctx, social.RelationArgs{Kind: k.Name, Owner: a.me, Other: a.to}); err != nil {
		a.Fatal(err)
	}
	a.engine.closed.Store(true)
}

// mine returns the state on the follower's side, which determines visibility.
func (a *asking) mine() string {
	a.Helper()
	r := apptest.Must(a.Social.Relationships(a.Ctx, a.me, []linnet.ID{a.to}))(a)[0]
	switch {
	case r.Following && !r.Requested:
		return "follows"
	case r.Requested && !r.Following:
		return "asks"
	case r.Requested:
		return "both"
	}
	return ""
}

// theirs returns the state on the other side, with counters and notifications.
func (a *asking) theirs() string {
	a.Helper()
	r := apptest.Must(a.Social.Relationships(a.Ctx, a.to, []linnet.ID{a.me}))(a)[0]
	u := apptest.Must(a.View.User(a.Ctx, a.to, a.to))(a)
	list := apptest.Must(a.Social.FollowRequests(a.Ctx, a.to, linnet.Page{}))(a).Items
	return fmt.Sprint(r.FollowedBy, r.RequestedBy, u.Followers, u.Requests, len(list)) + noticeTypes(a.NoticesOf(a.to, linnet.NotificationFilter{}, 40))
}

func noticeTypes(ns []linnet.NotificationView) (out string) {
	for _, n := range ns {
		out += " " + string(n.Type)
	}
	return out
}

// TestRequestsInEveryOrder checks that no history of requests, withdrawals, acceptances, rejections
// and removals results in a follow without consent. Tasks run late, repeatedly and in any order.
// Both sides end with the same state.
func TestRequestsInEveryOrder(t *testing.T) {
	const length, longer = 4, 9
	e := &shut{Engine: memkv.New(memkv.Options{})}
	w := apptest.Idle(t, e, store.Options{})
	n := 0
	for ; n < len(letters)*len(letters)*len(letters)*len(letters); n++ {
		word := make([]byte, length)
		for i, rest := 0, n; i < length; i, rest = i+1, rest/len(letters) {
			word[i] = letters[rest%len(letters)]
		}
		newAsking(w, e, n).live(word, n)
	}
	rnd := rand.New(rand.NewPCG(7, 7))
	for range 500 {
		word := make([]byte, longer)
		for i := range word {
			word[i] = letters[rnd.IntN(len(letters))]
		}
		newAsking(w, e, n).live(word, n)
		n++
	}
	e.closed.Store(false)
	apptest.Serve(t, e.Engine, store.Options{}).Check()
}

// live performs a history and then the remaining tasks, in one of two orders.
func (a *asking) live(word []byte, n int) {
	a.Helper()
	ends := map[string]string{"": "false false 0 0 0", "asks": "false true 0 1 1 follow_request", "follows": "true false 1 0 0 follow"}
	for i, letter := range word {
		a.do(letter)
		if got := a.mine(); got != a.state {
			a.Fatalf("%s: after %d it is %q, should be %q", word, i+1, got, a.state)
		}
	}
	late := []record.RelationKind{record.Requests(), record.Follows(), record.Requests()}
	for _, k := range late[n%2 : n%2+2] {
		a.carry(k)
	}
	if got := a.theirs(); got != ends[a.state] || a.mine() != a.state {
		a.Fatalf("%s: ends as %q: %q, want %q", word, a.state, got, ends[a.state])
	}
	a.engine.closed.Store(false)
}

// TestRequestsUnderRaces checks that both sides agree after concurrent actions on an account that
// is locked and unlocked meanwhile. An unlocked account has no pending requests.
func TestRequestsUnderRaces(t *testing.T) {
	w := apptest.InMemory(t)
	to, people := w.Person("star"), w.People(6)
	done := make(chan error)
	for i, me := range people {
		go func() {
			var err error
			for n := 0; n < 40 && err == nil; n++ {
				switch (i + n) % 5 {
				case 0, 2:
					err = apptest.Err(w.Social.Follow(w.Ctx, me, to, linnet.FollowOptions{}))
				case 1:
					_, _ = w.Social.AcceptRequest(w.Ctx, to, me)
				case 3:
					_, _ = w.Social.RejectRequest(w.Ctx, to, me)
				case 4:
					err = apptest.Err(w.Social.Profiles.Update(w.Ctx, to, linnet.ProfileChange{Locked: new(n%2 == 0)}))
				}
			}
			done <- err
		}()
	}
	for range people {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	apptest.Must(w.Social.Profiles.Update(w.Ctx, to, linnet.ProfileChange{Locked: new(false)}))(t)
	for _, me := range people {
		_, _ = w.Social.Follow(w.Ctx, me, to, linnet.FollowOptions{})
	}
	w.Drain()
	if v := apptest.Must(w.View.User(w.Ctx, to, to))(t); v.Requests != 0 || v.Followers != int64(len(people)) {
		t.Errorf("%d wait, %d follow", v.Requests, v.Followers)
	}
	w.Check()
}

// TestLockHoldsOnEveryServer checks that a locked account receives requests from its response on,
// also through a server that has cached the unlocked account.
func TestLockHoldsOnEveryServer(t *testing.T) {
	apptest.SkipShort(t)
	ws := apptest.Servers(t, 2)
	star, fans := ws[0].Person("star"), ws[0].People(30)
	apptest.Settle(ws)
	for i, fan := range fans {
		apptest.Must(ws[1].Social.Profiles.Update(ws[1].Ctx, star, linnet.ProfileChange{Locked: new(false)}))(t)
		apptest.Settle(ws[1:])
		apptest.Must(ws[0].View.User(ws[0].Ctx, 0, star))(t) // caches the account
		apptest.Must(ws[1].Social.Profiles.Update(ws[1].Ctx, star, linnet.ProfileChange{Locked: new(true)}))(t)
		r := apptest.Must(ws[0].Social.Follow(ws[0].Ctx, fan, star, linnet.FollowOptions{}))(t)
		if r.Following || !r.Requested {
			t.Fatalf("fan %d: %+v", i, r)
		}
		if i == 3 {
			return
		}
		apptest.Must(ws[0].Social.RejectRequest(ws[0].Ctx, star, fan))(t)
	}
}

// TestRequestLimit checks that the number of pending follow requests is limited.
func TestRequestLimit(t *testing.T) {
	w := apptest.InMemory(t)
	me := w.Person("me")
	for i := range linnet.MaxFollowRequests + 1 {
		to := w.Person(fmt.Sprintf("to%d", i))
		apptest.Must(w.Social.Profiles.Update(w.Ctx, to, linnet.ProfileChange{Locked: new(true)}))(t)
		_, err := w.Social.Follow(w.Ctx, me, to, linnet.FollowOptions{})
		if i == linnet.MaxFollowRequests {
			apptest.WantKind(t, err, linnet.Invalid)
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
