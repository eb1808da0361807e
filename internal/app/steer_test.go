package app_test

import (
	"slices"
	"testing"

	"linnet/internal/linnet"
)

// Moderators may not do what only administrators may, nobody acts on those above,
// and what was done stands in the log.
func TestSteering(t *testing.T) {
	onEngines(t, func(w *world) {
		ann, una, bob := w.user("ann"), w.user("una"), w.user("bob")
		w.did(w.giveRole("ann", linnet.Admin))
		w.did(w.giveRole("una", linnet.Moderator))
		title := "Birds"
		change := linnet.InstanceChange{Title: &title, Registrations: ptr(linnet.RegisterInvite)}
		for _, who := range []linnet.ID{una, bob} {
			_, err := w.Identity.ChangeInstance(w.ctx, linnet.By(who), change)
			kindIs(w.T, err, linnet.Forbidden)
			kindIs(w.T, w.Moderation.RetryTask(w.ctx, linnet.By(who), 1, "x"), linnet.Forbidden)
			kindIs(w.T, w.Moderation.Moderate(w.ctx, linnet.By(who), linnet.Measure{On: bob, Act: linnet.GiveRole, Role: linnet.Admin}), linnet.Forbidden)
		}
		_, err := w.Identity.InviteAs(w.ctx, bob, linnet.InviteDraft{})
		kindIs(w.T, err, linnet.Forbidden)
		kindIs(w.T, w.Identity.RevokeInviteAs(w.ctx, bob, "abcdefghijklmnop"), linnet.NotFound) // as one that is not there

		must(w.Identity.ChangeInstance(w.ctx, linnet.By(ann), change))(w.T)
		i := must(w.Identity.InviteAs(w.ctx, una, linnet.InviteDraft{}))(w.T)
		w.did(w.Identity.RevokeInviteAs(w.ctx, una, i.Code))
		kindIs(w.T, w.Identity.RevokeInviteAs(w.ctx, una, "../x"), linnet.NotFound)
		kindIs(w.T, w.Moderation.DropTask(w.ctx, linnet.By(ann), 1, "none"), linnet.NotFound)
		kindIs(w.T, w.Moderation.DropTask(w.ctx, linnet.By(ann), 1, "a:b"), linnet.NotFound)
		w.did(w.Moderation.Moderate(w.ctx, linnet.By(ann), linnet.Measure{On: bob, Act: linnet.GiveRole, Role: linnet.Moderator}))
		w.drain()
		var did []linnet.Moderation
		for _, a := range must(w.Moderation.Acts(w.ctx, linnet.Operator(), linnet.Page{}))(w.T).Items {
			if a.By != 0 {
				did = append(did, a.Act.Act)
			}
		}
		slices.Sort(did)
		if want := []linnet.Moderation{"invite", "revoke_invite", "role", "settings"}; !slices.Equal(did, want) {
			w.Errorf("the log holds %v, want %v", did, want)
		}
	})
}
