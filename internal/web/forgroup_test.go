package web_test

import (
	"net/http"
	"regexp"
	"testing"
	"time"

	"linnet/internal/linnet"
)

// TestWhatIsForMembersStaysWithThem checks that a group post never becomes visible to other people.
// It covers edits, scheduled posts and redrafts, also after the author has left the group.
func TestWhatIsForMembersStaysWithThem(t *testing.T) {
	w := newWorld(t, "https://birds.test")
	ann, bob := w.user("ann"), w.user("bob")
	g, err := w.svc.Groups.CreateGroup(t.Context(), bob.ID, linnet.NewGroup{Login: "den", Name: "Den", Kind: linnet.PrivateGroup})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.svc.Social.Follow(t.Context(), ann.ID, g.ID, linnet.FollowOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := w.svc.Groups.AcceptMember(t.Context(), bob.ID, g.ID, ann.ID); err != nil {
		t.Fatal(err)
	}
	b := w.browser().logIn("ann")
	b.get("/compose?group=den")
	in := b.inputs(t, composerMark)
	in.Set("text", "")
	in.Set("warning", "for members")
	want(t, b.postRaw("/compose", in), http.StatusUnprocessableEntity, "Write something first.")

	old := w.post(ann.ID, linnet.Draft{Text: "@den said"})
	planned, err := w.svc.Posting.Scheduled.Create(t.Context(), ann.ID, linnet.Draft{Text: "@den planned"}, time.Now().Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{"/compose?redraft=" + old.ID.String(), "/compose?scheduled=" + planned.ID.String()} {
		b.get(address)
		if in := b.inputs(t, composerMark); in.Get("group") != "den" {
			t.Errorf("%s: it is for the group %q", address, in.Get("group"))
		}
	}
	if _, err := w.svc.Social.Unfollow(t.Context(), ann.ID, g.ID); err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{"/compose?redraft=" + old.ID.String(), "/compose?scheduled=" + planned.ID.String()} {
		want(t, b.get(address), http.StatusOK, "You're no longer in the group")
		in := b.inputs(t, composerMark)
		in.Set("scheduled_at", "")
		in.Set("text", "said alone") // naming the group is refused
		a := b.follow(b.postRaw("/compose", in))
		found := regexp.MustCompile(`/@ann/(\d+)`).FindStringSubmatch(a.body)
		if found == nil {
			t.Fatalf("%s: %.600s", address, a.body)
		}
		id, _ := linnet.ParseID(found[1])
		if v, err := w.svc.View.Status(t.Context(), ann.ID, id); err != nil || v.Visibility != linnet.Direct {
			t.Errorf("%s: it is %v now, %v", address, v.Visibility, err)
		}
	}
}
