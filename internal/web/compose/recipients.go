package compose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"linnet/internal/linnet"
	"linnet/internal/posting"
	"linnet/internal/text"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// PeopleNamed returns the distinct users with some names. missed is an unknown name, or "".
func (h *Pages) PeopleNamed(c *page.Context, names []string) (chosen []linnet.UserView, missed string, err error) {
	for _, name := range names[:min(len(names), linnet.MaxMentions)] {
		u, err := h.View.UserByLogin(c.Request.Context(), c.Me.ID, strings.TrimPrefix(strings.TrimSpace(name), "@"))
		switch {
		case page.IsKind(err, linnet.NotFound) || page.IsKind(err, linnet.Invalid) || err == nil && (u.Suspended || u.Group != linnet.NoGroup):
			missed = name
		case err != nil:
			return nil, "", fmt.Errorf("look up the recipients: %w", err)
		case !slices.ContainsFunc(chosen, func(o linnet.UserView) bool { return o.ID == u.ID }):
			chosen = append(chosen, u)
		}
	}
	return chosen, missed, nil
}

// Label returns the accessible name of the text.
func (f Form) Label() string {
	switch {
	case f.Then == "talk":
		return f.c.Tr("Your message")
	case f.Position > 0:
		return f.c.Tr("Post %d of your thread", f.Position+1)
	case f.ReplyTo != nil:
		return f.c.Tr("Your reply")
	}
	return f.c.Tr("Your post")
}

// MaxText returns the maximum length of the text without the mentions of recipients.
func (f Form) MaxText() int {
	most := f.c.MaxChars()
	for _, name := range f.addressees() {
		most -= len("@" + name + " ")
	}
	return most
}

// scriptNotes returns attributes for the script. They name the text of a conversation, which the
// script stores in the browser. All forms of the conversation share the name, so that the text is
// deleted everywhere when it is sent. For other forms they have the time in seconds in which the
// writer can undo sending.
func (f Form) scriptNotes() templ.OrderedAttributes {
	if !f.InConversation && f.Then != "talk" {
		if f.c.Me.Posting.UndoSend && f.Edit == nil {
			return templ.OrderedAttributes{{Key: "data-hold", Value: "10"}}
		}
		return nil
	}
	return templ.OrderedAttributes{{Key: "data-draft", Value: "to " + strings.Join(f.addressees(), " ")}}
}

// addressees returns the logins that the text must mention.
func (f Form) addressees() (names []string) {
	if f.Group != nil {
		return []string{f.Group.Login}
	}
	for _, u := range f.To {
		if u.ID != f.c.Me.ID {
			names = append(names, u.Login)
		}
	}
	return names
}

// sentTo reads the recipients of a message.
func (h *Pages) sentTo(c *page.Context, f *Form, names []string) error {
	people, missed, err := h.PeopleNamed(c, names)
	if err != nil || len(names) == 0 {
		return err
	}
	f.To, f.Visibility = people, linnet.Direct
	delete(f.Errors, "visibility")
	if missed != "" {
		f.Errors[""] = c.Tr("%s is no longer available, and there are no other recipients. You can still post this. Check who can see it.", "@"+missed)
		if len(people) > 0 {
			f.Errors[""] = c.Tr("%s is no longer available. You can still send this to the other recipients.", "@"+missed)
		}
	}
	return nil
}

// addressed returns the text with mentions of the recipients.
func (f Form) addressed() string {
	if strings.TrimSpace(f.Text) == "" && len(f.Media) == 0 && f.Poll.draft() == nil {
		return f.Text
	}
	named := text.Parse(f.Text).Mentions()
	before := ""
	for _, login := range f.addressees() {
		if !slices.ContainsFunc(named, func(name string) bool { return strings.EqualFold(name, login) }) {
			before += "@" + login + " "
		}
	}
	return before + f.Text
}

// blank reports whether the text is only the name of the group.
func (f Form) blank() bool {
	return f.Group != nil && strings.EqualFold(strings.TrimSpace(f.Text), "@"+f.Group.Login)
}

// PeopleTitle returns the names of users as a line.
func PeopleTitle(c *page.Context, people []linnet.UserView) string {
	names := make([]string, len(people))
	for i, u := range people {
		names[i] = ui.DisplayName(u)
	}
	return strings.Join(names, c.TrIn("between parts of a list", ", "))
}

// ConversationPath returns the path of a conversation. For a chat it is the group's page.
func ConversationPath(c *page.Context, v linnet.ConversationView) string {
	if IsChat(c, v) {
		return paths.Person(v.People[0].Login)
	}
	return paths.Messages + "/" + v.ID.String()
}

// IsChat reports whether a conversation is a chat. The conversation with the chat's account, which
// sends invitations and receives commands, isn't.
func IsChat(c *page.Context, v linnet.ConversationView) bool {
	return len(v.People) == 1 && v.People[0].Group == linnet.Chat && v.ID == posting.ConversationIn(c.Me.ID, v.People[0].ID)
}

// GroupNamed returns the group with a login for the reader.
func (h *Pages) GroupNamed(c *page.Context, login string) (linnet.GroupView, error) {
	who, err := h.Groups.GroupByLogin(c.Request.Context(), c.Viewer(), login)
	if err != nil {
		return linnet.GroupView{}, page.OrNotFound(err, "look up a group")
	}
	v, err := h.Groups.ViewGroup(c.Request.Context(), c.Viewer(), who.ID)
	if err != nil {
		return v, fmt.Errorf("load a group: %w", err)
	}
	return v, nil
}
