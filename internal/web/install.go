package web

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strings"
	"sync"

	"linnet/internal/web/assets"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// touchIcon serves the home screen icon from the path that iOS expects.
func touchIcon(c *page.Context) error {
	about, err := c.Instance()
	if err == nil && about.Icon.Name != "" {
		return c.Redirect(paths.File(about.Icon.Name))
	}
	page.ServeAsset(c.Writer, c.Request, assets.File{Type: "image/png", Body: assets.Read("touch-180.png")})
	return nil
}

// offline serves the page that the service worker shows without a connection. It is the same for
// all users, because it is cached.
func offline(c *page.Context) error {
	c.Me, c.Shared = nil, true
	return c.Render(http.StatusOK, page.Page{Title: c.Tr("No connection"), Bare: true, Body: page.OfflineView()})
}

type manifestIcon struct {
	Src     string `json:"src"`
	Sizes   string `json:"sizes"`
	Type    string `json:"type,omitempty"`
	Purpose string `json:"purpose,omitempty"`
}

// appManifest is the web app manifest. https://www.w3.org/TR/appmanifest/
type appManifest struct {
	ID         string         `json:"id"`
	Name       string         `json:"name"`
	ShortName  string         `json:"short_name"`
	Start      string         `json:"start_url"`
	Scope      string         `json:"scope"`
	Display    string         `json:"display"`
	Background string         `json:"background_color"`
	Theme      string         `json:"theme_color"`
	Icons      []manifestIcon `json:"icons"`
	Shortcuts  []appShortcut  `json:"shortcuts"`
	Share      shareTarget    `json:"share_target"`
}

// shareTarget is the page to which other apps share texts and links. It only fills in the composer.
// https://w3c.github.io/web-share-target/
type shareTarget struct {
	Action string            `json:"action"`
	Method string            `json:"method"`
	Params map[string]string `json:"params"`
}

type appShortcut struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

func manifest(c *page.Context) error {
	if err := page.LoadSurroundings(c, false); err != nil {
		return err
	}
	png := func(name, sizes, purpose string) manifestIcon {
		return manifestIcon{assets.Path(name), sizes, "image/png", purpose}
	}
	icons := []manifestIcon{png("app-192.png", "192x192", ""), png("app-512.png", "512x512", ""), png("app-mask-512.png", "512x512", "maskable"),
		{assets.Path("icons.svg"), "any", "image/svg+xml", ""}}
	if logo := c.Logo(); c.About.Icon.Name != "" {
		icons = []manifestIcon{{Src: logo, Sizes: "512x512"}}
	}
	const paper = "#f7f3ed" // background colour from 1-base.css
	b, err := json.Marshal(appManifest{ID: "/", Name: c.ServerName, ShortName: c.ServerName, Start: "/", Scope: "/", Display: "standalone", Background: paper, Theme: paper,
		Icons:     icons,
		Shortcuts: []appShortcut{{c.Tr("New post"), "/compose"}, {c.Tr("Notifications"), "/notifications"}, {c.Tr("Messages"), "/messages"}},
		Share:     shareTarget{"/share", "GET", map[string]string{"title": "title", "text": "text", "url": "url"}}})
	if err != nil {
		return err
	}
	c.Writer.Header().Add("Vary", "Accept-Language")
	return sendText(c, "application/manifest+json", string(b))
}

// workerText returns the service worker, with the addresses of the files it caches. It changes with
// them, so that browsers fetch them again.
var workerText = sync.OnceValue(func() string {
	script := assets.MinifyJS(string(assets.Read("sw.js")))
	names := []string{"$OFFLINE", paths.Offline, "$STYLE", assets.Path("style.css"), "$ICONS", assets.Path("icons.svg"), "$BADGE", assets.Path("badge.png"), "$SWITCH", paths.SwitchAccount}
	sum := sha256.Sum256([]byte(strings.Join(names, " ") + script))
	return strings.NewReplacer(append(names, "$VERSION", hex.EncodeToString(sum[:6]))...).Replace(script)
})

func worker(c *page.Context) error { return sendText(c, "text/javascript", workerText()) }
