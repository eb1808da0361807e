package admin

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"linnet/internal/app"
	"linnet/internal/linnet"
)

// DemoPassword is the password of all users of the demo.
const DemoPassword = "a small home"

// DemoAdmin is the login of the demo's administrator.
const DemoAdmin = "wren"

// DemoClock is the clock of a demo store. It only changes when it is set, so that actions of
// several days fit into a second. It is safe for concurrent use.
type DemoClock struct {
	mu  sync.Mutex
	now time.Time
	end time.Time
}

// NewDemoClock returns a clock at the start of a demo that ends at end. A clock at the zero time
// would differ by centuries from the engine's.
func NewDemoClock(end time.Time) *DemoClock { return &DemoClock{now: end.Add(-demoAge), end: end} }

// Now returns the time that was last set.
func (c *DemoClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *DemoClock) set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t.After(c.now) { // it never goes back
		c.now = t
	}
}

// Demo fills an empty store with sample data: users who follow and reply to each other, a list,
// groups and a chat, direct messages, requests, a report, pictures if files are stored, and
// statistics of 30 days. It is the same each time except for ids, and ends at the end of the clock.
// The service must be running on a store with this clock.
func Demo(ctx context.Context, svc *app.App, clock *DemoClock) error {
	d := &demo{ctx: ctx, svc: svc, clock: clock, end: clock.end,
		people: make(map[string]linnet.ID), posts: make(map[string]linnet.ID), media: make(map[string][]linnet.ID)}
	for _, part := range []struct {
		what string
		do   func() error
	}{{"accounts", d.signUpAll}, {"groups", d.found}, {"pictures", d.hang}, {"posts", d.post}, {"lists and reports", d.furnish}, {"statistics", d.count}} {
		if err := part.do(); err != nil {
			return fmt.Errorf("create the %s of the demo: %w", part.what, err)
		}
	}
	return nil
}

// demo is a demo store that is being filled.
type demo struct {
	ctx    context.Context
	svc    *app.App
	clock  *DemoClock
	end    time.Time
	people map[string]linnet.ID   // by login
	posts  map[string]linnet.ID   // by key
	media  map[string][]linnet.ID // pictures of the posts, by key
	report linnet.ID              // the status in the report
}

// at sets the clock after all earlier tasks are done, so that their results have the right time.
func (d *demo) at(ago time.Duration) error {
	for !d.svc.Idle() {
		select {
		case <-d.ctx.Done():
			return d.ctx.Err()
		case <-time.After(time.Millisecond):
		}
	}
	d.clock.set(d.end.Add(-ago))
	return nil
}

// signUpAll signs up the users and creates the follows.
func (d *demo) signUpAll() error {
	yes, title, about := true, "The Reading Room", "A small home for people who read, and for the people in the books."
	if err := d.at(demoAge); err != nil {
		return err
	}
	if _, err := d.svc.Settings.ChangeInstance(d.ctx, linnet.Operator(), linnet.InstanceChange{Title: &title, Description: &about, Cards: &yes,
		Rules: &[]string{"Be kind; you may be quoted.", "Add a warning before you tell how a book ends."}}); err != nil {
		return err
	}
	people := demoPeople()
	for i, p := range people {
		if err := d.at(demoAge - time.Duration(i)*25*time.Hour); err != nil {
			return err
		}
		u, err := d.svc.Identity.SignUp(d.ctx, linnet.SignUp{Login: p.login, Password: DemoPassword, Agreed: true, Listed: true, Language: "en", Role: p.role})
		if err != nil {
			return err
		}
		if _, err := d.svc.Social.Profiles.Update(d.ctx, u.ID, linnet.ProfileChange{Name: &p.name, Note: &p.note, Fields: &p.fields,
			Discoverable: &yes, Indexable: &yes, Locked: &p.locked}); err != nil {
			return err
		}
		d.people[p.login] = u.ID
		if i > 0 { // the first one is the administrator
			if err := d.svc.Notify.NotifyStaff(d.ctx, linnet.Notification{ID: u.ID, Type: linnet.NotifySignUp, From: u.ID}); err != nil {
				return err
			}
		}
	}
	for _, p := range people {
		for other := range strings.FieldsSeq(p.follows) {
			if id, ok := d.people[other]; ok {
				if _, err := d.svc.Social.Follow(d.ctx, d.people[p.login], id, linnet.FollowOptions{}); err != nil {
					return err
				}
			}
		}
	}
	keeper := DemoAdmin
	if _, err := d.svc.Settings.ChangeInstance(d.ctx, linnet.Operator(), linnet.InstanceChange{ContactUser: &keeper}); err != nil {
		return err
	}
	if err := d.at(14 * 24 * time.Hour); err != nil {
		return err
	}
	_, err := d.svc.Social.AcceptRequest(d.ctx, d.people["jane"], d.people["lizzy"]) // Mr. Collins has to wait
	return err
}

