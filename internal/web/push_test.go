package web_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/web"
	"linnet/internal/web/assets"
)

const (
	pushPoint = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
	pushAuth  = "BTBZMqHH6r4Tts7J_aSIgg"
)

// pushOf returns the push subscription of the account, or nil.
func (w *world) pushOf(who linnet.ID) *linnet.PushSubscription {
	w.t.Helper()
	all, err := w.svc.Store().Sessions.Pushes(w.t.Context(), who)
	if err != nil {
		w.t.Fatal(err)
	}
	if len(all) == 0 {
		return nil
	}
	return all[0]
}

// TestPushSettings checks that push notifications can be configured and turned off without scripts.
// Turning them on needs the script, and the page says so.
func TestPushSettings(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	b := w.browser().logIn("ann")
	want(t, b.get("/settings/push"), http.StatusOK, "requires JavaScript", "Off in this browser", `value="mention" checked`, `value="favourite">`, `name="endpoint" value=""`)
	if strings.Contains(b.get("/settings/push").body, "admin.report") {
		t.Error("reports are offered to who sees none")
	}
	want(t, b.post("/settings/push", "alerts", "favourite", "policy", "followed"), http.StatusUnprocessableEntity, "this requires JavaScript", `value="favourite" checked`, `value="followed" selected`)
	want(t, b.post("/settings/push", "endpoint", "https://10.0.0.1/x", "p256dh", pushPoint, "auth", pushAuth), http.StatusUnprocessableEntity, "This browser's push service can't be used:")
	want(t, b.post("/settings/push", "endpoint", "https://push.test/x", "p256dh", "x", "auth", pushAuth), http.StatusUnprocessableEntity, "This browser's push service can't be used:")
	wantTo(t, b.post("/settings/push", "endpoint", "https://push.test/x", "p256dh", pushPoint, "auth", pushAuth, "alerts", "mention", "policy", "all"), "/settings/push?done=on")
	if p := w.pushOf(ann.ID); p == nil || p.Endpoint != "https://push.test/x" || !p.Standard || p.Token != "" || !slices.Equal(p.Alerts, []linnet.NotificationType{linnet.NotifyMention}) {
		t.Fatalf("kept %+v", p)
	}
	want(t, b.get("/settings/push?done=on"), http.StatusOK, "are on in this browser", `value="mention" checked`, "Turn off")
	want(t, w.browser().logIn("ann").get("/settings/push"), http.StatusOK, "Off in this browser")
	wantTo(t, b.post("/settings/push?change=1", "alerts", "follow", "policy", "follower"), "/settings/push?done=saved")
	if p := w.pushOf(ann.ID); p.Endpoint != "https://push.test/x" || p.Policy != linnet.PushFollower || !slices.Equal(p.Alerts, []linnet.NotificationType{linnet.NotifyFollow}) {
		t.Errorf("changed to %+v", p)
	}
	b.get("/settings/push")
	wantTo(t, b.post("/settings/push/end"), "/settings/push?done=off")
	if p := w.pushOf(ann.ID); p != nil {
		t.Errorf("still %+v", p)
	}
	want(t, b.get("/settings/push?done=off"), http.StatusOK, "are off in this browser")
}

// TestPushEndsWithLogOut checks that logging out deletes the browser's push subscription.
func TestPushEndsWithLogOut(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	b := w.browser().logIn("ann")
	b.get("/settings/push")
	b.post("/settings/push", "endpoint", "https://push.test/x", "p256dh", pushPoint, "auth", pushAuth, "alerts", "mention")
	if w.pushOf(ann.ID) == nil {
		t.Fatal("not kept")
	}
	b.get("/")
	b.post("/logout")
	if p := w.pushOf(ann.ID); p != nil {
		t.Errorf("still %+v", p)
	}
}

