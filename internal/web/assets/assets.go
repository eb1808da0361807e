// Package assets has the style sheets, scripts and pictures of the pages. They are embedded in the
// program. Each is served at a path that contains a hash of its content, so that browsers can cache
// it forever and servers of two versions can run side by side.
package assets

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

//go:embed *.svg *.ico *.png *.js css/*.css js/*.js brotli/*.br
var files embed.FS

// Prefix begins the path of every asset.
const Prefix = "/assets/"

// File is a file that is served to browsers.
type File struct {
	Type string // media type
	Body []byte

	gzipped []byte // nil if compression doesn't make the body shorter
	brotli  []byte // made by tools/brotli, which takes too long for a start; nil if it is missing
}

// newFile compresses a file once, at the best level, because it is served many times.
func newFile(name string, body []byte) File {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is valid
	_, _ = z.Write(body)                                  // writing to a buffer can't fail
	_ = z.Close()
	f := File{Type: typeOf(name), Body: body}
	if b.Len() < len(body)*9/10 {
		f.gzipped = b.Bytes()
	}
	return f
}

// bundle has the files as they are served.
type bundle struct {
	files    map[string]File                         // by path
	paths    map[string]string                       // by name
	icons    map[string]string                       // addresses in the sprite, by icon name
	drawn    map[string]templ.Component              // by icon name
	mirrored map[string]templ.Component              // icons that are mirrored in right-to-left languages
	words    map[string]func() (path string, f File) // texts of the script, by language code
}

// imported matches a file that the script loads when it is needed: '@name.js' or '@name.css'. The
// bundle replaces it with the file's path.
var imported = regexp.MustCompile(`'@[a-z]+\.(js|css)'`)

// load builds the bundle on first use.
var load = sync.OnceValue(func() *bundle {
	b := &bundle{files: map[string]File{}, paths: map[string]string{}, icons: map[string]string{}, drawn: map[string]templ.Component{}, mirrored: map[string]templ.Component{},
		words: map[string]func() (string, File){}}
	sprite := Read("icons.svg")
	b.add("icons.svg", logoWith(sprite))
	for i, rest := range strings.Split(string(sprite), `<symbol id="`) {
		if name, _, found := strings.Cut(rest, `"`); i > 0 && found {
			b.icons[name] = b.paths["icons.svg"] + "#" + name
			use := `aria-hidden="true"><use href="` + b.icons[name] + `"/></svg>`
			b.drawn[name], b.mirrored[name] = templ.Raw(`<svg class="i" `+use), templ.Raw(`<svg class="i flip" `+use)
		}
	}
	var style strings.Builder
	for _, name := range List("css") {
		css := minifyCSS(string(Read("css/" + name)))
		if name[0] > '9' { // sheets without a number are for some pages only
			b.add(name, []byte(css))
			continue
		}
		style.WriteString(css)
	}
	b.add("style.css", []byte(style.String()))
	var script, modules strings.Builder
	for _, name := range List("js") {
		js := MinifyJS(string(Read("js/" + name)))
		if name[0] > '9' { // modules without a number are loaded when they are needed
			b.add(name, []byte(js))
			modules.WriteString(js)
			continue
		}
		script.WriteString(js)
	}
	b.add("script.js", []byte(imported.ReplaceAllStringFunc(script.String(), func(quoted string) string {
		name := strings.Trim(quoted, "'@")
		if b.paths[name] == "" {
			panic("assets: the script imports " + quoted)
		}
		return "'" + b.paths[name] + "'"
	})))
	for _, l := range locale.Languages()[1:] {
		b.words[l.Code] = sync.OnceValues(func() (string, File) {
			body := wordsOf(script.String()+modules.String(), l)
			return hashed("words-"+l.Code+".js", body), newFile(".js", body)
		})
	}
	for _, name := range []string{"app-192.png", "app-512.png", "app-mask-512.png", "badge.png"} {
		b.add(name, Read(name))
	}
	return b
})

func (b *bundle) add(name string, body []byte) {
	p := hashed(name, body)
	f := newFile(name, body)
	f.brotli, _ = files.ReadFile("brotli/" + BrotliName(p)) // missing while an asset is being changed
	b.files[p] = f
	b.paths[name] = p
}

// hashed returns the path of a file.
func hashed(name string, body []byte) string {
	sum := sha256.Sum256(body)
	return Prefix + hex.EncodeToString(sum[:6]) + "/" + name
}

// logoWith adds the icons of the sprite to the logo, so that both are one request. The logo looks
// the same, because icons are only shown where their ids are used.
func logoWith(sprite []byte) []byte {
	logo := strings.TrimSpace(string(Read("logo.svg")))
	_, symbols, _ := strings.Cut(string(sprite), ">")
	return []byte(strings.TrimSuffix(logo, "</svg>") + strings.TrimSpace(symbols) + "\n")
}

