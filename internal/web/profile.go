package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/a-h/templ"

	"linnet/internal/linnet"
	"linnet/internal/web/ui"
)

type profilePage struct {
	Who    linnet.UserView
	Rel    *linnet.Relationship // nil if the reader is a stranger, or looks at themself
	Fields []profileField
	Role   *linnet.CustomRole // shown on the profile; nil for none
	Tags   []linnet.FeaturedTag
	Tag    string // that all posts on the page have, "": any
	Tabs   []ui.Tab
	Pinned []linnet.StatusView
	Posts  []linnet.StatusView
	Shots  []shot      // of the posts, on the page of pictures alone
	People []personRow // endorsed users, on the page of featured content
	Shows  bool        // it is that page
	Pager  ui.Pager
	Empty  ui.Empty
	Known  []linnet.UserView // some followers of this person that the reader follows
	// KnownTotal is the number of all such followers.
	KnownTotal int
	Lists      []linnet.List // of the reader, that this person is in
}

// profileField is a line of the table on a profile; HTML comes from social.
type profileField struct {
	Name     templ.Component
	HTML     string
	Verified time.Time // see linnet.ProfileField
}

// profileTabs are the views of a person; here is the end of the present path.
func profileTabs(c *call, who linnet.UserView, here string) []ui.Tab {
	base := "/@" + url.PathEscape(who.Login)
	return ui.TabsAt(base+here, ui.Tab{Path: base, Text: c.tr("Posts")}, ui.Tab{Path: base + "/replies", Text: c.tr("With replies")}, ui.Tab{Path: base + "/media", Text: c.tr("Media")},
		ui.Tab{Path: base + "/featured", Text: ui.TrIn(c.forReader(c.r.Context()), "tab", "Featured")})
}

// networkTabs returns the tabs of the lists of a user's followers and follows. known reports that
// the reader may follow some of the followers.
func networkTabs(c *call, who linnet.UserView, here string, known bool) []ui.Tab {
	base := "/@" + url.PathEscape(who.Login)
	tabs := []ui.Tab{{Path: base, Text: c.tr("Profile")}, {Path: base + "/following", Text: c.tr("Following")}, {Path: base + "/followers", Text: c.tr("Followers")}}
	if known {
		tabs = append(tabs, ui.Tab{Path: base + "/known", Text: c.tr("Followers you know")}, ui.Tab{Path: base + "/both", Text: c.tr("In common")})
	}
	return ui.TabsAt(base+here, tabs...)
}

// personHere returns the user of the requested page. It returns nil after an error or a redirect: a
// login in another case redirects to the owner's spelling, with the rest of the path.
func (h *peoplePages) personHere(c *call, rest string) (*linnet.UserView, error) {
	login, _ := c.personInPath()
	who, err := h.view.UserByLogin(c.r.Context(), c.viewer(), login)
	if err == nil && who.Suspended {
		err = errNowhere()
	}
	if err != nil {
		return nil, c.accountGone(notThere(err, "look up a person"), login)
	}
	if path := "/@" + url.PathEscape(who.Login) + rest; c.r.URL.EscapedPath() != path {
		return nil, c.seeOther(path)
	}
	return &who, nil
}

// relation returns the reader's relation to a user; nil for visitors, and for the reader.
func (h *peoplePages) relation(c *call, who linnet.ID) (*linnet.Relationship, error) {
	if c.me == nil || c.me.ID == who {
		return nil, nil
	}
	rels, err := h.social.Relationships(c.r.Context(), c.me.ID, []linnet.ID{who})
	if err != nil || len(rels) == 0 {
		return nil, err
	}
	return &rels[0], nil
}

func (h *peoplePages) profile(c *call) error {
	c.allowAnyOrigin()
	_, rest := c.personInPath()
	f, here := profileFilter(rest)
	who, err := h.personHere(c, here)
	if who == nil {
		return err
	}
	if who.Group != linnet.NoGroup {
		if here != "" {
			return c.seeOther("/@" + url.PathEscape(who.Login))
		}
		return h.groupPage(c, *who)
	}
	p := profilePage{Who: *who, Tag: f.Tag, Tabs: profileTabs(c, *who, here),
		Empty: ui.Empty{Icon: "speech", Title: c.tr("No posts to show"), Text: c.tr("There are no posts here that you can see.")}}
	if f.OnlyMedia {
		p.Empty = ui.Empty{Icon: "picture", Title: c.tr("No media yet"), Text: c.tr("There are no posts with pictures, video or audio that you can see.")}
	}
	if r := h.core.KnownRoles().Of(&who.User); r != nil && r.Highlighted {
		p.Role = r
	}
	q := c.asked(linnet.DefaultPage)
	posts, err := h.reading.Profile(c.r.Context(), c.viewer(), who.ID, f, q)
	if err != nil {
		return fmt.Errorf("read a profile: %w", err)
	}
	if atTop(q, len(posts.Items)) {
		return c.seeOther(c.withCursor("", ""))
	}
	p.Posts, p.Pager = visible(posts.Items), c.pagerOf(q, posts.First, posts.Last)
	if f.OnlyMedia {
		p.Shots = shotsOf(c.forReader(c.r.Context()), p.Posts)
	}
	if err := h.completeProfile(c, &p, here == "" && q.Max == "" && q.Min == ""); err != nil {
		return err
	}
	c.shared = true
	main := page{Alternates: profileLinks(c, *who, strings.Replace(here, "/replies", "/with_replies", 1)), Here: herePerson(c, who.ID),
		Title: ui.DisplayName(*who) + " (@" + who.Login + ")",
		Body:  profileView(c, p), Listed: who.Indexable,
		Card: profileCard(*who)}
	if len(p.Known)+len(p.Lists) > 0 {
		main.Aside = profileAsideView(p)
	}
	return c.render(http.StatusOK, main)
}

