package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"linnet/internal/linnet"
)

type profilePage struct {
	Who    linnet.UserView
	Fields []profileField
	Posts  []linnet.StatusView
	Older  string // path of the page with what is older, "" at the end
	First  bool   // the newest page
}

// profileField is a line of the table on a profile; HTML comes from social.
type profileField struct{ Name, HTML string }

// personInPath splits "/@login/id".
func (c *call) personInPath() (login, id string) {
	login, id, _ = strings.Cut(strings.TrimPrefix(c.r.URL.Path, "/@"), "/")
	return login, id
}

func (c *call) profile() error {
	ctx := c.r.Context()
	login, _ := c.personInPath()
	who, err := c.svc.UserByLogin(ctx, c.viewer(), login)
	if err != nil {
		return notThere(err, "look up a person")
	}
	if who.Suspended {
		return errNowhere()
	}
	if path := "/@" + url.PathEscape(who.Login); c.r.URL.EscapedPath() != path {
		return c.seeOther(path)
	}
	q := linnet.Page{Max: linnet.Cursor(c.r.URL.Query().Get("max_id")), Limit: linnet.DefaultPage}
	posts, err := c.svc.Profile(ctx, c.viewer(), who.ID, linnet.ProfileFilter{}, q)
	if err != nil {
		return fmt.Errorf("read a profile: %w", err)
	}
	p := profilePage{Who: who, Posts: posts.Items, First: q.Max == "", Older: olderPath(c.r.URL, posts.Last)}
	for i, f := range who.Fields {
		if i < len(who.FieldsHTML) {
			p.Fields = append(p.Fields, profileField{Name: f.Name, HTML: who.FieldsHTML[i]})
		}
	}
	c.shared = true
	return c.render(http.StatusOK, "profile", page{Title: displayName(who) + " (@" + who.Login + ")",
		Main: p, Listed: who.Indexable,
		Card: &card{Type: "profile", Title: displayName(who), Text: who.Note, URL: who.URL}})
}

// olderPath is the address of the page below the position last.
func olderPath(u *url.URL, last linnet.Cursor) string {
	if last == "" {
		return ""
	}
	return u.EscapedPath() + "?max_id=" + url.QueryEscape(string(last))
}

// notThere turns everything that speaks of a name nobody can have into "nothing
// is there".
func notThere(err error, doing string) error {
	if isKind(err, linnet.Invalid) {
		return errNowhere()
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// lastingName leads from the names that statuses and people have for other
// servers to their pages.
func (c *call) lastingName() error {
	path := "/@" + url.PathEscape(c.r.PathValue("login"))
	if id := c.r.PathValue("id"); id != "" {
		path += "/" + url.PathEscape(id)
	}
	return c.seeOther(path)
}
