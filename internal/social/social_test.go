package social_test

import (
	"fmt"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

func TestFirstMinutes(t *testing.T) {
	w := apptest.InMemory(t)
	ann, bob := w.User("ann"), w.User("Bob")
	w.Post(bob, "before")
	w.Follow(ann, bob)
	w.Post(bob, "hello @ann #Greetings")
	w.Post(ann, "mine")
	if got := fmt.Sprint(apptest.Texts(w.Home(ann, 1))); got != "[mine hello @ann #Greetings before]" {
		t.Errorf("ann's home: %v", got)
	}
	if got := fmt.Sprint(apptest.Texts(w.Home(bob, 1))); got != "[hello @ann #Greetings before]" {
		t.Errorf("bob's home: %v", got)
	}
	n, err := w.Notify.Notifications(w.Ctx, ann, linnet.NotificationFilter{}, linnet.Page{})
	if err != nil || len(n.Items) != 1 || n.Items[0].Type != linnet.NotifyMention {
		t.Errorf("ann's notifications: %+v, %v", n.Items, err)
	}
	tag, err := w.Reading.Tag(w.Ctx, 0, linnet.TagQuery{Tag: "GREETINGS"}, linnet.Page{})
	if err != nil || len(tag.Items) != 1 {
		t.Errorf("tag: %v %v", apptest.Texts(tag.Items), err)
	}
}
