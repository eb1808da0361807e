package app_test

import (
	"fmt"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// registerActs are actions on applications, for the fault tests.
func registerActs() map[string]faultyAct {
	return map[string]faultyAct{
		"ask for an account": {
			do: func(s *stage) error {
				r := linnet.RegisterApproval
				if err := apptest.Err(s.Settings.ChangeInstance(s.Ctx, linnet.Operator(), linnet.InstanceChange{Registrations: &r})); err != nil {
					return err
				}
				if err := apptest.Err(s.Identity.Register(s.Ctx, apptest.Applicant("eve"))); linnet.KindOf(err) != linnet.Conflict {
					return err
				}
				return nil // done by an attempt without a response
			},
			want: func(s *stage) string {
				u := apptest.Must(s.Moderation.AccountNamed(s.Ctx, linnet.Operator(), "eve"))(s)
				_, err := s.View.UserByLogin(s.Ctx, 0, "eve")
				return differs(fmt.Sprint(u.Unapproved, linnet.KindOf(err) == linnet.NotFound, s.notices(s.cat)), "true trueadmin.sign_up ")
			},
		},
	}
}
