package web

import (
	"net/http"
	"strings"

	"linnet/internal/bird"
	"linnet/internal/text"
	"linnet/internal/web/assets"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// serveAvatar serves a generated avatar and reports whether the path is one. It serves any name, so
// it doesn't reveal which users exist.
func serveAvatar(w http.ResponseWriter, r *http.Request) bool {
	name, ok := strings.CutSuffix(strings.TrimPrefix(r.URL.Path, paths.AvatarPrefix), ".svg")
	if !ok || !text.ValidLogin(name) && !text.ValidFeedLogin(name) || r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	page.ServeAsset(w, r, assets.File{Type: "image/svg+xml", Body: bird.New(name).SVG()})
	return true
}