// found creates the groups and adds their members.
func (d *demo) found() error {
	if err := d.at(13 * 24 * time.Hour); err != nil { // before the first post, because the clock only moves forward
		return err
	}
	for _, g := range demoGroups() {
		by := d.people[g.by]
		v, err := d.svc.Groups.CreateGroup(d.ctx, by, linnet.NewGroup{Login: g.login, Name: g.name, Note: g.note, Kind: g.kind})
		if err != nil {
			return fmt.Errorf("%s: %w", g.login, err)
		}
		d.people[g.login] = v.ID
		for login := range strings.FieldsSeq(g.members) {
			who := d.people[login]
			if g.kind.Closed() {
				if err := d.svc.Groups.InviteToGroup(d.ctx, by, v.ID, []linnet.ID{who}); err != nil {
					return fmt.Errorf("%s: %w", g.login, err)
				}
			}
			if _, err := d.svc.Social.Follow(d.ctx, who, v.ID, linnet.FollowOptions{}); err != nil {
				return fmt.Errorf("%s: %w", g.login, err)
			}
		}
		for login := range strings.FieldsSeq(g.moderators) {
			if _, err := d.svc.Groups.SetGroupRole(d.ctx, by, v.ID, d.people[login], linnet.GroupModerator); err != nil {
				return fmt.Errorf("%s: %w", g.login, err)
			}
		}
	}
	return nil
}

// post creates the posts, oldest first, with their replies and votes.
func (d *demo) post() error {
	posts := demoPosts()
	if err := d.at(3 * 24 * time.Hour); err != nil {
		return err
	}
	yes := true
	if _, err := d.svc.Social.Follow(d.ctx, d.people[DemoAdmin], d.people["huck"], linnet.FollowOptions{Notify: &yes}); err != nil {
		return err
	}
	if err := d.preview(); err != nil {
		return fmt.Errorf("store link previews: %w", err)
	}
	slices.SortStableFunc(posts, func(a, b demoPost) int { return cmp.Compare(b.ago, a.ago) })
	for _, p := range posts {
		if err := d.at(p.ago); err != nil {
			return err
		}
		media, err := d.attach(p)
		if err != nil {
			return fmt.Errorf("attach pictures to %q: %w", p.text, err)
		}
		draft := linnet.Draft{Text: p.text, Warning: p.warning, Visibility: &p.seen, Language: "en", InReplyTo: d.posts[p.to], QuoteOf: d.posts[p.quotes], Media: media}
		if p.poll != nil {
			draft.Poll = &linnet.PollDraft{Seconds: p.poll.days * 24 * 60 * 60}
			for _, o := range p.poll.options {
				draft.Poll.Options = append(draft.Poll.Options, o[0])
			}
		}
		v, err := d.svc.Posting.Post(d.ctx, d.people[p.by], draft)
		if err != nil {
			return fmt.Errorf("%s: %w", p.text, err)
		}
		if p.key != "" {
			d.posts[p.key], d.media[p.key] = v.ID, media
		}
		if p.by == "collins" {
			d.report = v.ID
		}
		if err := d.at(p.ago - time.Minute); err != nil {
			return err
		}
		if err := d.respond(p, v.ID); err != nil {
			return fmt.Errorf("respond to %q: %w", p.text, err)
		}
	}
	return nil
}

// respond adds the favourites, boosts and votes of a post.
func (d *demo) respond(p demoPost, id linnet.ID) error {
	for who := range strings.FieldsSeq(p.likes) {
		if _, err := d.svc.Posting.Marks.Favourite(d.ctx, d.people[who], id); err != nil {
			return err
		}
	}
	for who := range strings.FieldsSeq(p.boosts) {
		if _, err := d.svc.Posting.Repost(d.ctx, d.people[who], id, nil); err != nil {
			return err
		}
	}
	if p.poll == nil {
		return nil
	}
	for i, o := range p.poll.options {
		for who := range strings.FieldsSeq(o[1]) {
			if _, err := d.svc.Posting.Polls.Vote(d.ctx, d.people[who], id, []int{i}); err != nil {
				return err
			}
		}
	}
	return nil
}

