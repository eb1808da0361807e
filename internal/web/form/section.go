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
	"linnet/internal/web/ui"
)

// Place is a section of the settings or the administration, as an entry of the list of sections.
// The list is next to the open section, or a separate page on narrow screens.
type Place struct {
	Path, Icon, Text string
	About            string            // one-line description
	Words            string            // other words that find the section
	Settings         []setting         // settings in the section
	Below            []string          // path prefixes of further pages of the section
	Needs            linnet.Permission // one of these permissions; 0 for none
}

// setting is an input of a section, which the search finds.
type setting struct {
	ID, Text, Words string // ID is the fragment of its address
}

// PlaceGroup has the sections below a heading; "" for none.
type PlaceGroup struct {
	Title  string
	Places []Place
}

// PlacesPage is a page with the list of sections.
type PlacesPage struct {
	Name, Root  string
	Search, All string // label of the search, and text of the link to the whole list
	Groups      []PlaceGroup
	Here        string // path of the open section; "" for none
	Beside      bool   // the section is shown only if there is room next to the list
	Query       string // search query
	Title       string // of the section
}

// classes returns the classes for the layout of the list and the section.
func (p PlacesPage) classes() string {
	switch {
	case p.Here == "":
		return "panes alone"
	case p.Beside:
		return "panes"
	}
	return "panes single"
}

// allPlaces returns the sections of all groups.
func allPlaces(groups []PlaceGroup) (all []Place) {
	for _, g := range groups {
		all = append(all, g.Places...)
	}
	return all
}

// allowedPlaces returns the sections that the reader can open.
func allowedPlaces(c *page.Context, groups []PlaceGroup) (out []PlaceGroup) {
	for _, g := range groups {
		g.Places = slices.DeleteFunc(slices.Clone(g.Places), func(p Place) bool { return p.Needs != 0 && !c.MayAny(p.Needs) })
		if len(g.Places) > 0 {
			out = append(out, g)
		}
	}
	return out
}

