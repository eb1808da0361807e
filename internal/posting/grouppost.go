package posting

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"strings"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/notify"
	"linnet/internal/record"
	"linnet/internal/social"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/store/inbox"
	"linnet/internal/store/statuses"
	"linnet/internal/task"
	"linnet/internal/view"
)

// groupChoice is the group that a new status belongs to.
type groupChoice struct {
	group      linnet.ID          // where it is posted; 0 for none
	order      linnet.ID          // the group that receives a command; 0 for none
	visibility *linnet.Visibility // nil for the author's choice
	while      []kv.Cond          // conditions when the status is written
}

// forMembers restricts a status to the members of a group. Its visibility becomes Private in a
// group and Direct in a chat.
func (p *groupChoice) forMembers(me linnet.ID, group linnet.ID, v linnet.Visibility) {
	p.group, p.visibility = group, &v
	p.while = []kv.Cond{db.Related(record.Follows(), me, group)}
}

// members returns the group whose members alone can see a status, or 0.
func (p *groupChoice) members() linnet.ID {
	if p.visibility == nil {
		return 0
	}
	return p.group
}

func errLeft() error {
	return linnet.Errorf(linnet.Forbidden, "You're no longer in the group.")
}

func errOutside(login string) error {
	return linnet.Errorf(linnet.Forbidden, "You aren't in @%s, so its members wouldn't see this post.", login)
}

// chooseGroup decides whether a status is posted in a group. A reply to a post for members is for
// the same members. A new post goes to the first mentioned group that accepts it. In a closed group
// it is always for members, and in an open one the author's visibility applies. A group boosts a
// reply if the conversation hasn't been in the group before. Without a group, chooseGroup reads
// nothing.
func (s *Service) chooseGroup(ctx context.Context, me linnet.ID, d linnet.Draft, words string, p *prepared, groups []*linnet.User) error {
	v := p.author.Posting.Visibility
	if d.Visibility != nil {
		v = *d.Visibility
	}
	if v == linnet.Direct && len(groups) > 0 && isOrder(words) {
		if g, err := s.view.GroupRelation(ctx, me, groups[0].ID); err == nil && g.Role > linnet.Outsider {
			p.order = g.Group.ID
			p.mentions = []linnet.Mention{{ID: g.Group.ID, Login: g.Group.Login}}
			return nil
		}
	}
	if p.parent != nil && p.parent.ForMembers() {
		g, err := s.view.GroupRelation(ctx, me, p.parent.Group)
		if err != nil {
			return err
		}
		if g.Role == linnet.Outsider {
			return errOutside(g.Group.Login)
		}
		p.forMembers(me, p.parent.Group, p.parent.Visibility)
	}
	for _, u := range groups {
		role, err := s.social.Groups.RoleOf(ctx, u.ID, me)
		if err != nil {
			return err
		}
		closed := u.Group == linnet.Chat || u.Group == linnet.PrivateGroup && (role > linnet.Outsider || v == linnet.Direct)
		switch {
		case role == linnet.Outsider && u.Group == linnet.Chat: // only members can know of a chat
			p.mentions = slices.DeleteFunc(p.mentions, func(m linnet.Mention) bool { return m.ID == u.ID })
		case role == linnet.Outsider && closed:
			return errOutside(u.Login)
		case closed && p.group != 0 && p.group != u.ID && p.visibility != nil:
			return linnet.FieldError("text", "ERR_INVALID", "is only for the members of one group, but also mentions another group, @%s. Remove that mention", u.Login)
		case closed && p.group != u.ID:
			limited := linnet.Private
			if u.Group == linnet.Chat {
				limited = linnet.Direct
			}
			p.forMembers(me, u.ID, limited)
		case role >= posts(u.Group) && !closed && p.group == 0 && v.Open() && !hadIn(p.parent, u.ID):
			p.group, p.while = u.ID, []kv.Cond{db.Related(record.Follows(), me, u.ID)}
		}
	}
	if p.group == 0 || p.visibility == nil {
		return nil
	}
	return s.mentionMembers(ctx, p)
}

