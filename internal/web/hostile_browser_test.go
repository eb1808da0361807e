package web_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"linnet/internal/linnet"
)

// hostileTextInBrowser checks that hostile texts are shown as typed wherever users enter text. It
// also checks that no script runs and that the browser blocks none.
func hostileTextInBrowser(t *testing.T) {
	w := served(t)
	ann, bob := w.user("ann"), w.user("bob")
	w.role("ann", linnet.Admin)
	evil := hostile(t)
	tb := newTab(t)
	tb.do("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": "for (const f of ['alert', 'prompt', 'confirm', 'print', 'open']) window[f] = () => { window.ran = f }"}, nil)
	tb.enters(w, "ann")
	at := func(what string, i int) string { return mark(what+strconv.Itoa(i)+"x", evil[i]) }
	filter := linnet.FilterChange{Title: new(string), Context: new(linnet.FilterContext)}
	*filter.Title, *filter.Context = "all", linnet.FilterNotifications
	report := linnet.ReportDraft{On: bob.ID, Category: linnet.ReportSpam}
	for i := range evil {
		w.post(ann.ID, linnet.Draft{Text: at("text", i), Warning: at("warn", i)})
		title, word := at("list", i), at("word", i)
		if _, err := w.svc.Lists.CreateList(t.Context(), ann.ID, linnet.ListChange{Title: &title}); err != nil {
			t.Fatalf("%q: %v", title, err)
		}
		filter.Keywords = append(filter.Keywords, linnet.KeywordChange{Keyword: &word})
		report.Comment = at("comment", i)
		if _, err := w.svc.Moderation.Report(t.Context(), ann.ID, report); err != nil {
			t.Fatalf("%q: %v", report.Comment, err)
		}
	}
	f, err := w.svc.Reading.CreateFilter(t.Context(), ann.ID, filter)
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "tasks end", w.svc.Idle)
	w.shown(tb, "/lists", "list", evil, len(evil))
	w.shown(tb, "/settings/filters/"+f.ID.String(), "word", evil, len(evil))
	n := 0
	for path := "/@ann"; path != "" && n < len(evil); n += linnet.DefaultPage {
		w.shown(tb, path, "text warn", evil, min(linnet.DefaultPage, len(evil)-n))
		path = tb.eval("document.querySelector('.pager [rel=next]')?.getAttribute('href') || ''")
	}
	w.hostileReports(tb, evil)
	w.hostilePeople(tb, ann, evil)
}

// shown opens a page and checks the number of hostile texts in it.
func (w *world) shown(tb *tab, path, fields string, evil []string, most int) {
	w.t.Helper()
	tb.open(w.base + path)
	text := w.harmless(tb, path)
	for _, field := range strings.Fields(fields) {
		found := 0
		for i, want := range evil {
			name := field + strconv.Itoa(i) + "x"
			if _, rest, there := strings.Cut(text, "from"+name); there {
				found++
				got, _, _ := strings.Cut(rest, "to"+name)
				if want := typedIn(field, want); asShown(got) != asShown(want) {
					w.t.Errorf("%s: %s %q is shown as %q", path, field, asShown(want), asShown(got))
				}
			}
		}
		if found != most {
			w.t.Errorf("%s shows %d of %d texts of kind %s", path, found, most, field)
		}
	}
}

// harmless returns the text of the open page after parsing. It fails if a text became an element or
// a script ran.
func (w *world) harmless(tb *tab, path string) string {
	w.t.Helper()
	if ran := tb.eval("window.ran || ''"); ran != "" {
		w.t.Errorf("%s: %s was called", path, ran)
	}
	for _, fault := range tb.complaints() {
		w.t.Errorf("%s: the browser complains: %s", path, fault)
	}
	doc, err := html.Parse(strings.NewReader(tb.eval(`(d => { d.querySelectorAll('textarea, input').forEach(e => e.append(e.value)); return d.outerHTML })(document.documentElement.cloneNode(true))`)))
	if err != nil {
		w.t.Fatal(err)
	}
	var text strings.Builder
	for n := range doc.Descendants() {
		switch {
		case n.Type == html.TextNode:
			text.WriteString(n.Data)
		case n.Type == html.CommentNode:
			w.t.Errorf("%s: a comment %q", path, n.Data)
		case n.Type == html.ElementNode && n.Data == "br":
			text.WriteString("\n")
		case n.Type == html.ElementNode:
			if n.Data == "input" && attribute(n, "type") != "hidden" {
				text.WriteString(attribute(n, "value"))
			}
			if fault := unexpected(n, w.base); fault != "" && n.Data != "dialog" {
				w.t.Errorf("%s makes %s", path, fault)
			}
		}
	}
	return text.String()
}

