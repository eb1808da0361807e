package settings

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/web/page"
)

func serveAccent(c *page.Context) error {
	about, err := c.Instance()
	if err != nil {
		return err
	}
	return sendSheet(c, accentSheet(about.Accent), strings.ReplaceAll(about.Accent.Light+about.Accent.Dark, "#", ""))
}

func (h *Pages) ownSheet(c *page.Context) error {
	about, err := c.Instance()
	if err != nil {
		return err
	}
	style, err := h.Core.Style(c.Request.Context())
	if err != nil {
		return fmt.Errorf("read the style sheet: %w", err)
	}
	return sendSheet(c, style, about.Style)
}

// sendSheet sends a version of a style sheet. Caches can store it forever at an address with the
// version.
func sendSheet(c *page.Context, css, version string) error {
	h := c.Writer.Header()
	page.SecureHeaders(h, "")
	h.Set("Content-Type", "text/css; charset=utf-8")
	h.Set("Cache-Control", "public, no-cache")
	if version != "" && c.Request.URL.Query().Get("v") == version {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	tag := strconv.Quote(version)
	h.Set("ETag", tag)
	if c.Request.Header.Get("If-None-Match") == tag {
		c.Writer.WriteHeader(http.StatusNotModified)
		return nil
	}
	h.Set("Content-Length", strconv.Itoa(len(css)))
	c.Writer.WriteHeader(http.StatusOK)
	if c.Request.Method != http.MethodHead {
		_, _ = c.Writer.Write([]byte(css)) // the client may have disconnected
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
	}{{"accent", light, dark}, {"fill", readableBelowWhite(light), readableBelowWhite(dark)}, {"tinge", tintOf(light, onLight), tintOf(dark, onDark)}} {
		b.WriteString("--" + v.name + ": var(--L, " + v.light.String() + ") var(--D, " + v.dark.String() + ");\n")
	}
	b.WriteString("}\n")
	return b.String()
}

// readableBelowWhite darkens a colour by the minimum that makes white text readable on it.
func readableBelowWhite(c linnet.Colour) linnet.Colour {
	white := linnet.Colour{255, 255, 255}
	for share := 0.0; share < 1; share += 0.02 {
		if dark := c.Mix(linnet.Colour{}, share); dark.Contrast(white) >= linnet.MinContrast {
			return dark
		}
	}
	return linnet.Colour{}
}

// tintOf mixes at most a tenth of a colour into a background, such that text in the colour is
// still readable on it.
func tintOf(c, ground linnet.Colour) linnet.Colour {
	for share := 0.1; share > 0; share -= 0.01 {
		if t := ground.Mix(c, share); c.Contrast(t) >= linnet.MinContrast {
			return t
		}
	}
	return ground
}
