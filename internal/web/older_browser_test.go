package web_test

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/web/assets"
)

// newInStyles, newInPages and newInScripts remove features that browsers from four years ago lack.
// Such browsers are Safari 16, Chrome 107 and Firefox 106. Features in style sheets become unknown
// words, which end their declaration or rule as in those browsers.
var (
	newInStyles = strings.NewReplacer("light-dark(", "unknown(", "color-mix(", "unknown(", ":popover-open", ":unknown", ":has(", ":unknown(", "@container", "@unknown",
		"dvh", "unknown", "field-sizing", "unknown", "text-wrap", "unknown", "align-content: center", "unknown: 0", "clip-path: inset(50%)", "clip: rect(0 0 0 0)")
	newInPages   = regexp.MustCompile(` popover(target="[^"]*")?([ >])`)
	newInScripts = `const Fields = FormData; globalThis.FormData = class extends Fields { constructor(form) { super(form); } };
		Object.defineProperty(Intl, 'Segmenter', { value: undefined }); delete AbortSignal.any; delete URL.canParse;
		for (const e of [HTMLElement.prototype]) for (const f of ['showPopover', 'hidePopover', 'togglePopover', 'checkVisibility']) delete e[f];
		`
)

// olderServed starts a world whose pages lack the features of current browsers.
func olderServed(t *testing.T) *world {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, "http://"+l.Addr().String())
	today := w.handler
	srv := &httptest.Server{Listener: l, Config: &http.Server{Handler: http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/live" {
			today.ServeHTTP(rw, r)
			return
		}
		r.Header.Del("Accept-Encoding") // the body is replaced below
		rec := httptest.NewRecorder()
		today.ServeHTTP(rec, r)
		body := rec.Body.String()
		switch kind := rec.Header().Get("Content-Type"); {
		case strings.HasPrefix(kind, "text/css"):
			body = newInStyles.Replace(body)
		case strings.HasPrefix(kind, "text/html"):
			body = newInPages.ReplaceAllString(body, "$2")
		case strings.HasPrefix(kind, "text/javascript"):
			body = newInScripts + body
		}
		for name, values := range rec.Header() {
			rw.Header()[name] = values
		}
		rw.Header().Set("Content-Length", strconv.Itoa(len(body)))
		rw.WriteHeader(rec.Code)
		_, _ = rw.Write([]byte(body))
	})}}
	srv.Start()
	t.Cleanup(srv.Close)
	return w
}

// olderBrowsers checks that pages work in browsers from four years ago, with and without scripts.
// It covers colours, contrast, the menu, actions and posting.
func olderBrowsers(t *testing.T) {
	script := axe(t)
	w := olderServed(t)
	st := furnish(w)
	bob, err := w.svc.View.UserByLogin(t.Context(), 0, "bob")
	if err != nil {
		t.Fatal(err)
	}
	other := w.post(bob.ID, linnet.Draft{Text: "Something of bob's"})
	eventually(t, "tasks end", w.svc.Idle)
	for _, scripts := range []bool{true, false} {
		tb := newTab(t)
		tb.do("Emulation.setScriptExecutionDisabled", map[string]any{"value": !scripts}, nil)
		tb.enters(w, "ann")
		for _, px := range []int{375, 1280} {
			tb.width(px)
			for _, path := range []string{"/", "/@bob", postPath(st), "/settings/profile"} {
				tb.open(w.base + path)
				for system, wish := range map[string]string{"light": lightSystem, "dark": darkSystem} {
					tb.media("", wish, noMotion)
					where := fmt.Sprintf("%s at %d px, %s, scripts %v", path, px, system, scripts)
					if got := tb.brightness("backgroundColor", "document.body"); got != system {
						t.Errorf("%s: the page is %s", where, got)
					}
					if got := tb.brightness("color", "document.body"); got == system {
						t.Errorf("%s: the text is %s too", where, got)
					}
					if scripts {
						tb.axe(script, where, "color-contrast")
					}
				}
			}
			tb.menuOpens(px)
		}
		tb.open(w.base + postPath(other))
		tb.loadsUnless(scripts, func() { tb.clicks(".act.favourite") })
		eventually(t, "the star is kept", func() bool {
			v, err := w.svc.View.Status(t.Context(), st.Author, other.ID)
			return err == nil && v.Favourited == scripts
		})
		tb.open(w.base + "/")
		text := fmt.Sprintf("From an older browser, scripts %v", scripts)
		tb.writes(text)
		tb.clicks(".send .button")
		eventually(t, "it is posted", func() bool { return strings.Contains(strings.Join(w.postsOf(st.Author), "\n"), text) })
		tb.calm()
	}
}

// loadsUnless runs do. Without scripts it also waits until a page has loaded.
func (tb *tab) loadsUnless(script bool, do func()) {
	tb.t.Helper()
	if script {
		do()
		return
	}
	tb.loads(do)
}

// menuOpens checks that the menu opens and closes.
func (tb *tab) menuOpens(px int) {
	tb.t.Helper()
	const seen = "(e => !!e && e.closest('details').open && e.getBoundingClientRect().height > 0)(document.querySelector('.nav .menu a[href=\"/catchup\"]'))"
	tb.holds("!%s", seen)
	tb.clicks(".nav .drop > summary")
	tb.holds("%s", seen)
	tb.clicks(".nav .drop > summary")
	tb.holds("!%s", seen)
}

// stylesFitOlderBrowsers checks that style sheets only use features newer than four years if they
// have a fallback or are optional.
func stylesFitOlderBrowsers(t *testing.T) {
	style := newWorld(t, loopbackURL).browser().get(assets.Path("style.css")).body
	asked := regexp.MustCompile(`(?s)@supports selector\(:has\(\+ \*\)\) \{.*?\n\}\n`) // content is expanded without it
	style = asked.ReplaceAllString(style, "")
	for _, word := range []string{"light-dark(", ":has(", "@container", "@layer", "@scope", "@starting-style", "anchor(", "round(", "if(", " & "} {
		if strings.Contains(style, word) {
			t.Errorf("the style sheet holds %s", word)
		}
	}
	fallback := regexp.MustCompile(`[0-9]vh\b[^;]*; [a-z-]+: [^;]*dvh`)
	for _, line := range strings.Split(style, "\n") {
		if strings.Contains(line, "dvh") && !fallback.MatchString(line) {
			t.Errorf("without a fallback: %s", line)
		}
	}
	if strings.Contains(style, ":popover-open") {
		t.Error("the menu needs popovers")
	}
}
