package web_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"linnet/internal/linnet"
)

// hand operates a browser with mouse and keyboard, and counts clicks and fields.
type hand struct {
	*tab
	w      *world
	clicks int // except on inputs
	fields int // inputs typed into
	took   time.Duration
}

// clickable scrolls an element into view and returns its centre. If another element covers it, it
// returns that element.
const clickable = `(e => {
	e.scrollIntoView({block: 'center', behavior: 'instant'})
	const r = e.getClientRects()[0], x = r.x + r.width / 2, y = r.y + r.height / 2, at = document.elementFromPoint(x, y)
	return at && (e.contains(at) || at.contains(e)) ? x + ' ' + y : 'under ' + at?.outerHTML.slice(0, 80)
})(document.querySelector(%q))`

// strikes moves the mouse to an element, presses and releases.
func (h *hand) strikes(selector string) {
	h.t.Helper()
	h.holds("!!document.querySelector(%q)?.checkVisibility()", selector)
	var x, y float64
	at := h.eval(clickable, selector)
	if _, err := fmt.Sscan(at, &x, &y); err != nil {
		h.t.Fatalf("%s cannot be clicked on: %s", selector, at)
	}
	for _, kind := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
		h.do("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}, nil)
	}
}

// click clicks an element and waits for the result.
func (h *hand) click(selector, until string) {
	h.t.Helper()
	h.clicks++
	h.waits(until, func() { h.strikes(selector) })
}

// enter presses Enter and waits for the result.
func (h *hand) enter(until string) {
	h.t.Helper()
	h.waits(until, func() { h.hit("Enter") })
}

// waits calls do and adds the time until the condition is true.
func (h *hand) waits(until string, do func()) {
	h.t.Helper()
	begun := time.Now()
	do()
	h.holds("document.readyState == 'complete' && !!(%s)", until)
	h.took += time.Since(begun)
}

// types clicks an input and types.
func (h *hand) types(selector, text string) {
	h.t.Helper()
	h.fields++
	h.strikes(selector)
	h.holds("document.activeElement == document.querySelector(%q)", selector)
	h.typeInto(selector, text)
}

// at returns the condition that the page has the path.
func at(path string) string { return fmt.Sprintf("location.pathname == %q", path) }

// there returns the condition that the page has a matching element.
func there(selector string) string { return fmt.Sprintf("document.querySelector(%q)", selector) }

// posted returns the condition that the page has a post with the text.
func posted(text string) string {
	return fmt.Sprintf("[...document.querySelectorAll('.post .text')].some(e => e.textContent.includes(%q))", text)
}

// errand is a task of a new user with its limits, starting from the home page.
type errand struct {
	name   string
	who    string // "": not logged in
	clicks int    // that it needs
	fields int
	most   int    // clicks needed in Mastodon's web UI; 0: not possible
	theirs string // the clicks in Mastodon, or why the task is not possible there
	do     func(h *hand)
}

func errands() []errand { return append(errandsAmongPeople(), errandsOfOrder()...) }

func errandsAmongPeople() []errand {
	return []errand{
		{"Sign up with an invitation", "", 2, 3, 4, "Accept, I have read the policy, Sign up, the link in the mail", func(h *hand) {
			invitation, err := h.w.svc.Invites.Create(h.t.Context(), linnet.Operator(), linnet.InviteDraft{By: "mia"})
			if err != nil {
				h.t.Fatal(err)
			}
			h.open(h.w.base + "/invite/" + invitation.Code)
			h.types("#login", "newcomer")
			h.types("#password", password)
			h.types("#again", password)
			h.click("[name=agreed]", "document.querySelector('[name=agreed]').checked")
			h.click(".card .button", there("form[action='/logout']"))
		}},
		{"Find a friend and follow", "ann", 1, 1, 1, "search, Enter; Follow next to the name", func(h *hand) {
			h.types(".side input[type=search]", "carl")
			h.enter(at("/search"))
			h.click("button[value=follow]", there("[value=unfollow]"))
		}},
		{"Post a picture with a description", "ann", 3, 2, 4, "the picture button, Edit on the picture, Done, Post", func(h *hand) {
			h.do("Page.setInterceptFileChooserDialog", map[string]any{"enabled": true}, nil)
			h.click(".composer .pictures summary", "true")
			h.chooses(aPicture(90, 60))
			h.click(".attached summary", there(".attached details[open]"))
			h.types(".attached textarea", "A square")
			h.types("#text", "What I saw")
			h.click(".composer .send .button", posted("What I saw")+" && "+there(".post img[alt='A square']"))
		}},
		{"Reply in a thread", "ann", 2, 1, 3, "the post, Reply, Reply", func(h *hand) {
			h.click(".post .when", there(".opened"))
			h.types("#text", "I know")
			h.click(".composer .send .button", posted("I know"))
		}},
		{"Message two people, from the composer", "ann", 3, 1, 3, "the visibility menu, Private mention, Post. Since version 4.5, which has a dialog with Save: 5", func(h *hand) {
			h.click(".composer .audience summary", there(".composer .audience[open]"))
			h.click("[name=visibility][value=direct]", "document.querySelector('[name=visibility][value=direct]').checked")
			h.types("#text", "@bob @eve at noon then")
			h.click(".composer .send .button", "document.querySelector('.bub')?.textContent.includes('at noon then')")
		}},
		{"Message two people, from Messages", "ann", 3, 2, 0, "Mastodon has no such page", func(h *hand) {
			h.click(".nav a[href='/messages']", at("/messages"))
			h.click("a[href='/messages/new']", at("/messages/new"))
			h.types("#whom", "@bob @eve")
			h.enter(there(".say"))
			h.types("#text", "or at one")
			h.click(".say .send .button", "[...document.querySelectorAll('.bub')].some(e => e.textContent.includes('or at one'))")
		}},
	}
}

