package app_test

import (
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/moderation"
)

// TestStaffNeedSecondFactor checks that staff without a required second factor or passkey cannot
// act as staff and are told why. Members and the operator are not affected.
func TestStaffNeedSecondFactor(t *testing.T) {
	onEngines(t, func(w *world) {
		ann, bob, eve := w.user("ann"), w.user("bob"), w.user("eve")
		w.did(w.giveRole("ann", linnet.Admin))
		w.did(w.giveRole("bob", linnet.Moderator))
		w.drain()
		on, off := true, false
		_, err := w.Settings.ChangeInstance(w.ctx, linnet.By(ann), linnet.InstanceChange{StaffSecured: &on})
		kindIs(w.T, err, linnet.Invalid)
		secondFactor(w.T, w, ann)
		must(w.Settings.ChangeInstance(w.ctx, linnet.By(ann), linnet.InstanceChange{StaffSecured: &on}))(w.T)
		acts := func(by linnet.Actor) error {
			_, err := w.Moderation.Accounts(w.ctx, by, moderation.AccountsQuery{}, linnet.Page{})
			return err
		}
		refused := func(by linnet.Actor, unsecured bool) {
			w.Helper()
			err := acts(by)
			kindIs(w.T, err, linnet.Forbidden)
			if w.Core.Unsecured(err) != unsecured {
				w.Errorf("refused with %v", err)
			}
			kindIs(w.T, w.Moderation.Moderate(w.ctx, by, linnet.Measure{On: eve, Act: linnet.Silence}), linnet.Forbidden)
		}
		w.did(acts(linnet.By(ann)))
		w.did(acts(linnet.Operator()))
		refused(linnet.By(bob), true)
		refused(linnet.By(eve), false)
		w.addPasskey(w.inSession("bob"), "")
		w.did(acts(linnet.By(bob)))
		_, _, err = w.Identity.LogIn(w.ctx, "bob", rightPassword, here) // the passkey would not be a second factor
		kindIs(w.T, err, linnet.Forbidden)
		w.did(w.Identity.ResetTwoFactor(w.ctx, linnet.Operator(), "bob")) // bob has lost the second factor
		refused(linnet.By(bob), true)
		_, _, err = w.Identity.LogIn(w.ctx, "bob", rightPassword, here)
		w.did(err)
		w.did(w.Identity.EndTwoFactor(w.ctx, ann, rightPassword, here))
		refused(linnet.By(ann), true)
		must(w.Settings.ChangeInstance(w.ctx, linnet.Operator(), linnet.InstanceChange{StaffSecured: &off}))(w.T)
		w.did(acts(linnet.By(ann)))
	})
}
