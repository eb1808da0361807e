package app_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/store/accounts"
)

// meeting is an engine that makes races certain: the next n transactions wait for each other, after
// all of them have read the same state.
type meeting struct {
	kv.Engine
	mu   sync.Mutex
	left int
	met  chan struct{}
}

func newMeeting() *meeting { return &meeting{Engine: memkv.New(memkv.Options{})} }

// of makes the next n transactions wait for each other.
func (m *meeting) of(n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.left, m.met = n, make(chan struct{})
}

func (m *meeting) Txn(ctx context.Context, conds []kv.Cond, ops ...kv.Op) (int, error) {
	m.mu.Lock()
	met := m.met
	if m.left > 0 {
		if m.left--; m.left == 0 {
			close(m.met)
		}
	} else {
		met = nil
	}
	m.mu.Unlock()
	if met != nil {
		<-met
	}
	return m.Engine.Txn(ctx, conds, ops...)
}

// atOnce runs n actions, which all reach their first transaction before one is executed.
func (m *meeting) atOnce(t *testing.T, n int, act func(i int) error) {
	t.Helper()
	m.of(n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if err := act(i); err != nil {
				t.Errorf("act %d: %v", i, err)
			}
		})
	}
	wg.Wait()
}

// TestAtTheSameMoment checks that concurrent actions are done once, or have both effects.
func TestAtTheSameMoment(t *testing.T) {
	m := newMeeting()
	w := apptest.Idle(t, m, store.Options{})
	ann, bob := w.Person("ann"), w.Person("bob")
	var posts [3]linnet.ID
	m.atOnce(t, 3, func(i int) error {
		v, err := w.Posting.Post(w.Ctx, ann, linnet.Draft{Text: "x", IdempotencyKey: "k"})
		if err == nil {
			posts[i] = v.ID
		}
		return err
	})
	if posts[0] != posts[1] || posts[1] != posts[2] {
		t.Errorf("statuses of one key: %v", posts)
	}
	changes := []linnet.ProfileChange{{Name: new("Ann")}, {Note: new("note")}, {Bot: new(true)}}
	m.atOnce(t, 3, func(i int) error { return apptest.Err(w.Social.Profiles.Update(w.Ctx, ann, changes[i])) })
	if v := apptest.Must(w.View.User(w.Ctx, 0, ann))(t); v.Name != "Ann" || v.Note != "note" || !v.Bot {
		t.Errorf("profile: %+v", v.User)
	}
	m.atOnce(t, 4, func(int) error { return apptest.Err(w.Posting.Marks.Favourite(w.Ctx, bob, posts[0])) })
	var reposts [3]linnet.ID
	m.atOnce(t, 3, func(i int) error {
		v, err := w.Posting.Repost(w.Ctx, bob, posts[0], nil)
		if err == nil {
			reposts[i] = v.ID
		}
		return err
	})
	if reposts[0] != reposts[1] || reposts[1] != reposts[2] {
		t.Errorf("reposts: %v", reposts)
	}
	m.atOnce(t, 4, func(int) error { return apptest.Err(w.Social.Follow(w.Ctx, bob, ann, linnet.FollowOptions{})) })
	m.atOnce(t, 2, func(int) error {
		_, err := w.Posting.Delete(w.Ctx, ann, posts[0])
		if linnet.KindOf(err) == linnet.NotFound {
			return nil
		}
		return err
	})
	won := 0
	m.atOnce(t, 3, func(i int) error {
		_, err := w.SignUpFast(fmt.Sprintf("%cat", "cC"[i%2]))
		if err == nil {
			won++ // only one sign-up can win
		} else if errors.Is(err, accounts.ErrTaken) {
			return nil
		}
		return err
	})
	if won != 1 {
		t.Errorf("%d have the login", won)
	}
	w = apptest.Serve(t, m, store.Options{})
	if v := apptest.Must(w.View.User(w.Ctx, 0, ann))(t); v.Followers != 1 || v.Statuses != 0 {
		t.Errorf("%d followers, %d statuses", v.Followers, v.Statuses)
	}
	w.Check()
}

// between is an engine that calls do once before a write.
type between struct {
	kv.Engine
	do func()

	mu   sync.Mutex
	left int // writes until the call
}

// arm makes do run before the nth write from now on, or never if n is 0. A running call has ended
// when arm returns.
func (b *between) arm(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.left = n
}

func (b *between) count() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.left == 0 {
		return
	}
	if b.left--; b.left == 0 {
		b.do()
	}
}

func (b *between) Txn(ctx context.Context, conds []kv.Cond, ops ...kv.Op) (int, error) {
	b.count()
	return b.Engine.Txn(ctx, conds, ops...)
}

func (b *between) Apply(ctx context.Context, ops ...kv.Op) error {
	b.count()
	return b.Engine.Apply(ctx, ops...)
}

