package locale

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/leonelquinteros/gotext"
)

var update = flag.Bool("update", false, "write the entries that are missing into the catalogues, and take those out that nothing uses")

// text is a message of the program.
type text struct {
	context, one, other string // other is the plural
	at                  string // file
}

func (m text) key() string { return m.context + "\x04" + m.one }

// arguments contains the indexes of the text arguments of functions: the context, the text and the
// plural, or -1.
var arguments = map[string][3]int{
	"Tr": {-1, 1, -1}, "Trn": {-1, 2, 3}, "TrIn": {1, 2, -1}, "TrParts": {-1, 0, -1}, "TrnParts": {-1, 1, 2},
	"ui.Tr": {-1, 1, -1}, "ui.Trn": {-1, 2, 3}, "ui.TrIn": {1, 2, -1}, "ui.TrParts": {-1, 0, -1}, "ui.TrnParts": {-1, 1, 2},
	".Tr": {-1, 0, -1}, ".Trn": {-1, 1, 2}, ".TrIn": {0, 1, -1},
	".tr": {-1, 0, -1}, ".trn": {-1, 1, 2}, ".trIn": {0, 1, -1}, "in.Text": {-1, 0, -1}, "in.Count": {-1, 1, 2}, "in.Time": {-1, 1, -1}, ".fault": {-1, 1, -1}, ".Fault": {-1, 1, -1}, "locale.Mark": {-1, 0, -1}, "wording.Store": {-1, 0, -1}, "wording.Messagef": {-1, 0, -1}, "said": {-1, 0, -1}, "faulty": {-1, 0, -1}, "mail.wrong": {-1, 0, -1}, "linnet.wrong": {-1, 0, -1}, "refuse": {-1, 0, -1},
	"linnet.Errorf": {-1, 1, -1}, "linnet.FieldError": {-1, 2, -1}, "Mark": {-1, 0, -1},
}

// tables contains functions that return texts for later use. nil means all returned texts, and a
// list the indexes of fields in the returned structs.
var tables = map[string][]int{"linnet.Sentence": nil, "linnet.laterSentence": nil, "linnet.AllPermissions": {2, 3}}

// columns contains the fields with texts in tables of structs, by the name of the struct. The value
// is true if a text is also its plural.
var columns = map[string]map[string]bool{"NotificationKind": {"Did": true, "Text": false, "Alert": false}}

// textsOfRows returns the texts of a table of structs.
func textsOfRows(rows []ast.Expr, texts map[string]bool, at string) (all []text) {
	for _, row := range rows {
		for _, e := range row.(*ast.CompositeLit).Elts {
			field := e.(*ast.KeyValueExpr)
			plural, ok := texts[field.Key.(*ast.Ident).Name]
			if !ok {
				continue
			}
			m := text{at: at}
			if m.one, _ = literal(field.Value, nil); plural {
				m.other = m.one
			}
			all = append(all, m)
		}
	}
	return all
}

// textsOfTable returns the texts of one of the tables.
func textsOfTable(f *ast.FuncDecl, values []int, at string) (all []text) {
	add := func(e ast.Expr) {
		if s, ok := literal(e, nil); ok {
			all = append(all, text{one: s, at: at})
		}
	}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ReturnStmt:
			add(n.Results[0])
		case *ast.CompositeLit:
			for _, i := range values {
				if i < len(n.Elts) {
					add(n.Elts[i])
				}
			}
		}
		return true
	})
	return all
}

