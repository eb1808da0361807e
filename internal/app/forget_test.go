package app_test

import (
	"slices"
	"strings"
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/accounts"
)

// TestDeletedAccount checks that a deleted account leaves only the claim of its login.
func TestDeletedAccount(t *testing.T) { onEngines(t, deletedAccount) }

func deletedAccount(w *world) {
	ann, bob, cat := w.person("ann"), w.person("bob"), w.person("cat")
	for _, pair := range [][2]linnet.ID{{ann, bob}, {bob, ann}, {cat, ann}, {ann, cat}} {
		must(w.Social.Follow(w.ctx, pair[0], pair[1], linnet.FollowOptions{Notify: new(true)}))(w)
	}
	hers, his := w.list(ann, linnet.ListChange{Exclusive: new(true)}), w.list(bob, linnet.ListChange{})
	w.addTo(ann, hers, bob)
	w.addTo(bob, his, ann)
	byBob, byAnn := w.post(bob, "by bob #tag"), w.post(ann, "by ann #tag @bob")
	w.draft(ann, linnet.Draft{Text: "private", Visibility: new(linnet.Private)})
	w.draft(ann, linnet.Draft{Text: "psst @bob", Visibility: new(linnet.Direct)})
	w.draft(bob, linnet.Draft{Text: "what @ann @cat", Visibility: new(linnet.Direct)})
	answer := w.draft(bob, linnet.Draft{Text: "answer @ann", InReplyTo: byAnn.ID})
	w.draft(ann, linnet.Draft{Text: "and again", InReplyTo: answer.ID})
	for _, who := range []linnet.ID{ann, cat} {
		for _, s := range []linnet.StatusView{byBob, byAnn} {
			must(w.Posting.Marks.Favourite(w.ctx, who, s.ID))(w)
			must(w.Posting.Repost(w.ctx, who, s.ID, nil))(w)
			must(w.Posting.Marks.Bookmark(w.ctx, who, s.ID))(w)
		}
	}
	w.enmity(ann)
	must(w.Posting.Marks.Pin(w.ctx, ann, byAnn.ID))(w)
	must(w.Discovery.FeatureTag(w.ctx, ann, "tag"))(w)
	w.filter(ann, linnet.FilterHome, "word")
	must(w.Social.SetNote(w.ctx, ann, bob, "a note"))(w)
	must(w.Social.Endorse(w.ctx, ann, bob, true))(w)
	must(w.Social.Endorse(w.ctx, bob, ann, true))(w)
	for _, who := range []linnet.ID{ann, bob, cat} {
		w.home(who, 20)
	}
	w.listPage(bob, his)
	w.listPage(ann, hers)
	w.check()
	w.deleteUser(ann, byAnn.ID)
	if keys := keysOf(w, ann); len(keys) > 0 {
		w.Errorf("left over: %v", keys)
	}
	for _, who := range []linnet.ID{bob, cat} {
		u := must(w.View.User(w.ctx, 0, who))(w)
		if want := map[linnet.ID]int64{bob: 2, cat: 1}[who]; u.Followers != 0 || u.Following != 0 || u.Statuses != want {
			w.Errorf("%s: %d followers, %d following, %d statuses", u.Login, u.Followers, u.Following, u.Statuses)
		}
		for _, v := range w.home(who, 20) {
			if v.Author == ann || v.Repost != nil && v.Repost.Author == ann {
				w.Errorf("%q is at home of %s", v.Text, u.Login)
			}
		}
	}
	if v := must(w.View.Status(w.ctx, bob, byBob.ID))(w); v.Favourites != 1 || v.Reposts != 1 {
		w.Errorf("%d favourites, %d reposts", v.Favourites, v.Reposts)
	}
	_, _, err := w.store.Accounts.CreateUser(w.ctx, 5, linnet.User{Login: "Ann"}, record.Secret{}, nil)
	if err != accounts.ErrTaken {
		w.Errorf("the login can be taken: %v", err)
	}
}

// enmity makes eve and fay block and mute a user, and the user them.
func (w *world) enmity(with linnet.ID) {
	w.Helper()
	eve, fay := w.person("eve"), w.person("fay")
	must(w.Social.Block(w.ctx, with, eve))(w)
	must(w.Social.Block(w.ctx, fay, with))(w)
	must(w.Social.Mute(w.ctx, with, fay, linnet.MuteOptions{}))(w)
	must(w.Social.Mute(w.ctx, eve, with, linnet.MuteOptions{}))(w)
}

// deleteUser deletes a user, checks that the user and the status are not found, and waits for the
// tasks.
func (w *world) deleteUser(id, status linnet.ID) {
	w.Helper()
	if err := w.Social.Deletion.DeleteUser(w.ctx, id); err != nil {
		w.Fatal(err)
	}
	_, err := w.View.User(w.ctx, 0, id)
	kindIs(w, err, linnet.NotFound)
	_, err = w.View.Status(w.ctx, 0, status)
	kindIs(w, err, linnet.NotFound)
	kindIs(w, w.Social.Deletion.DeleteUser(w.ctx, id), linnet.NotFound)
	w.drain()
	w.check()
}

// keysOf returns the keys of records with a user's id.
func keysOf(w *world, id linnet.ID) (found []string) {
	w.Helper()
	for cursor := ""; ; {
		keys, next, err := w.store.Engine().Keys(w.ctx, cursor)
		if err != nil {
			w.Fatal(err)
		}
		for _, k := range keys {
			if k.Kind == "idem" {
				continue // expires within an hour
			}
			if k.ID == id.String() || strings.HasPrefix(k.ID, id.String()+".") {
				found = append(found, k.String())
			}
		}
		if cursor = next; cursor == "" {
			slices.Sort(found)
			return found
		}
	}
}
