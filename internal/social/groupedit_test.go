package social_test

import (
	"fmt"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// TestEditInAGroupOfOneWhoHasLeft checks that an author who can no longer post in a group cannot
// edit posts in it, but can delete them.
func TestEditInAGroupOfOneWhoHasLeft(t *testing.T) {
	ends := map[string]func(w *apptest.World, ann, bob, g linnet.ID) error{
		"banned":  func(w *apptest.World, ann, bob, g linnet.ID) error { return w.Groups.BanMember(w.Ctx, ann, g, bob) },
		"removed": func(w *apptest.World, ann, bob, g linnet.ID) error { return w.Groups.KickMember(w.Ctx, ann, g, bob) },
		"left": func(w *apptest.World, _, bob, g linnet.ID) error {
			return apptest.Err(w.Social.Unfollow(w.Ctx, bob, g))
		},
		"not a moderator any more": func(w *apptest.World, ann, bob, g linnet.ID) error {
			return apptest.Err(w.Groups.SetGroupRole(w.Ctx, ann, g, bob, linnet.GroupMember))
		},
	}
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, cat, n := w.Person("ann"), w.Person("cat"), 0
		for _, kind := range []linnet.GroupKind{linnet.PublicGroup, linnet.PrivateGroup, linnet.Chat, linnet.AnnouncementGroup} {
			for name, end := range ends {
				n++
				login := fmt.Sprint("bob", n)
				bob := w.Person(login)
				g := w.Group(ann, "of"+login, kind, bob, cat)
				if kind == linnet.AnnouncementGroup {
					w.OK(apptest.Err(w.Groups.SetGroupRole(w.Ctx, ann, g, bob, linnet.GroupModerator)))
				} else if name == "not a moderator any more" {
					continue
				}
				st := w.Post(bob, "@of%s nice words", login).ID
				w.Drain()
				if v := w.Edit(bob, st, linnet.Edit{Text: "@of" + login + " nicer words"}); v.Group != g {
					w.Fatalf("%v: the post is in %v, want %v", kind, v.Group, g)
				}
				w.OK(end(w, ann, bob, g))
				w.Drain()
				if _, err := w.Posting.Edit(w.Ctx, bob, st, linnet.Edit{Text: "@of" + login + " @cat others"}); linnet.KindOf(err) != linnet.Forbidden {
					w.Errorf("%v, %s: an edit gives %v", kind, name, err)
				}
				if v := apptest.Must(w.View.Status(w.Ctx, bob, st))(w); v.Text != "@of"+login+" nicer words" {
					w.Errorf("%v, %s: it says %q", kind, name, v.Text)
				}
				w.OK(apptest.Err(w.Posting.Delete(w.Ctx, bob, st)))
			}
		}
		w.Check()
	})
}

// An edit cannot make a post that others see one of a closed group, so it is refused. Outsiders do
// not learn from the refusal that a group exists.
func TestEditCannotMoveIntoClosedGroup(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, bob, dan := w.Person("ann"), w.Person("bob"), w.Person("dan")
		for kind, login := range map[linnet.GroupKind]string{linnet.PublicGroup: "open", linnet.PrivateGroup: "closed", linnet.Chat: "chat"} {
			w.Group(ann, login, kind, bob)
			for _, author := range []linnet.ID{bob, dan} {
				for _, v := range []linnet.Visibility{linnet.Public, linnet.Unlisted, linnet.Private} {
					id := apptest.Must(w.Posting.Post(w.Ctx, author, linnet.Draft{Text: "hello", Visibility: &v}))(w.T).ID
					_, err := w.Posting.Edit(w.Ctx, author, id, linnet.Edit{Text: "@" + login + " hello"})
					if refused := author == bob && kind.Closed(); (linnet.KindOf(err) == linnet.Invalid) != refused || !refused && err != nil {
						w.Errorf("%s, visibility %v, member %v: %v", login, v, author == bob, err)
					}
				}
			}
		}
	})
}
