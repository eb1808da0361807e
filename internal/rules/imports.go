package rules

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// module is the prefix of the project's import paths.
const module = "linnet/"

// arrows returns the packages of the project that each package may import, by the first two parts
// of their paths. A package without an entry may import none, so each new package needs one.
func arrows() map[string][]string {
	below := append([]string{"internal/linnet", "internal/event", "internal/kv", "internal/record", "internal/store", "internal/store/db", "internal/task", "internal/text", "internal/media", "internal/blob", "internal/search", "internal/outbound", "internal/webpush", "internal/mail", "internal/locale", "internal/wording", "internal/cache"}, stores()...)
	out := map[string][]string{
		"internal/linnet":                      {},
		"internal/event":                       {"internal/linnet"},
		"internal/kv":                          {},
		"internal/task":                        {"internal/kv"},
		"internal/text":                        {},
		"internal/bird":                        {},
		"internal/wording":                     {},
		"internal/locale":                      {"internal/wording"},
		"internal/media":                       {"internal/wording"},
		"internal/blob":                        {},
		"internal/search":                      {"internal/text", "internal/wording"},
		"internal/outbound":                    {},
		"internal/webpush":                     {},
		"internal/syndication":                 {},
		"internal/mail":                        {"internal/wording"},
		"internal/otlp":                        {},
		"internal/mail/mailtest":               {},
		"internal/cli/clitest":                 {"internal/cli"},
		"internal/blob/s3test":                 {},
		"internal/translation/translationtest": {},
		"internal/record":                      {"internal/linnet", "internal/kv"},
		"internal/store":                       append([]string{"internal/linnet", "internal/kv", "internal/record", "internal/store/db"}, stores()...),
		"internal/cache":                       {"internal/linnet"},
		"internal/store/db":                    {"internal/linnet", "internal/kv", "internal/record", "internal/cache"},
		"internal/audit":                       append([]string{"internal/linnet", "internal/kv", "internal/task", "internal/record", "internal/store", "internal/store/db", "internal/search"}, stores()...),
		"internal/app":                         {"*"},
		"internal/admin/backup":                {"internal/kv", "internal/blob"},
		"internal/admin/doctor":                {"internal/admin", "internal/admin/backup", "internal/app", "internal/blob", "internal/core", "internal/kv", "internal/linnet", "internal/mail", "internal/record", "internal/uploads", "internal/wording"},
		"internal/admin":                       slices.Concat([]string{"internal/admin/backup", "internal/linnet", "internal/kv", "internal/record", "internal/store", "internal/store/db", "internal/audit", "internal/task", "internal/app", "internal/blob", "internal/media", "internal/wording"}, stores(), services()),
		"internal/rules":                       {},
		"internal/version":                     {},
		"internal/exit":                        {"internal/kv", "internal/linnet"},
		"internal/config":                      {"internal/admin/backup", "internal/blob", "internal/core", "internal/exit", "internal/kv/rediskv", "internal/mail"},
		"internal/backend":                     slices.Concat([]string{"internal/admin", "internal/app", "internal/blob", "internal/config", "internal/exit", "internal/kv", "internal/kv/diskkv", "internal/kv/fencekv", "internal/kv/rediskv", "internal/kv/watchkv", "internal/linnet", "internal/media", "internal/record", "internal/store", "internal/version"}, stores(), services()),
		"internal/server":                      slices.Concat([]string{"internal/app", "internal/config", "internal/exit", "internal/kv", "internal/kv/diskkv", "internal/kv/fencekv", "internal/kv/rediskv", "internal/kv/watchkv", "internal/linnet", "internal/mastodon", "internal/media", "internal/otlp", "internal/record", "internal/version", "internal/web", "internal/web/paths"}, stores(), services()),
		"internal/cli":                         {"*"},
		"cmd/linnet":                           {"internal/cli"},
	}
	maps.Copy(out, mastodonArrows())
	maps.Copy(out, webArrows())
	for _, dir := range stores() {
		out[dir] = []string{"internal/linnet", "internal/kv", "internal/task", "internal/record", "internal/store/db"}
	}
	for i, dir := range services() {
		out[dir] = slices.Concat(below, services()[:i])
	}
	out["internal/archives/takeout"] = []string{"internal/linnet", "internal/wording"}
	out["internal/archives"] = append(out["internal/archives"], "internal/archives/takeout")
	out["internal/moderation"] = append(out["internal/moderation"], "internal/audit") // which staff can run
	return out
}