// said returns the texts of the program, in the order of its files.
func said(t *testing.T) []text {
	t.Helper()
	var all []text
	seen := map[string]int{}
	add := func(m text) {
		m.one = strings.TrimPrefix(m.one, "Validation failed: ") // see linnet.Error.In
		i, known := seen[m.key()]
		switch {
		case m.one == "":
		case !known:
			seen[m.key()] = len(all)
			all = append(all, m)
		case all[i].other == "":
			all[i].other = m.other
		case m.other != "" && all[i].other != m.other:
			t.Errorf("%s: the plural of %q is %q, in %s %q", m.at, m.one, m.other, all[i].at, all[i].other)
		}
	}
	for m := time.January; m <= time.December; m++ {
		add(text{context: "month", one: m.String(), at: "internal/locale/locale.go"})
		if m != time.May {
			add(text{context: "short month", one: m.String()[:3], at: "internal/locale/locale.go"})
		}
	}
	add(text{one: "%s %s", at: "internal/linnet/error.go"})
	all = append(all, text{one: "Validation failed: %s", at: "internal/linnet/error.go"})
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "cmd" || path == "../../internal/cli" || d.Name() == "tools" || d.Name() == "test" || d.Name() == "packaging" || d.Name() == ".git"):
			return fs.SkipDir
		case strings.HasSuffix(path, ".js"):
			for _, m := range scriptTexts(t, path) {
				add(m)
			}
		case strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go"):
			for _, m := range textsOf(t, path) {
				add(m)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var inScript = regexp.MustCompile(`\btrn?\('((?:[^'\\]|\\.)*)'(?:, '((?:[^'\\]|\\.)*)')?`)

func scriptTexts(t *testing.T, path string) (all []text) {
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range inScript.FindAllStringSubmatch(string(src), -1) {
		said := text{one: m[1], at: place(path)}
		if strings.HasPrefix(m[0], "trn") {
			said.other = m[2]
		}
		all = append(all, said)
	}
	return all
}

func place(path string) string {
	return strings.Replace(strings.TrimPrefix(path, "../../"), "_templ.go", ".templ", 1)
}

func textsOf(t *testing.T, path string) (all []text) {
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	consts := map[string]string{}
	ast.Inspect(f, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok && len(v.Values) == len(v.Names) {
			for i, name := range v.Names {
				if s, ok := literal(v.Values[i], nil); ok {
					consts[name.Name] = s
				}
			}
		}
		return true
	})
	at := place(path)
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if values, ok := tables[f.Name.Name+"."+n.Name.Name]; ok {
				all = append(all, textsOfTable(n, values, at)...)
			}
		case *ast.CallExpr:
			args, ok := arguments[called(n.Fun)]
			if !ok {
				args, ok = arguments[f.Name.Name+"."+called(n.Fun)]
			}
			if !ok {
				return true
			}
			var m text
			for i, into := range []*string{&m.context, &m.one, &m.other} {
				if args[i] >= 0 && args[i] < len(n.Args) {
					*into, _ = literal(n.Args[args[i]], consts)
				}
			}
			m.at = at
			all = append(all, m)
		case *ast.CompositeLit:
			name := f.Name.Name
			t := n.Type
			if a, ok := t.(*ast.ArrayType); ok {
				if id, ok := a.Elt.(*ast.Ident); ok && columns[id.Name] != nil {
					all = append(all, textsOfRows(n.Elts, columns[id.Name], at)...)
				}
			}
			if s, ok := t.(*ast.SelectorExpr); ok {
				t = s.Sel
				name = s.X.(*ast.Ident).Name
			}
			if id, ok := t.(*ast.Ident); ok && (name+"."+id.Name == "page.Error" || id.Name == "ErrorBody") {
				all = append(all, textsOfError(n, consts, at)...)
			}
		}
		return true
	})
	return all
}

// textsOfError returns the texts of an error as the web and the API show it.
func textsOfError(n *ast.CompositeLit, consts map[string]string, at string) (all []text) {
	if slices.ContainsFunc(n.Elts, func(e ast.Expr) bool {
		kv, ok := e.(*ast.KeyValueExpr)
		return ok && kv.Key.(*ast.Ident).Name == "Description"
	}) {
		return nil // OAuth errors stay English
	}
	for _, e := range n.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		switch kv.Key.(*ast.Ident).Name {
		case "Heading", "Msg", "BackText", "Error":
			s, _ := literal(kv.Value, consts)
			all = append(all, text{one: s, at: at})
		}
	}
	return all
}

// called returns the name of a called function: "tr", ".tr" for a method, "linnet.Errorf". Methods
// of variables named in belong to a language: "in.Text".
func called(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		id, ok := e.X.(*ast.Ident)
		if ok && (id.Name == "linnet" || id.Name == "locale" || id.Name == "wording" || id.Name == "ui" || id.Name == "in" && (e.Sel.Name == "Text" || e.Sel.Name == "Count" || e.Sel.Name == "Time")) {
			return id.Name + "." + e.Sel.Name
		}
		return "." + e.Sel.Name
	}
	return ""
}

func literal(e ast.Expr, consts map[string]string) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		return s, err == nil && e.Kind == token.STRING
	case *ast.Ident:
		s, ok := consts[e.Name]
		return s, ok
	case *ast.BinaryExpr:
		a, ok := literal(e.X, consts)
		b, also := literal(e.Y, consts)
		return a + b, ok && also && e.Op == token.ADD
	}
	return "", false
}

// headers contains the plural rules of the catalogues, as in gettext.
var headers = map[string]string{
	"de": "nplurals=2; plural=(n != 1);",
	"fr": "nplurals=2; plural=(n > 1);",
	"es": "nplurals=2; plural=(n != 1);",
	"ja": "nplurals=1; plural=0;",
	"ar": "nplurals=6; plural=(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5);",
}

