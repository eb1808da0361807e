package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"mime"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/a-h/templ"

	"linnet/internal/locale"
)

//go:embed assets/*.svg assets/*.ico assets/*.png assets/*.js assets/css/*.css assets/js/*.js
var assetFiles embed.FS

// assetPrefix begins the path of every file that pages need.
const assetPrefix = "/assets/"

// assets are the files by path. The path holds a hash of the content: a changed
// file has another path, so each may be kept for ever, and servers of two
// versions side by side never hand out the wrong one for a page.
type assets struct {
	byPath  map[string]asset
	paths   map[string]string                 // by file name
	icons   map[string]string                 // addresses in the sprite, by the drawing's name
	drawn   map[string]templ.Component        // likewise, as they stand on pages
	flipped map[string]templ.Component        // likewise, mirrored in languages that are written from right to left
	told    map[string]func() (string, asset) // texts of the script by the codes of languages: path and file, see words
}

type asset struct {
	kind    string
	body    []byte
	gzipped []byte // nil if compression does not make it shorter
}

// newAsset compresses a file once and as well as possible, because it is served many times.
func newAsset(name string, body []byte) asset {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is valid
	_, _ = z.Write(body)                                  // a buffer takes everything
	_ = z.Close()
	a := asset{kind: mimeOf(name), body: body}
	if b.Len() < len(body)*9/10 {
		a.gzipped = b.Bytes()
	}
	return a
}

// sheetOf is the style sheet that the pages of a place need beside the one of all; "" for none.
func sheetOf(place string) string {
	switch place {
	case messagesPath:
		return "talk.css"
	case noticesPath:
		return "notices.css"
	case settingsRoot, adminPath:
		return "panes.css"
	}
	return ""
}

// design are the files, put together once.
var design = sync.OnceValue(loadAssets)

func loadAssets() assets {
	a := assets{byPath: map[string]asset{}, paths: map[string]string{}, icons: map[string]string{}, drawn: map[string]templ.Component{}, flipped: map[string]templ.Component{}, told: map[string]func() (string, asset){}}
	sprite := readAsset("assets/icons.svg")
	a.add("icons.svg", logoWith(sprite))
	for i, rest := range strings.Split(string(sprite), `<symbol id="`) {
		if name, _, found := strings.Cut(rest, `"`); i > 0 && found {
			a.icons[name] = a.path("icons.svg") + "#" + name
			use := `aria-hidden="true"><use href="` + a.icons[name] + `"/></svg>`
			a.drawn[name], a.flipped[name] = markup(`<svg class="i" `+use), markup(`<svg class="i flip" `+use)
		}
	}
	var style strings.Builder
	for _, name := range filesIn("assets/css") {
		css := slimCSS(string(readAsset("assets/css/" + name)))
		if name[0] > '9' { // those that have no number are sheets of some pages
			a.add(name, []byte(css))
			continue
		}
		style.WriteString(css)
	}
	a.add("style.css", []byte(style.String()))
	var script strings.Builder
	for _, name := range filesIn("assets/js") {
		script.WriteString(slimJS(string(readAsset("assets/js/" + name))))
	}
	a.add("script.js", []byte(script.String()))
	for _, l := range locale.Languages()[1:] {
		a.told[l.Code] = sync.OnceValues(func() (string, asset) {
			body := wordsOf(script.String(), l)
			return hashed("words-"+l.Code+".js", body), newAsset(".js", body)
		})
	}
	for _, name := range []string{"app-192.png", "app-512.png", "app-mask-512.png", "badge.png"} {
		a.add(name, readAsset("assets/"+name))
	}
	return a
}

// logoWith puts the sprite's drawings into the logo, which looks the same with
// them: they are shown only where they are named. So both are one request.
func logoWith(sprite []byte) []byte {
	logo := strings.TrimSpace(string(readAsset("assets/logo.svg")))
	_, symbols, _ := strings.Cut(string(sprite), ">")
	return []byte(strings.TrimSuffix(logo, "</svg>") + strings.TrimSpace(symbols) + "\n")
}

