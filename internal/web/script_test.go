package web_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"linnet/internal/linnet"
)

// enters logs in over HTTP and copies the cookies to the tab.
func (tb *tab) enters(w *world, login string) *browser {
	tb.t.Helper()
	b := w.browser().logIn(login)
	for name, value := range b.jar {
		tb.do("Network.setCookie", map[string]any{"name": name, "value": value, "url": w.base, "httpOnly": true}, nil)
	}
	return b
}

// holds waits until an expression is true in the page. Errors count as false, because the page may
// still be loading.
func (tb *tab) holds(format string, args ...any) {
	tb.t.Helper()
	e := fmt.Sprintf(format, args...)
	eventually(tb.t, e, func() bool {
		value, err := tb.evaluate(e)
		return err == nil && value == "true"
	})
}

// hit presses keys, such as "j", "Enter" or "Ctrl+Enter".
func (tb *tab) hit(keys ...string) {
	tb.t.Helper()
	codes := map[string]int{"Enter": 13, "Escape": 27, "Tab": 9, "ArrowDown": 40, "ArrowLeft": 37, "ArrowRight": 39, "Backspace": 8, "Home": 36, "End": 35, " ": 32}
	for _, key := range keys {
		p := map[string]any{"key": key, "windowsVirtualKeyCode": codes[key]}
		if rest, ctrl := strings.CutPrefix(key, "Ctrl+"); ctrl {
			p = map[string]any{"key": rest, "windowsVirtualKeyCode": codes[rest], "modifiers": 2}
		} else if utf8.RuneCountInString(key) == 1 {
			p["text"] = key
		} else if key == "Enter" {
			p["text"] = "\r"
		}
		for _, kind := range []string{"keyDown", "keyUp"} {
			p["type"] = kind
			tb.do("Input.dispatchKeyEvent", p, nil)
		}
	}
}

// calm fails the test if the browser has logged unexpected errors.
func (tb *tab) calm() {
	tb.t.Helper()
	for _, fault := range tb.complaints() {
		tb.t.Errorf("the browser complains: %s", fault)
	}
}

// flock starts a world in which ann follows bob, and bob has n posts.
func flock(t *testing.T, n int) (w *world, ann, bob linnet.User) {
	t.Helper()
	w = served(t)
	ann, bob = w.user("ann"), w.user("bob")
	if _, err := w.svc.Social.Follow(t.Context(), ann.ID, bob.ID, linnet.FollowOptions{}); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		w.post(bob.ID, linnet.Draft{Text: fmt.Sprintf("Status %d", i+1)})
	}
	eventually(t, "tasks end", w.svc.Idle)
	return w, ann, bob
}

// homeOf opens the home page as ann and waits for its live stream.
func homeOf(t *testing.T, w *world) *tab {
	t.Helper()
	tb := newTab(t)
	tb.width(1280)
	tb.enters(w, "ann")
	tb.open(w.base + "/")
	tb.holds("document.querySelector('.news')?.dataset.open == '1'")
	return tb
}

func actsStay(t *testing.T) {
	w, ann, bob := flock(t, 2)
	tb := homeOf(t, w)
	tb.eval("window.stays = 1")
	st := tb.eval("document.querySelector('.post').dataset.id")
	for _, act := range []string{"favourite", "boost", "bookmark"} {
		for _, on := range []string{"true", "false", "true"} {
			tb.eval("(e => (e.closest('details')?.setAttribute('open', ''), e.focus(), e.click()))(document.querySelector('.acts [value$=%s]'))", act)
			tb.holds("document.querySelector('.acts [value$=%s]').getAttribute('aria-pressed') == '%s' && !document.querySelector('[data-busy]')", act, on)
		}
		if !strings.HasPrefix(tb.eval("document.activeElement.className"), "act "+act) {
			t.Errorf("%s: the focus is lost", act)
		}
	}
	release := w.hold(isPost)
	for _, act := range []string{"favourite", "bookmark", "favourite"} {
		tb.eval("document.querySelector('.acts [value$=%s]').click()", act)
	}
	release() // a click during a slow request is not lost
	tb.holds("['favourite', 'bookmark'].map(act => document.querySelector('.acts [value$=' + act + ']').ariaPressed).join() == 'true,false' && !document.querySelector('[data-busy]')")
	id, _ := linnet.ParseID(st)
	got, err := w.svc.View.Status(t.Context(), ann.ID, id)
	if err != nil || !got.Favourited || !got.Reposted || got.Bookmarked || got.By.ID != bob.ID {
		t.Errorf("the status is %+v, %v", got, err)
	}
	if tb.eval("window.stays") != "1" || tb.eval("document.querySelector('.act.favourite').textContent") != "1" {
		t.Error("the page was left, or does not count")
	}
	if _, err := w.svc.Posting.Delete(t.Context(), bob.ID, id); err != nil {
		t.Fatal(err)
	}
	tb.expects("status of 404")
	tb.eval("document.querySelector('.act.favourite').click()")
	tb.holds("document.querySelector('.flash[role=alert]').textContent.includes(`This page doesn't exist`)")
	if tb.eval("document.querySelector('.act.favourite').getAttribute('aria-pressed')") != "true" {
		t.Error("a refused act shows as done")
	}
	if _, err := w.svc.Social.Follow(t.Context(), bob.ID, ann.ID, linnet.FollowOptions{}); err != nil {
		t.Fatal(err)
	}
	tb.open(w.base + "/@bob")
	for _, now := range []struct{ act, badge, other string }{{"unfollow", "follows you", "0"}, {"follow", "you follow each other", "1"}} {
		tb.eval("(e => (e.focus(), e.click()))(document.querySelector('button[value=%s]'))", now.act)
		tb.holds("document.querySelector('.handle .badge').textContent == '%s' && document.querySelectorAll('.menu [value=notify]').length == %s && !document.querySelector('[data-busy]')", now.badge, now.other)
		if tb.eval("document.activeElement.name + document.querySelectorAll('.profile .handle').length") != "act1" {
			t.Errorf("%s: the focus is lost, or the name is doubled", now.act)
		}
	}
}
