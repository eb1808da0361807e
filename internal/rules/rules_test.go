package rules

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

// breaches applies a rule to a small tree.
func breaches(t *testing.T, tree map[string]string, rule func([]File) []Breach) []string {
	t.Helper()
	files, err := Load(mapFS(tree))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, b := range rule(files) {
		out = append(out, b.String())
	}
	return out
}

func mapFS(tree map[string]string) fstest.MapFS {
	m := fstest.MapFS{}
	for p, src := range tree {
		m[p] = &fstest.MapFile{Data: []byte(src)}
	}
	return m
}

// want compares the breaches with the expected prefixes.
func want(t *testing.T, got []string, prefixes ...string) {
	t.Helper()
	if len(got) != len(prefixes) {
		t.Fatalf("got %d breaches, want %d:\n%s", len(got), len(prefixes), strings.Join(got, "\n"))
	}
	for i, p := range prefixes {
		if !strings.HasPrefix(got[i], p) {
			t.Errorf("got %q, want %q…", got[i], p)
		}
	}
}

func TestImports(t *testing.T) {
	source := func(dir, imported string) map[string]string {
		return map[string]string{dir + "/x.go": fmt.Sprintf("package x\nimport _ %q\n", imported)}
	}
	for _, c := range []struct {
		dir, imported string
		refused       bool
	}{
		{"internal/linnet", "linnet/internal/kv", true},
		{"internal/kv", "linnet/internal/linnet", true},
		{"internal/kv", "context", false},
		{"internal/task", "linnet/internal/kv", false},
		{"internal/task", "linnet/internal/store", true},
		{"internal/store", "linnet/internal/store/statuses", false},
		{"internal/store/statuses", "linnet/internal/task", false},
		{"internal/store/statuses", "linnet/internal/store/db", false},
		{"internal/store/statuses", "linnet/internal/store/relations", true},
		{"internal/store/db", "linnet/internal/store/statuses", true},
		{"internal/store/statuses", "linnet/internal/store", true},
		{"internal/mastodon", "linnet/internal/store/db", true},
		{"internal/store", "linnet/internal/social", true},
		{"internal/social", "linnet/internal/store", false},
		{"internal/social", "linnet/internal/view", false},
		{"internal/view", "linnet/internal/social", true},
		{"internal/social", "linnet/internal/posting", true},
		{"internal/identity", "linnet/internal/social", true},
		{"internal/discovery", "linnet/internal/moderation", true},
		{"internal/app", "linnet/internal/moderation", false},
		{"internal/mastodon", "linnet/internal/app", false},
		{"internal/mastodon", "linnet/internal/record", true},
		{"internal/social", "linnet/internal/kv/diskkv", true},
		{"internal/store", "linnet/internal/record", false},
		{"internal/record", "linnet/internal/store", true},
		{"internal/store", "linnet/internal/audit", true},
		{"internal/mastodon", "linnet/internal/audit", true},
		{"internal/audit", "linnet/internal/social", true},
		{"internal/mastodon", "linnet/internal/record", true},
		{"internal/web", "linnet/internal/record", true},
		{"internal/mastodon", "linnet/internal/social", false},
		{"internal/mastodon", "linnet/internal/store", true},
		{"internal/mastodon", "linnet/internal/kv", true},
		{"internal/mastodon", "linnet/internal/web", true},
		{"internal/web", "linnet/internal/mastodon", true},
		{"internal/admin", "linnet/internal/social", false},
		{"internal/admin", "linnet/internal/web", true},
		{"internal/kv/diskkv", "linnet/internal/kv", false},
		{"internal/kv/diskkv", "linnet/internal/kv/memkv", true},
		{"internal/kv/diskkv", "linnet/internal/kv/localbus", false},
		{"internal/kv/rediskv", "linnet/internal/kv/localbus", true},
		{"internal/kv/localbus", "linnet/internal/kv/diskkv", true},
		{"internal/kv/diskkv/feeds", "linnet/internal/kv", false},
		{"internal/kv/diskkv/feeds", "linnet/internal/kv/diskkv/walcheck", true},
		{"internal/kv/memkv", "linnet/internal/kv/diskkv/feeds", true},
		{"internal/kv/kvtest", "linnet/internal/kv/memkv", false},
		{"internal/store", "linnet/internal/kv/kvtest", true},
		{"internal/cli", "linnet/internal/server", false},
		{"internal/cli", "linnet/internal/kv/faultkv", true},
		{"internal/server", "linnet/internal/web", false},
		{"internal/server", "linnet/internal/cli", true},
		{"internal/server", "linnet/internal/admin", true},
		{"internal/config", "linnet/internal/backend", true},
		{"cmd/linnet", "linnet/internal/cli", false},
		{"cmd/linnet", "linnet/internal/server", true},
		{"internal/unplaced", "linnet/internal/linnet", true},
		{"internal/store", "github.com/redis/rueidis", true},
		{"internal/kv/rediskv", "github.com/redis/rueidis", false},
		{"internal/kv/rediskv", "github.com/redis/rueidis/rueidiscompat", false},
		{"internal/kv/rediskv", "github.com/cockroachdb/pebble/v2", true},
		{"internal/kv/diskkv", "github.com/cockroachdb/pebble/v2/vfs", false},
		{"internal/text", "encoding/json", true},
		{"internal/mastodon", "encoding/json", true},
		{"internal/mastodon/wire", "encoding/json", false},
		{"internal/mastodon/wire", "linnet/internal/posting", true},
		{"internal/mastodon/request", "linnet/internal/mastodon/wire", false},
		{"internal/mastodon/wire", "linnet/internal/mastodon/request", true},
		{"internal/web", "flag", true},
		{"internal/store", "log", true},
		{"internal/store", "log/slog", false},
		{"internal/store", "github.com/stretchr/testify/assert", true},
	} {
		got := breaches(t, source(c.dir, c.imported), Imports)
		if (len(got) > 0) != c.refused {
			t.Errorf("%s imports %s: refused %v, want %v: %v", c.dir, c.imported, len(got) > 0, c.refused, got)
		}
	}
	// Tests can import all packages of the project, but engines only through the port.
	want(t, breaches(t, map[string]string{
		"internal/text/a_test.go":  "package text\nimport (\n\"encoding/json\"\n\"github.com/coder/websocket\"\n\"linnet/internal/kv/memkv\"\n)\n",
		"internal/store/a_test.go": "package store\nimport \"github.com/redis/rueidis\"\n",
	}, Imports), "internal/store/a_test.go:2: ")
}