// TestManifest checks that the web app manifest is valid and its icons exist.
func TestManifest(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	b := w.browser().logIn("ann")
	a := b.get("/manifest.webmanifest")
	var m web.AppManifest
	if err := json.Unmarshal([]byte(a.body), &m); err != nil || a.Header.Get("Content-Type") != "application/manifest+json; charset=utf-8" {
		t.Fatalf("%v: %s", err, a.body)
	}
	if m.Name == "" || m.Display != "standalone" || m.Start != "/" || len(m.Icons) != 4 {
		t.Errorf("%+v", m)
	}
	for _, path := range []string{m.Icons[0].Src, m.Icons[1].Src, m.Icons[2].Src, m.Icons[3].Src, "/apple-touch-icon.png"} {
		if a := b.get(path); a.StatusCode != http.StatusOK || !strings.HasPrefix(a.Header.Get("Content-Type"), "image/") {
			t.Errorf("%s: %d %s", path, a.StatusCode, a.Header.Get("Content-Type"))
		}
	}
	if !strings.Contains(b.get("/").body, "rel=\"manifest\" href=\"/manifest.webmanifest\"") {
		t.Error("no page names the manifest")
	}
}

// TestWorkerStoresNothingPersonal checks that the files cached by the service worker exist. The
// offline page is the same for all users and contains no account.
func TestWorkerStoresNothingPersonal(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	in, out := w.browser().logIn("ann"), w.browser()
	a := out.get("/sw.js")
	if a.StatusCode != http.StatusOK || a.Header.Get("Content-Type") != "text/javascript; charset=utf-8" || a.Header.Get("Cache-Control") != "no-cache" || strings.Contains(a.body, "'$") {
		t.Errorf("%d %v\n%s", a.StatusCode, a.Header, a.body)
	}
	for _, path := range []string{"/offline", assets.Path("style.css"), assets.Path("icons.svg"), assets.Path("badge.png")} {
		if !strings.Contains(a.body, "'"+path+"'") || out.get(path).StatusCode != http.StatusOK {
			t.Errorf("%s is not among what the worker knows, or is not there", path)
		}
	}
	if page := in.get("/offline").body; page != out.get("/offline").body || strings.Contains(page, "@ann") || !strings.Contains(page, "No connection") {
		t.Errorf("the page without connection:\n%s", page)
	}
}

// TestPushInBrowser checks that the script subscribes to push notifications. It also checks that
// the service worker shows its cached page without a connection.
func TestPushInBrowser(t *testing.T) {
	tb := newTab(t)
	w := served(t)
	ann := w.user("ann")
	tb.enters(w, "ann")
	release := w.hold(isModule("push.js"))
	tb.open(w.base + "/settings/push")
	tb.eval(`Notification.requestPermission = async () => 'denied'`)
	tb.eval(`document.querySelector('form[action="/settings/push"] button').click()`)
	release() // a slow connection must not send the form without the module
	tb.holds(`document.querySelector('.flash.wrong').textContent.includes('Your browser blocks notifications')`)
	tb.eval(`Notification.requestPermission = async () => 'granted',
		PushManager.prototype.subscribe = async (o) => ({ endpoint: 'https://push.test/' + o.applicationServerKey.length, getKey: (n) => bytesFor(n) }),
		window.bytesFor = (n) => Uint8Array.from(atob((n === 'auth' ? %q : %q).replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0)).buffer`, pushAuth, pushPoint)
	tb.loads(func() { tb.eval(`document.querySelector('form[action="/settings/push"] button').click()`) })
	tb.holds(`document.querySelector('.notice').textContent.includes('are on in this browser')`)
	if p := w.pushOf(ann.ID); p == nil || p.Endpoint != "https://push.test/65" {
		t.Errorf("kept %+v", p)
	}
	tb.holds(`navigator.serviceWorker.controller !== null`)
	tb.eval(`caches.keys().then(async (all) => { window.kept = ''; for (const n of all) for (const r of await (await caches.open(n)).keys()) window.kept += new URL(r.url).pathname + ' ' })`)
	tb.holds(`window.kept === %q`, strings.Join([]string{"/offline", assets.Path("style.css"), assets.Path("icons.svg"), ""}, " "))
	tb.calm()
	tb.loads(func() { tb.eval(`document.querySelector('form[action="/settings/push/end"] button').click()`) })
	tb.holds(`document.querySelector('.notice').textContent.includes('are off in this browser')`)
	if p := w.pushOf(ann.ID); p != nil {
		t.Errorf("still %+v", p)
	}
	w.gate.srv.CloseClientConnections()
	w.gate.srv.Close()
	tb.loads(func() { tb.eval(`location.href = '/notifications'`) })
	tb.holds(`document.querySelector('h1').textContent === 'No connection'`)
}
