package web

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode"

	"github.com/a-h/templ"

	"linnet/internal/linnet"
	"linnet/internal/posting"
	"linnet/internal/text"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// newMessagePage is the page for choosing recipients.
type newMessagePage struct {
	c      *page.Context
	List   talkList
	To     []linnet.UserView // chosen so far
	Query  string
	Found  []linnet.UserView
	Missed string // an unknown name
}

// Without is the address at which one of them is not chosen.
func (m newMessagePage) Without(login string) string {
	return paths.NewMessageTo(slices.DeleteFunc(slices.Clone(m.To), func(u linnet.UserView) bool { return u.Login == login }), "")
}

// WritePath returns the path of the conversation with the chosen users.
func (m newMessagePage) WritePath() string { return paths.NewMessageTo(m.To, "") + "&write=1" }

// Full reports whether no more users can be chosen.
func (m newMessagePage) Full() bool { return len(m.To) >= linnet.MaxMentions }

// peopleChosen returns the distinct users with some names. missed is an unknown name.
func (h *composePages) peopleChosen(c *page.Context, names []string) (chosen []linnet.UserView, missed string, err error) {
	for _, name := range names[:min(len(names), linnet.MaxMentions)] {
		u, err := h.view.UserByLogin(c.Request.Context(), c.Me.ID, strings.TrimPrefix(strings.TrimSpace(name), "@"))
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

// namedAtOnce returns typed names: one or more with @, or several logins. It returns none if the
// text can only be a search.
func namedAtOnce(query string) []string {
	names := strings.FieldsFunc(query, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;،、", r) })
	signed := 0
	for _, name := range names {
		if strings.HasPrefix(name, "@") {
			signed++
		}
	}
	if signed == len(names) || signed == 0 && len(names) > 1 {
		return names
	}
	return nil
}

// newMessage lets the reader choose recipients and then leads to the conversation with them. A new
// conversation is shown at this address.
func (h *messagePages) newMessage(c *page.Context) (err error) {
	q := c.Request.URL.Query()
	m := newMessagePage{c: c, Query: strings.TrimSpace(q.Get("q"))}
	if m.To, m.Missed, err = h.composePages.peopleChosen(c, q["to"]); err != nil {
		return err
	}
	if q.Get("write") != "" && len(m.To) > 0 && m.Missed == "" {
		return h.writeTo(c, m.To)
	}
	if names := namedAtOnce(m.Query); len(names) > 0 && m.Missed == "" && len(q["to"])+len(names) <= linnet.MaxMentions {
		all, missed, err := h.composePages.peopleChosen(c, slices.Concat(q["to"], names))
		if err != nil {
			return err
		}
		if missed == "" {
			return c.Redirect(paths.NewMessageTo(all, "") + "&write=1")
		}
		if strings.HasPrefix(names[0], "@") { // otherwise a search for a name of several words
			m.To, m.Missed, m.Query = all, missed, ""
		}
	}
	if !m.Full() {
		if m.Found, err = h.peopleToChoose(c, m); err != nil {
			return err
		}
	}
	if m.List, err = h.talkList(c, linnet.Page{Limit: linnet.DefaultPage}, 1); err != nil {
		return err
	}
	return c.Render(http.StatusOK, page.Page{Title: c.Tr("New message"), Here: paths.Messages, Wide: true, Chat: true, Body: newMessageView(c, m)})
}

// peopleToChoose returns search results or followees, without chosen users.
func (h *messagePages) peopleToChoose(c *page.Context, m newMessagePage) ([]linnet.UserView, error) {
	var found []linnet.UserView
	if m.Query != "" {
		q := page.SearchQuery(m.Query)
		q.People = true
		users, err := h.discovery.SearchUsers(c.Request.Context(), c.Me.ID, q)
		if err != nil {
			return nil, fmt.Errorf("search people: %w", err)
		}
		found = users
	} else {
		users, err := h.view.Following(c.Request.Context(), c.Me.ID, c.Me.ID, linnet.Page{Limit: linnet.DefaultPage})
		if err != nil {
			return nil, fmt.Errorf("read followed users: %w", err)
		}
		found = users.Items
	}
	return slices.DeleteFunc(slices.Clone(found), func(u linnet.UserView) bool {
		return u.Group != linnet.NoGroup || u.ID.System() || slices.ContainsFunc(m.To, func(o linnet.UserView) bool { return o.ID == u.ID })
	}), nil
}

// writeTo shows the conversation with some people.
func (h *messagePages) writeTo(c *page.Context, people []linnet.UserView) error {
	ids := make([]linnet.ID, len(people))
	for i, u := range people {
		ids[i] = u.ID
	}
	v, err := h.posting.Conversation(c.Request.Context(), c.Me.ID, posting.ConversationWith(c.Me.ID, ids))
	if err == nil {
		return c.Redirect(conversationPath(c, v))
	}
	if !page.IsKind(err, linnet.NotFound) {
		return fmt.Errorf("look up a conversation: %w", err)
	}
	if len(people) > 1 { // the reader is in it anyway
		people = slices.DeleteFunc(people, func(u linnet.UserView) bool { return u.ID == c.Me.ID })
	}
	t := talkPage{c: c, With: people}
	t.Write = messageForm(c, t, nil)
	return h.showTalk(c, t, 1)
}

// Names returns the accessible name of the text.
func (f composeForm) Names() string {
	switch {
	case f.Then == "talk":
		return f.c.Tr("Your message")
	case f.ReplyTo != nil:
		return f.c.Tr("Your reply")
	}
	return f.c.Tr("Your post")
}

// Room returns the maximum length of the text without the mentions of recipients.
func (f composeForm) Room() int {
	most := f.c.MaxChars()
	for _, name := range f.addressees() {
		most -= len("@" + name + " ")
	}
	return most
}

// draftName identifies the text of a conversation, which receives other messages meanwhile, in all
// its forms, so that it is removed everywhere when it is sent.
func (f composeForm) draftName() templ.OrderedAttributes {
	if !f.Talk && f.Then != "talk" {
		return nil
	}
	return templ.OrderedAttributes{{Key: "data-draft", Value: "to " + strings.Join(f.addressees(), " ")}}
}

// addressees returns the logins that the text must mention.
func (f composeForm) addressees() (names []string) {
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
func (h *composePages) sentTo(c *page.Context, f *composeForm, names []string) error {
	people, missed, err := h.peopleChosen(c, names)
	if err != nil || len(names) == 0 {
		return err
	}
	f.To, f.Visibility = people, linnet.Direct
	delete(f.Errors, "visibility")
	if missed != "" {
		f.Errors[""] = c.Tr("The account of %s was deleted. You can send this to the others, or post it without recipients.", "@"+missed)
	}
	return nil
}

// talkPath returns the page of the conversation with a message, or of the message itself if the
// conversation doesn't have it yet.
func (h *composePages) talkPath(c *page.Context, st linnet.StatusView) string {
	v, err := h.posting.Conversation(c.Request.Context(), c.Me.ID, posting.ConversationOf(c.Me.ID, &st.Status))
	if err != nil {
		return paths.Post(st)
	}
	return conversationPath(c, v)
}

// addressed returns the text with mentions of the recipients.
func (f composeForm) addressed() string {
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

// blank reports whether the text has at most the group's name.
func (f composeForm) blank() bool {
	return f.Group != nil && strings.EqualFold(strings.TrimSpace(f.Text), "@"+f.Group.Login)
}

// warnsOfNothing reports whether there is only a warning. It would become the text, without
// mentions of the recipients.
func (f composeForm) warnsOfNothing() bool {
	return text.Blank(f.Text) && !text.Blank(f.Warning) && len(f.Media) == 0 && f.Quote == nil
}