func errandsOfOrder() []errand {
	return []errand{
		{"Create a group", "ann", 3, 2, 0, "Mastodon has no groups", func(h *hand) {
			h.click(".nav a[href='/groups']", at("/groups"))
			h.click("a[href='/groups/new']", at("/groups/new"))
			h.types("#login", "flock")
			h.types("#name", "The flock")
			h.click(".card .button", at("/@flock"))
		}},
		{"Create a list with a member", "ann", 3, 2, 4, "Lists, New list, Create list, Add", func(h *hand) {
			h.click(".nav a[href='/lists']", at("/lists"))
			h.types("#title", "Friends")
			h.click(".card .button", there("#who-q"))
			h.types("#who-q", "bob")
			h.enter(there("button[value=add]"))
			h.click("button[value=add]", there("button[value=remove]"))
		}},
		{"Mute a word", "ann", 3, 2, 5, "Preferences, Filters, Add new filter, a context, Save", func(h *hand) {
			h.click(".post:has(a[href^='/settings/filters/new']) .more:not(.boosting) > summary", there(".more[open]"))
			h.click(".more[open] a[href^='/settings/filters/new']", at("/settings/filters/new"))
			h.types("#f-title", "Sport")
			h.types("#f-keyword", "football")
			h.click(".card .button", at("/settings/filters"))
		}},
		{"Change password", "ann", 3, 3, 3, "Preferences, Account, Save changes", func(h *hand) {
			h.click(".foot a[href='/settings']", at("/settings"))
			h.click("main a[href='/settings/security']", at("/settings/security"))
			h.types("#old", password)
			h.types("#new", password+" again")
			h.types("#again", password+" again")
			h.click("form[action='/settings/password'] .button", there(".notice[role=status]"))
		}},
		{"Request a data archive", "ann", 3, 0, 3, "Preferences, Import and export, Request your archive", func(h *hand) {
			h.click(".foot a[href='/settings']", at("/settings"))
			h.click("main a[href='/settings/export']", at("/settings/export"))
			h.click("form[action='/settings/export'] .button", "location.search.includes('done')")
		}},
		{"Moderate a report", "mia", 3, 0, 3, "Notifications, Open report, Mark as resolved", func(h *hand) {
			h.click(".nav a[href='/notifications']", at("/notifications"))
			h.click("a[href^='/admin/reports/']", "location.pathname.startsWith('/admin/reports/')")
			h.click("form:has([value=resolve]) button", there("form:has([value=reopen])"))
		}},
	}
}

// chooses selects a file in the upload input, without the system's dialog, and waits for the
// upload.
func (h *hand) chooses(picture []byte) {
	h.t.Helper()
	name := filepath.Join(h.t.TempDir(), "square.png")
	if err := os.WriteFile(name, picture, 0o600); err != nil {
		h.t.Fatal(err)
	}
	var found struct{ Result struct{ ObjectID string } }
	h.do("Runtime.evaluate", map[string]any{"expression": "document.getElementById('pictures')"}, &found)
	h.waits(there(".attached textarea")+" && !"+there("progress"), func() {
		h.do("DOM.setFileInputFiles", map[string]any{"files": []string{name}, "objectId": found.Result.ObjectID}, nil)
	})
}

// TestTasks does twelve tasks with mouse and keyboard. None needs more clicks than in Mastodon's
// web UI. docs/views.md has the numbers.
func TestTasks(t *testing.T) {
	needChromium(t)
	w := served(t)
	w.open("Be kind.")
	ann, bob, eve := w.user("ann"), w.user("bob"), w.user("eve")
	w.user("carl")
	w.user("mia")
	w.role("mia", linnet.Admin)
	for _, who := range []linnet.ID{bob.ID, eve.ID} {
		if _, err := w.svc.Social.Follow(t.Context(), ann.ID, who, linnet.FollowOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	st := w.post(bob.ID, linnet.Draft{Text: "Who knows where the key is?"})
	if _, err := w.svc.Moderation.Report(t.Context(), ann.ID, linnet.ReportDraft{On: bob.ID, Statuses: []linnet.ID{st.ID}, Category: linnet.ReportSpam}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "tasks end", w.svc.Idle)
	page := string(fileOrNothing(viewsPage))
	tabs := map[string]*tab{"": newTab(t), "ann": newTab(t), "mia": newTab(t)}
	for who, tb := range tabs {
		tb.width(1280)
		tb.do("Page.setInterceptFileChooserDialog", map[string]any{"enabled": true}, nil)
		if who != "" {
			tb.enters(w, who)
		}
	}
	for _, job := range errands() {
		t.Run(job.name, func(t *testing.T) {
			h := &hand{tab: tabs[job.who], w: w}
			h.t = t // the tab outlives the subtest
			h.open(w.base + "/")
			job.do(h)
			row := fmt.Sprintf("| %s | %d | %d | ", job.name, h.clicks, h.fields)
			if job.most > 0 {
				row += fmt.Sprintf("%d: %s |", job.most, job.theirs)
			} else {
				row += job.theirs + " |"
			}
			t.Logf("%s %.2f |", row, h.took.Seconds())
			if job.most > 0 && h.clicks > job.most || h.clicks > job.clicks || h.fields > job.fields {
				t.Errorf("%d clicks and %d fields, the most are %d and %d, in Mastodon's pages %d clicks", h.clicks, h.fields, job.clicks, job.fields, job.most)
			}
			if !strings.Contains(page, row) {
				t.Errorf("docs/views.md has no row %s", row)
			}
		})
	}
}