// translatePlaces translates the names of sections. Their English search words remain.
func translatePlaces(c *page.Context, groups []PlaceGroup) []PlaceGroup {
	if c.Lang() == locale.English() {
		return groups
	}
	for i := range groups {
		g := &groups[i]
		g.Title = c.Tr(g.Title)
		for j := range g.Places {
			p := &g.Places[j]
			p.Words += " " + p.Text
			p.Text, p.About = c.Tr(p.Text), c.Tr(p.About)
			for k := range p.Settings {
				s := &p.Settings[k]
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

// containsAll reports whether a text contains each word.
func containsAll(text string, words []string) bool {
	text = plainText(text)
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}

// matchingPlaces returns the sections that match a search by themselves or by a setting, with only
// the settings that match.
func matchingPlaces(groups []PlaceGroup, query string) (out []PlaceGroup) {
	words := strings.Fields(plainText(query))
	for _, g := range groups {
		hits := PlaceGroup{Title: g.Title}
		for _, p := range g.Places {
			itself, settings := containsAll(p.Text+" "+p.About+" "+p.Words, words), p.Settings
			p.Settings = nil
			for _, s := range settings {
				if containsAll(s.Text+" "+s.Words, words) || !itself && containsAll(strings.Join([]string{p.Text, p.About, p.Words, s.Text, s.Words}, " "), words) {
					p.Settings = append(p.Settings, s)
				}
			}
			if itself || len(p.Settings) > 0 {
				hits.Places = append(hits.Places, p)
			}
		}
		if len(hits.Places) > 0 {
			out = append(out, hits)
		}
	}
	return out
}

// Also returns the distinct additional words by which the script finds a section.
func (p Place) Also() string {
	var text strings.Builder
	text.WriteString(p.About + " " + p.Words)
	for _, s := range p.Settings {
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

// settingsPlacesFor returns the sections of the settings for the reader.
func settingsPlacesFor(c *page.Context, here string) (PlacesPage, error) {
	about, err := c.Instance()
	if err != nil {
		return PlacesPage{}, err
	}
	p := PlacesPage{Name: c.Tr("Settings"), Search: c.Tr("Search settings"), All: c.Tr("All settings"), Root: paths.Settings, Groups: translatePlaces(c, SettingsPlaces())}
	if about.Invites == 0 && (!c.May(linnet.InviteUsers) || c.May(linnet.ManageInvites)) && here != paths.Invites {
		you := &p.Groups[0]
		you.Places = slices.DeleteFunc(you.Places, func(x Place) bool { return x.Path == paths.Invites })
	}
	return p, nil
}

// AdminPlacesFor returns the sections of the administration that the reader can open.
func AdminPlacesFor(c *page.Context) PlacesPage {
	return PlacesPage{Name: c.Tr("Administration"), Search: c.Tr("Search administration"), All: c.Tr("All administration pages"), Root: paths.Admin, Groups: translatePlaces(c, allowedPlaces(c, AdminPlaces()))}
}

// SettingsList shows the sections of the settings, or the results of a search in them.
func SettingsList(c *page.Context) error {
	p, err := settingsPlacesFor(c, "")
	if err != nil {
		return err
	}
	return ShowPlaces(c, p)
}

// ShowPlaces shows a list of sections, or the results of a search in them.
func ShowPlaces(c *page.Context, p PlacesPage) error {
	p.Query = strings.TrimSpace(c.Request.URL.Query().Get("q"))
	if r := []rune(p.Query); len(r) > maxPlaceQuery {
		p.Query = string(r[:maxPlaceQuery])
	}
	if p.Query != "" {
		p.Groups = matchingPlaces(p.Groups, p.Query)
	}
	return c.Render(http.StatusOK, page.Page{Title: p.Name, Here: p.Root, Wide: true, Body: placesView(p, nil)})
}

// maxPlaceQuery is the maximum length of a search in characters.
const maxPlaceQuery = 100

// ShowPlace shows a section next to the list of sections.
func ShowPlace(c *page.Context, code int, p PlacesPage, title, here string, section templ.Component) error {
	p.Title, p.Here = title, here
	return c.Render(code, page.Page{Title: title, Here: p.Root, Wide: true, Body: placesView(p, section)})
}

// OpenLinks returns the links to pages of the administration that the reader can open.
func OpenLinks(c *page.Context, links []Link) (out []Link) {
	places := allPlaces(AdminPlaces())
	for _, l := range links {
		i := slices.IndexFunc(places, func(p Place) bool { return p.Path == l.Path })
		if i < 0 || c.MayAny(places[i].Needs) {
			out = append(out, l)
		}
	}
	return out
}

// ShowAdmin shows a page of the administration. here is the path of its section.
func ShowAdmin(c *page.Context, code int, title, here string, d Page) error {
	if d.Done == "" && c.Request.URL.Query().Get("done") != "" {
		d.Done = c.Tr("Done. See the audit log for details.")
	}
	return ShowPlace(c, code, AdminPlacesFor(c), title, here, PageView(d))
}

// ShowSettings shows a page of the settings. here is the path of its section.
func ShowSettings(c *page.Context, code int, title, here string, d Page) error {
	if d.Done == "" && c.Request.URL.Query().Get("done") != "" {
		d.Done = c.Tr("Saved.")
	}
	return ShowSettingsBody(c, code, title, here, PageView(d))
}

// ShowSettingsBody is like ShowSettings, for a page with another component.
func ShowSettingsBody(c *page.Context, code int, title, here string, section templ.Component) error {
	p, err := settingsPlacesFor(c, here)
	if err != nil {
		return err
	}
	return ShowPlace(c, code, p, title, here, section)
}

// Saved redirects to a page that confirms that the form was saved.
func Saved(c *page.Context, path string) error { return c.Redirect(ui.WithDone(path, "saved")) }

// AtMostCharacters returns the text about a maximum length.
func AtMostCharacters(c *page.Context, most int64) string {
	return c.Trn(most, "At most %s character.", "At most %s characters.")
}
