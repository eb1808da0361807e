package app_test

import (
	"fmt"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// inviteActs are actions on invitations, for the fault tests.
func inviteActs() map[string]faultyAct {
	return map[string]faultyAct{
		"come by invitation": {
			do: func(s *stage) error {
				r := linnet.RegisterInvite
				if err := apptest.Err(s.Settings.ChangeInstance(s.Ctx, linnet.Operator(), linnet.InstanceChange{Registrations: &r})); err != nil {
					return err
				}
				v, err := s.Invites.Create(s.Ctx, linnet.Operator(), linnet.InviteDraft{Uses: 2})
				if err != nil {
					return err
				}
				if err := apptest.Err(s.Identity.Register(s.Ctx, apptest.Guest("eve", v.Code))); linnet.KindOf(err) != linnet.Conflict {
					return err
				}
				return nil // done by an attempt without a response
			},
			want: func(s *stage) string {
				uses := int64(0)
				for _, i := range apptest.Must(s.Invites.All(s.Ctx, linnet.Operator()))(s) {
					uses += i.Uses
				}
				u := apptest.Must(s.Moderation.AccountNamed(s.Ctx, linnet.Operator(), "eve"))(s)
				return differs(fmt.Sprint(u.Unapproved, uses), "false 1")
			},
		},
	}
}
