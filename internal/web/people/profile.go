package people

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/a-h/templ"
	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/post"
	"linnet/internal/web/ui"
)

type profilePage struct {
	Who    linnet.UserView
	Rel    *linnet.Relationship // nil without a login, and for the reader
	Fields []profileField
	Role   *linnet.CustomRole  // shown on the profile; nil for none
	Feed   *linnet.OutsideFeed // nil for other accounts
	Tags   []linnet.FeaturedTag
	Tag    string // hashtag of all posts on the page; "" for any
	Tabs   []ui.Tab
	Pinned []linnet.StatusView
	Posts  []linnet.StatusView
	Shots  []post.MediaTile // of the posts, only on the page of media
	People []Row            // endorsed users, on the page of featured content

	Collections []linnet.CollectionView // on the page of featured content

	Shows bool // whether this is the page of featured content
	Pager ui.Pager
	Empty ui.Empty
	Known []linnet.UserView // some followers of this person that the reader follows
	// KnownTotal is the number of all such followers.
	KnownTotal int
	Lists      []linnet.List // the reader's lists with this user
}

// profileField is a line of the table on a profile. HTML comes from the service.
type profileField struct {
	Name     templ.Component
	HTML     string
	Verified time.Time // see linnet.ProfileField
}

// profileTabs returns the tabs of a profile. here is the end of the current path.
func profileTabs(c *page.Context, who linnet.UserView, here string) []ui.Tab {
	base := "/@" + url.PathEscape(who.Login)
	tabs := []ui.Tab{{Path: base, Text: c.Tr("Posts")}, {Path: base + "/replies", Text: c.Tr("With replies")}}
	if who.ShowsMedia(c.Viewer()) {
		tabs = append(tabs, ui.Tab{Path: base + "/media", Text: c.Tr("Media")})
	}
	if who.ShowsFeatured(c.Viewer()) {
		tabs = append(tabs, ui.Tab{Path: base + "/featured", Text: ui.TrIn(c.ForReader(c.Request.Context()), "tab", "Featured")})
	}
	return ui.TabsAt(base+here, tabs...)
}

// networkTabs returns the tabs of a user's followers and follows. known reports that the reader may
// know some of the followers.
func networkTabs(c *page.Context, who linnet.UserView, here string, known bool) []ui.Tab {
	base := "/@" + url.PathEscape(who.Login)
	tabs := []ui.Tab{{Path: base, Text: c.Tr("Profile")}, {Path: base + "/following", Text: c.Tr("Following")}, {Path: base + "/followers", Text: c.Tr("Followers")}}
	if known {
		tabs = append(tabs, ui.Tab{Path: base + "/known", Text: c.Tr("Followers you know")}, ui.Tab{Path: base + "/both", Text: c.Tr("In common")})
	}
	return ui.TabsAt(base+here, tabs...)
}

// personHere returns the user of the requested page. It returns nil after an error or a redirect. A
// login with different case redirects to the owner's spelling, with the rest of the path.
func (h *Pages) personHere(c *page.Context, rest string) (*linnet.UserView, error) {
	login, _ := c.PersonInPath()
	who, err := h.View.UserByLogin(c.Request.Context(), c.Viewer(), login)
	if err == nil && who.Suspended {
		err = page.NotFound()
	}
	if err != nil {
		return nil, h.accountDeleted(c, page.OrNotFound(err, "look up a person"), login)
	}
	if path := "/@" + url.PathEscape(who.Login) + rest; c.Request.URL.EscapedPath() != path {
		return nil, c.Redirect(path)
	}
	return &who, nil
}

// Profile shows a profile, or the page of a group.
func (h *Pages) Profile(c *page.Context) error {
	c.AllowAnyOrigin()
	_, rest := c.PersonInPath()
	f, here := paths.ProfileFilter(rest)
	who, err := h.personHere(c, here)
	if who == nil {
		return err
	}
	if who.Group != linnet.NoGroup {
		if here != "" {
			return c.Redirect("/@" + url.PathEscape(who.Login))
		}
		return h.GroupPage(c, *who)
	}
	if f.OnlyMedia && !who.ShowsMedia(c.Viewer()) {
		return c.Redirect(paths.Person(who.Login))
	}
	f.ExcludeReplies = f.ExcludeReplies || f.OnlyMedia && who.Tabs.NoMediaReplies
	p := profilePage{Who: *who, Tag: f.Tag, Tabs: profileTabs(c, *who, here),
		Empty: ui.Empty{Icon: "speech", Title: c.Tr("No posts to show"), Text: c.Tr("There are no posts here that you can see.")}}
	if f.OnlyMedia {
		p.Empty = ui.Empty{Icon: "picture", Title: c.Tr("No media yet"), Text: c.Tr("There are no posts with pictures, video or audio that you can see.")}
	}
	p.Role = h.roleOn(who)
	f.ExcludeDirect = true // they are in Messages
	q := c.PageQuery(linnet.DefaultPage)
	posts, err := h.Reading.Profile(c.Request.Context(), c.Viewer(), who.ID, f, q)
	if err != nil {
		return fmt.Errorf("read a profile: %w", err)
	}
	if page.AtTop(q, len(posts.Items)) {
		return c.Redirect(c.WithCursor("", ""))
	}
	p.Posts, p.Pager = post.Visible(posts.Items), c.Pager(q, posts.First, posts.Last)
	if f.OnlyMedia {
		p.Shots = post.MediaTiles(c.ForReader(c.Request.Context()), p.Posts)
	}
	if err := h.completeProfile(c, &p, here == "" && q.Max == "" && q.Min == ""); err != nil {
		return err
	}
	c.Shared = true
	main := page.Page{Alternates: profileLinks(c, *who, strings.Replace(here, "/replies", "/with_replies", 1)), Here: herePerson(c, who.ID),
		Title: ui.DisplayName(*who) + " (@" + who.Login + ")",
		Body:  profileView(c, p), Listed: who.Indexable,
		Card: ProfileCard(*who)}
	if len(p.Known)+len(p.Lists) > 0 {
		main.SidePanel = profileAsideView(p)
	}
	return c.Render(http.StatusOK, main)
}

