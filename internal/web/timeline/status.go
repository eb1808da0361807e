package timeline

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/posting"
	"linnet/internal/web/compose"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/people"
	"linnet/internal/web/post"
	"linnet/internal/web/ui"
)

// threadPage is the maximum number of replies on a page of a thread. A link leads to the rest.
const threadPage = 120

type statusPage struct {
	Above  []linnet.StatusView // ancestors, oldest first
	Status linnet.StatusView
	Below  []linnet.StatusView // replies
	Cut    map[linnet.ID]bool  // replies with further replies that aren't shown
	Later  string              // page with later replies; "" for none
	Reply  *compose.Form       // nil for visitors

	Translation  *linnet.Translation // translation of Status; nil for the original
	Untranslated string              // error of a requested translation
}

// participantsShown is the maximum number of participants next to a thread.
const participantsShown = 5

// participants returns the authors of the statuses on the page in order of appearance, without
// duplicates.
func (m statusPage) participants() []linnet.UserView {
	users := make([]linnet.UserView, 0, participantsShown)
	for _, part := range [][]linnet.StatusView{m.Above, {m.Status}, m.Below} {
		for _, s := range part {
			known := slices.ContainsFunc(users, func(u linnet.UserView) bool { return u.ID == s.Author })
			if !known && len(users) < participantsShown {
				users = append(users, s.By.UserView)
			}
		}
	}
	return users
}

// Status shows a status in its thread.
func (h *Pages) Status(c *page.Context) error {
	ctx := c.Request.Context()
	login, digits := c.PersonInPath()
	id, ok := linnet.ParseID(digits)
	if !ok {
		return page.NotFound()
	}
	st, err := h.View.Status(ctx, c.Viewer(), id)
	if err != nil {
		return h.People.StatusDeleted(c, page.OrNotFound(err, "look up a status"), c.Viewer(), login, id)
	}
	switch {
	case !strings.EqualFold(st.By.Login, login):
		return page.NotFound()
	case st.Repost != nil:
		return c.Redirect(paths.Post(*st.Repost))
	case st.By.Login != login:
		return c.Redirect(paths.Post(st))
	}
	after := linnet.Cursor(c.Request.URL.Query().Get("after"))
	thread, err := h.Reading.Thread(ctx, c.Viewer(), id, linnet.ThreadQuery{After: after, Most: threadPage})
	if err != nil {
		return page.OrNotFound(err, "read a thread")
	}
	c.Shared = true
	main := statusPage{Above: post.Visible(thread.Ancestors), Status: st, Below: post.Visible(thread.Descendants), Cut: thread.Cut}
	if thread.After != "" {
		main.Later = paths.Post(st) + "?after=" + string(thread.After)
	}
	if c.Me != nil {
		f := compose.NewReply(c, st)
		f.Brief = true
		main.Reply = &f
		if c.Request.URL.Query().Has("translate") {
			if err := h.translated(c, &main); err != nil {
				return fmt.Errorf("translate a status: %w", err)
			}
		}
	}
	open := st.Visibility == linnet.Public || st.Visibility == linnet.Unlisted
	p := page.Page{Title: c.Tr("Post by %s", ui.DisplayName(st.By.UserView)), Listed: st.By.Indexable && st.Visibility == linnet.Public,
		Body: statusPageView(c, main)}
	if users := main.participants(); len(users) > 1 {
		p.SidePanel = participantsAside(users)
	}
	if open {
		p.Alternates = people.StatusAlternates(c, st)
		p.Card = &page.Card{Type: "article", Title: ui.DisplayName(st.By.UserView) + " (@" + st.By.Login + ")", Text: ui.Preview(st), URL: st.URL, Image: post.CardImage(st)}
		if p.Card.Image != "" {
			p.Card.ImageAlt = st.Media[0].Description
		}
	}
	return c.Render(http.StatusOK, p)
}

// mainRow returns the row of the status that a thread page is about.
func mainRow(c *page.Context, p statusPage) *post.Row {
	r := post.OpenedRow(c, p.Status)
	r.Translation = p.Translation
	return r
}

// QuotesOf shows the statuses that quote a status.
func (h *Pages) QuotesOf(c *page.Context) error {
	st, err := h.Posts.StatusInPath(c)
	if err != nil {
		return err
	}
	return showTimeline(c, page.Page{Title: c.Tr("Quotes")}, post.Timeline{Heading: c.Tr("Quotes"), Empty: ui.Empty{Icon: "quote", Title: c.Tr("No quotes"), Text: c.Tr("Posts that quote this one appear here.")}},
		func(q linnet.Page) (linnet.Slice[linnet.StatusView], error) {
			return h.Reading.Quotes(c.Request.Context(), c.Viewer(), st.ID, q)
		})
}

type deletionPage struct{ Status linnet.StatusView }

// ownInPath returns the status in the path if the reader is the author.
func (h *Pages) ownInPath(c *page.Context) (linnet.StatusView, error) {
	st, err := h.Posts.StatusInPath(c)
	if err == nil && st.Author != c.Me.ID {
		return st, page.NotFound()
	}
	return st, err
}

// DeletionForm asks the reader to confirm the deletion of a status.
func (h *Pages) DeletionForm(c *page.Context) error {
	st, err := h.ownInPath(c)
	if err != nil {
		return err
	}
	return c.Render(http.StatusOK, page.Page{Title: c.Tr("Delete post"), Body: deletionView(c, deletionPage{st})})
}

// DeleteStatus deletes a status and redirects to its author's profile. After a message it redirects
// to the conversation.
func (h *Pages) DeleteStatus(c *page.Context) error {
	st, err := h.ownInPath(c)
	if err != nil {
		return err
	}
	if err := c.CountAs(core.RateDelete); err != nil {
		return err
	}
	if _, err := h.Posting.Delete(c.Request.Context(), c.Me.ID, st.ID); err != nil {
		return fmt.Errorf("delete a status: %w", err)
	}
	if st.Visibility == linnet.Direct && st.Group == 0 {
		v, err := h.Posting.Conversations.Get(c.Request.Context(), c.Me.ID, posting.ConversationOf(c.Me.ID, &st.Status))
		if err != nil { // it had no other messages
			return c.Redirect(paths.Messages)
		}
		return c.Redirect(compose.ConversationPath(c, v))
	}
	return c.Redirect("/@" + st.By.Login)
}

// translated replaces the status of a page by its translation. If that fails, the page shows the
// error and the original.
func (h *Pages) translated(c *page.Context, p *statusPage) error {
	t, err := h.Translation.Status(c.Request.Context(), c.Viewer(), p.Status.ID, c.Languages()...)
	var e *linnet.Error
	switch {
	case errors.As(err, &e) && e.Kind != linnet.Internal:
		p.Untranslated = e.In(c.Lang().Text)
		return nil
	case err != nil:
		return err
	}
	said := *p.Status.SharedStatus
	said.Status, said.HTML, said.Pictured = t.Status, t.HTML, t.Pictured
	said.Memo, said.Plain = nil, nil // encoded forms of the original
	p.Translation, p.Status.SharedStatus = &t, &said
	if v := p.Status.PollView; v != nil {
		poll := *v
		poll.Poll = t.Poll
		p.Status.PollView = &poll
	}
	return nil
}
