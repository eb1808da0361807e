package app_test

import (
	"fmt"
	"testing"

	"linnet/internal/linnet"
)

// Who may not post in a group any more says nothing more in it by editing what stands there,
// and can still delete it.
func TestEditInAGroupOfOneWhoHasLeft(t *testing.T) {
	ends := map[string]func(w *world, ann, bob, g linnet.ID) error{
		"banned":  func(w *world, ann, bob, g linnet.ID) error { return w.Groups.BanMember(w.ctx, ann, g, bob) },
		"removed": func(w *world, ann, bob, g linnet.ID) error { return w.Groups.KickMember(w.ctx, ann, g, bob) },
		"left":    func(w *world, _, bob, g linnet.ID) error { return second(w.Social.Unfollow(w.ctx, bob, g)) },
		"not a moderator any more": func(w *world, ann, bob, g linnet.ID) error {
			return second(w.Groups.SetGroupRole(w.ctx, ann, g, bob, linnet.GroupMember))
		},
	}
	onEngines(t, func(w *world) {
		ann, cat, n := w.person("ann"), w.person("cat"), 0
		for _, kind := range []linnet.GroupKind{linnet.PublicGroup, linnet.PrivateGroup, linnet.Chat, linnet.AnnouncementGroup} {
			for name, end := range ends {
				n++
				login := fmt.Sprint("bob", n)
				bob := w.person(login)
				g := w.group(ann, "of"+login, kind, bob, cat)
				if kind == linnet.AnnouncementGroup {
					w.ok(second(w.Groups.SetGroupRole(w.ctx, ann, g, bob, linnet.GroupModerator)))
				} else if name == "not a moderator any more" {
					continue
				}
				st := w.post(bob, "@of%s nice words", login).ID
				w.drain()
				if v := w.edit(bob, st, linnet.Edit{Text: "@of" + login + " nicer words"}); v.Group != g {
					w.Fatalf("%v: the post is in %v, want %v", kind, v.Group, g)
				}
				w.ok(end(w, ann, bob, g))
				w.drain()
				if _, err := w.Posting.Edit(w.ctx, bob, st, linnet.Edit{Text: "@of" + login + " @cat others"}); linnet.KindOf(err) != linnet.Forbidden {
					w.Errorf("%v, %s: an edit gives %v", kind, name, err)
				}
				if v := must(w.View.Status(w.ctx, bob, st))(w); v.Text != "@of"+login+" nicer words" {
					w.Errorf("%v, %s: it says %q", kind, name, v.Text)
				}
				w.ok(second(w.Posting.DeleteStatus(w.ctx, bob, st)))
			}
		}
		w.check()
	})
}
