package web_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"linnet/internal/linnet"
)

// wire is an open event stream of a page.
type wire struct {
	t      testing.TB
	lines  *bufio.Scanner
	hangUp func()
}

// listen opens a stream over a real connection, like a browser.
func (w *world) listen(b *browser, path, lastEventID string) *wire {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), time.Minute)
	w.t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, "GET", w.base+path, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	for k, v := range b.jar {
		r.AddCookie(&http.Cookie{Name: k, Value: v})
	}
	if lastEventID != "" {
		r.Header.Set("Last-Event-ID", lastEventID)
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { a.Body.Close() })
	if a.StatusCode != http.StatusOK || a.Header.Get("Content-Type") != "text/event-stream" {
		w.t.Fatalf("%s answers %d, %s", path, a.StatusCode, a.Header.Get("Content-Type"))
	}
	return &wire{w.t, bufio.NewScanner(a.Body), cancel}
}

// next returns the next event as "name id". It skips events about numbers.
func (l *wire) next() string {
	l.t.Helper()
	name := ""
	for l.lines.Scan() {
		switch key, value, _ := strings.Cut(l.lines.Text(), ": "); key {
		case "event":
			name = value
		case "data":
			if name == "unread" || name == "counts" {
				continue
			}
			return name + " " + value
		}
	}
	return "end"
}

func TestLive(t *testing.T) {
	w := served(t)
	ann, bob := w.user("ann"), w.user("bob")
	w.user("eve")
	if _, err := w.svc.Social.Follow(t.Context(), bob.ID, ann.ID, linnet.FollowOptions{}); err != nil {
		t.Fatal(err)
	}
	old := w.post(ann.ID, linnet.Draft{Text: "old"})
	missed := w.post(ann.ID, linnet.Draft{Text: "missed", Visibility: vis(linnet.Private)})
	eventually(t, "tasks end", w.svc.Idle)
	b, eve := w.browser().logIn("bob"), w.browser().logIn("eve")

	byAddress := w.listen(b, "/live?of=home&since="+old.ID.String(), "")
	byHeader := w.listen(b, "/live?of=home&since=1", old.ID.String())
	local := w.listen(eve, "/live?of=local", "")
	for _, l := range []*wire{byAddress, byHeader} {
		if got := l.next(); got != "post "+missed.ID.String() {
			t.Errorf("missed: %s", got)
		}
	}
	own := w.listen(w.browser().logIn("ann"), "/live?of=home&since="+missed.ID.String(), "")
	w.post(ann.ID, linnet.Draft{Text: "@eve psst", Visibility: vis(linnet.Direct)}) // messages are not in the home timeline
	after := w.post(ann.ID, linnet.Draft{Text: "for followers", Visibility: vis(linnet.Private)})
	if got := own.next(); got != "post "+after.ID.String() {
		t.Errorf("after a message: %s", got)
	}
	open := w.post(ann.ID, linnet.Draft{Text: "for all"})
	byAddress.next()
	for _, l := range []*wire{byAddress, local} { // a visitor receives only the public post
		if got := l.next(); got != "post "+open.ID.String() {
			t.Errorf("live: %s", got)
		}
	}
	if _, err := w.svc.Posting.Delete(t.Context(), ann.ID, open.ID); err != nil {
		t.Fatal(err)
	}
	if got := byAddress.next(); got != "gone "+open.ID.String() {
		t.Errorf("deleted: %s", got)
	}
	b.get("/")
	b.post("/logout")
	if got := byAddress.next(); got != "end" {
		t.Errorf("after the log-out: %s", got)
	}
}

// TestLiveCountsUnreadAtIntervals checks that many notifications at once cause few counts of unread
// items, and that the last number arrives.
func TestLiveCountsUnreadAtIntervals(t *testing.T) {
	w := served(t)
	w.user("ann")
	bob := w.user("bob")
	l := w.listen(w.browser().logIn("ann"), "/live?of=home", "")
	const notes = 5
	for range notes {
		w.post(bob.ID, linnet.Draft{Text: "@ann hello"})
		eventually(t, "tasks end", w.svc.Idle)
	}
	want := fmt.Sprintf("data: %d 0", notes)
	var counts []string
	for l.lines.Scan() {
		if l.lines.Text() != "event: unread" || !l.lines.Scan() {
			continue
		}
		if counts = append(counts, l.lines.Text()); l.lines.Text() == want {
			break
		}
	}
	if n := len(counts); n == 0 || n > 3 || counts[n-1] != want {
		t.Errorf("the counts are %q, want at most 3, the last one %q", counts, want)
	}
}

func TestLiveIsBounded(t *testing.T) {
	w := served(t)
	w.user("ann")
	b := w.browser().logIn("ann")
	want(t, b.get("/live?of=list&list=2"), http.StatusNotFound)
	want(t, b.get("/live"), http.StatusNotFound)
	for range 16 {
		w.listen(b, "/live?of=home", "")
	}
	want(t, b.get("/live?of=home"), http.StatusTooManyRequests)
	wantTo(t, w.browser().get("/live?of=home"), "/login?next="+url.QueryEscape("/live?of=home"))
}

func TestReadingPosition(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	old := w.post(ann.ID, linnet.Draft{Text: "old"})
	b := w.browser().logIn("ann")
	b.get("/")
	wantTo(t, b.post("/read", "home", old.ID.String()), "/")
	mid := w.post(ann.ID, linnet.Draft{Text: "unread"})
	a := b.get("/")
	want(t, a, http.StatusOK, `id="line"`)
	if line, row := strings.Index(a.body, `id="line"`), strings.Index(a.body, `id="p`+old.ID.String()); line > row || line < strings.Index(a.body, `id="p`+mid.ID.String()) {
		t.Error("the line does not stand between what was read and what was not")
	}
	b.post("/read", "home", mid.ID.String())
	b.get("/")
	b.post("/read", "home", old.ID.String()) // another tab with an older position
	if m, err := w.svc.Reading.Markers(t.Context(), ann.ID, []linnet.MarkerTimeline{linnet.MarkerHome}); err != nil || m[linnet.MarkerHome].LastRead != mid.ID {
		t.Errorf("the position is %v, %v; want %v", m, err, mid.ID)
	}
	if a := b.get("/"); strings.Contains(a.body, `id="line"`) {
		t.Error("a line, though all is read")
	}
	want(t, b.post("/read", "home", "x"), http.StatusBadRequest)
}

func TestComplete(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	w.user("annika")
	w.user("bob")
	w.post(ann.ID, linnet.Draft{Text: "on #Birdsong"})
	eventually(t, "tasks end", w.svc.Idle)
	b := w.browser().logIn("ann")
	for q, texts := range map[string]string{"q=@ann": "@ann @annika", "q=@Bo": "@bob", "q=#bird": "#birdsong", "q=#Birdsong": "#birdsong", "q=#x": "", "q=": "", "q=ann": "",
		"search=ann": "@ann @annika", "search=bird": "#birdsong", "search=#bird": "#birdsong", "search=@bird": "", "search= ": "", "to=annik": "@annika", "to=bird": ""} {
		var got []struct{ Text string }
		name, value, _ := strings.Cut(q, "=")
		a := b.get("/complete?" + url.Values{name: {value}}.Encode())
		if err := json.Unmarshal([]byte(a.body), &got); err != nil || got == nil {
			t.Fatalf("%q: %s", q, a.body)
		}
		var have []string
		for _, s := range got {
			have = append(have, s.Text)
		}
		if strings.Join(have, " ") != texts {
			t.Errorf("%q becomes %q, want %q", q, have, texts)
		}
	}
}