// filesIn lists the files of an embedded directory by name.
func filesIn(dir string) []string {
	entries, err := assetFiles.ReadDir(dir)
	if err != nil {
		panic("web: " + err.Error()) // the directory is in the binary
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}

func readAsset(name string) []byte {
	body, err := assetFiles.ReadFile(name)
	if err != nil {
		panic("web: " + err.Error())
	}
	return body
}

func (a assets) add(name string, body []byte) {
	p := hashed(name, body)
	a.byPath[p] = newAsset(name, body)
	a.paths[name] = p
}

// hashed is the path of a file.
func hashed(name string, body []byte) string {
	sum := sha256.Sum256(body)
	return assetPrefix + hex.EncodeToString(sum[:6]) + "/" + name
}

// The script says its texts in English; for another language a page has a file of their
// translations before it. They are made when the language is first used.

// words is the path of a language's file, "" for English, which needs none.
func (a assets) words(l *locale.Language) string {
	made, ok := a.told[l.Code]
	if !ok {
		return ""
	}
	at, _ := made()
	return at
}

// wordsAt is the file with the texts of the script at a path.
func (a assets) wordsAt(p string) (asset, bool) {
	code, ok := strings.CutPrefix(path.Base(p), "words-")
	if !ok {
		return asset{}, false
	}
	code, _ = strings.CutSuffix(code, ".js")
	made, known := a.told[code]
	if !known {
		return asset{}, false
	}
	at, file := made()
	return file, at == p
}

// scriptText finds the texts of the script: tr('…'), and trn('…', '…') of a number.
var scriptText = regexp.MustCompile(`\btrn?\('((?:[^'\\]|\\.)*)'(?:, '((?:[^'\\]|\\.)*)')?`)

// wordsOf sets the texts of a script in a language: those about a number by the categories that
// browsers know (Intl.PluralRules), with %s where the number stands.
func wordsOf(script string, l *locale.Language) []byte {
	all := map[string]any{}
	for _, m := range scriptText.FindAllStringSubmatch(script, -1) {
		if !strings.HasPrefix(m[0], "trn") {
			all[m[1]] = l.Text(m[1])
			continue
		}
		forms := map[string]string{}
		for category, n := range map[string]int64{"zero": 0, "one": 1, "two": 2, "few": 3, "many": 11, "other": 100} {
			forms[category] = strings.Replace(l.Count(n, m[1], m[2]), l.Number(n), "%s", 1)
		}
		all[m[1]] = forms
	}
	b, err := json.Marshal(all)
	if err != nil {
		panic("web: " + err.Error()) // texts alone
	}
	return []byte("globalThis.words=" + string(b) + "\n")
}

// slimCSS drops comments and indentation, which browsers do not need. Our sheets
// have neither within strings.
func slimCSS(css string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(css, "/*")
		b.WriteString(before)
		if !found {
			break
		}
		_, css, _ = strings.Cut(rest, "*/")
	}
	lines := strings.Split(b.String(), "\n")
	b.Reset()
	for _, line := range lines {
		if line = strings.TrimSpace(line); line != "" {
			b.WriteString(line)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// slimJS drops indentation and the lines that are comments. Our scripts have no
// texts over several lines, and no comments behind code.
func slimJS(js string) string {
	var b strings.Builder
	for line := range strings.Lines(js) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			b.WriteString(line)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// mimeOf does not leave the types we have to what the machine has installed.
func mimeOf(name string) string {
	switch path.Ext(name) {
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
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

// icon returns the address of a drawing in the sprite; a name that is none is a
// fault of a template.
func (a assets) icon(name string) string {
	p, ok := a.icons[name]
	if !ok {
		panic("web: no icon " + strconv.Quote(name))
	}
	return p
}

// serve answers a request for a file, and reports whether there was one to give.
func (a assets) serve(w http.ResponseWriter, r *http.Request) bool {
	f, ok := a.byPath[r.URL.Path]
	if !ok {
		f, ok = a.wordsAt(r.URL.Path)
	}
	if !ok || r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	serveForever(w, r, f)
	return true
}

// serveForever answers with what its address will never show otherwise.
func serveForever(w http.ResponseWriter, r *http.Request, f asset) {
	h := w.Header()
	secureHeaders(h, "")
	h.Set("Content-Type", f.kind)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	body := f.body
	if f.gzipped != nil {
		h.Set("Vary", "Accept-Encoding")
		if acceptsGzip(r) {
			h.Set("Content-Encoding", "gzip")
			body = f.gzipped
		}
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodGet {
		_, _ = w.Write(body) // a reader who has gone away is no error
	}
}

// acceptsGzip reports whether a client takes gzip (RFC 9110 section 12.5.3).
func acceptsGzip(r *http.Request) bool {
	for _, encoding := range strings.Split(r.Header.Get("Accept-Encoding"), ",") {
		name, weight, _ := strings.Cut(encoding, ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			q, ok := strings.CutPrefix(strings.ReplaceAll(weight, " ", ""), "q=")
			v, err := strconv.ParseFloat(q, 64)
			return !ok || err == nil && v > 0
		}
	}
	return false
}