// preview stores the previews of the links in posts, so that no page is fetched.
func (d *demo) preview() error {
	for _, link := range demoUnfetched() {
		if err := d.svc.Cards.Preload(d.ctx, link, nil, nil); err != nil {
			return err
		}
	}
	f, err := d.picture("whale")
	if err != nil {
		return err
	}
	if f != nil {
		defer f.Close()
	}
	return d.svc.Cards.Preload(d.ctx, demoLink, demoCard(), f)
}

// furnish creates the rest: edits, a list, a bookmark, pinned posts, a late follow, and for the
// administrator a report and a request to join a group.
func (d *demo) furnish() error {
	if err := d.at(3 * time.Minute); err != nil {
		return err
	}
	for _, g := range demoGroups() {
		for who := range strings.FieldsSeq(g.asks) {
			if _, err := d.svc.Social.Follow(d.ctx, d.people[who], d.people[g.login], linnet.FollowOptions{}); err != nil {
				return err
			}
		}
	}
	for i, e := range demoEdits() {
		if err := d.at(150*time.Second - time.Duration(i)*time.Second); err != nil {
			return err
		}
		if _, err := d.svc.Posting.Edit(d.ctx, d.people[e.by], d.posts[e.key], linnet.Edit{Text: e.text, Media: d.media[e.key]}); err != nil {
			return fmt.Errorf("edit %s: %w", e.key, err)
		}
	}
	keeper, title := d.people[DemoAdmin], "At sea"
	if err := d.at(130 * time.Second); err != nil {
		return err
	}
	if _, err := d.svc.Social.Follow(d.ctx, d.people["holmes"], keeper, linnet.FollowOptions{}); err != nil {
		return err
	}
	if err := d.at(2 * time.Minute); err != nil {
		return err
	}
	l, err := d.svc.Lists.CreateList(d.ctx, keeper, linnet.ListChange{Title: &title})
	if err != nil {
		return err
	}
	if err := d.svc.Lists.AddToList(d.ctx, keeper, l.ID, []linnet.ID{d.people["ishmael"], d.people["walt"], d.people["huck"]}); err != nil {
		return err
	}
	if _, err := d.svc.Posting.Marks.Bookmark(d.ctx, keeper, d.posts["ending"]); err != nil {
		return err
	}
	for key, by := range map[string]string{"open": DemoAdmin, "linnet": DemoAdmin, "deck": "ishmael", "chart": "ada", "birds": "walt"} {
		if _, err := d.svc.Posting.Marks.Pin(d.ctx, d.people[by], d.posts[key]); err != nil {
			return fmt.Errorf("pin %s: %w", key, err)
		}
	}
	if _, err := d.svc.Moderation.Report(d.ctx, d.people["lizzy"], linnet.ReportDraft{On: d.people["collins"], Statuses: []linnet.ID{d.report},
		Comment: "Three times in one hour. Nobody here needs to know about the closet.", Category: linnet.ReportSpam}); err != nil {
		return err
	}
	if err := d.at(0); err != nil {
		return err
	}
	return d.read(keeper)
}

// read marks the older notifications and conversations of a user as read. It removes invitations to
// chats.
func (d *demo) read(who linnet.ID) error {
	notices, err := d.svc.Notify.Notifications(d.ctx, who, linnet.NotificationFilter{}, linnet.Page{Limit: linnet.MaxPage})
	if err != nil {
		return err
	}
	for _, n := range notices.Items {
		if n.ID.Time().Before(d.end.Add(-54 * time.Minute)) {
			if err := d.svc.Reading.SeeNotifications(d.ctx, who, n.ID); err != nil {
				return err
			}
			break
		}
	}
	talks, err := d.svc.Posting.Conversations.List(d.ctx, who, linnet.Page{Limit: linnet.MaxPage})
	if err != nil {
		return err
	}
	for i, c := range talks.Items {
		switch {
		case c.Last.Time().Before(d.end.Add(-5 * 24 * time.Hour)):
			err = d.svc.Posting.Conversations.Delete(d.ctx, who, c.ID)
		case i > 1 && c.Unread:
			_, err = d.svc.Posting.Conversations.Mark(d.ctx, who, c.ID, false)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
