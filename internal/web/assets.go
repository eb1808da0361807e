package web

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"mime"
	"net/http"
	"path"
	"strconv"
)

//go:embed assets/*
var assetFiles embed.FS

// assetPrefix begins the path of every file that pages need.
const assetPrefix = "/assets/"

// assets are the files by path. The path holds a hash of the content: a changed
// file has another path, so each may be kept for ever, and servers of two
// versions side by side never hand out the wrong one for a page.
type assets struct {
	byPath map[string]asset
	paths  map[string]string // by file name
}

type asset struct {
	kind string
	body []byte
}

func loadAssets() assets {
	a := assets{byPath: map[string]asset{}, paths: map[string]string{}}
	entries, err := assetFiles.ReadDir("assets")
	if err != nil {
		panic("web: " + err.Error()) // the directory is in the binary
	}
	for _, e := range entries {
		body, err := assetFiles.ReadFile("assets/" + e.Name())
		if err != nil {
			panic("web: " + err.Error())
		}
		sum := sha256.Sum256(body)
		p := assetPrefix + hex.EncodeToString(sum[:6]) + "/" + e.Name()
		a.byPath[p] = asset{kind: mimeOf(e.Name()), body: body}
		a.paths[e.Name()] = p
	}
	return a
}

// mimeOf does not leave the types we have to what the machine has installed.
func mimeOf(name string) string {
	switch path.Ext(name) {
	case ".css":
		return "text/css; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	}
	return mime.TypeByExtension(path.Ext(name))
}

// path returns where a file lies; a name that is none is a fault of a template.
func (a assets) path(name string) string {
	p, ok := a.paths[name]
	if !ok {
		panic("web: no asset " + strconv.Quote(name))
	}
	return p
}

// serve answers a request for a file, and reports whether there was one to give.
func (a assets) serve(w http.ResponseWriter, r *http.Request) bool {
	f, ok := a.byPath[r.URL.Path]
	if !ok || r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	h := w.Header()
	secureHeaders(h, "")
	h.Set("Content-Type", f.kind)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Content-Length", strconv.Itoa(len(f.body)))
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodGet {
		_, _ = w.Write(f.body) // a reader who has gone away is no error
	}
	return true
}
