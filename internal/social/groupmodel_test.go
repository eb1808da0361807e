package social_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/kv/redistest"
	"linnet/internal/linnet"
)

// groupModel models access to closed groups in plain Go: membership since which action, and posts
// by action.
type groupModel struct {
	*apptest.World
	rnd    *rand.Rand
	people []linnet.ID
	groups []linnet.ID // a private group and a chat
	since  map[[2]linnet.ID]int
	banned map[[2]linnet.ID]bool
	posted []groupPosted
	now    int
}

type groupPosted struct {
	id, by, group linnet.ID
	at            int
	top           bool
}

func (m *groupModel) chat(group linnet.ID) bool { return group == m.groups[1] }

// sees is the rule.
func (m *groupModel) sees(who linnet.ID, p groupPosted) bool {
	since, in := m.since[[2]linnet.ID{who, p.group}]
	return who == p.by || in && (!m.chat(p.group) || since <= p.at)
}

func (m *groupModel) act() {
	m.Helper()
	m.NextMillisecond()
	m.now++
	who, g := m.people[m.rnd.IntN(len(m.people))], m.groups[m.rnd.IntN(len(m.groups))]
	key := [2]linnet.ID{who, g}
	_, in := m.since[key]
	owner := m.people[0]
	switch n := m.rnd.IntN(10); {
	case n < 4:
		m.posts(who, g, in)
	case who == owner:
	case n < 8 && !in && !m.banned[key]:
		if m.chat(g) {
			m.OK(m.Groups.InviteToGroup(m.Ctx, owner, g, []linnet.ID{who}))
		}
		m.Follow(who, g)
		if !m.chat(g) {
			m.OK(m.Groups.AcceptMember(m.Ctx, owner, g, who))
		}
		m.since[key] = m.now
	case n < 6 && in:
		apptest.Must(m.Social.Unfollow(m.Ctx, who, g))(m)
		delete(m.since, key)
	case n < 8 && in:
		m.OK(m.Groups.KickMember(m.Ctx, owner, g, who))
		delete(m.since, key)
	case n == 8 && in:
		m.OK(m.Groups.BanMember(m.Ctx, owner, g, who))
		delete(m.since, key)
		m.banned[key] = true
	case m.banned[key]:
		m.OK(m.Groups.UnbanMember(m.Ctx, owner, g, who))
		delete(m.banned, key)
	}
}

// posts makes a user post or reply in a group, by its name and with a random visibility. Outsiders
// cannot.
func (m *groupModel) posts(who, g linnet.ID, in bool) {
	m.Helper()
	login := apptest.Must(m.View.User(m.Ctx, m.people[0], g))(m).Login
	d := linnet.Draft{Text: "@" + login + " @user1 secret #secret", Visibility: visible(linnet.Private + linnet.Visibility(m.rnd.IntN(2)))}
	p := groupPosted{by: who, group: g, at: m.now, top: true}
	if to := m.answerable(who, g); to != 0 && m.rnd.IntN(2) == 0 {
		d.InReplyTo, d.Visibility, p.top = to, visible(linnet.Visibility(m.rnd.IntN(4))), false
	}
	v, err := m.Posting.Post(m.Ctx, who, d)
	switch {
	case in:
		p.id = apptest.Must(v, err)(m).ID
		m.posted = append(m.posted, p)
	case err == nil && v.Group != 0:
		m.Errorf("an outsider has posted in group %v", g)
	case err == nil: // a normal post, because outsiders cannot find chats
		apptest.Must(m.Posting.Delete(m.Ctx, who, v.ID))(m)
	}
}

// answerable returns a post in a group that a user can see.
func (m *groupModel) answerable(who, g linnet.ID) linnet.ID {
	for i := len(m.posted) - 1; i >= 0; i-- {
		if p := m.posted[i]; p.group == g && m.sees(who, p) && m.rnd.IntN(2) == 0 {
			return p.id
		}
	}
	return 0
}

// compare compares each way to each status with the model.
func (m *groupModel) compare() {
	m.Helper()
	m.Drain()
	root := m.Post(m.people[0], "root").ID
	for _, who := range append([]linnet.ID{0}, m.people...) {
		list := m.lists(who)
		for _, p := range m.posted {
			v := apptest.Must(m.View.Status(m.Ctx, p.by, p.id))(m)
			want := who != 0 && m.sees(who, p)
			for way, shown := range m.TryReads(who, list, p.by, root, v) {
				always := slices.Contains([]string{"status", "its thread", "statuses", "profile", "address"}, way)
				always = always || way == "home" && !m.chat(p.group) && p.top && who != 0
				if _, in := m.since[[2]linnet.ID{who, p.group}]; way == "home" && !in && who != p.by {
					always = false
				}
				if shown && !want || !shown && want && always {
					m.Errorf("%v sees %+v by %s: %v, want %v", who, p, way, shown, want)
				}
			}
			if !want && who != 0 {
				for act, err := range m.TryActs(who, p.id) {
					if linnet.KindOf(err) != linnet.NotFound {
						m.Errorf("%v may %s %+v: %v", who, act, p, err)
					}
				}
			}
		}
	}
}

// lists makes a list of all users.
func (m *groupModel) lists(who linnet.ID) linnet.ID {
	m.Helper()
	if who == 0 {
		return 0
	}
	l := m.List(who, linnet.ListChange{})
	m.AddTo(who, l, m.people...)
	return l
}

// TestGroupsEqualTheModel checks that no one sees more of closed groups than the model allows, on
// any page, and that members see everything.
func TestGroupsEqualTheModel(t *testing.T) {
	for _, seed := range []uint64{1, 2, 3} {
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) { groupsAtRandom(apptest.InMemory(t), seed) })
	}
	t.Run("engines", func(t *testing.T) {
		apptest.SkipShort(t)
		groupsAtRandom(apptest.New(t, apptest.OpenDisk(t)), 4)
		groupsAtRandom(apptest.New(t, apptest.OpenRedis(t, redistest.Single(t), "")), 5)
	})
}

func groupsAtRandom(w *apptest.World, seed uint64) {
	w.Helper()
	m := &groupModel{World: w, rnd: rand.New(rand.NewPCG(seed, 1)), people: w.People(5), since: map[[2]linnet.ID]int{}, banned: map[[2]linnet.ID]bool{}}
	for _, kind := range []linnet.GroupKind{linnet.PrivateGroup, linnet.Chat} {
		g := w.Group(m.people[0], kind.String()+"group", kind)
		m.groups = append(m.groups, g)
		m.since[[2]linnet.ID{m.people[0], g}] = 0
	}
	for _, who := range m.people[2:] { // following an author reveals nothing more
		w.Follow(who, m.people[1])
		w.Follow(who, m.people[0])
	}
	for range 60 {
		m.act()
	}
	m.compare()
	m.Check()
}
