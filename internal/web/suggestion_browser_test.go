package web_test

import (
	"fmt"
	"slices"
	"testing"

	"linnet/internal/linnet"
)

// middleOf returns the centre of an element in the window.
func (tb *tab) middleOf(selector string) (x, y float64) {
	tb.t.Helper()
	at := tb.eval("(b => (b.scrollIntoView({block: 'nearest'}), b = b.getBoundingClientRect(), (b.x + b.width / 2) + ' ' + (b.y + b.height / 2)))(document.querySelector(%q))", selector)
	if _, err := fmt.Sscan(at, &x, &y); err != nil {
		tb.t.Fatalf("%s lies at %q", selector, at)
	}
	return x, y
}

// clicks moves the mouse to an element, presses and releases. Unlike click(), it misses elements
// that move in between.
func (tb *tab) clicks(selector string) {
	tb.t.Helper()
	x, y := tb.middleOf(selector)
	for _, kind := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
		tb.do("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}, nil)
	}
}

// taps touches an element.
func (tb *tab) taps(selector string) {
	tb.t.Helper()
	x, y := tb.middleOf(selector)
	tb.do("Input.dispatchTouchEvent", map[string]any{"type": "touchStart", "touchPoints": []map[string]any{{"x": x, "y": y}}}, nil)
	tb.do("Input.dispatchTouchEvent", map[string]any{"type": "touchEnd", "touchPoints": []map[string]any{}}, nil)
}

// offerLeavesTheButton checks that the first click or tap on the button posts, even while
// suggestions are open. They neither cover nor move the button.
func offerLeavesTheButton(t *testing.T) {
	w, ann, bob := flock(t, 0)
	st := w.post(bob.ID, linnet.Draft{Text: "One of the #birds"})
	eventually(t, "tasks end", w.svc.Idle)
	n := 0
	for _, px := range []int{1280, 375, 320} {
		tb := newTab(t)
		tb.width(px)
		tb.do("Emulation.setTouchEmulationEnabled", map[string]any{"enabled": true}, nil)
		tb.enters(w, "ann")
		for _, path := range []string{"/", "/compose", postPath(st)} {
			for _, how := range []struct {
				name string
				act  func(string)
			}{{"click", tb.clicks}, {"tap", tb.taps}} {
				for _, begun := range []string{"@bo", "#birds"} {
					if n++; testing.Short() && (how.name == "click") != (begun == "@bo") {
						continue
					}
					text := fmt.Sprintf("Number %d %s", n, begun)
					tb.open(w.base + path)
					tb.holds("!!document.getElementById('suggestions')")
					opens := func() {
						if tb.seen(".opener") {
							tb.taps(".opener")
						}
					}
					opens()
					tb.writes(text)
					tb.holds("document.querySelectorAll('.suggestions [role=option]').length > 0 && !document.querySelector('.suggestions').hidden")
					before := tb.eval("JSON.stringify(document.querySelector('.send .button').getBoundingClientRect())")
					how.act(".send .button")
					where := fmt.Sprintf("%s at %d px, %s with %q", path, px, how.name, begun)
					eventually(t, where+" has sent", func() bool { return slices.Contains(w.postsOf(ann.ID), text) })
					tb.holds("document.readyState == 'complete' && (location.pathname != %q || document.getElementById('text').value != %q)", path, text)
					if path != "/" {
						continue
					}
					opens()
					if after := tb.eval("JSON.stringify(document.querySelector('.send .button').getBoundingClientRect())"); after != before {
						t.Errorf("%s: the button has moved from %s to %s", where, before, after)
					}
				}
			}
		}
	}
}
