package timeline

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"linnet/internal/discovery"
	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/web/page"
	"linnet/internal/web/people"
	"linnet/internal/web/post"
	"linnet/internal/web/ui"
)

// listForm is the form of a list.
type listForm struct {
	Title     string
	Replies   linnet.RepliesPolicy
	Exclusive bool
	Errors    page.FieldErrors
}

// replyChoice is a choice of the replies that a list shows.
type replyChoice struct {
	Word, Text string
	Chosen     bool
}

// Choices returns the choices of the replies that the list shows, in English.
func (f listForm) Choices() []replyChoice {
	all := []replyChoice{{"list", locale.Mark("To people in the list"), false}, {"followed", locale.Mark("To people you follow"), false}, {"none", locale.Mark("None"), false}}
	all[min(f.Replies, linnet.RepliesNone)].Chosen = true
	return all
}

type listsPage struct {
	Lists []linnet.List
	Form  listForm
}

func (h *Pages) myLists(c *page.Context) error {
	return h.showLists(c, http.StatusOK, listForm{})
}

func (h *Pages) showLists(c *page.Context, code int, f listForm) error {
	all, err := h.Lists.ListsOnPages(c.Request.Context(), c.Me.ID)
	if err != nil {
		return fmt.Errorf("read lists: %w", err)
	}
	return c.Render(code, page.Page{Title: c.Tr("Lists"), Here: "/lists", Body: listsView(c, listsPage{all, f})})
}

// sentList reads the submitted form of a list.
func sentList(c *page.Context) (listForm, linnet.ListChange) {
	f := listForm{Title: c.Typed("title"), Exclusive: c.Request.PostForm.Get("exclusive") != "", Errors: page.FieldErrors{}}
	f.Replies, _ = linnet.ParseRepliesPolicy(c.Request.PostForm.Get("replies")) // the first for invalid values
	return f, linnet.ListChange{Title: &f.Title, Replies: &f.Replies, Exclusive: &f.Exclusive}
}

// listFields returns the inputs of a list by the field names of the service.
func listFields(c *page.Context) map[string]page.FormField {
	return map[string]page.FormField{"title": {Name: "title", Subject: c.Tr("The name")}}
}

func (h *Pages) createList(c *page.Context) error {
	f, change := sentList(c)
	l, err := h.Lists.CreateList(c.Request.Context(), c.Me.ID, change)
	switch {
	case err == nil:
		return c.Redirect("/lists/" + l.ID.String() + "/edit")
	case f.Errors.Add(c, err, listFields(c)):
		return h.showLists(c, http.StatusUnprocessableEntity, f)
	}
	return fmt.Errorf("create a list: %w", err)
}

// listHere returns the reader's list in the path.
func (h *Pages) listHere(c *page.Context) (linnet.List, error) {
	return listBy(c, h.Lists.List)
}

// listBy returns the list in the path with a method of the service.
func listBy(c *page.Context, get func(ctx context.Context, me, id linnet.ID) (linnet.List, error)) (linnet.List, error) {
	id, ok := linnet.ParseListID(c.Request.PathValue("id"))
	if !ok {
		return linnet.List{}, page.NotFound()
	}
	l, err := get(c.Request.Context(), c.Me.ID, id)
	if err != nil {
		return l, fmt.Errorf("look up a list: %w", err)
	}
	return l, nil
}

type listPage struct {
	post.Timeline
	List linnet.List
}

// Group returns the login of the list's group; "" for other lists.
func (p listPage) Group() string {
	if p.List.Kind != linnet.GroupList {
		return ""
	}
	return strings.TrimPrefix(p.List.Title, "@")
}

func (h *Pages) list(c *page.Context) error {
	l, err := h.listHere(c)
	if err != nil {
		return err
	}
	if l.Kind == linnet.ScoredList {
		return c.Redirect("/catchup")
	}
	q := c.PageQuery(linnet.DefaultPage)
	posts, err := h.Feeds.ListTimeline(c.Request.Context(), c.Me.ID, l.ID, q)
	if err != nil {
		return fmt.Errorf("read a list: %w", err)
	}
	if page.AtTop(q, len(posts.Items)) {
		return c.Redirect(c.WithCursor("", ""))
	}
	if c.Reason, err = h.Posts.ReasonForList(c, l, posts.Items); err != nil {
		return err
	}
	return c.Render(http.StatusOK, page.Page{Title: post.ListTitle(c.ForReader(c.Request.Context()), &l), Here: "/lists", Body: listView(c, listPage{List: l,
		Timeline: post.Timeline{Posts: post.Visible(posts.Items), Pager: c.Pager(q, posts.First, posts.Last),
			Live:  c.LiveAddress(url.Values{"of": {"list"}, "list": {l.ID.String()}}, q, posts.First),
			Empty: ui.Empty{Icon: "list", Title: c.Tr("No posts yet"), Text: c.Tr("Posts from people in this list appear here.")}}})})
}

