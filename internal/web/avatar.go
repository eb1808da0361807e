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

// avatarPath is the address of somebody's picture. Who has none has a bird, which
// follows from the login, so that people look alike wherever they go by one name.
func avatarPath(u linnet.UserView) string {
	if u.Avatar != "" {
		return filePath(u.Avatar)
	}
	return avatarPrefix + strings.ToLower(u.Login) + ".svg"
}

// serveAvatar answers a request for a drawn picture, and reports whether it was
// one. It answers for every name, whether there is such a person or not, and so
// tells nothing about who exists.
func serveAvatar(w http.ResponseWriter, r *http.Request) bool {
	name, ok := strings.CutSuffix(strings.TrimPrefix(r.URL.Path, avatarPrefix), ".svg")
	if !ok || !text.ValidLogin(name) || r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	serveAsset(w, r, assets.File{Type: "image/svg+xml", Body: bird.New(name).SVG()})
	return true
}
