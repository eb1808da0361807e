package app_test

import (
	"fmt"
	"testing"
	"time"

	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

func (w *world) collection(me linnet.ID, name string, accounts ...linnet.ID) linnet.CollectionView {
	w.Helper()
	return must(w.Social.Collections.Create(w.ctx, me, linnet.CollectionChange{Name: &name}, accounts))(w)
}

// collected returns the names of the collections that show a user, and their accounts.
func (w *world) collected(who linnet.ID) string {
	w.Helper()
	w.drain()
	var out []string
	for _, c := range must(w.View.CollectionsWith(w.ctx, who, who, 0, 40))(w) {
		for _, u := range c.People {
			c.Name += " " + u.Login
		}
		out = append(out, c.Name)
	}
	return fmt.Sprint(out)
}

// TestCollections checks additions, removals, blocks and notifications of collections.
func TestCollections(t *testing.T) { onEngines(t, collections) }

func collections(w *world) {
	me, ann, bob, cat := w.person("me"), w.person("ann"), w.person("bob"), w.person("cat")
	must(w.Social.Profiles.Update(w.ctx, cat, linnet.ProfileChange{Discoverable: new(false)}))(w)
	_, err := w.Social.Collections.Create(w.ctx, me, linnet.CollectionChange{Name: new("x")}, []linnet.ID{ann, cat})
	kindIs(w, err, linnet.Forbidden)
	c := w.collection(me, "birds", ann, bob, ann)
	if got := w.collected(ann); got != "[birds ann bob]" || len(c.Items) != 2 {
		w.Errorf("of ann: %s, %+v", got, c.Items)
	}
	if got := noticeText(w.noticesOf(ann, linnet.NotificationFilter{}, 9)); got != "[added_to_collection by me]" {
		w.Errorf("notifications: %s", got)
	}
	again := must(w.Social.Collections.AddTo(w.ctx, me, c.ID, ann))(w)
	if again != c.Items[0] {
		w.Errorf("the item %+v is %+v", c.Items[0], again)
	}
	w.check()

	kindIs(w, w.Social.Collections.Revoke(w.ctx, ann, c.ID, c.Items[1].ID), linnet.Forbidden)
	w.did(w.Social.Collections.Revoke(w.ctx, ann, c.ID, c.Items[0].ID))
	kindIs(w, w.Social.Collections.Revoke(w.ctx, ann, c.ID, c.Items[0].ID), linnet.NotFound)
	_, err = w.Social.Collections.AddTo(w.ctx, me, c.ID, ann)
	kindIs(w, err, linnet.Forbidden)
	if got := w.collected(ann); got != "[]" {
		w.Errorf("of ann after she left: %s", got)
	}
	if ns := w.noticesOf(ann, linnet.NotificationFilter{}, 9); len(ns) != 0 {
		w.Errorf("notifications of a collection that ann has left: %s", noticeText(ns))
	}

	must(w.Social.Collections.Update(w.ctx, me, c.ID, linnet.CollectionChange{Name: new("finches")}))(w)
	must(w.Social.Collections.Update(w.ctx, me, c.ID, linnet.CollectionChange{Name: new("tits")}))(w) // within the hour
	w.drain()
	if got := noticeText(w.noticesOf(bob, linnet.NotificationFilter{}, 9)); got != "[collection_update by me added_to_collection by me]" {
		w.Errorf("notifications of bob: %s", got)
	}
	w.check()

	must(w.Social.Block(w.ctx, bob, me))(w)
	if got := w.collected(bob); got != "[]" {
		w.Errorf("of bob after a block: %s", got)
	}
	_, err = w.View.Collection(w.ctx, bob, c.ID)
	w.did(err)
	_, err = w.Social.Collections.AddTo(w.ctx, me, c.ID, bob)
	kindIs(w, err, linnet.Forbidden)
	must(w.Social.Block(w.ctx, me, ann))(w)
	_, err = w.View.Collection(w.ctx, ann, c.ID)
	kindIs(w, err, linnet.NotFound)
	w.check()
	w.did(w.Social.Collections.Delete(w.ctx, me, c.ID))
	kindIs(w, w.Social.Collections.Delete(w.ctx, me, c.ID), linnet.NotFound)
	w.check()
}

// TestCollectionNotices checks that later changes of a collection replace the notification.
func TestCollectionNotices(t *testing.T) {
	clock := &clocked{}
	w := worldOf(t, memkv.New(memkv.Options{Now: clock.now}), store.Options{Now: clock.now})
	me, ann := w.person("me"), w.person("ann")
	c := w.collection(me, "a", ann)
	for _, name := range []string{"b", "c"} {
		clock.turn(2 * time.Hour)
		must(w.Social.Collections.Update(w.ctx, me, c.ID, linnet.CollectionChange{Name: &name}))(t)
	}
	must(w.Social.Collections.Update(w.ctx, me, c.ID, linnet.CollectionChange{Sensitive: new(true)}))(t)
	w.drain()
	if got := noticeText(w.noticesOf(ann, linnet.NotificationFilter{}, 9)); got != "[collection_update by me added_to_collection by me]" {
		t.Errorf("notifications: %s", got)
	}
}

// TestCollectionLimits checks the limits of collections and their texts.
func TestCollectionLimits(t *testing.T) {
	w := memWorld(t)
	me := w.person("me")
	var people []linnet.ID
	for i := range linnet.MaxCollectionItems + 1 {
		people = append(people, w.person(fmt.Sprintf("u%d", i)))
	}
	_, err := w.Social.Collections.Create(w.ctx, me, linnet.CollectionChange{Name: new("x")}, people)
	kindIs(t, err, linnet.Invalid)
	c := w.collection(me, "full", people[1:]...)
	_, err = w.Social.Collections.AddTo(w.ctx, me, c.ID, people[0])
	kindIs(t, err, linnet.Invalid)
	for i := range linnet.MaxCollections - 1 {
		w.collection(me, fmt.Sprint(i))
	}
	_, err = w.Social.Collections.Create(w.ctx, me, linnet.CollectionChange{Name: new("one more")}, nil)
	kindIs(t, err, linnet.Invalid)
	for _, change := range []linnet.CollectionChange{{Name: new("")}, {Name: new(fmt.Sprintf("%041d", 1))}, {Description: new(fmt.Sprintf("%0101d", 1))},
		{Tag: new("two words")}, {Language: new("xx")}} {
		_, err := w.Social.Collections.Update(w.ctx, me, c.ID, change)
		kindIs(t, err, linnet.Invalid)
	}
	w.check()
}

// TestFoundCollections checks which collections Explore offers.
func TestFoundCollections(t *testing.T) {
	w := memWorld(t)
	me, ann := w.person("me"), w.person("ann")
	shown := w.collection(me, "shown", ann)
	w.collection(me, "empty")
	unlisted := w.collection(me, "unlisted", ann)
	must(w.Social.Collections.Update(w.ctx, me, unlisted.ID, linnet.CollectionChange{Discoverable: new(false)}))(t)
	w.drain()
	found := must(w.View.FoundCollections(w.ctx, 0, 0, 40))(t)
	if len(found) != 1 || found[0].ID != shown.ID {
		t.Errorf("found %+v", found)
	}
	if all := must(w.View.CollectionsOf(w.ctx, ann, me, 0, 40))(t); len(all) != 2 {
		t.Errorf("others see %d collections", len(all))
	}
	if all := must(w.View.CollectionsOf(w.ctx, me, me, 1, 40))(t); len(all) != 2 {
		t.Errorf("the owner sees %d of the last collections", len(all))
	}
	w.check()
}

// TestCollectionsOfDeleted checks that a deleted account disappears from collections, and its
// collections with it.
func TestCollectionsOfDeleted(t *testing.T) { onEngines(t, collectionsOfDeleted) }

func collectionsOfDeleted(w *world) {
	me, ann, bob := w.person("me"), w.person("ann"), w.person("bob")
	mine, hers := w.collection(me, "mine", ann, bob), w.collection(ann, "hers", bob)
	w.did(w.Social.Deletion.DeleteUser(w.ctx, ann))
	_, err := w.View.Collection(w.ctx, me, hers.ID)
	kindIs(w, err, linnet.NotFound)
	if got := w.collected(bob); got != "[mine bob]" {
		w.Errorf("of bob: %s", got)
	}
	if c := must(w.store.Relations.Collection(w.ctx, mine.ID))(w); len(c.Items) != 1 {
		w.Errorf("left over: %+v", c.Items)
	}
	if keys := keysOf(w, ann); len(keys) > 0 {
		w.Errorf("left over: %v", keys)
	}
	w.check()
}