// hostilePeople puts three texts at a time into a profile, a group and the instance settings, and
// opens their pages.
func (w *world) hostilePeople(tb *tab, ann linnet.User, evil []string) {
	w.t.Helper()
	group, err := w.svc.Groups.CreateGroup(w.t.Context(), ann.ID, linnet.NewGroup{Login: "flockers", Name: "x", Kind: linnet.PublicGroup})
	if err != nil {
		w.t.Fatal(err)
	}
	for some := range slices.Chunk(evil, 3) {
		w.defaceWith(ann.ID, group.ID, some)
		for path, kinds := range map[string]string{"/@ann": "note field value", "/settings/profile": "note field value", "/about": "title rule about", "/@flockers": "groupnote"} {
			tb.open(w.base + path)
			page := w.harmless(tb, path)
			for n, text := range some {
				for _, kind := range strings.Fields(kinds) {
					if kind != "title" || n == 0 {
						checkMarks(w.t, path, page, text, []string{kind + strconv.Itoa(n)})
					}
				}
			}
		}
	}
}

// defaceWith puts texts into a profile, a group and the instance settings.
func (w *world) defaceWith(person, group linnet.ID, some []string) {
	w.t.Helper()
	all := func(kind string) (texts []string) {
		for n, text := range some {
			texts = append(texts, mark(kind+strconv.Itoa(n), text))
		}
		return texts
	}
	must := func(_ any, err error) {
		w.t.Helper()
		if err != nil {
			w.t.Fatalf("%q: %v", some, err)
		}
	}
	short := func(text string) *string {
		r := []rune(text)
		s := string(r[:min(20, len(r))])
		return &s
	}
	values, fields := all("value"), []linnet.ProfileField{}
	for n, name := range all("field") {
		fields = append(fields, linnet.ProfileField{Name: name, Value: values[n]})
	}
	note, groupNote, about, rules := strings.Join(all("note"), " "), strings.Join(all("groupnote"), " "), strings.Join(all("about"), " "), all("rule")
	must(w.svc.Social.Profiles.Update(w.t.Context(), person, linnet.ProfileChange{Name: short(some[0]), Note: &note, Fields: &fields}))
	must(w.svc.Groups.UpdateGroup(w.t.Context(), person, group, linnet.GroupChange{Name: short(some[len(some)-1]), Note: &groupNote}))
	must(w.svc.Settings.ChangeInstance(w.t.Context(), linnet.Operator(), linnet.InstanceChange{Title: &all("title")[0], Description: &about, Rules: &rules}))
}

// hostileReports checks the report pages of moderators with the texts.
func (w *world) hostileReports(tb *tab, evil []string) {
	w.t.Helper()
	page, err := w.svc.Moderation.Reports(w.t.Context(), linnet.Operator(), linnet.ReportFilter{}, linnet.Page{Limit: linnet.MaxPage})
	if err != nil || len(page.Items) < 10 {
		w.t.Fatal(len(page.Items), err)
	}
	for i, r := range page.Items {
		if i%4 != 0 {
			continue // every report uses the same template
		}
		path := "/admin/reports/" + r.ID.String()
		tb.open(w.base + path)
		text := w.harmless(tb, path)
		_, rest, _ := strings.Cut(text, "fromcomment")
		digits, _, _ := strings.Cut(rest, "x")
		n, err := strconv.Atoi(digits)
		if err != nil {
			w.t.Errorf("%s shows no comment", path)
			continue
		}
		checkMarks(w.t, path, text, evil[n], []string{"comment" + digits + "x"})
	}
}
