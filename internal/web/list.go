package web

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/locale"
)

func listRoutes() []route {
	return []route{
		{pattern: "/lists", get: own((*call).lists), post: own((*call).createList)},
		{pattern: "/lists/{id}", get: own((*call).list)},
		{pattern: "/lists/{id}/edit", get: own((*call).listForm), post: own((*call).changeList)},
		{pattern: "/lists/{id}/members", post: own((*call).changeMembers)},
		{pattern: "/lists/{id}/delete", get: own((*call).listDeletion), post: own((*call).deleteList)},
	}
}

// listForm is what the part "list-fields" shows.
type listForm struct {
	Title     string
	Replies   linnet.RepliesPolicy
	Exclusive bool
	Errors    fieldErrors
}

// replyChoice is an entry of the list of which replies a list shows.
type replyChoice struct {
	Word, Text string
	Chosen     bool
}

func (f listForm) Choices() []replyChoice {
	all := []replyChoice{{"list", locale.Mark("To people in the list"), false}, {"followed", locale.Mark("To people you follow"), false}, {"none", locale.Mark("None"), false}}
	all[min(f.Replies, linnet.RepliesNone)].Chosen = true
	return all
}

// listTitle returns the title of a list, which is translated for lists of the server.
func listTitle(ctx context.Context, l *linnet.List) string {
	if l.Kind == linnet.OwnList || l.Kind == linnet.GroupList {
		return l.Title
	}
	return tr(ctx, l.Title)
}

type listsPage struct {
	Lists []linnet.List
	Form  listForm
}

func (c *call) lists() error { return c.showLists(http.StatusOK, listForm{}) }

func (c *call) showLists(code int, f listForm) error {
	all, err := c.svc.Lists.ListsOnPages(c.r.Context(), c.me.ID)
	if err != nil {
		return fmt.Errorf("read lists: %w", err)
	}
	return c.render(code, page{Title: c.tr("Lists"), Here: "/lists", Body: listsView(c, listsPage{all, f})})
}

// sentList reads the form of a list.
func (c *call) sentList() (listForm, linnet.ListChange) {
	f := listForm{Title: c.typed("title"), Exclusive: c.r.PostForm.Get("exclusive") != "", Errors: fieldErrors{}}
	f.Replies, _ = linnet.ParseRepliesPolicy(c.r.PostForm.Get("replies")) // the first, if it is none
	return f, linnet.ListChange{Title: &f.Title, Replies: &f.Replies, Exclusive: &f.Exclusive}
}

// listFields names a list's inputs in sentences.
func (c *call) listFields() map[string]formField {
	return map[string]formField{"title": {"title", c.tr("The name")}}
}

func (c *call) createList() error {
	f, change := c.sentList()
	l, err := c.svc.Lists.CreateList(c.r.Context(), c.me.ID, change)
	switch {
	case err == nil:
		return c.seeOther("/lists/" + l.ID.String() + "/edit")
	case f.Errors.add(c, err, c.listFields()):
		return c.showLists(http.StatusUnprocessableEntity, f)
	}
	return fmt.Errorf("make a list: %w", err)
}

// listHere is the reader's list that the path names.
func (c *call) listHere() (linnet.List, error) { return c.listBy(c.svc.Lists.List) }

// listBy is that list as a method of the service gives it.
func (c *call) listBy(get func(ctx context.Context, me, id linnet.ID) (linnet.List, error)) (linnet.List, error) {
	id, ok := linnet.ParseListID(c.r.PathValue("id"))
	if !ok {
		return linnet.List{}, errNowhere()
	}
	l, err := get(c.r.Context(), c.me.ID, id)
	if err != nil {
		return l, fmt.Errorf("look up a list: %w", err)
	}
	return l, nil
}

type listPage struct {
	timelinePage
	List linnet.List
}

// Group returns the login of the list's group; "" for other lists.
func (p listPage) Group() string {
	if p.List.Kind != linnet.GroupList {
		return ""
	}
	return strings.TrimPrefix(p.List.Title, "@")
}

