package search

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"linnet/internal/discovery"
	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/people"
	"linnet/internal/web/post"
	"linnet/internal/web/ui"
)

// searchKind is a tab of the results. Its word is the parameter in the address.
type searchKind struct{ Word, Text string }

// searchKinds returns the tabs, in English.
func searchKinds() []searchKind {
	return []searchKind{{"", locale.Mark("All")}, {"accounts", locale.Mark("People")}, {"statuses", locale.Mark("Posts")},
		{"hashtags", locale.Mark("Hashtags")}, {"groups", locale.Mark("Groups")}}
}

// fewResults is the maximum number of results of a kind, except posts, in the tab of all kinds.
const fewResults = 5

type searchPage struct {
	Query  string
	Kind   string // word of the tab; "" for all kinds
	Tabs   []ui.Tab
	People []people.Row
	Groups []people.Row
	Tags   []discovery.TagView
	Posts  []linnet.StatusView
	Pager  ui.Pager

	Wrong      string // error of the query
	Incomplete bool   // posts are being indexed
	IsAddress  bool   // the query is the address of another site, which may have a feed
}

// noResults reports whether a search had no results.
func (p *searchPage) noResults() bool {
	return p.Query != "" && p.Wrong == "" && !p.IsAddress && p.Pager == (ui.Pager{}) && len(p.People)+len(p.Groups)+len(p.Tags)+len(p.Posts) == 0
}

// searchOperators returns the operators of a search for posts and their meanings, in English.
func searchOperators() [][2]string {
	return [][2]string{
		{"word word", locale.Mark("All of these words")}, {`"some words"`, locale.Mark("These words in this order")}, {"begin*", locale.Mark("Words that start with this")}, {"-word", locale.Mark("Without this word. You can also put a minus before other filters, but not before dates or in:")},
		{"from:name, from:me", locale.Mark("Posts by this person")}, {"has:media, has:poll, has:link", locale.Mark("With media, a poll or a link")}, {"is:reply, is:sensitive", locale.Mark("Replies, or posts with a content warning")},
		{"before:2026-05-31, after:, during:", locale.Mark("Before, after or on a day")}, {"language:en", locale.Mark("In a language")}, {"in:library, in:public", locale.Mark("Only your own posts and posts you've interacted with, or only public posts")},
	}
}

// shows reports whether the tab has results of a kind.
func (p *searchPage) shows(kind string) bool { return p.Kind == "" || p.Kind == kind }

// all returns the path of all results of a kind if the page shows only n of them, otherwise "".
func (p *searchPage) all(kind string, n int) string {
	if p.Kind != "" || n < fewResults {
		return ""
	}
	return searchPath(p.Query, kind, 0)
}

// search shows people, groups, tags and posts. If the query is an address on this server, it
// redirects there.
func (h *Pages) search(c *page.Context) error {
	in := c.Request.URL.Query()
	p := searchPage{Query: strings.TrimSpace(in.Get("q"))}
	if p.Query == "" {
		return c.Render(http.StatusOK, page.Page{Title: c.Tr("Search"), Here: "/explore", Body: searchView(c, p)})
	}
	if path, ours := strings.CutPrefix(p.Query, c.URL.Scheme+"://"+c.URL.Host); ours && ui.IsLocalPath(path) {
		return c.Redirect(path)
	}
	_, p.IsAddress = h.Outside.Address(p.Query)
	q := discovery.TypedQuery(p.Query)
	p.Kind = in.Get("type")
	if below, ok := linnet.ParseID(in.Get("max_id")); ok && below != 0 {
		q.Below, p.Kind, p.Pager.Newer = below, "statuses", searchPath(p.Query, "statuses", 0)
	}
	if !slices.ContainsFunc(searchKinds(), func(k searchKind) bool { return k.Word == p.Kind }) {
		p.Kind = ""
	}
	for _, k := range searchKinds() {
		p.Tabs = append(p.Tabs, ui.Tab{Path: searchPath(p.Query, k.Word, 0), Text: c.Tr(k.Text), Here: k.Word == p.Kind})
	}
	if err := h.findNames(c, q, &p); err != nil {
		return err
	}
	if p.shows("statuses") {
		if err := h.findPosts(c, q, &p); err != nil {
			return err
		}
	}
	return c.Render(http.StatusOK, page.Page{Title: c.Tr("Search: %s", p.Query), Here: "/explore", Body: searchView(c, p)})
}

// findFeed redirects to the account of the feed at an address. It adds the feed if no account has it.
func (h *Pages) findFeed(c *page.Context) error {
	p := searchPage{Query: strings.TrimSpace(c.Typed("q")), IsAddress: true}
	v, err := h.Outside.Resolve(c.Request.Context(), c.Actor(), p.Query)
	if err == nil {
		return c.Redirect(paths.Person(v.Login))
	}
	e := page.Refusal(err)
	if e == nil {
		return fmt.Errorf("find a feed: %w", err)
	}
	p.Wrong = e.In(c.Lang().Text)
	return c.Render(http.StatusUnprocessableEntity, page.Page{Title: c.Tr("Search: %s", p.Query), Here: "/explore", Body: searchView(c, p)})
}

// findNames adds the people, groups and tags that match a search to the page.
func (h *Pages) findNames(c *page.Context, q discovery.SearchQuery, p *searchPage) (err error) {
	q.Limit = linnet.MaxPage
	if p.Kind == "" {
		q.Limit = fewResults
	}
	tags, names := strings.HasPrefix(p.Query, "#"), strings.HasPrefix(p.Query, "@")
	if p.shows("accounts") && !tags {
		q.People, q.Groups = true, false
		if p.People, err = h.findAccounts(c, q); err != nil {
			return err
		}
	}
	if p.shows("groups") && !tags {
		q.People, q.Groups = false, true
		if p.Groups, err = h.findAccounts(c, q); err != nil {
			return err
		}
	}
	if p.shows("hashtags") && !names {
		if p.Tags, err = h.Discovery.SearchTags(c.Request.Context(), q); err != nil {
			return fmt.Errorf("search tags: %w", err)
		}
	}
	return nil
}

// findPosts adds the posts that match a search to the page, or the error of the query.
func (h *Pages) findPosts(c *page.Context, q discovery.SearchQuery, p *searchPage) error {
	found, err := h.Discovery.SearchStatuses(c.Request.Context(), c.Viewer(), q)
	if e := page.Refusal(err); e != nil && e.Kind == linnet.Invalid {
		p.Wrong = e.In(c.Lang().Text)
		return nil
	}
	if err != nil {
		return fmt.Errorf("search posts: %w", err)
	}
	p.Posts, p.Incomplete = post.Visible(found.Statuses), found.Incomplete
	if found.Next != 0 {
		p.Pager.Older = searchPath(p.Query, "statuses", found.Next)
	}
	return nil
}

// searchPath returns the path of a tab of the results. If below is not 0, it has the posts before
// this one.
func searchPath(query, kind string, below linnet.ID) string {
	v := url.Values{"q": {query}}
	if kind != "" {
		v.Set("type", kind)
	}
	if below != 0 {
		v.Set("max_id", below.String())
	}
	return "/search?" + v.Encode()
}

// findAccounts returns the accounts that match a search as rows.
func (h *Pages) findAccounts(c *page.Context, q discovery.SearchQuery) ([]people.Row, error) {
	users, err := h.Discovery.SearchUsers(c.Request.Context(), c.Viewer(), q)
	if err != nil {
		return nil, fmt.Errorf("search accounts: %w", err)
	}
	return h.People.Rows(c, users)
}
