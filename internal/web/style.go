package web

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/web/assets"
	"linnet/internal/web/paths"
)

// The custom colours and style sheet of a server. Each is a separate file, because the policy of
// pages forbids inline styles.

func (h *settingsPages) styleRoutes() []route {
	return []route{{pattern: paths.AccentSheet, get: serveAccent}, {pattern: paths.CustomSheet, get: h.ownSheet}}
}

// sheets returns the addresses of the custom style sheets. Pages of staff and log-ins don't use the
// style sheet, so that it can't break them.
func (c *call) sheets() (sheets []string) {
	if c.about == nil {
		return nil
	}
	if a := c.about.Accent; a.Light != "" {
		sheets = append(sheets, paths.AccentSheet+"?v="+strings.ReplaceAll(a.Light+a.Dark, "#", ""))
	}
	if c.about.Style != "" && !strings.HasPrefix(c.r.URL.Path, paths.Admin) && !strings.HasPrefix(c.r.URL.Path, "/login") {
		sheets = append(sheets, paths.CustomSheet+"?v="+c.about.Style)
	}
	return sheets
}

// logo returns the address of the server's icon.
func (c *call) logo() string {
	if c.about != nil && c.about.Icon.Name != "" {
		return paths.File(c.about.Icon.Name)
	}
	return assets.Path("icons.svg")
}

func serveAccent(c *call) error {
	about, err := c.instance()
	if err != nil {
		return err
	}
	return sendSheet(c, accentSheet(about.Accent), strings.ReplaceAll(about.Accent.Light+about.Accent.Dark, "#", ""))
}

func (h *settingsPages) ownSheet(c *call) error {
	about, err := c.instance()
	if err != nil {
		return err
	}
	style, err := h.core.Style(c.r.Context())
	if err != nil {
		return fmt.Errorf("read the style sheet: %w", err)
	}
	return sendSheet(c, style, about.Style)
}

// sendSheet sends a version of a style sheet. Caches can store it forever at an address with the
// version.
func sendSheet(c *call, css, version string) error {
	h := c.w.Header()
	secureHeaders(h, "")
	h.Set("Content-Type", "text/css; charset=utf-8")
	h.Set("Cache-Control", "public, no-cache")
	if version != "" && c.r.URL.Query().Get("v") == version {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	tag := strconv.Quote(version)
	h.Set("ETag", tag)
	if c.r.Header.Get("If-None-Match") == tag {
		c.w.WriteHeader(http.StatusNotModified)
		return nil
	}
	h.Set("Content-Length", strconv.Itoa(len(css)))
	c.w.WriteHeader(http.StatusOK)
	if c.r.Method != http.MethodHead {
		_, _ = c.w.Write([]byte(css)) // the client may have disconnected
	}
	return nil
}

// accentSheet returns the style sheet of an accent: its colours and derived ones, in the form of
// 1-base.css.
func accentSheet(a linnet.Accent) string {
	light, ok := linnet.ParseColour(a.Light)
	dark, too := linnet.ParseColour(a.Dark)
	if !ok || !too {
		return ""
	}
	onLight, _ := linnet.ParseColour(linnet.LightGrounds()[1])
	onDark, _ := linnet.ParseColour(linnet.DarkGrounds()[1])
	var b strings.Builder
	b.WriteString(":root {\n")
	for _, v := range []struct {
		name        string
		light, dark linnet.Colour
	}{{"accent", light, dark}, {"fill", readableUnder(light), readableUnder(dark)}, {"tinge", tingeOf(light, onLight), tingeOf(dark, onDark)}} {
		b.WriteString("--" + v.name + ": var(--L, " + v.light.String() + ") var(--D, " + v.dark.String() + ");\n")
	}
	b.WriteString("}\n")
	return b.String()
}

// readableUnder is a colour, darker by as little as lets white be read on it.
func readableUnder(c linnet.Colour) linnet.Colour {
	white := linnet.Colour{255, 255, 255}
	for share := 0.0; share < 1; share += 0.02 {
		if dark := c.Mix(linnet.Colour{}, share); dark.Contrast(white) >= linnet.MinContrast {
			return dark
		}
	}
	return linnet.Colour{}
}

// tingeOf is a ground with as much of a colour, up to a tenth, as lets that be read on it.
func tingeOf(c, ground linnet.Colour) linnet.Colour {
	for share := 0.1; share > 0; share -= 0.01 {
		if t := ground.Mix(c, share); c.Contrast(t) >= linnet.MinContrast {
			return t
		}
	}
	return ground
}