type listEditPage struct {
	List    linnet.List
	Form    listForm
	Members []people.Row
	Pager   ui.Pager
	Found   []people.Row // search results
	Query   string
}

func (h *Pages) listForm(c *page.Context) error {
	l, err := listBy(c, h.Lists.MutableList)
	if err != nil {
		return err
	}
	return h.showList(c, http.StatusOK, l, listForm{Title: l.Title, Replies: l.Replies, Exclusive: l.Exclusive})
}

// showList shows a list's settings and members, and search results for new members.
func (h *Pages) showList(c *page.Context, code int, l linnet.List, f listForm) error {
	ctx := c.Request.Context()
	q := c.PageQuery(linnet.MaxPage)
	members, err := h.Lists.ListMembers(ctx, c.Me.ID, l.ID, q)
	if err != nil {
		return fmt.Errorf("read the members of a list: %w", err)
	}
	p := listEditPage{List: l, Form: f, Pager: c.Pager(q, members.First, members.Last), Query: strings.TrimSpace(c.Request.URL.Query().Get("q"))}
	for _, u := range members.Items {
		p.Members = append(p.Members, people.Row{C: c, Who: u})
	}
	if p.Query != "" {
		found, err := h.Discovery.SearchUsers(ctx, c.Me.ID, discovery.TypedQuery(p.Query))
		if err != nil {
			return fmt.Errorf("search people: %w", err)
		}
		for _, u := range found {
			p.Found = append(p.Found, people.Row{C: c, Who: u})
		}
	}
	return c.Render(code, page.Page{Title: l.Title, Here: "/lists", Body: listEditView(c, p)})
}

func (h *Pages) changeList(c *page.Context) error {
	l, err := h.listHere(c)
	if err != nil {
		return err
	}
	f, change := sentList(c)
	_, err = h.Lists.UpdateList(c.Request.Context(), c.Me.ID, l.ID, change)
	switch {
	case err == nil:
		return c.Redirect("/lists/" + l.ID.String())
	case f.Errors.Add(c, err, listFields(c)):
		return h.showList(c, http.StatusUnprocessableEntity, l, f)
	}
	return fmt.Errorf("change a list: %w", err)
}

// changeMembers adds a user to a list or removes one.
func (h *Pages) changeMembers(c *page.Context) error {
	l, err := h.listHere(c)
	if err != nil {
		return err
	}
	who, ok := linnet.ParseID(c.Request.PostForm.Get("person"))
	if !ok {
		return page.NotFound()
	}
	change := h.Lists.AddToList
	if c.Request.PostForm.Get("act") == "remove" {
		change = h.Lists.RemoveFromList
	}
	if err := change(c.Request.Context(), c.Me.ID, l.ID, []linnet.ID{who}); err != nil {
		return fmt.Errorf("change the members of a list: %w", err)
	}
	return c.Redirect(c.PreviousPage("/lists/" + l.ID.String() + "/edit"))
}

func (h *Pages) listDeletion(c *page.Context) error {
	l, err := h.listHere(c)
	if err != nil {
		return err
	}
	return c.Render(http.StatusOK, page.Page{Title: c.Tr("Delete list"), Here: "/lists", Body: listDeletionView(c, l)})
}

func (h *Pages) deleteList(c *page.Context) error {
	l, err := h.listHere(c)
	if err != nil {
		return err
	}
	if err := h.Lists.DeleteList(c.Request.Context(), c.Me.ID, l.ID); err != nil {
		return fmt.Errorf("delete a list: %w", err)
	}
	return c.Redirect("/lists")
}

// listsWithPage shows which of the reader's lists contain a user.
type listsWithPage struct {
	Who  linnet.UserView
	Rows []listWithRow
}

type listWithRow struct {
	linnet.List
	In bool
}

// ListsWith shows the reader's lists, and which of them contain a user.
func (h *Pages) ListsWith(c *page.Context) error {
	who, err := h.People.OtherHere(c)
	if err != nil {
		return err
	}
	all, err := h.Lists.ListsOnPages(c.Request.Context(), c.Me.ID)
	if err != nil {
		return fmt.Errorf("read lists: %w", err)
	}
	with, err := h.Lists.ListsWith(c.Request.Context(), c.Me.ID, who.ID)
	if err != nil {
		return fmt.Errorf("read the lists that contain a user: %w", err)
	}
	in := map[linnet.ID]bool{}
	for _, l := range with {
		in[l.ID] = true
	}
	p := listsWithPage{Who: who}
	for _, l := range all {
		if !l.ReadOnly() {
			p.Rows = append(p.Rows, listWithRow{l, in[l.ID]})
		}
	}
	return c.Render(http.StatusOK, page.Page{Title: c.Tr("Lists that include %s", "@"+who.Login), Here: "/lists", Body: listsWithView(c, p)})
}