// featured shows a user's featured hashtags and endorsed users.
func (h *peoplePages) featured(c *call) error {
	who, err := h.personHere(c, "/featured")
	if who == nil {
		return err
	}
	if who.Group != linnet.NoGroup {
		return c.seeOther("/@" + url.PathEscape(who.Login))
	}
	q := c.asked(linnet.MaxPage)
	people, err := h.social.Endorsements(c.r.Context(), c.viewer(), who.ID, q)
	if err != nil {
		return fmt.Errorf("read featured accounts: %w", err)
	}
	if atTop(q, len(people.Items)) {
		return c.seeOther(c.withCursor("", ""))
	}
	p := profilePage{Who: *who, Tabs: profileTabs(c, *who, "/featured"), Shows: true, Pager: c.pagerOf(q, people.First, people.Last),
		Empty: ui.Empty{Icon: "star", Title: c.tr("Nothing featured yet"), Text: c.tr("Featured hashtags and accounts appear here.")}}
	if p.People, err = h.rows(c, people.Items); err != nil {
		return err
	}
	if err := h.completeProfile(c, &p, false); err != nil {
		return err
	}
	return c.render(http.StatusOK, page{Here: herePerson(c, who.ID), Title: c.tr("Featured by %s", ui.DisplayName(*who)), Body: profileView(c, p)})
}

// knownSays names the first two of total followers that the reader follows, and counts the others.
func knownSays(some []linnet.UserView, total int) templ.Component {
	first := ui.NamePart(some[0])
	switch total {
	case 1:
		return ui.TrParts("Followed by %s", first)
	case 2:
		return ui.TrParts("Followed by %s and %s", first, ui.NamePart(some[1]))
	default:
		return ui.TrnParts(int64(total-2), "Followed by %[2]s, %[3]s and %[1]s other you know", "Followed by %[2]s, %[3]s and %[1]s others you know", first, ui.NamePart(some[1]))
	}
}

// completeProfile loads the data around the posts. top reports that the page is the first one.
func (h *peoplePages) completeProfile(c *call, p *profilePage, top bool) (err error) {
	ctx := c.r.Context()
	if p.Tags, err = h.discovery.FeaturedTags(ctx, c.viewer(), p.Who.ID); err != nil {
		return fmt.Errorf("read featured tags: %w", err)
	}
	if p.Rel, err = h.relation(c, p.Who.ID); err != nil {
		return fmt.Errorf("read a relation: %w", err)
	}
	if top {
		if p.Pinned, err = h.posting.Pinned(ctx, c.viewer(), p.Who.ID); err != nil {
			return fmt.Errorf("read pinned statuses: %w", err)
		}
	}
	if top && p.Rel != nil {
		h.asideOfProfile(c, p)
	}
	for i, f := range p.Who.Fields {
		if i >= len(p.Who.FieldsHTML) {
			break
		}
		field := profileField{Name: ui.Text(f.Name), HTML: p.Who.FieldsHTML[i]}
		if pictured := p.Who.Pictured; pictured != nil {
			field = profileField{Name: ui.Markup(pictured.Labels[i]), HTML: pictured.Lines[i]}
		}
		field.Verified = f.Verified
		p.Fields = append(p.Fields, field)
	}
	return nil
}

// herePerson is the navigation's entry for one's own profile.
func herePerson(c *call, who linnet.ID) string {
	if c.viewer() == who {
		return "/@"
	}
	return ""
}

// notThere converts errors about names that can't exist into NotFound.
func notThere(err error, doing string) error {
	if isKind(err, linnet.Invalid) {
		return errNowhere()
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// allowAnyOrigin lets scripts of other sites read an answer, as strangers see it: browsers send
// no cookies with such requests.
func (c *call) allowAnyOrigin() { c.w.Header().Set("Access-Control-Allow-Origin", "*") }

// lastingName leads from the names that statuses and people have for other
// servers to their pages.
func lastingName(c *call) error {
	path := "/@" + url.PathEscape(c.r.PathValue("login"))
	if id := c.r.PathValue("id"); id != "" {
		path += "/" + url.PathEscape(id)
	}
	return c.seeOther(path)
}

// profileCard returns what other sites show of the page of a person or group.
func profileCard(u linnet.UserView) *card {
	d := &card{Type: "profile", Title: ui.DisplayName(u), Text: u.Note, URL: u.URL, Image: u.Avatar}
	if d.Image != "" {
		d.ImageAlt = u.AvatarAlt
	}
	return d
}