// hadIn reports whether a parent status was already in a group. Apps repeat all mentions of the
// parent in a reply.
func hadIn(parent *linnet.Status, group linnet.ID) bool {
	return parent != nil && (parent.Group == group || slices.ContainsFunc(parent.Mentions, func(m linnet.Mention) bool { return m.ID == group }))
}

// posts returns the role that is needed to post in a group.
func posts(k linnet.GroupKind) linnet.GroupRole {
	if k == linnet.AnnouncementGroup {
		return linnet.GroupModerator
	}
	return linnet.GroupMember
}

// mentionMembers turns mentions of users who are not members into plain text, for a status for
// group members.
func (s *Service) mentionMembers(ctx context.Context, p *prepared) error {
	b := s.st.Batch()
	ids := make([]linnet.ID, len(p.mentions))
	for i, m := range p.mentions {
		ids[i] = m.ID
	}
	in := b.RelatedOwners(record.Follows(), p.group, ids)
	if err := b.Run(ctx); err != nil {
		return core.StoreError(err)
	}
	p.mentions = slices.DeleteFunc(p.mentions, func(m linnet.Mention) bool { return m.ID != p.group && !in.Has(m.ID) })
	return nil
}

// isOrder reports whether a text is a command to a group: a slash after the leading mentions.
func isOrder(words string) bool { return strings.HasPrefix(orderIn(words), "/") }

// orderIn returns a text without the mentions at its beginning.
func orderIn(words string) string {
	for {
		words = strings.TrimSpace(words)
		if !strings.HasPrefix(words, "@") {
			return words
		}
		_, words, _ = strings.Cut(words, " ")
	}
}

// GroupPosts boosts posts into groups, delivers messages in chats, and removes posts from groups.
// It is safe for concurrent use.
type GroupPosts struct {
	st     *store.Store
	tasks  *task.Queue
	core   *core.Service
	view   *view.Service
	notify *notify.Service
	groups *social.Groups
	eraser *Eraser

	conversations *Conversations
}

// boost makes a group boost a status once. The fan-out of the boost delivers it to the
// members.
func (s *GroupPosts) boost(ctx context.Context, st *linnet.Status) error {
	if st.Group == 0 || st.RepostOf != 0 || st.Visibility == linnet.Direct {
		return nil
	}
	b := s.st.Batch()
	parent := &db.StatusRef{}
	if st.InReplyTo != 0 {
		parent = b.Status(st.InReplyTo)
	}
	group := b.User(st.Group)
	in := b.Related(record.Follows(), st.Author, []linnet.ID{st.Group})
	if err := b.Run(ctx); err != nil {
		return err
	}
	if group.User == nil || group.User.Hidden() || !in.Has(st.Group) {
		return nil // the author has left the group, or it is deleted
	}
	if st.InReplyTo != 0 && (parent.Status == nil || hadIn(parent.Status, st.Group)) {
		return nil
	}
	r := &linnet.Status{Author: st.Group, RepostOf: st.ID, RepostAuthor: st.Author, Nonce: rand.Text(), Version: 1}
	if group.User.Group.Closed() {
		r.Visibility = linnet.Private
	}
	t, err := s.st.Statuses.CreateStatus(ctx, statuses.NewStatus{Status: r, After: st.ID, Once: true, Task: func(id linnet.ID) (task.Task, error) {
		return s.tasks.New(st.Group.Shard(), TaskPublish, publishArgs{Status: id})
	}})
	if errors.Is(err, statuses.ErrRepeated) || errors.Is(err, db.ErrDeleted) {
		return nil
	}
	if err == nil {
		s.tasks.Start(t)
	}
	return err
}

// membersPass is the number of chat members in one batch. Each takes as long as about twenty feeds.
const membersPass = 50

func membersOf(st *linnet.Status) kv.Key { return record.Follows().CopyKey(st.Group) }

// membersSince returns the next members of a chat who have been members since a status was posted.
func (s *GroupPosts) membersSince(ctx context.Context, st *linnet.Status, from kv.Member) ([]linnet.ID, kv.Member, bool, error) {
	return s.st.Relations.MembersSince(ctx, st.Group, st.ID.Millis(), from, membersPass)
}

