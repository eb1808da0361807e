package moderation_test

import (
	"slices"
	"strings"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
	"linnet/internal/wording"
)

// TestSteering checks that moderators cannot do what only administrators can, that staff cannot
// act on higher roles, and that actions are logged.
func TestSteering(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, una, bob := w.User("ann"), w.User("una"), w.User("bob")
		w.OK(w.GiveRole("ann", linnet.Admin))
		w.OK(w.GiveRole("una", linnet.Moderator))
		title := "Birds"
		change := linnet.InstanceChange{Title: &title, Registrations: new(linnet.RegisterInvite)}
		for _, who := range []linnet.ID{una, bob} {
			_, err := w.Settings.ChangeInstance(w.Ctx, linnet.By(who), change)
			apptest.WantKind(w.T, err, linnet.Forbidden)
			apptest.WantKind(w.T, w.Moderation.Server.RetryTask(w.Ctx, linnet.By(who), 1, "x"), linnet.Forbidden)
			apptest.WantKind(w.T, w.Moderation.Moderate(w.Ctx, linnet.By(who), linnet.Measure{On: bob, Act: linnet.GiveRole, Role: linnet.Admin}), linnet.Forbidden)
		}
		_, err := w.Invites.CreateAs(w.Ctx, bob, linnet.InviteDraft{})
		apptest.WantKind(w.T, err, linnet.Forbidden)
		apptest.WantKind(w.T, w.Invites.RevokeAs(w.Ctx, bob, "abcdefghijklmnop"), linnet.NotFound) // like an unknown one

		apptest.Must(w.Settings.ChangeInstance(w.Ctx, linnet.By(ann), change))(w.T)
		i := apptest.Must(w.Invites.CreateAs(w.Ctx, una, linnet.InviteDraft{}))(w.T)
		w.OK(w.Invites.RevokeAs(w.Ctx, una, i.Code))
		apptest.WantKind(w.T, w.Invites.RevokeAs(w.Ctx, una, "../x"), linnet.NotFound)
		apptest.WantKind(w.T, w.Moderation.Server.DropTask(w.Ctx, linnet.By(ann), 1, "none"), linnet.NotFound)
		apptest.WantKind(w.T, w.Moderation.Server.DropTask(w.Ctx, linnet.By(ann), 1, "a:b"), linnet.NotFound)
		w.OK(w.Moderation.Moderate(w.Ctx, linnet.By(ann), linnet.Measure{On: bob, Act: linnet.GiveRole, Role: linnet.Moderator}))
		w.Drain()
		var did []linnet.Moderation
		for _, a := range apptest.Must(w.Moderation.Acts(w.Ctx, linnet.Operator(), linnet.Page{}))(w.T).Items {
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
	apptest.OnEngines(t, func(w *apptest.World) {
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
			before := len(apptest.Must(w.Moderation.Acts(w.Ctx, linnet.Operator(), linnet.Page{}))(w.T).Items)
			apptest.Must(w.Settings.ChangeInstance(w.Ctx, linnet.Operator(), tc.change))(w.T)
			acts := apptest.Must(w.Moderation.Acts(w.Ctx, linnet.Operator(), linnet.Page{}))(w.T).Items
			if got := len(acts) - before; got != min(1, len(tc.want)) || got > 0 && wording.Message(acts[0].Detail).String() != tc.want {
				w.Errorf("%d entries, %+v; want %q", got, acts[0], tc.want)
			}
		}
		_, err := w.Settings.ChangeInstance(w.Ctx, linnet.Operator(), linnet.InstanceChange{StatusChars: new(5)})
		apptest.WantKind(w.T, err, linnet.Invalid)
		ann := w.User("ann")
		apptest.Must(w.Posting.Post(w.Ctx, ann, linnet.Draft{Text: strings.Repeat("x", 1000)}))(w.T)
		_, err = w.Posting.Post(w.Ctx, ann, linnet.Draft{Text: strings.Repeat("x", 1001)})
		apptest.WantKind(w.T, err, linnet.Invalid)
		w.Check()
	})
}