// List returns the names of the embedded files in a directory, sorted. It panics if the directory
// doesn't exist.
func List(dir string) []string {
	entries, err := files.ReadDir(dir)
	if err != nil {
		panic("assets: " + err.Error())
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}

// Read returns the content of an embedded file. It panics if the file doesn't exist.
func Read(name string) []byte {
	body, err := files.ReadFile(name)
	if err != nil {
		panic("assets: " + err.Error())
	}
	return body
}

// Path returns the path of an asset. It panics if the asset doesn't exist.
func Path(name string) string {
	p, ok := load().paths[name]
	if !ok {
		panic("assets: no file " + strconv.Quote(name))
	}
	return p
}

// IconAddress returns the address of an icon in the sprite. It panics if the icon doesn't exist.
func IconAddress(name string) string {
	p, ok := load().icons[name]
	if !ok {
		panic("assets: no icon " + strconv.Quote(name))
	}
	return p
}

// Icon returns an icon as HTML, optionally mirrored in right-to-left languages. Screen readers skip
// it. It panics if the icon doesn't exist.
func Icon(name string, mirrored bool) templ.Component {
	all := load().drawn
	if mirrored {
		all = load().mirrored
	}
	icon, ok := all[name]
	if !ok {
		panic("assets: no icon " + strconv.Quote(name))
	}
	return icon
}

// Words returns the path of the script's texts in a language. It is "" for English, which needs no
// file. The file is made on first use.
func Words(l *locale.Language) string {
	made, ok := load().words[l.Code]
	if !ok {
		return ""
	}
	p, _ := made()
	return p
}

// Find returns the asset at a path.
func Find(p string) (File, bool) {
	if f, ok := load().files[p]; ok {
		return f, true
	}
	code, ok := strings.CutPrefix(path.Base(p), "words-")
	if !ok {
		return File{}, false
	}
	made, known := load().words[strings.TrimSuffix(code, ".js")]
	if !known {
		return File{}, false
	}
	at, f := made()
	return f, at == p
}

// Texts returns the files that are sent compressed, by path. It leaves out the texts of the script,
// because each translation changes them.
func Texts() map[string][]byte {
	texts := map[string][]byte{}
	for p, f := range load().files {
		if f.gzipped != nil {
			texts[p] = f.Body
		}
	}
	return texts
}

// BrotliName returns the name of the Brotli version of the file at a path, in the directory brotli.
// The name contains the hash of the file, so an outdated version is never sent.
func BrotliName(p string) string {
	return strings.ReplaceAll(strings.TrimPrefix(p, Prefix), "/", "-") + ".br"
}

// ServeHTTP sends the file, compressed if the client accepts it. Caches may store it forever.
func (f File) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", f.Type)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	body := f.Body
	if f.gzipped != nil {
		h.Set("Vary", "Accept-Encoding")
		switch {
		case f.brotli != nil && accepts(r, "br"):
			h.Set("Content-Encoding", "br")
			body = f.brotli
		case accepts(r, "gzip"):
			h.Set("Content-Encoding", "gzip")
			body = f.gzipped
		}
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // the client may have disconnected
	}
}

// accepts reports whether a client accepts a content coding (RFC 9110 section 12.5.3).
func accepts(r *http.Request, coding string) bool {
	for _, encoding := range strings.Split(r.Header.Get("Accept-Encoding"), ",") {
		name, weight, _ := strings.Cut(encoding, ";")
		if strings.EqualFold(strings.TrimSpace(name), coding) {
			q, ok := strings.CutPrefix(strings.ReplaceAll(weight, " ", ""), "q=")
			v, err := strconv.ParseFloat(q, 64)
			return !ok || err == nil && v > 0
		}
	}
	return false
}

// scriptText matches the texts of the script: tr('…'), and trn('…', '…') of a number.
var scriptText = regexp.MustCompile(`\btrn?\('((?:[^'\\]|\\.)*)'(?:, '((?:[^'\\]|\\.)*)')?`)

// wordsOf returns a script with the texts of another script in a language. A text about a number
// has one form per category of Intl.PluralRules, with %s in place of the number.
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
		panic("assets: " + err.Error()) // strings can always be encoded
	}
	return []byte("globalThis.words=" + string(b) + "\n")
}

// minifyCSS removes comments and indentation. Strings in our style sheets contain neither.
func minifyCSS(css string) string {
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

// MinifyJS removes indentation and comment lines. The script must not contain multi-line strings.
func MinifyJS(js string) string {
	var b strings.Builder
	for line := range strings.Lines(js) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			b.WriteString(line)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// typeOf returns the media type of a file. For our own types it does not depend on the machine.
func typeOf(name string) string {
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
