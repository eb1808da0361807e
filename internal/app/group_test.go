package app_test

import (
	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"testing"
)

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
