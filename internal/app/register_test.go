package app_test

import (
	"fmt"
	"net/netip"
	"testing"

	"linnet/internal/linnet"
)

// registrations sets the registration mode.
func (w *world) registrations(r linnet.Registrations) {
	w.Helper()
	must(w.Settings.ChangeInstance(w.ctx, linnet.Operator(), linnet.InstanceChange{Registrations: &r}))(w)
}

func applicant(login string) linnet.SignUp {
	return linnet.SignUp{Login: login, Password: "correct horse", Agreed: true, Reason: "I like birds."}
}

// TestApproval checks that an applicant can log in once approved, and never after a rejection. The
// name of a rejected applicant stays reserved.
func TestApproval(t *testing.T) {
	onEngines(t, func(w *world) {
		w.registrations(linnet.RegisterApproval)
		for _, login := range []string{"eve", "dan"} {
			if u := must(w.Identity.Register(w.ctx, applicant(login)))(w); !u.Unapproved {
				w.Errorf("%s is in at once", login)
			}
			w.drain()
			_, _, err := w.Identity.LogIn(w.ctx, login, "correct horse", netip.MustParseAddr("::1"))
			kindIs(w, err, linnet.Forbidden)
		}
		w.did(w.operate("eve", linnet.Measure{Act: linnet.Approve}))
		dan := must(w.Moderation.AccountNamed(w.ctx, linnet.Operator(), "dan"))(w).ID
		w.did(w.operate("dan", linnet.Measure{Act: linnet.Reject}))
		w.drain()
		if found := keysOf(w, dan); len(found) != 0 {
			w.Errorf("of who was refused there is %v", found)
		}
		if act := must(w.Moderation.Acts(w.ctx, linnet.Operator(), linnet.Page{}))(w).Items[0]; act.Act.Act != linnet.Reject || act.Detail != "dan" || act.On != dan {
			w.Errorf("logged: %+v", act)
		}
		kindIs(w, w.operate("eve", linnet.Measure{Act: linnet.Reject}), linnet.Forbidden)
		must(second3(w.Identity.LogIn(w.ctx, "eve", "correct horse", netip.MustParseAddr("::1"))))(w)
		_, _, err := w.Identity.LogIn(w.ctx, "dan", "correct horse", netip.MustParseAddr("::1"))
		kindIs(w, err, linnet.Unauthenticated)
		_, err = w.Identity.Register(w.ctx, applicant("dan"))
		kindIs(w, err, linnet.Conflict)
		w.registrations(linnet.RegisterClosed)
		_, err = w.Identity.Register(w.ctx, applicant("fay"))
		kindIs(w, err, linnet.Forbidden)
		w.check()
	})
}

func second3[A, B any](a A, _ B, err error) (A, error) { return a, err }

// registerActs are actions on applications, for the fault tests.
func registerActs() map[string]faultyAct {
	return map[string]faultyAct{
		"ask for an account": {
			do: func(s *stage) error {
				r := linnet.RegisterApproval
				if err := second(s.Settings.ChangeInstance(s.ctx, linnet.Operator(), linnet.InstanceChange{Registrations: &r})); err != nil {
					return err
				}
				if err := second(s.Identity.Register(s.ctx, applicant("eve"))); linnet.KindOf(err) != linnet.Conflict {
					return err
				}
				return nil // done by an attempt without a response
			},
			want: func(s *stage) string {
				u := must(s.Moderation.AccountNamed(s.ctx, linnet.Operator(), "eve"))(s)
				_, err := s.View.UserByLogin(s.ctx, 0, "eve")
				return differs(fmt.Sprint(u.Unapproved, linnet.KindOf(err) == linnet.NotFound, s.notices(s.cat)), "true trueadmin.sign_up ")
			},
		},
	}
}
