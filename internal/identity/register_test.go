package identity_test

import (
	"net/netip"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// TestApproval checks that an applicant can log in once approved, and never after a rejection. The
// name of a rejected applicant stays reserved.
func TestApproval(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		w.SetRegistrations(linnet.RegisterApproval)
		for _, login := range []string{"eve", "dan"} {
			if u := apptest.Must(w.Identity.Register(w.Ctx, apptest.Applicant(login)))(w); !u.Unapproved {
				w.Errorf("%s is in at once", login)
			}
			w.Drain()
			_, _, err := w.Identity.LogIn(w.Ctx, login, "correct horse", netip.MustParseAddr("::1"))
			apptest.WantKind(w, err, linnet.Forbidden)
		}
		w.OK(w.Operate("eve", linnet.Measure{Act: linnet.Approve}))
		dan := apptest.Must(w.Moderation.AccountNamed(w.Ctx, linnet.Operator(), "dan"))(w).ID
		w.OK(w.Operate("dan", linnet.Measure{Act: linnet.Reject}))
		w.Drain()
		if found := apptest.KeysOf(w, dan); len(found) != 0 {
			w.Errorf("of who was refused there is %v", found)
		}
		if act := apptest.Must(w.Moderation.Acts(w.Ctx, linnet.Operator(), linnet.Page{}))(w).Items[0]; act.Act.Act != linnet.Reject || act.Detail != "dan" || act.On != dan {
			w.Errorf("logged: %+v", act)
		}
		apptest.WantKind(w, w.Operate("eve", linnet.Measure{Act: linnet.Reject}), linnet.Forbidden)
		apptest.Must(second3(w.Identity.LogIn(w.Ctx, "eve", "correct horse", netip.MustParseAddr("::1"))))(w)
		_, _, err := w.Identity.LogIn(w.Ctx, "dan", "correct horse", netip.MustParseAddr("::1"))
		apptest.WantKind(w, err, linnet.Unauthenticated)
		_, err = w.Identity.Register(w.Ctx, apptest.Applicant("dan"))
		apptest.WantKind(w, err, linnet.Conflict)
		w.SetRegistrations(linnet.RegisterClosed)
		_, err = w.Identity.Register(w.Ctx, apptest.Applicant("fay"))
		apptest.WantKind(w, err, linnet.Forbidden)
		w.Check()
	})
}

func second3[A, B any](a A, _ B, err error) (A, error) { return a, err }
