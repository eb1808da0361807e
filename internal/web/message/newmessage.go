package message

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode"

	"linnet/internal/discovery"
	"linnet/internal/linnet"
	"linnet/internal/posting"
	"linnet/internal/web/compose"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// newMessagePage is the page for choosing recipients.
type newMessagePage struct {
	c      *page.Context
	List   conversationList
	To     []linnet.UserView // chosen so far
	Query  string
	Found  []linnet.UserView
	Missed string // an unknown name
}

// Without returns the address without one of the chosen users.
func (m newMessagePage) Without(login string) string {
	return paths.NewMessageTo(slices.DeleteFunc(slices.Clone(m.To), func(u linnet.UserView) bool { return u.Login == login }), "")
}

// WritePath returns the path of the conversation with the chosen users.
func (m newMessagePage) WritePath() string { return paths.NewMessageTo(m.To, "") + "&write=1" }

// Full reports whether no more users can be chosen.
func (m newMessagePage) Full() bool { return len(m.To) >= linnet.MaxMentions }

// namedAtOnce returns the submitted names: one or more with @, or several logins. It returns none
// if the text can only be a search.
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

// newMessage chooses recipients and redirects to the conversation with them. A new conversation is
// shown at this address.
func (h *Pages) newMessage(c *page.Context) (err error) {
	q := c.Request.URL.Query()
	m := newMessagePage{c: c, Query: strings.TrimSpace(q.Get("q"))}
	if m.To, m.Missed, err = h.Composer.PeopleNamed(c, q["to"]); err != nil {
		return err
	}
	if q.Get("write") != "" && len(m.To) > 0 && m.Missed == "" {
		return h.writeTo(c, m.To)
	}
	if names := namedAtOnce(m.Query); len(names) > 0 && m.Missed == "" && len(q["to"])+len(names) <= linnet.MaxMentions {
		all, missed, err := h.Composer.PeopleNamed(c, slices.Concat(q["to"], names))
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
	if m.List, err = h.conversationList(c, linnet.Page{Limit: linnet.DefaultPage}, 1); err != nil {
		return err
	}
	return c.Render(http.StatusOK, page.Page{Title: c.Tr("New message"), Here: paths.Messages, Wide: true, Chat: true, Body: newMessageView(c, m)})
}

// peopleToChoose returns search results or followees, without the chosen users.
func (h *Pages) peopleToChoose(c *page.Context, m newMessagePage) ([]linnet.UserView, error) {
	var found []linnet.UserView
	if m.Query != "" {
		q := discovery.TypedQuery(m.Query)
		q.People = true
		users, err := h.Discovery.SearchUsers(c.Request.Context(), c.Me.ID, q)
		if err != nil {
			return nil, fmt.Errorf("search people: %w", err)
		}
		found = users
	} else {
		users, err := h.View.Following(c.Request.Context(), c.Me.ID, c.Me.ID, linnet.Page{Limit: linnet.DefaultPage})
		if err != nil {
			return nil, fmt.Errorf("read followed users: %w", err)
		}
		found = users.Items
	}
	return slices.DeleteFunc(slices.Clone(found), func(u linnet.UserView) bool {
		return u.Group != linnet.NoGroup || u.ID.System() || slices.ContainsFunc(m.To, func(o linnet.UserView) bool { return o.ID == u.ID })
	}), nil
}

// writeTo shows the conversation with some users.
func (h *Pages) writeTo(c *page.Context, people []linnet.UserView) error {
	ids := make([]linnet.ID, len(people))
	for i, u := range people {
		ids[i] = u.ID
	}
	v, err := h.Posting.Conversations.Get(c.Request.Context(), c.Me.ID, posting.ConversationWith(c.Me.ID, ids))
	if err == nil {
		return c.Redirect(compose.ConversationPath(c, v))
	}
	if !page.IsKind(err, linnet.NotFound) {
		return fmt.Errorf("look up a conversation: %w", err)
	}
	if len(people) > 1 { // the reader takes part anyway
		people = slices.DeleteFunc(people, func(u linnet.UserView) bool { return u.ID == c.Me.ID })
	}
	t := conversationPage{c: c, With: people}
	t.Write = messageForm(c, t, nil)
	return h.showConversation(c, t, 1)
}