// webAreas returns the packages of pages about one thing each. Each may import the earlier ones.
func webAreas() []string {
	return []string{"internal/web/compose", "internal/web/feed", "internal/web/people", "internal/web/auth", "internal/web/group", "internal/web/message", "internal/web/notification", "internal/web/search",
		"internal/web/timeline", "internal/web/ranking", "internal/web/account", "internal/web/settings", "internal/web/instance", "internal/web/admin"}
}

// webArrows returns the packages that each package of the web pages may import.
func webArrows() map[string][]string {
	common := []string{"internal/linnet", "internal/locale", "internal/web/assets", "internal/web/paths", "internal/web/ui"}
	acts := slices.Concat([]string{"internal/text", "internal/media", "internal/wording", "internal/web/page"}, common, services())
	out := map[string][]string{
		"internal/web/assets": {"internal/locale"},
		"internal/web/paths":  {"internal/linnet"},
		"internal/web/ui":     {"internal/linnet", "internal/locale", "internal/web/assets", "internal/web/paths"},
		"internal/web/page":   slices.Concat([]string{"internal/text", "internal/media", "internal/wording"}, common, services()),
		"internal/web/post":   slices.Clone(acts),
		"internal/web/form":   slices.Clone(acts),
		"internal/web":        slices.Concat([]string{"internal/app", "internal/bird", "internal/web/form"}, acts, webAreas(), []string{"internal/web/post"}),
	}
	for i, dir := range webAreas() {
		out[dir] = slices.Concat(acts, []string{"internal/web/post", "internal/web/form"}, webAreas()[:i])
	}
	out["internal/web/feed"] = append(out["internal/web/feed"], "internal/syndication")
	return out
}

// mastodonArrows returns the packages that each package of the client API may import.
func mastodonArrows() map[string][]string {
	return map[string][]string{
		"internal/mastodon": slices.Concat([]string{"internal/linnet", "internal/app", "internal/bird", "internal/cache", "internal/media", "internal/text", "internal/mastodon/admin", "internal/mastodon/explore",
			"internal/mastodon/oauth", "internal/mastodon/request", "internal/mastodon/streaming", "internal/mastodon/wire"}, services()),
		"internal/mastodon/admin":     {"internal/mastodon/explore", "internal/mastodon/request", "internal/mastodon/wire", "internal/linnet", "internal/core", "internal/discovery", "internal/moderation", "internal/social", "internal/view", "internal/wording"},
		"internal/mastodon/explore":   {"internal/mastodon/request", "internal/mastodon/wire", "internal/linnet", "internal/discovery", "internal/outsidefeed", "internal/social", "internal/text", "internal/view"},
		"internal/mastodon/oauth":     {"internal/mastodon/request", "internal/mastodon/wire", "internal/linnet", "internal/core", "internal/identity", "internal/notify", "internal/view"},
		"internal/mastodon/request":   {"internal/mastodon/wire", "internal/linnet", "internal/core", "internal/identity", "internal/uploads", "internal/media", "internal/locale"},
		"internal/mastodon/streaming": {"internal/mastodon/request", "internal/mastodon/wire", "internal/linnet", "internal/core", "internal/live", "internal/locale"},
		"internal/mastodon/wire":      {"internal/linnet", "internal/core", "internal/text", "internal/locale"}, // core for the addresses of files
	}
}

// stores returns the packages that store records. None of them imports another.
func stores() []string {
	return []string{"internal/store/accounts", "internal/store/archives", "internal/store/feeds", "internal/store/inbox", "internal/store/instance", "internal/store/relations", "internal/store/sessions",
		"internal/store/staff", "internal/store/statuses"}
}

// services returns the packages that perform acts, lowest first. Each may import the earlier ones
// and their common dependencies.
func services() []string {
	return []string{"internal/core", "internal/mailing", "internal/uploads", "internal/cards", "internal/timeline", "internal/view", "internal/identity", "internal/notify", "internal/social", "internal/reading", "internal/announcing", "internal/translation",
		"internal/posting", "internal/outsidefeed", "internal/archives", "internal/live", "internal/discovery", "internal/moderation"}
}

