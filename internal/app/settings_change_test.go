package app_test

import (
	"slices"
	"strings"
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/wording"
)

// TestSteering checks that moderators cannot do what only administrators can, that staff cannot
// act on higher roles, and that actions are logged.
func TestSteering(t *testing.T) {
	onEngines(t, func(w *world) {
		ann, una, bob := w.user("ann"), w.user("una"), w.user("bob")
		w.did(w.giveRole("ann", linnet.Admin))
		w.did(w.giveRole("una", linnet.Moderator))
		title := "Birds"
		change := linnet.InstanceChange{Title: &title, Registrations: new(linnet.RegisterInvite)}
		for _, who := range []linnet.ID{una, bob} {
			_, err := w.Settings.ChangeInstance(w.ctx, linnet.By(who), change)
			kindIs(w.T, err, linnet.Forbidden)
			kindIs(w.T, w.Moderation.Server.RetryTask(w.ctx, linnet.By(who), 1, "x"), linnet.Forbidden)
			kindIs(w.T, w.Moderation.Moderate(w.ctx, linnet.By(who), linnet.Measure{On: bob, Act: linnet.GiveRole, Role: linnet.Admin}), linnet.Forbidden)
		}
		_, err := w.Invites.CreateAs(w.ctx, bob, linnet.InviteDraft{})
		kindIs(w.T, err, linnet.Forbidden)
		kindIs(w.T, w.Invites.RevokeAs(w.ctx, bob, "abcdefghijklmnop"), linnet.NotFound) // like an unknown one

		must(w.Settings.ChangeInstance(w.ctx, linnet.By(ann), change))(w.T)
		i := must(w.Invites.CreateAs(w.ctx, una, linnet.InviteDraft{}))(w.T)
		w.did(w.Invites.RevokeAs(w.ctx, una, i.Code))
		kindIs(w.T, w.Invites.RevokeAs(w.ctx, una, "../x"), linnet.NotFound)
		kindIs(w.T, w.Moderation.Server.DropTask(w.ctx, linnet.By(ann), 1, "none"), linnet.NotFound)
		kindIs(w.T, w.Moderation.Server.DropTask(w.ctx, linnet.By(ann), 1, "a:b"), linnet.NotFound)
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

// TestSettingsInTheLog checks that each change of a setting is logged once with its old and new
// value, also by a restarted server.
func TestSettingsInTheLog(t *testing.T) {
	onEngines(t, func(w *world) {
		long := strings.Repeat("All the same. ", 20)
		for _, tc := range []struct {
			change linnet.InstanceChange
			want   string
		}{
			{linnet.InstanceChange{Title: new("Birds"), Private: new(false)}, "Name: none → “Birds”"},
			{linnet.InstanceChange{Title: new("Birds")}, ""},
			{linnet.InstanceChange{Title: new("Bees"), InviteUses: new(7)}, "Name: “Birds” → “Bees”; Maximum uses of a member's invitation: “5” → “7”"},
			{linnet.InstanceChange{Rules: new([]string{"Be kind.", "No spam."})}, "Rules: none → “Be kind. / No spam.”"},
			{linnet.InstanceChange{Description: new(long + "one")}, "Description: none → “" + long[:100] + "…”"},
			{linnet.InstanceChange{Description: new(long + "two")}, "Description: “…the same. one” → “…the same. two”"},
			{linnet.InstanceChange{Style: new("a { color: red }")}, "Custom CSS: none → “a { color: red }”"},
			{linnet.InstanceChange{Style: new("")}, "Custom CSS: “a { color: red }” → none"},
			{linnet.InstanceChange{AccentLight: new("#006b45"), AccentDark: new("#7fd6b0")}, "Accent colour (light theme): none → “#006b45”; Accent colour (dark theme): none → “#7fd6b0”"},
			{linnet.InstanceChange{StatusChars: new(1000)}, "Maximum characters per post: “500” → “1000”"},
		} {
			before := len(must(w.Moderation.Acts(w.ctx, linnet.Operator(), linnet.Page{}))(w.T).Items)
			must(w.Settings.ChangeInstance(w.ctx, linnet.Operator(), tc.change))(w.T)
			acts := must(w.Moderation.Acts(w.ctx, linnet.Operator(), linnet.Page{}))(w.T).Items
			if got := len(acts) - before; got != min(1, len(tc.want)) || got > 0 && wording.Message(acts[0].Detail).String() != tc.want {
				w.Errorf("%d entries, %+v; want %q", got, acts[0], tc.want)
			}
		}
		_, err := w.Settings.ChangeInstance(w.ctx, linnet.Operator(), linnet.InstanceChange{StatusChars: new(5)})
		kindIs(w.T, err, linnet.Invalid)
		ann := w.user("ann")
		must(w.Posting.Post(w.ctx, ann, linnet.Draft{Text: strings.Repeat("x", 1000)}))(w.T)
		_, err = w.Posting.Post(w.ctx, ann, linnet.Draft{Text: strings.Repeat("x", 1001)})
		kindIs(w.T, err, linnet.Invalid)
		w.check()
	})
}
