package web_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"linnet/internal/linnet"
	"linnet/internal/web"
	"linnet/internal/web/form"
)

// belongs reports whether a path belongs to a section.
func belongs(p form.MenuItem, path string) bool {
	return path == p.Path || slices.ContainsFunc(append([]string{p.Path}, p.Below...), func(of string) bool {
		return path == of || strings.HasPrefix(path, of+"/")
	})
}

// everyPageIsInTheMenu checks that every page of settings and administration belongs to a listed
// section. Pages without a parameter in their path must be sections themselves.
func everyPageIsInTheMenu(t *testing.T) {
	below := []string{"/settings/filters/new", "/settings/export/archive", "/settings/two-factor/qr.png"}
	for root, all := range map[string][]form.MenuItem{"/settings": allItems(form.SettingsItems()), "/admin": allItems(form.AdminItems())} {
		for _, rt := range web.Routes() {
			path := rt.Pattern
			if path == root || path == root+"/{$}" || !strings.HasPrefix(path, root+"/") {
				continue
			}
			itself := slices.ContainsFunc(all, func(p form.MenuItem) bool { return p.Path == path })
			if !slices.ContainsFunc(all, func(p form.MenuItem) bool { return belongs(p, path) }) {
				t.Errorf("%s belongs to no section of %s", path, root)
			}
			if rt.Get && !itself && !strings.Contains(path, "{") && !slices.Contains(below, path) {
				t.Errorf("%s is no section of %s", path, root)
			}
		}
		for _, p := range all {
			if p.Text == "" || p.About == "" || root == "/admin" && p.Needs == 0 {
				t.Errorf("%s lacks a text, a line about it, or who may open it", p.Path)
			}
		}
	}
	w := newWorld(t, loopbackURL)
	w.user("ann")
	w.role("ann", linnet.Admin)
	b := w.browser().logIn("ann")
	for root, all := range map[string][]form.MenuItem{"/settings": allItems(form.SettingsItems()), "/admin": allItems(form.AdminItems())} {
		list := b.get(root).body
		for _, p := range all {
			if p.Path == "/settings/invites" {
				continue // staff manage invitations in the administration
			}
			if !strings.Contains(list, `href="`+p.Path+`"`) {
				t.Errorf("%s does not lead to %s", root, p.Path)
			}
			want(t, b.get(p.Path), http.StatusOK, `href="`+p.Path+`" aria-current="page"`, `href="`+root+`" aria-label="All `)
		}
	}
}

// settable returns the ids of the settings on a page.
func settable(t *testing.T, body string) map[string]bool {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && slices.Contains([]string{"input", "select", "textarea", "fieldset"}, n.Data) && strings.HasPrefix(attribute(n, "id"), "f-") {
			ids[attribute(n, "id")] = true
		}
	}
	return ids
}

// everySettingIsFound checks that the search finds every setting by its name and links to it.
func everySettingIsFound(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.open()
	w.user("ann")
	w.role("ann", linnet.Admin)
	b := w.browser().logIn("ann")
	of := func(id string) string { // repeated inputs are listed once
		if strings.HasPrefix(id, "f-name") || strings.HasPrefix(id, "f-value") {
			return strings.Replace(strings.TrimRight(id, "1234"), "f-value", "f-name", 1)
		}
		return id
	}
	for root, all := range map[string][]form.MenuItem{"/settings": allItems(form.SettingsItems()), "/admin": allItems(form.AdminItems())} {
		for _, p := range all {
			body := b.get(p.Path).body
			known := map[string]bool{}
			for _, s := range p.Settings {
				known[s.ID], known[of(s.ID)] = true, true
				if hits := b.get(root + "?q=" + url.QueryEscape(s.Text)).body; p.Path != "/settings/invites" && !strings.Contains(hits, `href="`+p.Path+"#"+s.ID+`"`) {
					t.Errorf("%q does not find %s#%s", s.Text, p.Path, s.ID)
				}
				// This world has no mail server and no passkeys.
				if p.Path != "/settings/email" && p.Path != "/settings/invites" && s.ID != "passkeys" && !strings.Contains(body, `id="`+s.ID+`"`) {
					t.Errorf("%s has no %s", p.Path, s.ID)
				}
			}
			for id := range settable(t, body) {
				if !known[id] && !known[of(id)] && !strings.HasPrefix(id, "f-may-") {
					t.Errorf("%s#%s is not found: a row in its settings", p.Path, id)
				}
			}
		}
	}
}

// menuIsSearched checks that the search covers names, descriptions and synonyms, and shows a
// message without matches. Admin results are limited to the viewer's permissions.
func menuIsSearched(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	w.user("una")
	w.helper("una", linnet.ManageReports)
	b := w.browser().logIn("una")
	for q, leads := range map[string]string{"password": "/settings/security", "DARK mode": "/settings/appearance#f-theme", "e-mail": "/settings/email", "email address": "/settings/email",
		"2fa": "/settings/two-factor", "nickname": "/settings/profile#f-display_name", "words hidden": "/settings/filters", "appearance theme": "/settings/appearance"} {
		want(t, b.get("/settings?q="+url.QueryEscape(q)), http.StatusOK, `href="`+leads+`"`, " found.", `value="`+q+`"`)
	}
	a := b.get("/settings?q=" + url.QueryEscape("<i>xyzzy"))
	want(t, a, http.StatusOK, "Nothing matches “<bdi>&lt;i&gt;xyzzy</bdi>”", `href="/settings">All settings`)
	if strings.Contains(a.body, "/settings/security") {
		t.Error("what does not match is listed")
	}
	want(t, b.get("/admin?q=complaints"), http.StatusOK, "href=\"/admin/reports\"")
	want(t, b.get("/admin?q=backup"), http.StatusOK, "Nothing matches")
	member := w.browser().logIn("ann")
	want(t, member.get("/admin?q=backup"), http.StatusNotFound)
}

// allItems returns the sections of all groups.
func allItems(groups []form.MenuGroup) (all []form.MenuItem) {
	for _, g := range groups {
		all = append(all, g.Items...)
	}
	return all
}