// TestDeletedInTheMiddle checks that a status can be deleted, with all its tasks, between any two
// writes of another action on it.
func TestDeletedInTheMiddle(t *testing.T) {
	for name, c := range map[string]struct {
		act   func(w *apptest.World, me, s linnet.ID) error
		which func(s linnet.ID, w *apptest.World, me linnet.ID) (by, id linnet.ID) // the status to delete, nil for s
	}{
		"favourite": {func(w *apptest.World, me, s linnet.ID) error {
			return apptest.Err(w.Posting.Marks.Favourite(w.Ctx, me, s))
		}, nil},
		"repost": {func(w *apptest.World, me, s linnet.ID) error { return apptest.Err(w.Posting.Repost(w.Ctx, me, s, nil)) }, nil},
		"answer": {func(w *apptest.World, me, s linnet.ID) error {
			return apptest.Err(w.Posting.Post(w.Ctx, me, linnet.Draft{Text: "answer #tag @author", InReplyTo: s}))
		}, nil},
		"its answer": {func(w *apptest.World, me, s linnet.ID) error {
			return apptest.Err(w.Posting.Post(w.Ctx, me, linnet.Draft{Text: "answer #tag @author", InReplyTo: s}))
		}, func(s linnet.ID, w *apptest.World, me linnet.ID) (linnet.ID, linnet.ID) {
			posted := apptest.Must(w.Reading.Profile(w.Ctx, me, me, linnet.ProfileFilter{}, linnet.Page{}))(w).Items
			if len(posted) == 0 { // the write was not the post's own
				return 0, 0
			}
			return me, posted[0].ID
		}},
	} {
		for at := 2; at <= 6; at++ {
			t.Run(fmt.Sprint(name, at), func(t *testing.T) {
				e := memkv.New(memkv.Options{})
				other := apptest.NewWith(t, e, store.Options{Shared: true})
				author, me := other.Person("author"), other.Person("me")
				s := other.Post(author, "to be deleted").ID
				hook := &between{Engine: e, do: func() {
					by, id := author, s
					if c.which != nil {
						by, id = c.which(s, other, me)
					}
					if id == 0 {
						return
					}
					apptest.Must(other.Posting.Delete(other.Ctx, by, id))(t)
					other.Drain()
				}}
				w := apptest.NewWith(t, hook, store.Options{Shared: true})
				other.Drain()
				hook.arm(at)
				if err := c.act(w, me, s); err != nil && linnet.KindOf(err) != linnet.NotFound {
					t.Fatal(err)
				}
				w.Drain()
				hook.arm(0) // background work is not part of the action
				other.Drain()
				shown := apptest.Must(w.Reading.Profile(w.Ctx, me, me, linnet.ProfileFilter{}, linnet.Page{}))(t)
				if v := apptest.Must(w.View.User(w.Ctx, 0, me))(t); v.Statuses != int64(len(shown.Items)) {
					t.Errorf("%d statuses are counted, %d shown", v.Statuses, len(shown.Items))
				}
				if !strings.Contains(name, "answer") {
					w.Check()
					return
				}
				if v, err := w.View.Status(w.Ctx, 0, s); err == nil && v.Replies != int64(len(shown.Items)) {
					t.Errorf("%d replies are counted", v.Replies)
				}
				if tag := apptest.Must(w.Reading.Tag(w.Ctx, 0, linnet.TagQuery{Tag: "tag"}, linnet.Page{}))(t); len(tag.Items) != len(shown.Items) {
					t.Errorf("%d with the tag", len(tag.Items))
				}
				w.Check()
			})
		}
	}
}

// TestOwnersLeaveAtOnce checks that only one of two owners can leave a group when they leave at the
// same time.
func TestOwnersLeaveAtOnce(t *testing.T) {
	m := newMeeting()
	w := apptest.Idle(t, m, store.Options{})
	ann, bob := w.Person("ann"), w.Person("bob")
	g := w.Group(ann, "birds", linnet.PublicGroup, bob)
	apptest.Must(w.Groups.SetGroupRole(w.Ctx, ann, g, bob, linnet.GroupOwner))(t)
	refused := 0
	m.atOnce(t, 2, func(i int) error {
		_, err := w.Social.Unfollow(w.Ctx, []linnet.ID{ann, bob}[i], g)
		if linnet.KindOf(err) == linnet.Invalid {
			refused++
			return nil
		}
		return err
	})
	if refused != 1 {
		t.Errorf("%d are kept", refused)
	}
	w = apptest.Serve(t, m, store.Options{})
	w.Check()
}

// TestRoleRemovedWhileGiven checks that no user ends with a removed role, if a role is removed
// between any two writes of giving it, or the other way round.
func TestRoleRemovedWhileGiven(t *testing.T) {
	for _, gives := range []bool{true, false} {
		for at := 1; at <= 5; at++ {
			t.Run(fmt.Sprint(gives, at), func(t *testing.T) {
				e := memkv.New(memkv.Options{})
				other := apptest.NewWith(t, e, store.Options{Shared: true})
				una := other.User("una")
				r := other.CreateRole("Helper", linnet.ManageReports)
				other.Drain()
				give := func(w *apptest.World) error {
					return w.Moderation.Moderate(w.Ctx, linnet.Operator(), linnet.Measure{On: una, Act: linnet.GiveRole, Custom: r.ID})
				}
				remove := func(w *apptest.World) error { return w.Moderation.RemoveRole(w.Ctx, linnet.Operator(), r.ID) }
				act, meanwhile := give, remove
				if !gives {
					act, meanwhile = remove, give
				}
				var got [2]error
				hook := &between{Engine: e, do: func() { got[1] = meanwhile(other) }}
				w := apptest.NewWith(t, hook, store.Options{Shared: true})
				hook.arm(at)
				got[0] = act(w)
				hook.arm(0)
				w.Drain()
				other.Drain()
				for _, err := range got {
					if err != nil && !slices.Contains([]linnet.Kind{linnet.Conflict, linnet.Invalid}, linnet.KindOf(err)) {
						t.Error(err)
					}
				}
				u := apptest.Must(other.Core.LookupUser(other.Ctx, una))(t)
				there := apptest.Must(other.Core.ReadRoles(other.Ctx))(t).Find(r.ID) != nil
				if u.Custom != 0 && !there || u.Custom == 0 && u.Role != linnet.Member {
					t.Errorf("the role is there: %v; the user is %v with %v; %v", there, u.Role, u.Custom, got)
				}
				w.Check()
			})
		}
	}
}
