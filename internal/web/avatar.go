package web

import (
	"net/http"
	"strings"

	"linnet/internal/bird"
	"linnet/internal/linnet"
	"linnet/internal/text"
	"linnet/internal/web/assets"
)

// avatarPrefix begins the path of the drawn pictures of people.
const avatarPrefix = "/faces/"

// avatarPath returns the address of a user's avatar. Users without one have a bird that depends on
// the login, so that a user looks the same on all servers.
func avatarPath(u linnet.UserView) string {
	if u.Avatar != "" {
		return filePath(u.Avatar)
	}
	return avatarPrefix + strings.ToLower(u.Login) + ".svg"
}

// serveAvatar serves a generated avatar and reports whether the path is one. It serves any name, so
// it doesn't reveal which users exist.
func serveAvatar(w http.ResponseWriter, r *http.Request) bool {
	name, ok := strings.CutSuffix(strings.TrimPrefix(r.URL.Path, avatarPrefix), ".svg")
	if !ok || !text.ValidLogin(name) || r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	serveAsset(w, r, assets.File{Type: "image/svg+xml", Body: bird.New(name).SVG()})
	return true
}
