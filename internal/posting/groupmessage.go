package posting

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"

	"linnet/internal/core"
	"linnet/internal/event"
	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/record"
	"linnet/internal/social"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/store/statuses"
	"linnet/internal/task"
	"linnet/internal/text"
	"linnet/internal/view"
)

// Apps without support for groups can manage them by direct messages. The staff of a group sends
// commands to its account, and the account replies. It also notifies the staff of requests to join,
// and users of invitations. Messages are in the recipient's language. Commands are the same in all
// languages.

// commandHelp returns the reply to /help.
func commandHelp(in *locale.Language) string {
	return in.Text("To send me a command, write a direct message with one of these:") + `
/accept @name, /reject @name: ` + in.Text("answer a join request") + `
/invite @name
/kick @name, /ban @name, /unban @name
/remove https://…: ` + in.Text("remove the post with this link from the group") + `
/leave: ` + in.Text("leave the group")
}

// GroupCommands executes the commands that users send to groups, and sends the messages of groups.
// It is safe for concurrent use.
type GroupCommands struct {
	st     *store.Store
	tasks  *task.Queue
	core   *core.Service
	view   *view.Service
	social *social.Service
	posts  *GroupPosts
}

// send sends a direct message by a group, once per key and hour.
func (s *GroupCommands) send(ctx context.Context, group *linnet.User, to []linnet.Mention, answers *linnet.Status, in *locale.Language, words, key string) error {
	if len(to) == 0 {
		return nil
	}
	st := &linnet.Status{Author: group.ID, Visibility: linnet.Direct, Language: in.Code, Mentions: to[:min(len(to), linnet.MaxMentions)], Nonce: rand.Text(), Version: 1}
	for _, m := range st.Mentions {
		st.Text += "@" + m.Login + " "
	}
	st.Text += words
	var after linnet.ID
	if answers != nil {
		st.InReplyTo, st.InReplyAuthor, st.Conversation = answers.ID, answers.Author, answers.Conversation
		after = answers.ID
	}
	t, err := s.st.Statuses.CreateStatus(ctx, statuses.NewStatus{Status: st, IdemHash: record.Hash(key), After: after, Task: func(id linnet.ID) (task.Task, error) {
		return s.tasks.New(group.ID.Shard(), TaskPublish, publishArgs{Status: id})
	}})
	if errors.Is(err, statuses.ErrRepeated) || errors.Is(err, db.ErrDeleted) {
		return nil
	}
	if err == nil {
		s.tasks.Start(t)
	}
	return err
}

// requestWords returns the message about a request to join, with the commands that accept or reject
// it.
func requestWords(in *locale.Language, login string) string {
	return in.Text("%s wants to join.", login) + " /accept @" + login + ", /reject @" + login
}

// formerRequestWords returns the English texts that earlier releases sent.
func formerRequestWords(login string) []string {
	return []string{fmt.Sprintf("%s asks to be let in. Answer /accept @%s or /reject @%s.", login, login, login),
		fmt.Sprintf("%s asks to be let in. /accept @%s, /reject @%s", login, login, login)}
}

// invitationWords returns the message about an invitation to a group.
func invitationWords(in *locale.Language, inviter, group string) string {
	return in.Text("%s invites you to join the group %s. To accept, follow this account.", inviter, "@"+group)
}

// Question returns what a message of a group asks its reader: to decide on a request to join, or to
// answer an invitation. ok is false for other messages. The question may no longer be open.
func Question(st *linnet.StatusView) (q social.Question, ok bool) {
	if st.By.Group == linnet.NoGroup || st.Visibility != linnet.Direct {
		return q, false
	}
	q.Group = st.Author
	words := orderIn(st.Text)
	_, behind, _ := strings.Cut(words, "/accept @")
	q.By = behind[:max(0, strings.IndexAny(behind, ", "))]
	if slices.Contains(formerRequestWords(q.By), words) {
		return q, true
	}
	for _, in := range locale.Languages() {
		if q.By != "" && words == requestWords(in, q.By) {
			return q, true
		}
		const inviter = "0inviter0"
		before, after, _ := strings.Cut(orderIn(invitationWords(in, inviter, st.By.Login)), inviter)
		by, begins := strings.CutPrefix(words, before)
		if by, ends := strings.CutSuffix(by, after); begins && ends && text.ValidLogin(by) {
			return social.Question{Group: st.Author, By: by, Invites: true}, true
		}
	}
	return q, false
}

// ForApps reports whether a message to or from a group is a command, or explains commands. Pages
// hide such messages, because they have buttons.
func ForApps(st *linnet.StatusView) bool {
	if st.By.Group == linnet.NoGroup {
		return isOrder(st.Text)
	}
	if _, ok := Question(st); ok || st.Visibility != linnet.Direct {
		return false
	}
	return strings.Contains(st.Text, "/help") || strings.Contains(st.Text, "/remove https://")
}

// GroupRequested sends a message to the staff of a group, at most once an hour per user.
func (s *GroupCommands) GroupRequested(ctx context.Context, f event.GroupRequested) error {
	u, err := s.core.LookupUser(ctx, f.By)
	if err != nil || u == nil || u.Hidden() {
		return err
	}
	to, in, err := s.runners(ctx, f.Group.ID)
	if err != nil {
		return err
	}
	return s.send(ctx, f.Group, to, nil, in, requestWords(in, u.Login), "request "+f.By.String())
}

