package identity_test

import (
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
	"linnet/internal/moderation"
)

// TestStaffNeedSecondFactor checks that staff without a required second factor or passkey cannot
// act as staff and are told why. Members and the operator are not affected.
func TestStaffNeedSecondFactor(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, bob, eve := w.User("ann"), w.User("bob"), w.User("eve")
		w.OK(w.GiveRole("ann", linnet.Admin))
		w.OK(w.GiveRole("bob", linnet.Moderator))
		w.Drain()
		on, off := true, false
		_, err := w.Settings.ChangeInstance(w.Ctx, linnet.By(ann), linnet.InstanceChange{StaffSecured: &on})
		apptest.WantKind(w.T, err, linnet.Invalid)
		apptest.EnableTwoFactor(w.T, w, ann)
		apptest.Must(w.Settings.ChangeInstance(w.Ctx, linnet.By(ann), linnet.InstanceChange{StaffSecured: &on}))(w.T)
		acts := func(by linnet.Actor) error {
			_, err := w.Moderation.Accounts(w.Ctx, by, moderation.AccountsQuery{}, linnet.Page{})
			return err
		}
		refused := func(by linnet.Actor, unsecured bool) {
			w.Helper()
			err := acts(by)
			apptest.WantKind(w.T, err, linnet.Forbidden)
			if w.Core.Unsecured(err) != unsecured {
				w.Errorf("refused with %v", err)
			}
			apptest.WantKind(w.T, w.Moderation.Moderate(w.Ctx, by, linnet.Measure{On: eve, Act: linnet.Silence}), linnet.Forbidden)
		}
		w.OK(acts(linnet.By(ann)))
		w.OK(acts(linnet.Operator()))
		refused(linnet.By(bob), true)
		refused(linnet.By(eve), false)
		addPasskey(w, inSession(w, "bob"), "")
		w.OK(acts(linnet.By(bob)))
		_, _, err = w.Identity.LogIn(w.Ctx, "bob", apptest.Password, apptest.LoginAddr) // the passkey would not be a second factor
		apptest.WantKind(w.T, err, linnet.Forbidden)
		w.OK(w.Identity.ResetTwoFactor(w.Ctx, linnet.Operator(), "bob")) // bob has lost the second factor
		refused(linnet.By(bob), true)
		_, _, err = w.Identity.LogIn(w.Ctx, "bob", apptest.Password, apptest.LoginAddr)
		w.OK(err)
		w.OK(w.Identity.EndTwoFactor(w.Ctx, ann, apptest.Password, apptest.LoginAddr))
		refused(linnet.By(ann), true)
		apptest.Must(w.Settings.ChangeInstance(w.Ctx, linnet.Operator(), linnet.InstanceChange{StaffSecured: &off}))(w.T)
		w.OK(acts(linnet.By(ann)))
	})
}
