package social_test

import (
	"fmt"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// collected returns the names of the collections that show a user, and their accounts.
func collected(w *apptest.World, who linnet.ID) string {
	w.Helper()
	w.Drain()
	var out []string
	for _, c := range apptest.Must(w.View.CollectionsWith(w.Ctx, who, who, 0, 40))(w) {
		for _, u := range c.People {
			c.Name += " " + u.Login
		}
		out = append(out, c.Name)
	}
	return fmt.Sprint(out)
}

// TestCollections checks additions, removals, blocks and notifications of collections.
func TestCollections(t *testing.T) { apptest.OnEngines(t, collections) }

func collections(w *apptest.World) {
	me, ann, bob, cat := w.Person("me"), w.Person("ann"), w.Person("bob"), w.Person("cat")
	apptest.Must(w.Social.Profiles.Update(w.Ctx, cat, linnet.ProfileChange{Discoverable: new(false)}))(w)
	_, err := w.Social.Collections.Create(w.Ctx, me, linnet.CollectionChange{Name: new("x")}, []linnet.ID{ann, cat})
	apptest.WantKind(w, err, linnet.Forbidden)
	c := w.Collection(me, "birds", ann, bob, ann)
	if got := collected(w, ann); got != "[birds ann bob]" || len(c.Items) != 2 {
		w.Errorf("of ann: %s, %+v", got, c.Items)
	}
	if got := apptest.NoticeText(w.NoticesOf(ann, linnet.NotificationFilter{}, 9)); got != "[added_to_collection by me]" {
		w.Errorf("notifications: %s", got)
	}
	again := apptest.Must(w.Social.Collections.AddTo(w.Ctx, me, c.ID, ann))(w)
	if again != c.Items[0] {
		w.Errorf("the item %+v is %+v", c.Items[0], again)
	}
	w.Check()

	apptest.WantKind(w, w.Social.Collections.Revoke(w.Ctx, ann, c.ID, c.Items[1].ID), linnet.Forbidden)
	w.OK(w.Social.Collections.Revoke(w.Ctx, ann, c.ID, c.Items[0].ID))
	apptest.WantKind(w, w.Social.Collections.Revoke(w.Ctx, ann, c.ID, c.Items[0].ID), linnet.NotFound)
	_, err = w.Social.Collections.AddTo(w.Ctx, me, c.ID, ann)
	apptest.WantKind(w, err, linnet.Forbidden)
	if got := collected(w, ann); got != "[]" {
		w.Errorf("of ann after she left: %s", got)
	}
	if ns := w.NoticesOf(ann, linnet.NotificationFilter{}, 9); len(ns) != 0 {
		w.Errorf("notifications of a collection that ann has left: %s", apptest.NoticeText(ns))
	}

	apptest.Must(w.Social.Collections.Update(w.Ctx, me, c.ID, linnet.CollectionChange{Name: new("finches")}))(w)
	apptest.Must(w.Social.Collections.Update(w.Ctx, me, c.ID, linnet.CollectionChange{Name: new("tits")}))(w) // within the hour
	w.Drain()
	if got := apptest.NoticeText(w.NoticesOf(bob, linnet.NotificationFilter{}, 9)); got != "[collection_update by me added_to_collection by me]" {
		w.Errorf("notifications of bob: %s", got)
	}
	w.Check()

	apptest.Must(w.Social.Block(w.Ctx, bob, me))(w)
	if got := collected(w, bob); got != "[]" {
		w.Errorf("of bob after a block: %s", got)
	}
	_, err = w.View.Collection(w.Ctx, bob, c.ID)
	w.OK(err)
	_, err = w.Social.Collections.AddTo(w.Ctx, me, c.ID, bob)
	apptest.WantKind(w, err, linnet.Forbidden)
	apptest.Must(w.Social.Block(w.Ctx, me, ann))(w)
	_, err = w.View.Collection(w.Ctx, ann, c.ID)
	apptest.WantKind(w, err, linnet.NotFound)
	w.Check()
	w.OK(w.Social.Collections.Delete(w.Ctx, me, c.ID))
	apptest.WantKind(w, w.Social.Collections.Delete(w.Ctx, me, c.ID), linnet.NotFound)
	w.Check()
}

// TestCollectionNotices checks that later changes of a collection replace the notification.
func TestCollectionNotices(t *testing.T) {
	clock := &apptest.Clock{}
	w := apptest.NewWith(t, memkv.New(memkv.Options{Now: clock.Now}), store.Options{Now: clock.Now})
	me, ann := w.Person("me"), w.Person("ann")
	c := w.Collection(me, "a", ann)
	for _, name := range []string{"b", "c"} {
		clock.Advance(2 * time.Hour)
		apptest.Must(w.Social.Collections.Update(w.Ctx, me, c.ID, linnet.CollectionChange{Name: &name}))(t)
	}
	apptest.Must(w.Social.Collections.Update(w.Ctx, me, c.ID, linnet.CollectionChange{Sensitive: new(true)}))(t)
	w.Drain()
	if got := apptest.NoticeText(w.NoticesOf(ann, linnet.NotificationFilter{}, 9)); got != "[collection_update by me added_to_collection by me]" {
		t.Errorf("notifications: %s", got)
	}
}

// TestCollectionLimits checks the limits of collections and their texts.
func TestCollectionLimits(t *testing.T) {
	w := apptest.InMemory(t)
	me := w.Person("me")
	var people []linnet.ID
	for i := range linnet.MaxCollectionItems + 1 {
		people = append(people, w.Person(fmt.Sprintf("u%d", i)))
	}
	_, err := w.Social.Collections.Create(w.Ctx, me, linnet.CollectionChange{Name: new("x")}, people)
	apptest.WantKind(t, err, linnet.Invalid)
	c := w.Collection(me, "full", people[1:]...)
	_, err = w.Social.Collections.AddTo(w.Ctx, me, c.ID, people[0])
	apptest.WantKind(t, err, linnet.Invalid)
	for i := range linnet.MaxCollections - 1 {
		w.Collection(me, fmt.Sprint(i))
	}
	_, err = w.Social.Collections.Create(w.Ctx, me, linnet.CollectionChange{Name: new("one more")}, nil)
	apptest.WantKind(t, err, linnet.Invalid)
	for _, change := range []linnet.CollectionChange{{Name: new("")}, {Name: new(fmt.Sprintf("%041d", 1))}, {Description: new(fmt.Sprintf("%0101d", 1))},
		{Tag: new("two words")}, {Language: new("xx")}} {
		_, err := w.Social.Collections.Update(w.Ctx, me, c.ID, change)
		apptest.WantKind(t, err, linnet.Invalid)
	}
	w.Check()
}

// TestFoundCollections checks which collections Explore offers.
func TestFoundCollections(t *testing.T) {
	w := apptest.InMemory(t)
	me, ann := w.Person("me"), w.Person("ann")
	shown := w.Collection(me, "shown", ann)
	w.Collection(me, "empty")
	unlisted := w.Collection(me, "unlisted", ann)
	apptest.Must(w.Social.Collections.Update(w.Ctx, me, unlisted.ID, linnet.CollectionChange{Discoverable: new(false)}))(t)
	w.Drain()
	found := apptest.Must(w.View.FoundCollections(w.Ctx, 0, 0, 40))(t)
	if len(found) != 1 || found[0].ID != shown.ID {
		t.Errorf("found %+v", found)
	}
	if all := apptest.Must(w.View.CollectionsOf(w.Ctx, ann, me, 0, 40))(t); len(all) != 2 {
		t.Errorf("others see %d collections", len(all))
	}
	if all := apptest.Must(w.View.CollectionsOf(w.Ctx, me, me, 1, 40))(t); len(all) != 2 {
		t.Errorf("the owner sees %d of the last collections", len(all))
	}
	w.Check()
}

// TestCollectionsOfDeleted checks that a deleted account disappears from collections, and its
// collections with it.
func TestCollectionsOfDeleted(t *testing.T) { apptest.OnEngines(t, collectionsOfDeleted) }

func collectionsOfDeleted(w *apptest.World) {
	me, ann, bob := w.Person("me"), w.Person("ann"), w.Person("bob")
	mine, hers := w.Collection(me, "mine", ann, bob), w.Collection(ann, "hers", bob)
	w.OK(w.Social.Deletion.DeleteUser(w.Ctx, ann))
	_, err := w.View.Collection(w.Ctx, me, hers.ID)
	apptest.WantKind(w, err, linnet.NotFound)
	if got := collected(w, bob); got != "[mine bob]" {
		w.Errorf("of bob: %s", got)
	}
	if c := apptest.Must(w.Store.Relations.Collection(w.Ctx, mine.ID))(w); len(c.Items) != 1 {
		w.Errorf("left over: %+v", c.Items)
	}
	if keys := apptest.KeysOf(w, ann); len(keys) > 0 {
		w.Errorf("left over: %v", keys)
	}
	w.Check()
}