// runners returns the owners and moderators of a group as mentions, and the language of the first
// one.
func (s *GroupCommands) runners(ctx context.Context, group linnet.ID) ([]linnet.Mention, *locale.Language, error) {
	in := locale.English()
	var ids []linnet.ID
	for _, k := range [...]record.RelationKind{record.GroupOwners(), record.GroupModerators()} {
		some, err := s.st.All(ctx, k.OwnedKey(group), linnet.MaxGroupStaff)
		if err != nil {
			return nil, in, err
		}
		ids = append(ids, some...)
	}
	b := s.st.Batch()
	refs := make([]*db.UserRef, len(ids))
	for i, id := range ids {
		refs[i] = b.User(id)
	}
	if err := b.Run(ctx); err != nil {
		return nil, in, err
	}
	var out []linnet.Mention
	for _, ref := range refs {
		if u := ref.User; u != nil && !slices.ContainsFunc(out, func(m linnet.Mention) bool { return m.ID == u.ID }) {
			if len(out) == 0 {
				in = core.LanguageOf(u)
			}
			out = append(out, linnet.Mention{ID: u.ID, Login: u.Login})
		}
	}
	return out, in, nil
}

// GroupInvited sends a message to the invited user.
func (s *GroupCommands) GroupInvited(ctx context.Context, f event.GroupInvited) error {
	inviter, err := s.core.LookupUser(ctx, f.By)
	if err != nil {
		return err
	}
	u, err := s.core.LookupUser(ctx, f.To)
	if err != nil || u == nil || inviter == nil {
		return err
	}
	in := core.LanguageOf(u)
	return s.send(ctx, f.Group, []linnet.Mention{{ID: u.ID, Login: u.Login}}, nil, in, invitationWords(in, inviter.Login, f.Group.Login), "offer "+f.To.String())
}

// run executes a command to a group and replies. If it runs again, the first reply
// stays.
func (s *GroupCommands) run(ctx context.Context, st *linnet.Status, group linnet.ID) error {
	u, err := s.core.LookupUser(ctx, group)
	if err != nil || u == nil || u.Hidden() {
		return err
	}
	by, err := s.core.LookupUser(ctx, st.Author)
	if err != nil || by == nil {
		return err
	}
	in := core.LanguageOf(by)
	said, err := s.execute(ctx, in, st.Author, group, orderIn(text.Parse(st.Text).Text()))
	var shown *linnet.Error
	switch {
	case errors.As(err, &shown) && shown.Kind != linnet.Unavailable && shown.Kind != linnet.Full:
		said = in.Sentence(shown.In(in.Say()))
		if shown.Kind == linnet.NotFound {
			said = in.Text("That didn't work: %s", said)
		}
	case err != nil:
		return err
	}
	return s.send(ctx, u, []linnet.Mention{{ID: by.ID, Login: by.Login}}, st, in, said, "order "+st.ID.String())
}

// execute executes one command and returns the reply.
func (s *GroupCommands) execute(ctx context.Context, in *locale.Language, me, group linnet.ID, words string) (string, error) {
	verb, rest, _ := strings.Cut(words, " ")
	what := strings.TrimSpace(rest)
	switch verb = strings.ToLower(verb); verb {
	case "/help":
		return commandHelp(in), nil
	case "/leave":
		_, err := s.social.Unfollow(ctx, me, group)
		return in.Text("You've left the group."), err
	case "/remove":
		id, ok := linnet.ParseID(what[strings.LastIndexByte(what, '/')+1:])
		if !ok {
			return in.Text("Send the link to the post:") + " /remove https://…", nil
		}
		return in.Text("The post is no longer in the group."), s.posts.Remove(ctx, me, group, id)
	}
	for _, o := range personCommands() {
		if o.verb != verb {
			continue
		}
		if _, err := s.social.Groups.Needs(ctx, me, group, linnet.GroupModerator); err != nil {
			return "", err
		}
		v, err := s.view.UserByLogin(ctx, me, what)
		if err != nil {
			return "", err
		}
		return in.Text(o.done, v.Login), o.do(s.social.Groups, ctx, me, group, v.ID)
	}
	return in.Text("I don't know the command %s. Try %s.", fmt.Sprintf("%.40q", verb), "/help"), nil
}

// personCommand is a command with a user as its argument.
type personCommand struct {
	verb string
	do   func(g *social.Groups, ctx context.Context, me, group, user linnet.ID) error
	done string // reply, with the user's name
}

func personCommands() []personCommand {
	return []personCommand{
		{"/accept", (*social.Groups).AcceptMember, locale.Mark("%s is now a member.")},
		{"/reject", (*social.Groups).RejectMember, locale.Mark("The request from %s was declined.")},
		{"/kick", (*social.Groups).KickMember, locale.Mark("%s is no longer in the group.")},
		{"/ban", (*social.Groups).BanMember, locale.Mark("%s is banned.")},
		{"/unban", (*social.Groups).UnbanMember, locale.Mark("%s is no longer banned.")},
		{"/invite", func(g *social.Groups, ctx context.Context, me, group, user linnet.ID) error {
			return g.InviteToGroup(ctx, me, group, []linnet.ID{user})
		}, locale.Mark("%s has been invited.")},
	}
}
