package message

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/posting"
	"linnet/internal/web/compose"
	"linnet/internal/web/group"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/post"
	"linnet/internal/web/ui"
)

// seriesGap is the time between messages that starts a new series.
const seriesGap = 10 * time.Minute

// conversationPage is a conversation next to the list of conversations. The newest message is at
// the bottom.
type conversationPage struct {
	c            *page.Context
	List         conversationList
	Conversation *linnet.ConversationView // nil without messages
	With         []linnet.UserView        // the other participants; the reader if there are none; empty if all are deleted
	Group        *group.Head              // heading of a chat; nil for other conversations
	Bubbles      []bubble                 // the newest last
	Pager        ui.Pager
	Write        *compose.Form // nil if the reader can't write here
	Live         string        // address of live updates; "" for none
}

// bubble is a message. Consecutive messages of a user form a series.
type bubble struct {
	*post.Row
	Day         time.Time          // day that begins with the message; zero for none
	First, Last bool               // of its series
	Join        *group.JoinRequest // shown in place of the message; nil for other messages
}

// Begins reports whether the page shows the first message.
func (t conversationPage) Begins() bool { return t.Pager.Older == "" }

// Several reports whether more than one other user takes part.
func (t conversationPage) Several() bool { return t.Group != nil || len(t.With) > 1 }

// Self reports whether the reader is the only participant.
func (t conversationPage) Self() bool { return len(t.With) == 1 && t.With[0].ID == t.c.Me.ID }

// Sender returns the group whose account sends the messages, or nil. It only reads the commands of
// apps, so readers can't write here.
func (t conversationPage) Sender() *linnet.UserView {
	if i := slices.IndexFunc(t.With, isGroup); i >= 0 && t.Group == nil {
		return &t.With[i]
	}
	return nil
}

func isGroup(u linnet.UserView) bool { return u.Group != linnet.NoGroup }

// Deserted reports whether all other participants are deleted.
func (t conversationPage) Deserted() bool { return len(t.With) == 0 }

// Title returns the name of the conversation.
func (t conversationPage) Title() string {
	switch {
	case t.Group != nil:
		return ui.DisplayName(t.Group.G.UserView)
	case t.Deserted():
		return t.c.Tr("Deleted account")
	}
	return compose.PeopleTitle(t.c, t.With)
}

// AddPath returns the path of a new conversation with these users, to choose more.
func (t conversationPage) AddPath() string { return paths.NewMessageTo(t.With, "") }

// showMessages reads the messages of a conversation and shows it.
func (h *Pages) showMessages(c *page.Context, t conversationPage, read func(linnet.Page) (linnet.Slice[linnet.StatusView], error)) error {
	q := c.PageQuery(linnet.DefaultPage)
	if err := h.seeConversation(c, t.Conversation, q); err != nil {
		return err
	}
	posts, err := read(q)
	if err != nil {
		return fmt.Errorf("read a conversation: %w", err)
	}
	if page.AtTop(q, len(posts.Items)) {
		return c.Redirect(c.WithCursor("", ""))
	}
	shown := post.Visible(posts.Items)
	if t.Sender() != nil {
		shown = slices.DeleteFunc(shown, func(s linnet.StatusView) bool { return posting.ForApps(&s) })
	}
	t.Pager, t.Bubbles = c.Pager(q, posts.First, posts.Last), bubbles(c, shown)
	sent := make([]*linnet.StatusView, len(shown))
	for i := range shown {
		sent[i] = &shown[i]
	}
	joins, err := h.Groups.JoinRequests(c, sent)
	if err != nil {
		return err
	}
	for i := range t.Bubbles {
		t.Bubbles[i].Join = joins[t.Bubbles[i].S.ID]
	}
	if g := t.Group; g != nil && g.Runs() {
		for i := range t.Bubbles {
			if b := &t.Bubbles[i]; !b.S.Withdrawn {
				b.RemovePath = g.Base()
			}
		}
	}
	var open linnet.ID
	if v := t.Conversation; v != nil {
		open = v.ID
		t.Live = c.LiveAddress(url.Values{"of": {"talk"}, "talk": {open.String()}}, q, posts.First)
	}
	if t.Write == nil && t.Group == nil && t.Sender() == nil && !t.Deserted() {
		t.Write = messageForm(c, t, shown)
	}
	return h.showConversation(c, t, open)
}

// showConversation shows a conversation next to the list of conversations.
func (h *Pages) showConversation(c *page.Context, t conversationPage, open linnet.ID) (err error) {
	if t.List, err = h.conversationList(c, linnet.Page{Limit: linnet.DefaultPage}, max(open, 1)); err != nil {
		return err
	}
	return c.Render(http.StatusOK, page.Page{Title: t.Title() + " · " + c.Tr("Messages"), Here: paths.Messages, Wide: true, Chat: true, Body: conversationView(c, t)})
}