// Card shows a user or a group in brief. The script shows it next to links to the profile.
func (h *Pages) Card(c *page.Context) error {
	if err := page.CheckReader(c); err != nil { // its form is for the active account
		return err
	}
	who, err := h.personHere(c, "/card")
	if who == nil {
		return err
	}
	p := profilePage{Who: *who, Role: h.roleOn(who)}
	if p.Rel, err = h.relationTo(c, who.ID); err != nil {
		return err
	}
	return c.Render(http.StatusOK, page.Page{Part: true, Body: cardView(c, p)})
}

// relationTo returns the reader's relation to a user; nil without a login, and for the reader.
func (h *Pages) relationTo(c *page.Context, who linnet.ID) (*linnet.Relationship, error) {
	if c.Me == nil || c.Me.ID == who {
		return nil, nil
	}
	rels, err := h.Social.Relationships(c.Request.Context(), c.Me.ID, []linnet.ID{who})
	if err != nil {
		return nil, fmt.Errorf("read a relation: %w", err)
	}
	if len(rels) == 0 {
		return nil, nil
	}
	return &rels[0], nil
}

// roleOn returns the role that a profile shows; nil for none.
func (h *Pages) roleOn(who *linnet.UserView) *linnet.CustomRole {
	if r := h.Core.KnownRoles().Of(&who.User); r != nil && r.Highlighted {
		return r
	}
	return nil
}

// Featured shows the featured hashtags and endorsed users of a user.
func (h *Pages) Featured(c *page.Context) error {
	who, err := h.personHere(c, "/featured")
	if who == nil {
		return err
	}
	if who.Group != linnet.NoGroup || !who.ShowsFeatured(c.Viewer()) {
		return c.Redirect("/@" + url.PathEscape(who.Login))
	}
	q := c.PageQuery(linnet.MaxPage)
	people, err := h.Social.Endorsements(c.Request.Context(), c.Viewer(), who.ID, q)
	if err != nil {
		return fmt.Errorf("read featured accounts: %w", err)
	}
	if page.AtTop(q, len(people.Items)) {
		return c.Redirect(c.WithCursor("", ""))
	}
	p := profilePage{Who: *who, Tabs: profileTabs(c, *who, "/featured"), Shows: true, Pager: c.Pager(q, people.First, people.Last),
		Empty: ui.Empty{Icon: "star", Title: c.Tr("Nothing featured yet"), Text: c.Tr("Featured hashtags, accounts and collections appear here.")}}
	if p.People, err = h.Rows(c, people.Items); err != nil {
		return err
	}
	if p.Collections, err = h.featuredCollections(c, who.ID); err != nil {
		return err
	}
	if err := h.completeProfile(c, &p, false); err != nil {
		return err
	}
	return c.Render(http.StatusOK, page.Page{Here: herePerson(c, who.ID), Title: c.Tr("Featured by %s", ui.DisplayName(*who)), Body: profileView(c, p)})
}

// knownSays names the first two of the followers that the reader follows, and counts the others.
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

// completeProfile loads the data around the posts. top reports that it is the first page.
func (h *Pages) completeProfile(c *page.Context, p *profilePage, top bool) (err error) {
	ctx := c.Request.Context()
	if p.Tags, err = h.Discovery.FeaturedTags(ctx, c.Viewer(), p.Who.ID); err != nil {
		return fmt.Errorf("read featured tags: %w", err)
	}
	if p.Rel, err = h.relationTo(c, p.Who.ID); err != nil {
		return err
	}
	if p.Who.Feed != "" {
		if p.Feed, err = h.Outside.State(ctx, p.Who.ID); err != nil && !page.IsKind(err, linnet.NotFound) {
			return fmt.Errorf("read a feed: %w", err)
		}
	}
	if top {
		if p.Pinned, err = h.Posting.Marks.Pinned(ctx, c.Viewer(), p.Who.ID); err != nil {
			return fmt.Errorf("read pinned statuses: %w", err)
		}
	}
	if top && p.Rel != nil {
		known, total, err := h.View.CommonFollowers(ctx, c.Me.ID, p.Who.ID, linnet.Page{Limit: page.SidePanelRows})
		lists, listsErr := h.Lists.ListsWith(ctx, c.Me.ID, p.Who.ID)
		page.LogMissing(c, err, listsErr) // the profile is useful without them
		p.Known, p.KnownTotal, p.Lists = known.Items, total, lists
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

// herePerson returns the navigation's entry for the reader's own profile; "" for other profiles.
func herePerson(c *page.Context, who linnet.ID) string {
	if c.Viewer() == who {
		return "/@"
	}
	return ""
}

// redirectActivityPub redirects from the ActivityPub addresses of users and statuses to their
// pages.
func redirectActivityPub(c *page.Context) error {
	path := "/@" + url.PathEscape(c.Request.PathValue("login"))
	if id := c.Request.PathValue("id"); id != "" {
		path += "/" + url.PathEscape(id)
	}
	return c.Redirect(path)
}

// ProfileCard returns the link preview of a profile or group for other sites.
func ProfileCard(u linnet.UserView) *page.Card {
	d := &page.Card{Type: "profile", Title: ui.DisplayName(u), Text: u.Note, URL: u.URL, Image: u.Avatar}
	if d.Image != "" {
		d.ImageAlt = u.AvatarAlt
	}
	return d
}
