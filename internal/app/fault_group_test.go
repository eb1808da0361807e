package app_test

import (
	"fmt"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// foundAgain creates a group. If an earlier attempt without a response has claimed the name, it
// runs the tasks, which complete the group.
func (s *stage) foundAgain(kind linnet.GroupKind) error {
	v, err := s.Groups.CreateGroup(s.Ctx, s.ann, linnet.NewGroup{Login: "birds", Kind: kind})
	if err == nil { // the owner can start at once
		if in := apptest.Must(s.Groups.GroupRelations(s.Ctx, s.ann, []linnet.ID{v.ID}))(s); len(in) != 1 || in[0].Role != linnet.GroupOwner {
			s.Errorf("founded, but not owned: %+v", in)
		}
	}
	if linnet.KindOf(err) == linnet.Conflict {
		apptest.Serve(s.T, s.engine, store.Options{})
		return nil
	}
	return err
}

// faultyGroupActs are actions on groups, for the fault tests.
func faultyGroupActs() map[string]faultyAct {
	return map[string]faultyAct{
		"found a group": {
			do: func(s *stage) error { return s.foundAgain(linnet.PrivateGroup) },
			once: func(s *stage) error {
				return apptest.Err(s.Groups.CreateGroup(s.Ctx, s.ann, linnet.NewGroup{Login: "birds", Kind: linnet.PrivateGroup}))
			},
			want: func(s *stage) string {
				g := apptest.Must(s.Groups.GroupByLogin(s.Ctx, 0, "birds"))(s)
				return differs(fmt.Sprint(g.Followers, s.GroupMembers(s.ann, g.ID)), "1 [ann owner]")
			},
		},
	}
}
