package social_test

import (
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/accounts"
)

// TestDeletedAccount checks that a deleted account leaves only the claim of its login.
func TestDeletedAccount(t *testing.T) { apptest.OnEngines(t, deletedAccount) }

func deletedAccount(w *apptest.World) {
	ann, bob, cat := w.Person("ann"), w.Person("bob"), w.Person("cat")
	for _, pair := range [][2]linnet.ID{{ann, bob}, {bob, ann}, {cat, ann}, {ann, cat}} {
		apptest.Must(w.Social.Follow(w.Ctx, pair[0], pair[1], linnet.FollowOptions{Notify: new(true)}))(w)
	}
	hers, his := w.List(ann, linnet.ListChange{Exclusive: new(true)}), w.List(bob, linnet.ListChange{})
	w.AddTo(ann, hers, bob)
	w.AddTo(bob, his, ann)
	byBob, byAnn := w.Post(bob, "by bob #tag"), w.Post(ann, "by ann #tag @bob")
	w.Draft(ann, linnet.Draft{Text: "private", Visibility: new(linnet.Private)})
	w.Draft(ann, linnet.Draft{Text: "psst @bob", Visibility: new(linnet.Direct)})
	w.Draft(bob, linnet.Draft{Text: "what @ann @cat", Visibility: new(linnet.Direct)})
	answer := w.Draft(bob, linnet.Draft{Text: "answer @ann", InReplyTo: byAnn.ID})
	w.Draft(ann, linnet.Draft{Text: "and again", InReplyTo: answer.ID})
	for _, who := range []linnet.ID{ann, cat} {
		for _, s := range []linnet.StatusView{byBob, byAnn} {
			apptest.Must(w.Posting.Marks.Favourite(w.Ctx, who, s.ID))(w)
			apptest.Must(w.Posting.Repost(w.Ctx, who, s.ID, nil))(w)
			apptest.Must(w.Posting.Marks.Bookmark(w.Ctx, who, s.ID))(w)
		}
	}
	enmity(w, ann)
	apptest.Must(w.Posting.Marks.Pin(w.Ctx, ann, byAnn.ID))(w)
	apptest.Must(w.Discovery.FeatureTag(w.Ctx, ann, "tag"))(w)
	w.Filter(ann, linnet.FilterHome, "word")
	apptest.Must(w.Social.SetNote(w.Ctx, ann, bob, "a note"))(w)
	apptest.Must(w.Social.Endorse(w.Ctx, ann, bob, true))(w)
	apptest.Must(w.Social.Endorse(w.Ctx, bob, ann, true))(w)
	for _, who := range []linnet.ID{ann, bob, cat} {
		w.Home(who, 20)
	}
	w.ListPage(bob, his)
	w.ListPage(ann, hers)
	w.Check()
	w.DeleteUser(ann, byAnn.ID)
	if keys := apptest.KeysOf(w, ann); len(keys) > 0 {
		w.Errorf("left over: %v", keys)
	}
	for _, who := range []linnet.ID{bob, cat} {
		u := apptest.Must(w.View.User(w.Ctx, 0, who))(w)
		if want := map[linnet.ID]int64{bob: 2, cat: 1}[who]; u.Followers != 0 || u.Following != 0 || u.Statuses != want {
			w.Errorf("%s: %d followers, %d following, %d statuses", u.Login, u.Followers, u.Following, u.Statuses)
		}
		for _, v := range w.Home(who, 20) {
			if v.Author == ann || v.Repost != nil && v.Repost.Author == ann {
				w.Errorf("%q is at home of %s", v.Text, u.Login)
			}
		}
	}
	if v := apptest.Must(w.View.Status(w.Ctx, bob, byBob.ID))(w); v.Favourites != 1 || v.Reposts != 1 {
		w.Errorf("%d favourites, %d reposts", v.Favourites, v.Reposts)
	}
	_, _, err := w.Store.Accounts.CreateUser(w.Ctx, 5, linnet.User{Login: "Ann"}, record.Secret{}, nil)
	if err != accounts.ErrTaken {
		w.Errorf("the login can be taken: %v", err)
	}
}

// enmity makes eve and fay block and mute a user, and the user them.
func enmity(w *apptest.World, with linnet.ID) {
	w.Helper()
	eve, fay := w.Person("eve"), w.Person("fay")
	apptest.Must(w.Social.Block(w.Ctx, with, eve))(w)
	apptest.Must(w.Social.Block(w.Ctx, fay, with))(w)
	apptest.Must(w.Social.Mute(w.Ctx, with, fay, linnet.MuteOptions{}))(w)
	apptest.Must(w.Social.Mute(w.Ctx, eve, with, linnet.MuteOptions{}))(w)
}
