package web

import (
	"fmt"
	"net/http"
	"strings"

	"linnet/internal/discovery"
	"linnet/internal/linnet"
)

type searchPage struct {
	Query  string
	People []personRow
	Groups []personRow
	Tags   []discovery.TagView
	Posts  []linnet.StatusView
}

// maxQuery is how much of what somebody searches for is read, in bytes.
const maxQuery = 200

// searchFor asks for what somebody typed.
func searchFor(typed string) discovery.SearchQuery {
	return discovery.SearchQuery{Text: strings.ToValidUTF8(typed[:min(len(typed), maxQuery)], ""), Limit: linnet.DefaultPage}
}

// search finds people, tags and posts: of posts the reader's own, and the one whose
// address it is. An address of ours leads there.
func (c *call) search() error {
	ctx := c.r.Context()
	p := searchPage{Query: strings.TrimSpace(c.r.URL.Query().Get("q"))}
	if p.Query == "" {
		return c.render(http.StatusOK, page{Title: "Search", Here: "/search", Body: searchView(c, p)})
	}
	if path, ours := strings.CutPrefix(p.Query, c.url.Scheme+"://"+c.url.Host); ours && isLocal(path) {
		return c.seeOther(path)
	}
	q := searchFor(p.Query)
	if !strings.HasPrefix(p.Query, "#") {
		var err error
		if p.People, p.Groups, err = c.accountsFound(q); err != nil {
			return err
		}
	}
	if !strings.HasPrefix(p.Query, "@") {
		tags, err := c.svc.Discovery.SearchTags(ctx, q)
		if err != nil {
			return fmt.Errorf("search tags: %w", err)
		}
		p.Tags = tags
	}
	if !strings.HasPrefix(p.Query, "@") {
		posts, err := c.svc.Discovery.SearchStatuses(ctx, c.viewer(), q)
		if err != nil {
			return fmt.Errorf("search posts: %w", err)
		}
		p.Posts = visible(posts)
	}
	return c.render(http.StatusOK, page{Title: "Search: " + p.Query, Here: "/search", Body: searchView(c, p)})
}

// accountsFound are the people and the groups that a search finds.
func (c *call) accountsFound(q discovery.SearchQuery) (people, groups []personRow, err error) {
	find := func(q discovery.SearchQuery) ([]personRow, error) {
		users, err := c.svc.Discovery.SearchUsers(c.r.Context(), c.viewer(), q)
		if err != nil {
			return nil, fmt.Errorf("search accounts: %w", err)
		}
		return c.rows(users)
	}
	q.People = true
	if people, err = find(q); err != nil {
		return nil, nil, err
	}
	q.People, q.Groups = false, true
	groups, err = find(q)
	return people, groups, err
}
