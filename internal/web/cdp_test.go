package web

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// tab is a page of a real browser, driven over the Chrome DevTools Protocol.
// https://chromedevtools.github.io/devtools-protocol/
type tab struct {
	t       *testing.T
	conn    *websocket.Conn
	session string // of the page within the browser

	mu      sync.Mutex
	last    int
	waiting map[int]chan reply
	faults  []string      // what the browser complained of
	loaded  chan struct{} // gets one for each page that has loaded
}

type reply struct {
	ID     int
	Method string
	Result json.RawMessage
	Params json.RawMessage
	Error  *struct{ Message string }
}

// newTab starts a browser with one page; both end with the test. Without a
// browser the test is skipped, unless LINNET_REQUIRE names chromium.
func newTab(t *testing.T) *tab {
	t.Helper()
	var program string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			program = p
			break
		}
	}
	if program == "" {
		if strings.Contains(os.Getenv("LINNET_REQUIRE"), "chromium") {
			t.Fatal("chromium is required, and not on the PATH")
		}
		t.Skip("no chromium on the PATH")
	}
	profile := t.TempDir()
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	cmd := exec.CommandContext(ctx, program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
		"--user-data-dir="+profile, "--remote-debugging-port=0", "about:blank")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop()
		_ = cmd.Wait() // killed: that is how it ends
		settled(profile)
	})
	tb := &tab{t: t, waiting: map[int]chan reply{}, loaded: make(chan struct{}, 100)}
	tb.connect(ctx, filepath.Join(profile, "DevToolsActivePort"))
	return tb
}

// settled waits until the processes of the browser have stopped writing, so that
// the directory can be removed.
func settled(dir string) {
	for range 50 {
		if os.RemoveAll(dir) == nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// connect waits for the browser's port and opens a page.
func (tb *tab) connect(ctx context.Context, portFile string) {
	tb.t.Helper()
	var address string
	eventually(tb.t, "the browser's start", func() bool {
		f, err := os.Open(portFile)
		if err != nil {
			return false
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		var port, path string
		if lines.Scan() {
			port = lines.Text()
		}
		if lines.Scan() {
			path = lines.Text()
		}
		address = "ws://127.0.0.1:" + port + path
		return path != ""
	})
	conn, _, err := websocket.Dial(ctx, address, nil)
	if err != nil {
		tb.t.Fatal(err)
	}
	conn.SetReadLimit(64 << 20)
	tb.conn = conn
	tb.t.Cleanup(func() { _ = conn.CloseNow() })
	go tb.listen(ctx)
	var target struct{ TargetID, SessionID string }
	tb.call("", "Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	tb.call("", "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &target)
	tb.session = target.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		tb.do(domain+".enable", nil, nil)
	}
}

// listen takes answers and events until the browser ends.
func (tb *tab) listen(ctx context.Context) {
	for {
		_, data, err := tb.conn.Read(ctx)
		if err != nil {
			return
		}
		var r reply
		if json.Unmarshal(data, &r) != nil {
			continue
		}
		tb.mu.Lock()
		if ch := tb.waiting[r.ID]; r.ID != 0 && ch != nil {
			delete(tb.waiting, r.ID)
			ch <- r
		}
		switch r.Method {
		case "Log.entryAdded", "Runtime.exceptionThrown":
			tb.faults = append(tb.faults, string(r.Params))
		case "Page.loadEventFired":
			tb.loaded <- struct{}{}
		}
		tb.mu.Unlock()
	}
}

// do calls a method of the page.
func (tb *tab) do(method string, params map[string]any, result any) {
	tb.t.Helper()
	tb.call(tb.session, method, params, result)
}

func (tb *tab) call(session, method string, params map[string]any, result any) {
	tb.t.Helper()
	ch := make(chan reply, 1)
	tb.mu.Lock()
	tb.last++
	id := tb.last
	tb.waiting[id] = ch
	tb.mu.Unlock()
	data, err := json.Marshal(map[string]any{"id": id, "sessionId": session, "method": method, "params": params})
	if err != nil {
		tb.t.Fatal(err)
	}
	if session == "" {
		data, _ = json.Marshal(map[string]any{"id": id, "method": method, "params": params})
	}
	if err := tb.conn.Write(tb.t.Context(), websocket.MessageText, data); err != nil {
		tb.t.Fatalf("%s: %v", method, err)
	}
	select {
	case r := <-ch:
		if r.Error != nil {
			tb.t.Fatalf("%s: %s", method, r.Error.Message)
		}
		if result != nil {
			if err := json.Unmarshal(r.Result, result); err != nil {
				tb.t.Fatalf("%s: %v", method, err)
			}
		}
	case <-time.After(20 * time.Second):
		tb.t.Fatalf("%s: no answer", method)
	}
}

// open goes to an address and waits until the page has loaded.
func (tb *tab) open(address string) {
	tb.t.Helper()
	tb.loads(func() { tb.do("Page.navigate", map[string]any{"url": address}, nil) })
}

// loads does what loads a page and waits for that.
func (tb *tab) loads(do func()) {
	tb.t.Helper()
	for len(tb.loaded) > 0 {
		<-tb.loaded
	}
	do()
	select {
	case <-tb.loaded:
	case <-time.After(20 * time.Second):
		tb.t.Fatalf("no page has loaded; the browser says %q", tb.complaints())
	}
}

// eval evaluates an expression in the page, whose own policy does not bind us.
func (tb *tab) eval(format string, args ...any) string {
	tb.t.Helper()
	var r struct {
		Result           struct{ Value any }
		ExceptionDetails *struct{ Text string }
	}
	tb.do("Runtime.evaluate", map[string]any{"expression": fmt.Sprintf(format, args...), "returnByValue": true}, &r)
	if r.ExceptionDetails != nil {
		tb.t.Fatalf(format+": "+r.ExceptionDetails.Text, args...)
	}
	return fmt.Sprint(r.Result.Value)
}

// width makes the page this many CSS pixels wide.
func (tb *tab) width(px int) {
	tb.t.Helper()
	tb.do("Emulation.setDeviceMetricsOverride", map[string]any{"width": px, "height": 800, "deviceScaleFactor": 1, "mobile": false}, nil)
}

// complaints returns what the browser has complained of since the last call.
func (tb *tab) complaints() []string {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	f := tb.faults
	tb.faults = nil
	return f
}