func plurals(code string) int { return int(headers[code][len("nplurals=")] - '0') }

// TestCatalogues checks that each catalogue contains exactly the texts of the program, with the
// same values.
func TestCatalogues(t *testing.T) {
	all := said(t)
	for _, l := range Languages()[1:] {
		t.Run(l.Code, func(t *testing.T) {
			path := filepath.Join("catalogues", l.Code+".po")
			if *update {
				if err := os.WriteFile(path, []byte(written(l.Code, all, parsed(t, path))), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			has, missing := parsed(t, path), 0
			for _, m := range all {
				tr := has[m.key()]
				delete(has, m.key())
				if tr == nil {
					t.Errorf("%s: %q (%s) is in no entry; go test ./internal/locale -update makes one", path, m.one, m.at)
					continue
				}
				n := 1
				if m.other != "" {
					n = plurals(l.Code)
				}
				for i := range n {
					if tr.Trs[i] == "" {
						missing++
						t.Logf("%s: %q (%s) is not translated", path, m.one, m.at)
						break
					}
					if wrong := unlike(m, tr.Trs[i]); wrong != "" {
						t.Errorf("%s: %q: %q %s", path, m.one, tr.Trs[i], wrong)
					}
				}
			}
			if missing > 0 {
				t.Errorf("%s: %d texts are not translated", path, missing)
			}
			for _, tr := range has {
				t.Errorf("%s: nothing says %q", path, tr.ID)
			}
		})
	}
}

// parsed returns the entries of a catalogue by key.
func parsed(t *testing.T, path string) map[string]*gotext.Translation {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil && !*update {
		t.Fatal(err)
	}
	po := gotext.NewPo()
	po.Parse(data)
	all := map[string]*gotext.Translation{}
	for id, tr := range po.GetDomain().GetTranslations() {
		if id != "" {
			all["\x04"+id] = tr
		}
	}
	for context, trs := range po.GetDomain().GetCtxTranslations() {
		for id, tr := range trs {
			if id != "" {
				all[context+"\x04"+id] = tr
			}
		}
	}
	return all
}

var verb = regexp.MustCompile(`%(?:\[(\d)\])?([sdqvgx%]|\.\df)`)

// verbs returns the verb of each value of a text, by number.
func verbs(s string) map[int]string {
	out, next := map[int]string{}, 1
	for _, m := range verb.FindAllStringSubmatch(s, -1) {
		if m[2] == "%" {
			continue
		}
		if m[1] != "" {
			next = int(m[1][0] - '0')
		}
		out[next] = m[2]
		next++
	}
	return out
}

// unlike returns an error message if the values of a translation are wrong, or "". The number of a
// plural can be missing.
func unlike(m text, translated string) string {
	want, got := verbs(m.one), verbs(translated)
	if m.other != "" {
		want = verbs(m.other)
		if _, shown := got[1]; !shown {
			delete(want, 1)
		}
	}
	if !maps.Equal(want, got) {
		return fmt.Sprintf("shows the values %v, not %v", got, want)
	}
	if strings.TrimSpace(m.one) == m.one && strings.TrimSpace(translated) != translated {
		return "has blanks around it"
	}
	return ""
}

// written returns a catalogue of all texts with the existing translations.
func written(code string, all []text, had map[string]*gotext.Translation) string {
	var b strings.Builder
	fmt.Fprintf(&b, "msgid \"\"\nmsgstr \"\"\n\"Language: %s\\n\"\n\"Plural-Forms: %s\\n\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n", code, headers[code])
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b text) int { return strings.Compare(a.at, b.at) })
	// Texts with a context come last, because the parser applies a context to all entries after it.
	slices.SortStableFunc(all, func(a, b text) int { return min(len(a.context), 1) - min(len(b.context), 1) })
	for _, m := range all {
		tr := had[m.key()]
		if tr == nil {
			tr = gotext.NewTranslation()
		}
		fmt.Fprintf(&b, "\n#: %s\n", m.at)
		if m.context != "" {
			fmt.Fprintf(&b, "msgctxt %s\n", quoted(m.context))
		}
		fmt.Fprintf(&b, "msgid %s\n", quoted(m.one))
		if m.other == "" {
			fmt.Fprintf(&b, "msgstr %s\n", quoted(tr.Trs[0]))
			continue
		}
		fmt.Fprintf(&b, "msgid_plural %s\n", quoted(m.other))
		for i := range plurals(code) {
			fmt.Fprintf(&b, "msgstr[%d] %s\n", i, quoted(tr.Trs[i]))
		}
	}
	return b.String()
}

func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(s) + `"`
}