func TestOutside(t *testing.T) {
	want(t, breaches(t, map[string]string{
		"bench/a.go":      "package bench\nimport _ \"net/http\"\nimport _ \"linnet/internal/social\"\n",
		"bench/a_test.go": "package bench\nimport _ \"linnet/internal/store\"\n",
		"torture/a.go":    "package torture\nimport _ \"linnet/tools/bench\"\nimport _ \"linnet/internal/kv/redistest\"\nimport _ \"linnet/internal/translation/translationtest\"\n",
	}, Outside), "bench/a.go:3: bench must not import linnet/internal/social", "bench/a_test.go:2: ")
}

func TestNamesAndDocs(t *testing.T) {
	tree := map[string]string{
		"internal/util/a.go":  "// Package util.\npackage util\n",
		"internal/good/a.go":  "package good\n",
		"internal/good/b.go":  "// Package good knows.\npackage good\n",
		"internal/mute/a.go":  "package mute\n",
		"internal/kinds/a.go": "// Package types.\npackage types\n",
	}
	want(t, breaches(t, tree, Names), "internal/kinds: a package called types", "internal/util: a package called util")
	want(t, breaches(t, tree, Docs), "internal/mute: no package comment")
}

func TestSizes(t *testing.T) {
	body := func(n int) string { return strings.Repeat("\tprintln()\n", n) }
	fn := func(lines int) string { return "package x\nfunc f() {\n" + body(lines-2) + "}\n" }
	table := "package x\nfunc f() {\n\tx := []int{\n" + strings.Repeat("1,\n", 600) + "}\n\tprintln(x)\n}\n"
	code := "package x\nfunc f() {\n\tx := []func(){func() {\n" + body(110) + "}}\n\tprintln(x)\n}\n"
	data := "package x\nfunc f() []int {\n\treturn []int{\n" + strings.Repeat("1,\n", 120) + "}\n}\n"
	dressed := "package x\nfunc f() []func() {\n\treturn []func(){func() {\n" + body(110) + "}}\n}\n"
	want(t, breaches(t, map[string]string{
		"i.go":      data,
		"j.go":      dressed,
		"a.go":      fn(100),
		"b.go":      fn(101),
		"c.go":      "package x\n" + strings.Repeat("// line\n", 499),
		"d.go":      "package x\n" + strings.Repeat("// line\n", 500),
		"e_test.go": table,
		"f.go":      table,
		"g_test.go": code,
		"h.go":      "// Code generated by a program. DO NOT EDIT.\n\npackage x\n" + strings.Repeat("// line\n", 600),
	}, Sizes), "b.go:2: function f has 101 lines", "d.go: the file has 501", "f.go: the file has", "f.go:2: function f", "g_test.go:2: function f has", "j.go:2: function f has")
}

func TestLongFuncs(t *testing.T) {
	functions := func(all, long, lines int) map[string]string {
		files := map[string]string{"a_test.go": "package x\nfunc g() {\n" + strings.Repeat("\tprintln()\n", 70) + "}\n"}
		for i := range all {
			n := 3
			if i < long {
				n = lines
			}
			files[fmt.Sprintf("%03d.go", i)] = fmt.Sprintf("package x\nfunc f%d() {\n%s}\n", i, strings.Repeat("\tprintln()\n", n-2))
		}
		return files
	}
	want(t, breaches(t, functions(200, 2, 61), LongFuncs))
	want(t, breaches(t, functions(199, 9, 60), LongFuncs))
	want(t, breaches(t, functions(199, 2, 61), LongFuncs), "000.go:2: function f0 has 61 lines", "001.go:2: function f1 has 61 lines")
}

