package web_test

import (
	"net/http"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// TestWhy checks that each post in the home timeline shows the reason why it appears there.
func TestWhy(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann, bob, eve := w.user("ann"), w.user("bob"), w.user("eve")
	if _, err := w.svc.Social.Follow(t.Context(), ann.ID, bob.ID, linnet.FollowOptions{}); err != nil {
		t.Fatal(err)
	}
	w.post(ann.ID, linnet.Draft{Text: "mine"})
	w.post(bob.ID, linnet.Draft{Text: "of bob"})
	st := w.post(eve.ID, linnet.Draft{Text: "of eve"})
	if _, err := w.svc.Posting.Repost(t.Context(), bob.ID, st.ID, nil); err != nil {
		t.Fatal(err)
	}
	eventually(t, "tasks end", w.svc.Idle)
	want(t, w.browser().logIn("ann").get("/"), http.StatusOK, "You wrote this post.", `You follow <a href="/@bob"><bdi>bob</bdi></a>, who wrote this post.`,
		`This post was boosted by <a href="/@bob"><bdi>bob</bdi></a>, who you follow.`)
}

// TestWhyOnListsAndTags checks that posts in lists and tag timelines show the correct reason too.
func TestWhyOnListsAndTags(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ctx, ann, bob, eve := t.Context(), w.user("ann"), w.user("bob"), w.user("eve")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	title := "Friends"
	l, err := w.svc.Lists.CreateList(ctx, ann.ID, linnet.ListChange{Title: &title})
	must(err)
	_, err = w.svc.Social.Follow(ctx, ann.ID, bob.ID, linnet.FollowOptions{})
	must(err)
	must(w.svc.Lists.AddToList(ctx, ann.ID, l.ID, []linnet.ID{bob.ID}))
	group, err := w.svc.Groups.CreateGroup(ctx, bob.ID, linnet.NewGroup{Login: "choir", Name: "The choir", Kind: linnet.PublicGroup})
	must(err)
	_, err = w.svc.Social.Follow(ctx, ann.ID, group.ID, linnet.FollowOptions{})
	must(err)
	singer := w.user("singer")
	_, err = w.svc.Social.Follow(ctx, singer.ID, group.ID, linnet.FollowOptions{})
	must(err)
	w.post(bob.ID, linnet.Draft{Text: "of bob"})
	w.post(singer.ID, linnet.Draft{Text: "@choir sing"})
	loved := w.post(eve.ID, linnet.Draft{Text: "loved #Ürban"})
	_, err = w.svc.Posting.Repost(ctx, bob.ID, loved.ID, nil)
	must(err)
	for _, login := range []string{"fay", "gus"} {
		_, err = w.svc.Posting.Marks.Favourite(ctx, w.user(login).ID, loved.ID)
		must(err)
	}
	eventually(t, "tasks end", w.svc.Idle)

	b, bobs := w.browser().logIn("ann"), `<a href="/@bob"><bdi>bob</bdi></a>`
	want(t, b.get("/lists/"+l.ID.String()), http.StatusOK, bobs+" is in your list <bdi>Friends</bdi>.",
		"This post was boosted by "+bobs+", who is in your list <bdi>Friends</bdi>.")
	top := b.get("/lists/" + linnet.TopList.String())
	want(t, top, http.StatusOK, "This post has become popular. You follow "+bobs+", who reacted to this post.")
	want(t, top, http.StatusOK, "</svg><span>Popular</span></p>")
	if strings.Contains(top.body, "Top</bdi></a> boosted") || strings.Count(top.body, ">Popular</span></p>") != 1 {
		t.Error("a post in Top is headed as a boost, or stands there twice")
	}
	if strings.Contains(top.body, `who wrote this post`) || strings.Contains(top.body, `/@fay`) {
		t.Error("Top tells of people who are not followed")
	}
	want(t, b.get("/lists/"+linnet.ListOfGroup(group.ID).String()), http.StatusOK, "This post was shared by the group <bdi>@choir</bdi>, which you've joined.")
	want(t, b.get("/"), http.StatusOK, `This post was shared by <a href="/@choir"><bdi>The choir</bdi></a>, a group you've joined.`, "You follow "+bobs+", who wrote this post.")
	want(t, b.get("/tags/"+"%C3%BCrban"), http.StatusOK, "This post is public and tagged #<bdi>Ürban</bdi>.")

	_, err = w.svc.Social.Follow(ctx, ann.ID, eve.ID, linnet.FollowOptions{})
	must(err)
	want(t, b.get("/lists/"+linnet.TopList.String()), http.StatusOK, `You follow <a href="/@eve"><bdi>eve</bdi></a>, who wrote this post. You follow `+bobs+", who reacted to this post.")
	if stranger := w.browser().get("/tags/%C3%BCrban"); strings.Contains(stranger.body, "Why am I seeing this?") {
		t.Error("a stranger is told why")
	}
}