// engines returns the packages below kv, with the packages that they may import besides the port.
// The last four are for tests.
func engines() map[string][]string {
	return map[string][]string{
		"internal/kv/diskkv":          {"internal/wording", "internal/kv/localbus", "internal/kv/diskkv/feeds", "internal/kv/diskkv/walcheck"},
		"internal/kv/diskkv/feeds":    {},
		"internal/kv/diskkv/walcheck": {},
		"internal/kv/rediskv":         {"internal/wording"},
		"internal/kv/memkv":           {"internal/wording", "internal/kv/localbus"},
		"internal/kv/localbus":        {},
		"internal/kv/watchkv":         {},
		"internal/kv/fencekv":         {},
		"internal/kv/kvtest":          {},
		"internal/kv/faultkv":         {},
		"internal/kv/redistest":       {},
		"internal/kv/disktest":        {},
		"internal/kv/enginetest":      {},
	}
}

// suites returns the packages that programs must not contain.
func suites() []string {
	return []string{"internal/kv/kvtest", "internal/kv/faultkv", "internal/kv/redistest", "internal/kv/disktest", "internal/kv/enginetest", "internal/app/apptest", "internal/blob/s3test", "internal/translation/translationtest", "internal/mail/mailtest", "internal/cli/clitest"}
}

// owners returns the only packages that may import a library.
func owners() map[string][]string {
	return map[string][]string{
		"github.com/redis/rueidis":          {"internal/kv/rediskv"},
		"github.com/redis/go-redis":         {},
		"github.com/cockroachdb/pebble":     {"internal/kv/diskkv", "internal/kv/diskkv/walcheck", "internal/kv/disktest"},
		"github.com/coder/websocket":        {"internal/mastodon/streaming"},
		"github.com/minio/minio-go":         {"internal/blob"},
		"filippo.io/age":                    {"internal/admin/backup"},
		"golang.org/x/term":                 {"internal/cli"},
		"github.com/leonelquinteros/gotext": {"internal/locale"},
		"golang.org/x/crypto/acme":          {"internal/server"},
		"github.com/maypok86/otter":         {"internal/cache"},
		"github.com/klauspost/compress":     {"internal/server", "internal/search", "internal/admin/backup", "internal/otlp"},
		"go.opentelemetry.io/otel":          {"internal/server", "internal/otlp"},
		"github.com/blevesearch/vellum":     {"internal/search"},
		"github.com/RoaringBitmap":          {"internal/search"},
		"github.com/a-h/templ":              append([]string{"internal/web/assets", "internal/web/ui", "internal/web/page", "internal/web/post", "internal/web/form"}, webAreas()...),
		"github.com/go-json-experiment":     {"internal/record"},
		"code.dny.dev/ssrf":                 {"internal/outbound"},
		"html/template":                     {},
		"golang.org/x/net":                  {"internal/config", "internal/web/auth", "internal/cards", "internal/mail", "internal/outsidefeed", "internal/archives/takeout"},
		"github.com/mmcdole/gofeed":         {"internal/outsidefeed"},
		"github.com/wneessen/go-mail":       {"internal/mail"},
		"github.com/go-webauthn":            {"internal/identity"},
		"github.com/mileusna/useragent":     {"internal/identity"},
		"github.com/emersion/go-smtp":       {},
		"flag":                              {"internal/cli"},
		"log":                               {},
		"encoding/json":                     slices.Concat([]string{"internal/media", "internal/otlp", "internal/mastodon/request", "internal/mastodon/streaming", "internal/mastodon/wire", "internal/syndication", "internal/web", "internal/web/account", "internal/web/assets", "internal/web/auth", "internal/web/page", "internal/record", "internal/store", "internal/audit", "internal/task", "internal/app", "internal/admin", "internal/admin/backup", "internal/archives/takeout", "internal/cli", "internal/server"}, services()),
		"database/sql":                      {},
		// Only imported by tests.
		"github.com/microcosm-cc/bluemonday": {},
		"github.com/rogpeppe/go-internal":    {},
		"mvdan.cc/xurls":                     {},
		"willnorris.com/go/microformats":     {},
		"github.com/stretchr/testify":        {},
		"go.uber.org/mock":                   {},
	}
}

