package web_test

import (
	"net/http"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// circle has a group of each kind, with an account for each relation to it.
type circle struct {
	*world
	ids    map[string]linnet.ID // of accounts and groups, by login
	posts  map[string]linnet.StatusView
	readBy map[string]*browser // "" is a visitor
}

// places lists the relations to a group. Each is also the login of an account in that relation.
var places = []string{"", "outsider", "banned", "requester", "invited", "member", "steward", "owner"}

// newCircle creates a public group, a private group, an announcement group and a chat group.
func newCircle(t *testing.T) *circle {
	t.Helper()
	w := newWorld(t, publicURL)
	c := &circle{world: w, ids: map[string]linnet.ID{}, posts: map[string]linnet.StatusView{}, readBy: map[string]*browser{"": w.browser()}}
	for _, login := range places[1:] {
		c.ids[login] = w.user(login).ID
	}
	for k := linnet.PublicGroup; k <= linnet.Chat; k++ {
		c.people(k)
	}
	eventually(t, "tasks end", w.svc.Idle)
	for _, login := range places[1:] {
		c.readBy[login] = w.browser().logIn(login)
	}
	return c
}

// people creates a group of the kind and the relation of each account to it.
func (c *circle) people(k linnet.GroupKind) {
	c.t.Helper()
	ctx, svc, owner, name := c.t.Context(), c.svc, c.ids["owner"], "the"+k.String()
	ok := func(err error) {
		c.t.Helper()
		if err != nil {
			c.t.Fatal(err)
		}
	}
	g, err := svc.Groups.CreateGroup(ctx, owner, linnet.NewGroup{Login: name, Name: "Title of " + name, Note: "note-" + name, Kind: k})
	ok(err)
	c.ids[name] = g.ID
	ok(svc.Groups.InviteToGroup(ctx, owner, g.ID, []linnet.ID{c.ids["member"], c.ids["steward"], c.ids["invited"]}))
	for _, who := range []string{"member", "steward"} {
		_, err := svc.Social.Follow(ctx, c.ids[who], g.ID, linnet.FollowOptions{})
		ok(err)
	}
	_, err = svc.Groups.SetGroupRole(ctx, owner, g.ID, c.ids["steward"], linnet.GroupModerator)
	ok(err)
	ok(svc.Groups.BanMember(ctx, owner, g.ID, c.ids["banned"]))
	if k == linnet.PrivateGroup {
		_, err = svc.Social.Follow(ctx, c.ids["requester"], g.ID, linnet.FollowOptions{})
		ok(err)
	}
	c.posts[name] = c.post(owner, linnet.Draft{Text: "@" + name + " marker-" + name})
}

// TestGroupPagesShowToWhomTheyMay checks that every group page depends on the viewer's relation to
// the group. Non-members do not see group posts, outsiders do not see chat groups, and members
// cannot manage a group.
func TestGroupPagesShowToWhomTheyMay(t *testing.T) {
	c := newCircle(t)
	staff := func(who string) bool { return who == "steward" || who == "owner" }
	in := func(who string) bool { return who == "member" || staff(who) }
	for k := linnet.PublicGroup; k <= linnet.Chat; k++ {
		name := "the" + k.String()
		for _, who := range places {
			b := c.readBy[who]
			knows := k != linnet.Chat || in(who) || who == "invited"
			inside := !k.Closed() || in(who)
			code := func(may bool) int { // for pages that require a login
				switch {
				case who == "":
					return http.StatusSeeOther
				case !knows:
					return http.StatusNotFound
				case !may:
					return http.StatusForbidden
				}
				return http.StatusOK
			}
			face, members := http.StatusOK, http.StatusOK
			if !knows {
				face = http.StatusNotFound
			}
			if !inside {
				members = http.StatusNotFound
			}
			base := "/groups/" + name
			for path, want := range map[string]int{
				"/@" + name: face, base + "/members": members, base + "/members?role=owner": members, base + "/leave": code(in(who)),
				base + "/requests": code(staff(who)), base + "/invite": code(staff(who)), base + "/bans": code(staff(who)),
				base + "/edit": code(who == "owner"), base + "/delete": code(who == "owner"), base + "/owner?person=member": code(who == "owner"),
				base + "/posts/" + c.posts[name].ID.String() + "/remove": code(staff(who)), "/groups/find?q=" + name: code(true),
			} {
				if strings.HasPrefix(path, "/groups/find") && who != "" {
					want = http.StatusOK
				}
				a := b.get(path)
				if a.StatusCode != want {
					t.Errorf("%s as %q: %d, want %d", path, who, a.StatusCode, want)
				}
				if !inside && strings.Contains(a.body, "marker-"+name) || !knows && strings.Contains(a.body, "note-"+name) {
					t.Errorf("%s as %q tells too much: %s", path, who, a.body)
				}
			}
			a := b.get("/@" + name)
			if strings.Contains(a.body, "marker-"+name) != (inside && who != "banned") || knows && !strings.Contains(a.body, "note-"+name) {
				t.Errorf("the page of %s as %q: %s", name, who, a.body)
			}
			c.offered(t, k, who, a.body)
		}
	}
}

// offered checks that a group's page offers exactly the actions that the viewer can take.
func (c *circle) offered(t *testing.T, k linnet.GroupKind, who, page string) {
	t.Helper()
	knows := k != linnet.Chat || strings.Contains("invited member steward owner", who) && who != ""
	runs, in := who == "steward" || who == "owner", strings.Contains("member steward owner", who) && who != ""
	asked := who == "requester" && k == linnet.PrivateGroup
	for sign, there := range map[string]bool{
		`value="join"`:           knows && who != "" && who != "banned" && !in && !asked,
		`value="leave">Decline<`: knows && who == "invited",
		`Withdraw request`:       asked,
		"You&#39;re banned":      knows && who == "banned",
		"Log in to":              knows && who == "",
		`/leave"`:                in,
		composerMark:             in && (k != linnet.AnnouncementGroup || runs),
		`/requests"`:             runs && k.Closed(),
		`/invite"`:               runs,
		`/bans"`:                 runs,
		`/edit"`:                 who == "owner",
		`/delete"`:               who == "owner",
		`Remove from grou`:       runs,
	} {
		if strings.Contains(page, sign) != there {
			t.Errorf("%v group as %q: %q is offered: %v, want %v", k, who, sign, !there, there)
		}
	}
}
