package form

import (
	"net/http"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// MenuItem is an entry of the menu of the settings or the administration.
type MenuItem struct {
	Path, Icon, Text string
	About            string            // one-line description
	Words            string            // other words that find the item
	Settings         []setting         // settings on the page
	Below            []string          // path prefixes of further pages of the item
	Needs            linnet.Permission // one of these permissions; 0 for none
}

// setting is an input of a page, which the search finds.
type setting struct {
	ID, Text, Words string // ID is the fragment of its address
}

// MenuGroup has the items below a heading; "" for none.
type MenuGroup struct {
	Title string
	Items []MenuItem
}

// Menu is the list of pages of the settings or the administration. It is next to the open page, or
// a separate page on narrow screens.
type Menu struct {
	Name, Root  string
	Search, All string // label of the search, and text of the link to the whole menu
	Groups      []MenuGroup
	Here        string // path of the open item; "" for none
	Beside      bool   // the page is shown only if there is room next to the menu
	Query       string // search query
	Title       string // of the page
}

// classes returns the classes for the layout of the menu and the page.
func (m Menu) classes() string {
	switch {
	case m.Here == "":
		return "panes alone"
	case m.Beside:
		return "panes"
	}
	return "panes single"
}

// allItems returns the items of all groups.
func allItems(groups []MenuGroup) (all []MenuItem) {
	for _, g := range groups {
		all = append(all, g.Items...)
	}
	return all
}

// translateItems translates the names of items. Their English search words remain.
func translateItems(c *page.Context, groups []MenuGroup) []MenuGroup {
	if c.Lang() == locale.English() {
		return groups
	}
	for i := range groups {
		g := &groups[i]
		g.Title = c.Tr(g.Title)
		for j := range g.Items {
			x := &g.Items[j]
			x.Words += " " + x.Text
			x.Text, x.About = c.Tr(x.Text), c.Tr(x.About)
			for k := range x.Settings {
				s := &x.Settings[k]
				s.Words += " " + s.Text
				s.Text = c.Tr(s.Text)
			}
		}
	}
	return groups
}

// plainText normalizes a text for the search. The script does the same.
func plainText(text string) string {
	return strings.NewReplacer("-", "", "’", "", "'", "").Replace(strings.ToLower(text))
}

// matchingItems returns the items that match a search by themselves or by a setting, with only the
// settings that match.
func matchingItems(groups []MenuGroup, query string) (out []MenuGroup) {
	words := strings.Fields(plainText(query))
	matches := func(text ...string) bool {
		plain := plainText(strings.Join(text, " "))
		return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(plain, w) })
	}
	for _, g := range groups {
		hits := MenuGroup{Title: g.Title}
		for _, x := range g.Items {
			itself, settings := matches(x.Text, x.About, x.Words), x.Settings
			x.Settings = nil
			for _, s := range settings {
				if matches(s.Text, s.Words) || !itself && matches(x.Text, x.About, x.Words, s.Text, s.Words) {
					x.Settings = append(x.Settings, s)
				}
			}
			if itself || len(x.Settings) > 0 {
				hits.Items = append(hits.Items, x)
			}
		}
		if len(hits.Items) > 0 {
			out = append(out, hits)
		}
	}
	return out
}

// Also returns the distinct additional words by which the script finds an item.
func (x MenuItem) Also() string {
	var text strings.Builder
	text.WriteString(x.About + " " + x.Words)
	for _, s := range x.Settings {
		text.WriteString(" " + s.Text + " " + s.Words)
	}
	var words []string
	for _, w := range strings.FieldsFunc(plainText(text.String()), func(r rune) bool { return strings.ContainsRune(" .,:;()", r) }) {
		if len(w) > 2 && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return strings.Join(words, " ")
}

// settingsMenu returns the menu of the settings for the reader.
func settingsMenu(c *page.Context, here string) (Menu, error) {
	about, err := c.Instance()
	if err != nil {
		return Menu{}, err
	}
	m := Menu{Name: c.Tr("Settings"), Search: c.Tr("Search settings"), All: c.Tr("All settings"), Root: paths.Settings, Groups: translateItems(c, SettingsItems())}
	if about.Invites == 0 && (!c.May(linnet.InviteUsers) || c.May(linnet.ManageInvites)) && here != paths.Invites {
		you := &m.Groups[0]
		you.Items = slices.DeleteFunc(you.Items, func(x MenuItem) bool { return x.Path == paths.Invites })
	}
	return m, nil
}

// AdminMenu returns the menu of the administration, with the items that the reader can open.
func AdminMenu(c *page.Context) Menu {
	var open []MenuGroup
	for _, g := range AdminItems() {
		g.Items = slices.DeleteFunc(g.Items, func(x MenuItem) bool { return x.Needs != 0 && !c.MayAny(x.Needs) })
		if len(g.Items) > 0 {
			open = append(open, g)
		}
	}
	return Menu{Name: c.Tr("Administration"), Search: c.Tr("Search administration"), All: c.Tr("All administration pages"), Root: paths.Admin, Groups: translateItems(c, open)}
}

// ShowSettingsMenu shows the menu of the settings, or the results of a search in it.
func ShowSettingsMenu(c *page.Context) error {
	m, err := settingsMenu(c, "")
	if err != nil {
		return err
	}
	return m.Show(c)
}

// maxMenuQuery is the maximum length of a search in characters.
const maxMenuQuery = 100

// Show shows the menu as a page, or the results of a search in it.
func (m Menu) Show(c *page.Context) error {
	m.Query = strings.TrimSpace(c.Request.URL.Query().Get("q"))
	if r := []rune(m.Query); len(r) > maxMenuQuery {
		m.Query = string(r[:maxMenuQuery])
	}
	if m.Query != "" {
		m.Groups = matchingItems(m.Groups, m.Query)
	}
	return c.Render(http.StatusOK, page.Page{Title: m.Name, Here: m.Root, Wide: true, Body: menuView(m, nil)})
}

// ShowBody shows a page next to the menu. here is the path of its item.
func (m Menu) ShowBody(c *page.Context, code int, title, here string, body templ.Component) error {
	m.Title, m.Here = title, here
	return c.Render(code, page.Page{Title: title, Here: m.Root, Wide: true, Body: menuView(m, body)})
}

// OpenLinks returns the links to pages of the administration that the reader can open.
func OpenLinks(c *page.Context, links []Link) (out []Link) {
	items := allItems(AdminItems())
	for _, l := range links {
		i := slices.IndexFunc(items, func(x MenuItem) bool { return x.Path == l.Path })
		if i < 0 || c.MayAny(items[i].Needs) {
			out = append(out, l)
		}
	}
	return out
}