// strict returns the libraries that tests of other packages must not import either. They use the
// port, which would otherwise have alternatives.
func strict() []string {
	return []string{"github.com/redis/rueidis", "github.com/redis/go-redis", "github.com/cockroachdb/pebble",
		"database/sql", "github.com/stretchr/testify", "go.uber.org/mock"}
}

// Imports reports forbidden imports. Test files can import all packages of the project, and all
// libraries that are not strict.
func Imports(files []File) []Breach {
	var out []Breach
	for _, f := range files {
		for _, spec := range f.AST.Imports {
			p, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				continue // does not compile
			}
			if text := forbidden(f, p); text != "" {
				out = append(out, f.breach(spec.Pos(), "%s", text))
			}
		}
	}
	return sortBreaches(out)
}

// forbidden returns an error text for an import, or "".
func forbidden(f File, p string) string {
	dir := f.Dir()
	if own, ok := strings.CutPrefix(p, module); ok {
		if f.Test() || mayImport(dir, own) {
			return ""
		}
		return dir + " must not import " + own
	}
	for lib, allowed := range owners() {
		standard := !strings.Contains(lib, ".")
		if p != lib && (standard || !strings.HasPrefix(p, lib+"/")) {
			continue
		}
		if f.Test() && !slices.Contains(strict(), lib) {
			continue
		}
		if !slices.Contains(allowed, dir) && !slices.Contains(suites(), dir) {
			return dir + " must not import " + p + ": " + ownersText(allowed)
		}
	}
	return ""
}

func ownersText(allowed []string) string {
	if len(allowed) == 0 {
		return "nobody does"
	}
	return "only " + strings.Join(allowed, ", ") + " may"
}

func mayImport(dir, own string) bool {
	if also, ok := engines()[dir]; ok {
		return own == "internal/kv" || slices.Contains(also, own) || slices.Contains(suites(), dir) && strings.HasPrefix(own, "internal/kv/")
	}
	if slices.Contains(suites(), own) {
		return false
	}
	allowed, known := arrows()[dir]
	return known && (slices.Contains(allowed, "*") || slices.Contains(allowed, own))
}

// Outside reports imports of the program's packages in modules that must use the program from
// outside: the tools, and the tests of whole servers. They can start servers that the program uses,
// like the program's tests. There are two exceptions: linnet-seed writes into the store, and brotli
// makes files of the program.
func Outside(files []File) []Breach {
	var out []Breach
	for _, f := range files {
		if slices.Contains([]string{"seed", "cmd/linnet-seed", "brotli"}, f.Dir()) {
			continue
		}
		for _, spec := range f.AST.Imports {
			p, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				continue // does not compile
			}
			own := strings.HasPrefix(p, module) && !strings.HasPrefix(p, module+"tools/") && !strings.HasPrefix(p, module+"test/")
			if own && p != module+"internal/kv/redistest" && p != module+"internal/translation/translationtest" {
				out = append(out, f.breach(spec.Pos(), "%s must not import %s: it sees the program from outside", f.Dir(), p))
			}
		}
	}
	return sortBreaches(out)
}

// Names reports packages with meaningless names.
func Names(files []File) []Breach {
	var out []Breach
	for dir, fs := range packages(files, true) {
		for _, name := range []string{path.Base(dir), fs[0].AST.Name.Name} {
			switch strings.TrimSuffix(name, "_test") {
			case "util", "utils", "common", "helper", "helpers", "base", "types", "shared", "misc", "lib":
				out = append(out, Breach{Path: dir, Text: "a package called " + name + " says nothing about what it knows"})
			}
		}
	}
	return sortBreaches(slices.Compact(sortBreaches(out)))
}

// Docs reports packages without a package comment.
func Docs(files []File) []Breach {
	var out []Breach
	for dir, fs := range packages(files, false) {
		if !slices.ContainsFunc(fs, func(f File) bool { return f.AST.Doc != nil }) {
			out = append(out, Breach{Path: dir, Text: "no package comment"})
		}
	}
	return sortBreaches(out)
}
