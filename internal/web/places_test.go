package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"linnet/internal/linnet"
)

// within reports whether a path is that of a place, or of what belongs to it.
func (p place) within(path string) bool {
	return path == p.Path || slices.ContainsFunc(append([]string{p.Path}, p.Below...), func(of string) bool {
		return path == of || strings.HasPrefix(path, of+"/")
	})
}

// Every page of settings and of the administration is a section of the list, or belongs to one
// that is; what people open without an id or a name in its address is a section itself.
func everyPageIsListed(t *testing.T) {
	below := []string{filtersPath + "/new", exportPath + "/archive", twoFactorPath + "/qr.png"}
	for root, groups := range map[string][]placeGroup{settingsRoot: settingsPlaces(), adminPath: adminPlaces()} {
		all := inOneRow(groups)
		for _, rt := range routes() {
			path := rt.pattern
			if path == root || path == root+"/{$}" || !strings.HasPrefix(path, root+"/") {
				continue
			}
			itself := slices.ContainsFunc(all, func(p place) bool { return p.Path == path })
			if !slices.ContainsFunc(all, func(p place) bool { return p.within(path) }) {
				t.Errorf("%s belongs to no section of %s", path, root)
			}
			if rt.get != nil && !itself && !strings.Contains(path, "{") && !slices.Contains(below, path) {
				t.Errorf("%s is no section of %s", path, root)
			}
		}
		for _, p := range all {
			if p.Text == "" || p.About == "" || root == adminPath && p.needs == 0 {
				t.Errorf("%s lacks a text, a line about it, or who may open it", p.Path)
			}
		}
	}
	w := newWorld(t, loopbackURL)
	w.user("ann")
	w.role("ann", linnet.Admin)
	b := w.browser().logIn("ann")
	for root, groups := range map[string][]placeGroup{settingsRoot: settingsPlaces(), adminPath: adminPlaces()} {
		list := b.get(root).body
		for _, p := range inOneRow(groups) {
			if p.Path == ownInvitesPath {
				continue // staff have a section of the administration for it
			}
			if !strings.Contains(list, `href="`+p.Path+`"`) {
				t.Errorf("%s does not lead to %s", root, p.Path)
			}
			want(t, b.get(p.Path), http.StatusOK, `href="`+p.Path+`" aria-current="page"`, `href="`+root+`" aria-label="All of `)
		}
	}
}

// settable are the ids of what can be set on a page.
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

// Every single setting is found by its name, and leads to where it is set.
func everySettingIsFound(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.open()
	w.user("ann")
	w.role("ann", linnet.Admin)
	b := w.browser().logIn("ann")
	of := func(id string) string { // what is there several times is found once
		if strings.HasPrefix(id, "f-name") || strings.HasPrefix(id, "f-value") {
			return strings.Replace(strings.TrimRight(id, "1234"), "f-value", "f-name", 1)
		}
		return id
	}
	for root, groups := range map[string][]placeGroup{settingsRoot: settingsPlaces(), adminPath: adminPlaces()} {
		for _, p := range inOneRow(groups) {
			body := b.get(p.Path).body
			known := map[string]bool{}
			for _, s := range p.Settings {
				known[s.ID], known[of(s.ID)] = true, true
				if hits := b.get(root + "?q=" + url.QueryEscape(s.Text)).body; p.Path != ownInvitesPath && !strings.Contains(hits, `href="`+p.Path+"#"+s.ID+`"`) {
					t.Errorf("%q does not find %s#%s", s.Text, p.Path, s.ID)
				}
				// What mails and passkeys need is not there in this world.
				if p.Path != emailPath && p.Path != ownInvitesPath && s.ID != "passkeys" && !strings.Contains(body, `id="`+s.ID+`"`) {
					t.Errorf("%s has no %s", p.Path, s.ID)
				}
			}
			for id := range settable(t, body) {
				if !known[id] && !known[of(id)] && !strings.HasPrefix(id, "f-"+mayField) {
					t.Errorf("%s#%s is not found: a row in its settings", p.Path, id)
				}
			}
		}
	}
}

// The search takes names, descriptions and synonyms, and says when nothing matches; of the
// administration it finds what the reader may open alone.
func placesAreSearched(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	w.user("una")
	w.helper("una", linnet.ManageReports)
	b := w.browser().logIn("una")
	for q, leads := range map[string]string{"password": securityPath, "DARK mode": "/settings/appearance#f-theme", "e-mail": emailPath, "email address": emailPath,
		"2fa": twoFactorPath, "nickname": "/settings/profile#f-display_name", "words hidden": filtersPath, "appearance theme": "/settings/appearance"} {
		want(t, b.get(settingsRoot+"?q="+url.QueryEscape(q)), http.StatusOK, `href="`+leads+`"`, " found.", `value="`+q+`"`)
	}
	a := b.get(settingsRoot + "?q=" + url.QueryEscape("<i>xyzzy"))
	want(t, a, http.StatusOK, "Nothing matches “<bdi>&lt;i&gt;xyzzy</bdi>”", `href="/settings">All of Settings`)
	if strings.Contains(a.body, securityPath) {
		t.Error("what does not match is listed")
	}
	want(t, b.get(adminPath+"?q=complaints"), http.StatusOK, `href="`+reportsPath+`"`)
	want(t, b.get(adminPath+"?q=backup"), http.StatusOK, "Nothing matches")
	member := w.browser().logIn("ann")
	want(t, member.get(adminPath+"?q=backup"), http.StatusNotFound)
}
