package app_test

import (
	"fmt"
	"linnet/internal/app/apptest"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"slices"
	"testing"
)

// TestRoleRemovedWhileGiven checks that no user ends with a removed role, if a role is removed
// between any two writes of giving it, or the other way round.
func TestRoleRemovedWhileGiven(t *testing.T) {
	for _, gives := range []bool{true, false} {
		for at := 1; at <= 5; at++ {
			t.Run(fmt.Sprint(gives, at), func(t *testing.T) {
				e := memkv.New(memkv.Options{})
				other := apptest.NewWith(t, e, store.Options{Shared: true})
				una := other.User("una")
				r := other.MadeRole("Helper", linnet.ManageReports)
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
