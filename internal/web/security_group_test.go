package web_test

import (
	"slices"
	"strings"
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/store/inbox"
)

// closedGroup creates a private group or chat of ann with posts by her and a member. It bans one
// member and lets another leave.
func (w *world) closedGroup(kind linnet.GroupKind, people map[string]linnet.ID) (g linnet.ID, posts []linnet.ID) {
	w.t.Helper()
	ctx, ann := w.t.Context(), people["ann"]
	fine := func(err error) {
		w.t.Helper()
		if err != nil {
			w.t.Fatal(err)
		}
	}
	v, err := w.svc.Groups.CreateGroup(ctx, ann, linnet.NewGroup{Login: "hush_" + kind.String(), Name: "Hush", Kind: kind})
	fine(err)
	for _, who := range []string{"member", "banned", "left"} {
		fine(w.svc.Groups.InviteToGroup(ctx, ann, v.ID, []linnet.ID{people[who]}))
		_, err := w.svc.Social.Follow(ctx, people[who], v.ID, linnet.FollowOptions{})
		fine(err)
	}
	if kind == linnet.PrivateGroup {
		_, err := w.svc.Social.Follow(ctx, people["requester"], v.ID, linnet.FollowOptions{})
		fine(err)
	}
	s := w.post(ann, linnet.Draft{Text: "@hush_" + kind.String() + " @banned innermost #secret", Visibility: vis(linnet.Direct)})
	r := w.post(people["member"], linnet.Draft{Text: "@ann innermost answer #secret", InReplyTo: s.ID, Visibility: vis(linnet.Direct)})
	fine(w.svc.Groups.BanMember(ctx, ann, v.ID, people["banned"]))
	_, err = w.svc.Social.Unfollow(ctx, people["left"], v.ID)
	fine(err)
	eventually(w.t, "tasks end", w.svc.Idle)
	posts = []linnet.ID{s.ID, r.ID}
	in, err := w.svc.Reading.GroupTimeline(ctx, ann, v.ID, linnet.Page{})
	fine(err)
	return v.ID, append(posts, in.Items[0].ID)
}

// TestPagesOfClosedGroups checks that no page or feed shows content of a closed group to
// non-members.
func TestPagesOfClosedGroups(t *testing.T) {
	w := newWorld(t, loopbackURL)
	people := map[string]linnet.ID{}
	readers := map[string]*browser{"nobody": w.browser()}
	for _, name := range []string{"ann", "member", "banned", "left", "requester", "stranger"} {
		people[name] = w.user(name).ID
		if !slices.Contains([]string{"ann", "member"}, name) {
			readers[name] = w.browser().logIn(name)
		}
	}
	for _, kind := range []linnet.GroupKind{linnet.PrivateGroup, linnet.Chat} {
		g, posts := w.closedGroup(kind, people)
		ids := []string{g.String(), linnet.ListOfGroup(g).String(), inbox.ChatConversationID(people["member"], g).String()}
		for _, id := range posts {
			ids = append(ids, id.String())
		}
		for _, pattern := range patterns() {
			for _, login := range []string{"ann", "member", "hush_" + kind.String()} {
				pattern := strings.Replace(pattern, "@x.", "@"+login+".", 1)
				for _, id := range ids {
					path := strings.NewReplacer("{$}", "", "{login}", login, "{id}", id, "{tag}", "secret", "{token}", "x").Replace(pattern)
					for name, b := range readers {
						if a := b.get(path); strings.Contains(a.body, "innermost") || a.StatusCode >= 500 {
							t.Errorf("%s of a %v group as %s: %d, shows what is posted there", path, kind, name, a.StatusCode)
						}
					}
					if !strings.Contains(pattern, "{id}") {
						break
					}
				}
				if !strings.Contains(pattern, login) && !strings.Contains(pattern, "{login}") {
					break
				}
			}
		}
		if a := readers["stranger"].get("/search?q=innermost"); strings.Contains(a.body, "#secret") {
			t.Errorf("a stranger finds what is posted in a %v group", kind)
		}
	}
}
