package web_test

import (
	"testing"

	"linnet/internal/linnet"
)

// warningByKeyboard checks that text behind a warning is hidden, from screen readers too, until the
// keyboard opens it. It covers pages with and without scripts.
func warningByKeyboard(t *testing.T) {
	w, _, bob := flock(t, 0)
	st := w.post(bob.ID, linnet.Draft{Text: "It was the fox, #birds say.", Warning: "Dead chicken"})
	eventually(t, "tasks end", w.svc.Idle)
	const shut = "!document.querySelector('.warned .text').checkVisibility() && !document.body.innerText.includes('fox')"
	const open = "document.querySelector('.warned .text').checkVisibility() && document.body.innerText.includes('fox')"
	for _, scripts := range []bool{true, false} {
		tb := newTab(t)
		tb.do("Emulation.setScriptExecutionDisabled", map[string]any{"value": !scripts}, nil)
		tb.enters(w, "ann")
		for _, path := range []string{"/", postPath(st), "/@bob"} {
			tb.open(w.base + path)
			tb.holds(shut)
			tb.tabTo(".warned summary")
			if tb.eval("getComputedStyle(document.activeElement).outlineStyle") == "none" {
				t.Errorf("%s: the focus is not shown", path)
			}
			tb.hit("Enter")
			tb.holds(open)
			tb.hit("Tab")
			if tb.eval("document.activeElement.matches('.warned .text a')") != "true" {
				t.Errorf("%s: the next stop is %s, not the link that came up", path, tb.eval("document.activeElement.outerHTML"))
			}
			tb.eval("document.querySelector('.warned summary').focus()")
			tb.hit(" ")
			tb.holds(shut)
		}
		if scripts {
			tb.open(w.base + "/")
			tb.hit("j", "x")
			tb.holds(open)
			tb.hit("x")
			tb.holds(shut)
		}
		tb.calm()
	}
}

// tabTo presses Tab until the matching element has the focus.
func (tb *tab) tabTo(selector string) {
	tb.t.Helper()
	for range 80 {
		tb.hit("Tab")
		if tb.eval("document.activeElement.matches(%q)", selector) == "true" {
			return
		}
	}
	tb.t.Fatalf("the tab key does not lead to %s", selector)
}