func (c *call) list() error {
	l, err := c.listHere()
	if err != nil {
		return err
	}
	if l.Kind == linnet.ScoredList {
		return c.seeOther("/catchup")
	}
	q := c.asked(linnet.DefaultPage)
	posts, err := c.svc.Discovery.ListTimeline(c.r.Context(), c.me.ID, l.ID, q)
	if err != nil {
		return fmt.Errorf("read a list: %w", err)
	}
	if atTop(q, len(posts.Items)) {
		return c.seeOther(c.withCursor("", ""))
	}
	if c.why, err = c.whyList(l, posts.Items); err != nil {
		return err
	}
	return c.render(http.StatusOK, page{Title: listTitle(c.forReader(c.r.Context()), &l), Here: "/lists", Body: listView(c, listPage{List: l,
		timelinePage: timelinePage{Posts: visible(posts.Items), Pager: c.pagerOf(q, posts.First, posts.Last),
			Live:  c.liveAddress(url.Values{"of": {"list"}, "list": {l.ID.String()}}, q, posts.First),
			Empty: empty{"list", c.tr("No posts yet"), c.tr("Posts from people in this list appear here.")}}})})
}

type listEditPage struct {
	List    linnet.List
	Form    listForm
	Members []personRow
	Pager   pager
	Found   []personRow // search results
	Query   string
}

func (c *call) listForm() error {
	l, err := c.listBy(c.svc.Lists.MutableList)
	if err != nil {
		return err
	}
	return c.showList(http.StatusOK, l, listForm{Title: l.Title, Replies: l.Replies, Exclusive: l.Exclusive})
}

// showList shows a list's settings and members, and search results for new members.
func (c *call) showList(code int, l linnet.List, f listForm) error {
	ctx := c.r.Context()
	q := c.asked(linnet.MaxPage)
	members, err := c.svc.Lists.ListMembers(ctx, c.me.ID, l.ID, q)
	if err != nil {
		return fmt.Errorf("read members: %w", err)
	}
	p := listEditPage{List: l, Form: f, Pager: c.pagerOf(q, members.First, members.Last), Query: strings.TrimSpace(c.r.URL.Query().Get("q"))}
	for _, u := range members.Items {
		p.Members = append(p.Members, personRow{c: c, Who: u})
	}
	if p.Query != "" {
		found, err := c.svc.Discovery.SearchUsers(ctx, c.me.ID, searchFor(p.Query))
		if err != nil {
			return fmt.Errorf("search people: %w", err)
		}
		for _, u := range found {
			p.Found = append(p.Found, personRow{c: c, Who: u})
		}
	}
	return c.render(code, page{Title: l.Title, Here: "/lists", Body: listEditView(c, p)})
}

func (c *call) changeList() error {
	l, err := c.listHere()
	if err != nil {
		return err
	}
	f, change := c.sentList()
	_, err = c.svc.Lists.UpdateList(c.r.Context(), c.me.ID, l.ID, change)
	switch {
	case err == nil:
		return c.seeOther("/lists/" + l.ID.String())
	case f.Errors.add(c, err, c.listFields()):
		return c.showList(http.StatusUnprocessableEntity, l, f)
	}
	return fmt.Errorf("change a list: %w", err)
}

// changeMembers adds a user to a list or removes one.
func (c *call) changeMembers() error {
	l, err := c.listHere()
	if err != nil {
		return err
	}
	who, ok := linnet.ParseID(c.r.PostForm.Get("person"))
	if !ok {
		return errNowhere()
	}
	change := c.svc.Lists.AddToList
	if c.r.PostForm.Get("act") == "remove" {
		change = c.svc.Lists.RemoveFromList
	}
	if err := change(c.r.Context(), c.me.ID, l.ID, []linnet.ID{who}); err != nil {
		return fmt.Errorf("change the members of a list: %w", err)
	}
	return c.seeOther(c.cameFrom("/lists/" + l.ID.String() + "/edit"))
}

func (c *call) listDeletion() error {
	l, err := c.listHere()
	if err != nil {
		return err
	}
	return c.render(http.StatusOK, page{Title: c.tr("Delete list"), Here: "/lists", Body: listDeletionView(c, l)})
}

func (c *call) deleteList() error {
	l, err := c.listHere()
	if err != nil {
		return err
	}
	if err := c.svc.Lists.DeleteList(c.r.Context(), c.me.ID, l.ID); err != nil {
		return fmt.Errorf("delete a list: %w", err)
	}
	return c.seeOther("/lists")
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

func (c *call) listsWith() error {
	who, err := c.otherHere()
	if err != nil {
		return err
	}
	all, err := c.svc.Lists.ListsOnPages(c.r.Context(), c.me.ID)
	if err != nil {
		return fmt.Errorf("read lists: %w", err)
	}
	with, err := c.svc.Lists.ListsWith(c.r.Context(), c.me.ID, who.ID)
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
	return c.render(http.StatusOK, page{Title: c.tr("Lists with %s", "@"+who.Login), Here: "/lists", Body: listsWithView(c, p)})
}