// deliver adds a status of a chat to the conversations of members, and notifies them as for a
// direct message, unless they mute the author, the thread or the chat.
func (s *GroupPosts) deliver(ctx context.Context, c *carried, to db.Owners) error {
	st := c.st
	for _, who := range to.IDs {
		id := inbox.ChatConversationID(who, st.Group)
		added, err := s.st.Inbox.AddToConversation(ctx, who, id, st, db.Related(record.Follows(), who, st.Group))
		if err != nil {
			return err
		}
		if added {
			s.conversations.changed(ctx, who, id)
		}
	}
	// Filters for strangers don't apply, because members have joined the chat themselves. Mentioned
	// users have a notification.
	b := s.st.Batch()
	muted, pushed := make(map[linnet.ID][2]*bool, len(to.IDs)), make(map[linnet.ID]*bool, len(to.IDs))
	for _, id := range to.IDs {
		if id != st.Author && !slices.Contains(mentionedIDs(st), id) {
			muted[id] = [2]*bool{b.NoticesMuted(id, st.Author, notify.ThreadOf(st)), b.NoticesMuted(id, st.Group, 0)}
			pushed[id] = b.Pushed(id)
		}
	}
	if err := b.Run(ctx); err != nil {
		return err
	}
	var notified []linnet.ID
	for _, id := range to.IDs {
		if d, asked := muted[id]; !asked || *d[0] || *d[1] {
			continue
		}
		push, err := s.notify.NewPush(*pushed[id], id, inbox.ChatNotice(id, st).ID)
		if err != nil {
			return err
		}
		made, err := s.st.Inbox.NotifyMember(ctx, st, id, push.Ops()...)
		if err != nil {
			return err
		}
		if made {
			s.notify.Push(ctx, push)
			notified = append(notified, id)
		}
	}
	if len(notified) > 0 {
		s.core.Emit(ctx, st.Author, core.Event{Type: linnet.EventNotification, Status: st.ID, Author: st.Author, Watchers: notified})
	}
	return nil
}

// retract removes a deleted status from the conversations of a chat.
func (s *GroupPosts) retract(ctx context.Context, st *linnet.Status, members []linnet.ID) error {
	for _, who := range members {
		id := inbox.ChatConversationID(who, st.Group)
		changed, err := s.st.Inbox.RemoveFromConversation(ctx, who, id, st.ID)
		if err != nil {
			return err
		}
		if changed {
			s.conversations.changed(ctx, who, id)
		}
	}
	return s.st.Inbox.UnnotifyMembers(ctx, st, members)
}

// Remove removes a status from a group. me must run the group. A public status stays on
// its author's profile. Only its author can still see a status for members. It returns NotFound if
// the status isn't in the group.
func (s *GroupPosts) Remove(ctx context.Context, me, group, id linnet.ID) error {
	if _, err := s.groups.Needs(ctx, me, group, linnet.GroupModerator); err != nil {
		return err
	}
	st, err := core.RetryDurable(ctx, func(ctx context.Context) (linnet.StatusView, error) { return s.view.Original(ctx, group, id) })
	if err != nil {
		return err
	}
	reposts, err := s.st.Statuses.RepostIDs(store.Durable(ctx), st.ID, group)
	if err != nil {
		return core.StoreError(err)
	}
	repost := reposts[group]
	if repost == 0 && !(st.Group == group && st.ForMembers()) {
		return view.ErrNoStatus
	}
	if st.Group == group && st.ForMembers() {
		if err := s.st.Relations.Withdraw(ctx, st.ID); err != nil {
			return core.StoreError(err)
		}
	}
	if repost == 0 {
		if st.Visibility == linnet.Direct { // otherwise its boost names the group
			s.core.Emit(ctx, group, core.Event{Type: linnet.EventDelete, Status: st.ID, Author: group, Visibility: st.Visibility, Group: group})
		}
		return nil
	}
	b := s.st.Batch()
	ref := b.Status(repost)
	if err := b.Run(store.Durable(ctx)); err != nil || ref.Status == nil {
		return core.StoreError(err)
	}
	_, err = s.eraser.Erase(ctx, ref.Status, func(t task.Task) { s.tasks.Run(ctx, t) })
	return err
}
