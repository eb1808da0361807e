package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// tour opens every page once in a browser, and is shared by all points that check every page. It
// starts with the first of them.
type tour struct {
	t      *testing.T // of TestAcceptance
	taken  bool
	faults map[string][]string
}

const (
	tooWide    = "wide"
	complaints = "complaint"
	untouched  = "touch" // small targets and duplicate ids
)

// finds returns a test that reports the faults of one kind.
func (tr *tour) finds(kind string) func(*testing.T) {
	return func(t *testing.T) {
		if !tr.taken {
			needChromium(t)
			tr.taken = true
			tr.take()
		}
		if tr.faults == nil {
			t.Fatal("the tour did not come to its end")
		}
		for _, fault := range tr.faults[kind] {
			t.Error(fault)
		}
	}
}

// take opens every page as a visitor and as a member, at five widths and in both colour schemes.
func (tr *tour) take() {
	w := served(tr.t)
	visits := w.visits()
	tabs := map[string]*tab{"": newTab(tr.t), "ann": newTab(tr.t)}
	tabs["ann"].enters(w, "ann")
	faults := map[string][]string{}
	for i, v := range visits {
		tb := tabs[v.who]
		tb.media("", []string{lightSystem, darkSystem}[i%2])
		add := func(kind, format string, args ...any) {
			faults[kind] = append(faults[kind], v.path+" as "+v.who+": "+fmt.Sprintf(format, args...))
		}
		tb.open(w.base + v.path)
		for _, px := range []int{320, 390, 768, 1280, 1920} {
			tb.width(px)
			if wide := tb.eval("document.documentElement.scrollWidth > innerWidth && document.documentElement.scrollWidth"); wide != "false" {
				add(tooWide, "%s px wide at %d px", wide, px)
			}
		}
		if tb.eval("document.styleSheets.length > 0 && document.styleSheets.length == document.querySelectorAll('link[rel=stylesheet]').length && (document.images.length == 0 || document.images[0].naturalWidth > 0)") != "true" {
			add(complaints, "style or logo is missing")
		}
		for _, fault := range tb.complaints() {
			if v.code == http.StatusOK || !strings.Contains(fault, "Failed to load resource") {
				add(complaints, "the browser complains: %s", fault)
			}
		}
		if small := tb.eval(smallTargets); small != "" {
			add(untouched, "targets under 24 px: %s", small)
		}
		if twice := tb.eval("[...document.querySelectorAll('[id]')].map(e => e.id).filter((id, i, all) => all.indexOf(id) != i).join()"); twice != "" {
			add(untouched, "an id stands twice: %s", twice)
		}
	}
	tr.faults = faults
}

// breachesAreReported checks that violations of the content security policy fail tests, because the
// browser logs them.
func breachesAreReported(t *testing.T) {
	w := served(t)
	tb := newTab(t)
	defer tb.expects("") // every page of this test violates the policy
	for _, breach := range []struct{ what, do string }{
		{"Content Security Policy", "document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.ran = 1'}))"},
		{"Content Security Policy", "document.body.setAttribute('onclick', 'window.ran = 1')"},
		{"Content Security Policy", "document.body.append(Object.assign(new Image, {src: 'https://example.com/x.png'}))"},
		{"Content Security Policy", "document.body.insertAdjacentHTML('beforeend', '<p style=\"color: red\">')"},
		{"Content Security Policy", "fetch('https://example.com/').catch(() => {})"},
		{"mistake", "setTimeout(() => { throw new Error('mistake') })"},
	} {
		tb.open(w.base + "/about")
		tb.complaints()
		tb.eval("(%s, 1)", breach.do)
		eventually(t, breach.do+" is reported", func() bool { return strings.Contains(strings.Join(tb.complaints(), ""), breach.what) })
		tb.eval("document.body.click()")
		if tb.eval("window.ran") == "1" {
			t.Errorf("%s has run", breach.do)
		}
	}
}
