package app_test

import (
	"fmt"
	"testing"

	"linnet/internal/linnet"
)

// TestEditInAGroupOfOneWhoHasLeft checks that an author who can no longer post in a group cannot
// edit posts in it, but can delete them.
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
					w.did(second(w.Groups.SetGroupRole(w.ctx, ann, g, bob, linnet.GroupModerator)))
				} else if name == "not a moderator any more" {
					continue
				}
				st := w.post(bob, "@of%s nice words", login).ID
				w.drain()
				if v := w.edit(bob, st, linnet.Edit{Text: "@of" + login + " nicer words"}); v.Group != g {
					w.Fatalf("%v: the post is in %v, want %v", kind, v.Group, g)
				}
				w.did(end(w, ann, bob, g))
				w.drain()
				if _, err := w.Posting.Edit(w.ctx, bob, st, linnet.Edit{Text: "@of" + login + " @cat others"}); linnet.KindOf(err) != linnet.Forbidden {
					w.Errorf("%v, %s: an edit gives %v", kind, name, err)
				}
				if v := must(w.View.Status(w.ctx, bob, st))(w); v.Text != "@of"+login+" nicer words" {
					w.Errorf("%v, %s: it says %q", kind, name, v.Text)
				}
				w.did(second(w.Posting.Delete(w.ctx, bob, st)))
			}
		}
		w.check()
	})
}

// An edit cannot make a post that others see one of a closed group, so it is refused. Outsiders do
// not learn from the refusal that a group exists.
func TestEditCannotMoveIntoClosedGroup(t *testing.T) {
	onEngines(t, func(w *world) {
		ann, bob, dan := w.person("ann"), w.person("bob"), w.person("dan")
		for kind, login := range map[linnet.GroupKind]string{linnet.PublicGroup: "open", linnet.PrivateGroup: "closed", linnet.Chat: "chat"} {
			w.group(ann, login, kind, bob)
			for _, author := range []linnet.ID{bob, dan} {
				for _, v := range []linnet.Visibility{linnet.Public, linnet.Unlisted, linnet.Private} {
					id := must(w.Posting.Post(w.ctx, author, linnet.Draft{Text: "hello", Visibility: &v}))(w.T).ID
					_, err := w.Posting.Edit(w.ctx, author, id, linnet.Edit{Text: "@" + login + " hello"})
					if refused := author == bob && kind.Closed(); (linnet.KindOf(err) == linnet.Invalid) != refused || !refused && err != nil {
						w.Errorf("%s, visibility %v, member %v: %v", login, v, author == bob, err)
					}
				}
			}
		}
	})
}
