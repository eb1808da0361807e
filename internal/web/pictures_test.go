package web_test

import (
	"context"
	"encoding/base64"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	demo "linnet/internal/admin"
	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/core"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/web"
)

// picturesAreTaken checks that the pictures for README.md can be taken. They show the demo's home
// page in both colour schemes. With -update it writes them to docs/pictures. The page must load
// without browser errors.
func picturesAreTaken(t *testing.T) {
	tb := newTab(t)
	w := demonstration(t)
	tb.open(w.base + "/login")
	tb.typeInto("#login", demo.DemoAdmin)
	tb.typeInto("#password", demo.DemoPassword)
	tb.loads(func() { tb.eval("document.querySelector('.card button').click()") })
	for _, scheme := range []string{"light", "dark"} {
		tb.scheme(scheme)
		tb.do("Emulation.setDeviceMetricsOverride", map[string]any{"width": 1280, "height": 860, "deviceScaleFactor": 1, "mobile": false}, nil)
		tb.open(w.base + "/")
		var shot struct{ Data string }
		tb.do("Page.captureScreenshot", map[string]any{"format": "webp", "quality": 82}, &shot)
		picture, err := base64.StdEncoding.DecodeString(shot.Data)
		if err != nil || len(picture) < 8_000 {
			t.Errorf("home in %s: a picture of %d bytes (%v)", scheme, len(picture), err)
		}
		if *update {
			name := filepath.Join("..", "..", "docs", "pictures", "home-"+scheme+".webp")
			if err := os.WriteFile(name, picture, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, fault := range tb.complaints() {
		t.Errorf("the browser complains: %s", fault)
	}
}

// demonstration serves the demo instance.
func demonstration(t *testing.T) *world {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	clock, base, log := demo.NewDemoClock(time.Now()), "http://"+l.Addr().String(), slog.New(slog.DiscardHandler)
	engine := memkv.New(memkv.Options{Now: clock.Now})
	svc, err := app.New(store.New(engine, store.Options{Now: clock.Now}), app.Options{Derive: apptest.Derive, PublicURL: base, Log: log, Exclusive: true, Rates: core.Unlimited(), Files: apptest.Files(t)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); svc.Run(ctx) }()
	t.Cleanup(func() { stop(); <-done })
	if err := demo.Demo(t.Context(), svc, clock); err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, engine: engine, svc: svc, base: base, handler: web.New(svc, web.Options{Version: "0.1.0", Log: log})}
	w.serve(l)
	t.Cleanup(func() { w.gate.srv.Close() })
	return w
}

// sendFile serves an uploaded file, like the program does alongside the pages.
func sendFile(w http.ResponseWriter, r *http.Request, svc *app.App, name string) {
	f, err := svc.Uploads.Open(r.Context(), name)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	defer f.Close()
	http.ServeContent(w, r, name, time.Time{}, f)
}

// opened returns the path of a demo post with replies.
func (w *world) opened(t *testing.T) string {
	t.Helper()
	me, err := w.svc.Moderation.AccountNamed(t.Context(), linnet.Operator(), demo.DemoAdmin)
	if err != nil {
		t.Fatal(err)
	}
	page, err := w.svc.Reading.Profile(t.Context(), me.ID, me.ID, linnet.ProfileFilter{ExcludeReplies: true}, linnet.Page{Limit: 40})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range page.Items {
		if v.Replies > 1 {
			return postPath(v)
		}
	}
	t.Fatal("nothing was answered")
	return ""
}