// messageForm returns the form for the next message of a conversation. It replies to the last one,
// so that apps that show threads keep the messages together.
func messageForm(c *page.Context, t conversationPage, shown []linnet.StatusView) *compose.Form {
	f := compose.New(c)
	f.InConversation, f.Then, f.Visibility, f.To = true, "talk", linnet.Direct, t.With
	if t.Group != nil {
		f.Group, f.To = &t.Group.G.UserView, nil
	}
	if v := t.Conversation; v != nil && v.Status != nil {
		f.ReplyTo = v.Status
	} else if len(shown) > 0 && t.Pager.Newer == "" {
		f.ReplyTo = &shown[0]
	}
	return &f
}

// bubbles returns messages, the oldest first.
func bubbles(c *page.Context, newestFirst []linnet.StatusView) []bubble {
	out := make([]bubble, 0, len(newestFirst))
	for _, s := range slices.Backward(newestFirst) {
		b := bubble{Row: post.NewRow(c, s), First: true, Last: true}
		b.Bubble = true
		at := b.S.ID.Time().In(b.C.Zone())
		if n := len(out); n > 0 {
			before := &out[n-1]
			was := before.S.ID.Time().In(b.C.Zone())
			sameDay := was.Format(time.DateOnly) == at.Format(time.DateOnly)
			if sameDay && before.S.Author == b.S.Author && at.Sub(was) < seriesGap {
				before.Last, b.First = false, false
			}
			if !sameDay {
				b.Day = at
			}
		} else if c.Opts.Now().Sub(at) >= 24*time.Hour {
			b.Day = at
		}
		out = append(out, b)
	}
	return out
}

// dayName returns the date shown between messages.
func dayName(ctx context.Context, now, t time.Time) string {
	lang := ui.ReaderOf(ctx).Lang
	if now.In(t.Location()).Year() == t.Year() {
		return ui.Tr(ctx, "%s, %s", ui.Tr(ctx, weekdays()[t.Weekday()]), lang.Time(t, locale.Mark("2 January")))
	}
	return lang.Time(t, locale.Mark("2 January 2006"))
}

// weekdays returns the names of the days of the week, in English.
func weekdays() [7]string {
	return [...]string{locale.Mark("Sunday"), locale.Mark("Monday"), locale.Mark("Tuesday"), locale.Mark("Wednesday"),
		locale.Mark("Thursday"), locale.Mark("Friday"), locale.Mark("Saturday")}
}

// timeText returns the time of a message: its age, or the time on the day shown above.
func (b bubble) timeText(ctx context.Context) string {
	at := b.S.ID.Time()
	if b.C.Opts.Now().Sub(at) >= 24*time.Hour {
		return at.In(ui.Zone(ctx)).Format("15:04")
	}
	return ui.Ago(ctx, at)
}

// Chat shows a chat to its members.
func (h *Pages) Chat(c *page.Context, head group.Head) error {
	t := conversationPage{c: c, Group: &head, With: []linnet.UserView{head.G.UserView}}
	v, err := h.Posting.Conversations.Get(c.Request.Context(), c.Me.ID, posting.ConversationIn(c.Me.ID, head.G.ID))
	switch {
	case err == nil:
		t.Conversation = &v
	case !page.IsKind(err, linnet.NotFound):
		return fmt.Errorf("look up the conversation of a chat: %w", err)
	}
	if group.GroupComposer(c, head.G) != nil {
		t.Write = messageForm(c, t, nil)
	}
	return h.showMessages(c, t, func(q linnet.Page) (linnet.Slice[linnet.StatusView], error) {
		return h.Reading.GroupTimeline(c.Request.Context(), c.Me.ID, head.G.ID, q)
	})
}

// gist returns the text of the newest message in the list of conversations.
func gist(c *page.Context, v linnet.ConversationView) string {
	if i := slices.IndexFunc(v.People, func(u *linnet.SharedUser) bool { return isGroup(u.UserView) }); i >= 0 && posting.ForApps(v.Status) {
		return ui.DisplayName(v.People[i].UserView)
	}
	s, line := v.Status, post.MessageLine(c, *v.Status)
	switch {
	case s.Author == c.Me.ID:
		return c.Tr("You: %s", line)
	case len(v.People) > 1 || compose.IsChat(c, v):
		return c.Tr("%s: %s", ui.DisplayName(s.By.UserView), line)
	}
	return line
}
