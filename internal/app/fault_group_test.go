package app_test

import (
	"fmt"

	"linnet/internal/linnet"
	"linnet/internal/store"
)

// foundAgain creates a group. If an earlier attempt without a response has claimed the name, it
// runs the tasks, which complete the group.
func (s *stage) foundAgain(kind linnet.GroupKind) error {
	v, err := s.Groups.CreateGroup(s.ctx, s.ann, linnet.NewGroup{Login: "birds", Kind: kind})
	if err == nil { // the owner can start at once
		if in := must(s.Groups.GroupRelations(s.ctx, s.ann, []linnet.ID{v.ID}))(s); len(in) != 1 || in[0].Role != linnet.GroupOwner {
			s.Errorf("founded, but not owned: %+v", in)
		}
	}
	if linnet.KindOf(err) == linnet.Conflict {
		serve(s.T, s.engine, store.Options{})
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
				return second(s.Groups.CreateGroup(s.ctx, s.ann, linnet.NewGroup{Login: "birds", Kind: linnet.PrivateGroup}))
			},
			want: func(s *stage) string {
				g := must(s.Groups.GroupByLogin(s.ctx, 0, "birds"))(s)
				return differs(fmt.Sprint(g.Followers, s.membersOf(s.ann, g.ID)), "1 [ann owner]")
			},
		},
	}
}
