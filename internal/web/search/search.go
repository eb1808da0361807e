package search

import (
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

type searchPage struct {
	Query  string
	People []people.Row
	Groups []people.Row
	Tags   []discovery.TagView
	Posts  []linnet.StatusView
	Pager  ui.Pager

	Wrong      string // error of the query
	Incomplete bool   // posts are being indexed
}

// noResults reports whether a search had no results.
func (p *searchPage) noResults() bool {
	return p.Query != "" && p.Wrong == "" && p.Pager == (ui.Pager{}) && len(p.People)+len(p.Groups)+len(p.Tags)+len(p.Posts) == 0
}

// searchOperators returns the operators of a search for posts and their meanings, in English.
func searchOperators() [][2]string {
	return [][2]string{
		{"word word", locale.Mark("All of these words")}, {`"some words"`, locale.Mark("These words in this order")}, {"begin*", locale.Mark("Words that start with this")}, {"-word", locale.Mark("Without this word. You can also put a minus before other filters, but not before dates or in:")},
		{"from:name, from:me", locale.Mark("Posts by this person")}, {"has:media, has:poll, has:link", locale.Mark("With media, a poll or a link")}, {"is:reply, is:sensitive", locale.Mark("Replies, or posts with a content warning")},
		{"before:2026-05-31, after:, during:", locale.Mark("Before, after or on a day")}, {"language:en", locale.Mark("In a language")}, {"in:library, in:public", locale.Mark("Only your own posts and posts you've interacted with, or only public posts")},
	}
}

// search shows people, groups, tags and posts. If the query is an address on this server, it
// redirects there.
func (h *Pages) search(c *page.Context) error {
	ctx := c.Request.Context()
	p := searchPage{Query: strings.TrimSpace(c.Request.URL.Query().Get("q"))}
	if p.Query == "" {
		return c.Render(http.StatusOK, page.Page{Title: c.Tr("Search"), Here: "/explore", Body: searchView(c, p)})
	}
	if path, ours := strings.CutPrefix(p.Query, c.URL.Scheme+"://"+c.URL.Host); ours && ui.IsLocalPath(path) {
		return c.Redirect(path)
	}
	q := discovery.TypedQuery(p.Query)
	if below, ok := linnet.ParseID(c.Request.URL.Query().Get("max_id")); ok && below != 0 {
		q.Below, p.Pager.Newer = below, searchPath(p.Query, 0)
	}
	if q.Below == 0 && !strings.HasPrefix(p.Query, "#") {
		var err error
		if p.People, p.Groups, err = h.findAccounts(c, q); err != nil {
			return err
		}
	}
	if q.Below == 0 && !strings.HasPrefix(p.Query, "@") {
		tags, err := h.Discovery.SearchTags(ctx, q)
		if err != nil {
			return fmt.Errorf("search tags: %w", err)
		}
		p.Tags = tags
	}
	found, err := h.Discovery.SearchStatuses(ctx, c.Viewer(), q)
	e := page.Refusal(err)
	switch {
	case e != nil && e.Kind == linnet.Invalid:
		p.Wrong = e.In(c.Lang().Text)
	case err != nil:
		return fmt.Errorf("search posts: %w", err)
	default:
		p.Posts, p.Incomplete = post.Visible(found.Statuses), found.Incomplete
		if found.Next != 0 {
			p.Pager.Older = searchPath(p.Query, found.Next)
		}
	}
	return c.Render(http.StatusOK, page.Page{Title: c.Tr("Search: %s", p.Query), Here: "/explore", Body: searchView(c, p)})
}

// searchPath returns the path of the results before a post; 0 for all.
func searchPath(query string, below linnet.ID) string {
	v := url.Values{"q": {query}}
	if below != 0 {
		v.Set("max_id", below.String())
	}
	return "/search?" + v.Encode()
}

// findAccounts returns the people and the groups that match a search.
func (h *Pages) findAccounts(c *page.Context, q discovery.SearchQuery) (persons, groups []people.Row, err error) {
	find := func(q discovery.SearchQuery) ([]people.Row, error) {
		users, err := h.Discovery.SearchUsers(c.Request.Context(), c.Viewer(), q)
		if err != nil {
			return nil, fmt.Errorf("search accounts: %w", err)
		}
		return h.People.Rows(c, users)
	}
	q.People = true
	if persons, err = find(q); err != nil {
		return nil, nil, err
	}
	q.People, q.Groups = false, true
	groups, err = find(q)
	return persons, groups, err
}