func TestFuncDensity(t *testing.T) {
	functions := func(n int) map[string]string {
		src := "package x\n" + strings.Repeat("func f() {}\n", n)
		return map[string]string{
			"a.go":      src + strings.Repeat("// line\n", 999-n),
			"a_test.go": "package x\n" + strings.Repeat("func f() {}\n", 100),
			"b.go":      "// Code generated by x. DO NOT EDIT.\n\npackage x\n" + strings.Repeat("func f() {}\n", 100),
		}
	}
	want(t, breaches(t, functions(MaxFuncs), FuncDensity))
	want(t, breaches(t, functions(MaxFuncs+1), FuncDensity), fmt.Sprintf(".: %d functions in 1000 lines", MaxFuncs+1))
}

func TestState(t *testing.T) {
	ok := `package x
import ("embed"; "errors"; "regexp"; "sync")
var ErrGone = errors.New("gone")
var words = map[string]int{"a": 1}
var pattern = regexp.MustCompile("a")
var files embed.FS
var buffers = sync.Pool{New: func() any { return new(int) }}
var _ error = (*T)(nil)
type T struct{ n int }
func (t *T) Error() string { words := map[string]int{}; words["b"] = 2; t.n++; return "" }
func read() int { return words["a"] }
`
	bad := `package y
import ("sync"; "sync/atomic"; "net/http")
var Table = map[string]int{"a": 1}
var mu sync.Mutex
var count atomic.Int64
var done = make(chan int)
var cache = map[string]int{}
var last int
var list []int
func init() { println() }
func f() { cache["a"] = 1 }
func g() { last++ }
func h() { list = append(list, 1) }
func i() { delete(cache, "a") }
func j() *int { return &last }
func k() { http.DefaultClient.Timeout = 1 }
`
	other := "package y\nfunc l() { last = 2 }\n"
	want(t, breaches(t, map[string]string{"x/x.go": ok, "y/y.go": bad, "y/z.go": other, "y/y_test.go": "package y\nvar T int\n"}, State),
		"y/y.go:3: exported variable Table", "y/y.go:4: variable mu", "y/y.go:5: variable count", "y/y.go:6: variable done",
		"y/y.go:10: init", "y/y.go:11: variable cache", "y/y.go:12: variable last", "y/y.go:13: variable list",
		"y/y.go:14: variable cache", "y/y.go:15: variable last", "y/y.go:16: a variable of package http", "y/z.go:2: variable last")
}

func TestReach(t *testing.T) {
	src := "package x\nimport \"os\"\nvar v = os.Getenv(\"HOME\")\n"
	want(t, breaches(t, map[string]string{
		"internal/cli/a.go":          src,
		"internal/store/a.go":        src,
		"internal/store/a_test.go":   src,
		"internal/kv/redistest/a.go": src,
		"internal/web/a.go":          "package web\nimport \"fmt\"\nfunc f() { fmt.Println() }\n",
		"internal/web/b.go":          "package web\nvar o = linnet.Operator()\n",
		"internal/admin/b.go":        "package admin\nvar o = linnet.Operator()\n",
		"internal/app/a.go":          "package app\nfunc f(s store) { s.Engine() }\n",
		"internal/social/a.go":       "package social\nfunc f(s store) { s.Engine().Now(); g(s.info.Engine) }\n",
	}, Reach), "internal/social/a.go:2: internal/social must not call Engine", "internal/store/a.go:3: internal/store must not use os.Getenv", "internal/web/a.go:3: internal/web must not use fmt.Println",
		"internal/web/b.go:2: internal/web must not use linnet.Operator")
}

func TestWords(t *testing.T) {
	bs, err := Words(mapFS(map[string]string{
		"a.go":                     "package a\n// see /wo" + "rk/main/x\n",
		"b.md":                     "As in issue" + " #12.\nMade by Cla" + "ude.\n",
		"c.sh":                     "mktemp -d /t" + "mp/x\n",
		"d.html":                   `<a href="#12">x</a> <b style="color:#123456">`,
		"e.go":                     "package e\n// TO" + "DO: later\n",
		"f.md":                     "See style" + ".md. https://example.com/tmp/x home/tmp/y",
		"node_modules/x/README.md": "TO" + "DO",
		"own/go.mod":               "module own\n",
		"own/a.md":                 "TO" + "DO",
		"g.txt":                    "\x00\x01 TO" + "DO",
	}))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range bs {
		got = append(got, b.String())
	}
	want(t, got, "a.go:2:", "b.md:1:", "b.md:2:", "c.sh:1:", "e.go:2:", "f.md:1:")
}
