package web_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"linnet/internal/app/apptest"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// tab is a page of a real browser, driven over the Chrome DevTools Protocol.
// https://chromedevtools.github.io/devtools-protocol/
type tab struct {
	t       *testing.T
	conn    *websocket.Conn
	context string // browser context with its own cookies and storage
	session string // of the page

	mu      sync.Mutex
	last    int
	waiting map[int]chan reply
	faults  []string // errors that the browser has logged
	allowed []string // substrings of expected errors, see expects
	asked   []string // requested addresses

	unanswered map[string]string // requests without a response, by request id

	paints []paint       // recorded after PerformanceTimeline.enable
	loaded chan struct{} // receives a value for each loaded page
}

type reply struct {
	ID     int
	Method string
	Result json.RawMessage
	Params json.RawMessage
	Error  *struct{ Message string }
}

// chromium is the browser shared by all tests of the package. Each tab has its own context with its
// own cookies.
var chromium struct {
	once  sync.Once
	stop  func()
	entry string // address of the DevTools endpoint
	why   string // reason why no browser is available
	fault string // error during start
}

func TestMain(m *testing.M) {
	code := m.Run()
	if chromium.stop != nil {
		chromium.stop()
	}
	os.Exit(code)
}

// startChromium starts the browser with a temporary profile. It prefers the headless shell, which
// needs half the processor time of the whole browser.
func startChromium() {
	var program string
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			program = p
			break
		}
	}
	if program == "" {
		chromium.why = "no chromium on the PATH"
		return
	}
	profile, err := os.MkdirTemp("", "linnet-chromium-*")
	if err != nil {
		chromium.fault = err.Error()
		return
	}
	cmd := exec.Command(program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
		"--disable-background-timer-throttling", "--disable-renderer-backgrounding", "--disable-backgrounding-occluded-windows",
		"--user-data-dir="+profile, "--remote-debugging-port=0", "about:blank")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // the program may be a script that starts the browser
	if err := cmd.Start(); err != nil {
		chromium.fault = err.Error()
		return
	}
	chromium.stop = func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait() // the error is expected after SIGKILL
		settled(profile)
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		port, path, _ := strings.Cut(string(fileOrNothing(filepath.Join(profile, "DevToolsActivePort"))), "\n")
		if path != "" {
			chromium.entry = "ws://127.0.0.1:" + port + strings.TrimSpace(path)
			return
		}
		if time.Now().After(end) {
			chromium.fault = "the browser did not start in a minute"
			return
		}
	}
}

func fileOrNothing(name string) []byte {
	b, _ := os.ReadFile(name)
	return b
}

// settled removes the directory. It retries because browser processes may still be writing to it.
func settled(dir string) {
	for range 50 {
		if os.RemoveAll(dir) == nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// needChromium starts the browser. Without one the test is skipped, unless LINNET_REQUIRE names
// chromium. With -short, only the points inShort use a browser, because all browser tests together
// take twice as long as all others. The race detector would add nothing but time: a browser shares no
// memory with the program.
func needChromium(t *testing.T) {
	t.Helper()
	if apptest.Race {
		t.Skip("the race detector leaves out tests in a browser")
	}
	if testing.Short() && !slices.ContainsFunc(inShort, func(number string) bool { return strings.HasPrefix(t.Name(), "TestAcceptance/"+number+"_") }) {
		t.Skip("-short leaves out most tests in a browser")
	}
	chromium.once.Do(startChromium)
	required := slices.Contains(strings.Split(os.Getenv("LINNET_REQUIRE"), ","), "chromium")
	switch {
	case chromium.fault != "":
		t.Fatal(chromium.fault)
	case chromium.why != "" && required:
		t.Fatal("LINNET_REQUIRE names chromium: " + chromium.why)
	case chromium.why != "":
		t.Skip(chromium.why)
	}
}

// newTab opens a page with its own cookies, and closes it at the end of the test. The test fails if
// the browser has logged unexpected errors by then.
func newTab(t *testing.T) *tab {
	t.Helper()
	needChromium(t)
	tb := &tab{t: t, waiting: map[int]chan reply{}, unanswered: map[string]string{}, loaded: make(chan struct{}, 100)}
	tb.connect(chromium.entry)
	t.Cleanup(tb.calm)
	return tb
}

// connect opens a page in its own browser context.
func (tb *tab) connect(address string) {
	tb.t.Helper()
	ctx := tb.t.Context() // timeouts apply to each call instead
	conn, _, err := websocket.Dial(ctx, address, nil)
	if err != nil {
		tb.t.Fatal(err)
	}
	conn.SetReadLimit(64 << 20)
	tb.conn = conn
	tb.t.Cleanup(func() { _ = conn.CloseNow() })
	go tb.listen(ctx)
	var target struct{ BrowserContextID, TargetID, SessionID string }
	tb.call("", "Target.createBrowserContext", map[string]any{"disposeOnDetach": true}, &target)
	tb.context = target.BrowserContextID
	tb.openTarget()
}

// openTarget opens a page of the tab's context, which the tab then drives.
func (tb *tab) openTarget() {
	tb.t.Helper()
	var target struct{ TargetID, SessionID string }
	tb.call("", "Target.createTarget", map[string]any{"url": "about:blank", "browserContextId": tb.context}, &target)
	tb.call("", "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &target)
	tb.session = target.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		tb.do(domain+".enable", nil, nil)
	}
	tb.do("Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true}, nil)
}

// listen handles responses and events until the connection closes.
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
		case "Log.entryAdded":
			var entry struct{ Entry struct{ Level string } }
			_ = json.Unmarshal(r.Params, &entry)
			if entry.Entry.Level == "warning" || entry.Entry.Level == "error" {
				tb.faults = append(tb.faults, string(r.Params))
			}
		case "Runtime.exceptionThrown":
			tb.faults = append(tb.faults, string(r.Params))
		case "Runtime.consoleAPICalled":
			var call struct{ Type string }
			_ = json.Unmarshal(r.Params, &call)
			if call.Type == "error" || call.Type == "assert" {
				tb.faults = append(tb.faults, string(r.Params))
			}
		case "Network.requestWillBeSent":
			var asked struct {
				RequestID string
				Request   struct{ URL string }
			}
			_ = json.Unmarshal(r.Params, &asked)
			tb.asked = append(tb.asked, asked.Request.URL)
			tb.unanswered[asked.RequestID] = asked.Request.URL
		case "Network.loadingFinished", "Network.loadingFailed":
			var ended struct{ RequestID string }
			_ = json.Unmarshal(r.Params, &ended)
			delete(tb.unanswered, ended.RequestID)
		case "PerformanceTimeline.timelineEventAdded":
			var p paint
			_ = json.Unmarshal(r.Params, &p)
			tb.paints = append(tb.paints, p)
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
	if err := tb.try(session, method, params, result); err != nil {
		tb.t.Fatalf("%s: %v", method, err)
	}
}

// try is like call, but returns errors of the browser instead of failing the test.
func (tb *tab) try(session, method string, params map[string]any, result any) error {
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
			return errors.New(r.Error.Message)
		}
		if result != nil {
			return json.Unmarshal(r.Result, result)
		}
	case <-time.After(time.Minute):
		tb.t.Fatalf("%s: no answer", method)
	}
	return nil
}

// open navigates to an address and waits until the page has loaded.
func (tb *tab) open(address string) {
	tb.t.Helper()
	tb.loads(func() { tb.do("Page.navigate", map[string]any{"url": address}, nil) })
}

// loads runs do and waits until a page has loaded.
func (tb *tab) loads(do func()) {
	tb.t.Helper()
	for len(tb.loaded) > 0 {
		<-tb.loaded
	}
	do()
	select {
	case <-tb.loaded:
	case <-time.After(time.Minute):
		tb.t.Fatalf("no page has loaded; unanswered are %q; the browser says %q; this is %s", tb.stillAsked(), tb.complaints(),
			tb.eval("location.href + ' ' + document.readyState + ' of ' + history.length"))
	}
}

// eval evaluates an expression in the page. The page's content security policy does not apply to
// it.
func (tb *tab) eval(format string, args ...any) string {
	tb.t.Helper()
	expression := fmt.Sprintf(format, args...)
	value, err := tb.evaluate(expression)
	if err != nil {
		tb.t.Fatalf("%s: %v", expression, err)
	}
	return value
}

// evaluate is like eval, but returns errors. Expressions can fail while the page is navigating.
func (tb *tab) evaluate(expression string) (string, error) {
	tb.t.Helper()
	var r struct {
		Result           struct{ Value any }
		ExceptionDetails *struct{ Text string }
	}
	err := tb.try(tb.session, "Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &r)
	if err == nil && r.ExceptionDetails != nil {
		err = errors.New(r.ExceptionDetails.Text)
	}
	return fmt.Sprint(r.Result.Value), err
}

// width sets the viewport width in CSS pixels.
func (tb *tab) width(px int) {
	tb.t.Helper()
	tb.do("Emulation.setDeviceMetricsOverride", map[string]any{"width": px, "height": 800, "deviceScaleFactor": 1, "mobile": false}, nil)
}

// pictured saves screenshots in both colour schemes with go test -artifacts. It resets emulated
// media features.
func (tb *tab) pictured(name string) {
	tb.t.Helper()
	if f := flag.Lookup("test.artifacts"); f == nil || f.Value.String() != "true" {
		return
	}
	if _, point, ok := strings.Cut(tb.t.Name(), "/"); ok { // directory names are random
		name = point[:2] + "-" + name
	}
	for scheme, wish := range map[string]string{"light": lightSystem, "dark": darkSystem} {
		tb.media("", wish, noMotion)
		var shot struct{ Data []byte }
		tb.do("Page.captureScreenshot", map[string]any{"format": "png"}, &shot)
		if err := os.WriteFile(filepath.Join(tb.t.ArtifactDir(), name+"-"+scheme+".png"), shot.Data, 0o644); err != nil {
			tb.t.Fatal(err)
		}
	}
	tb.media("")
}

// stillAsked returns the addresses of requests without a finished response, including streams.
func (tb *tab) stillAsked() []string {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	return slices.Collect(maps.Values(tb.unanswered))
}

// complaints returns the unexpected errors that the browser has logged since the last call.
func (tb *tab) complaints() []string {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	f := tb.faults
	tb.faults = nil
	return slices.DeleteFunc(f, func(fault string) bool {
		return slices.ContainsFunc(tb.allowed, func(part string) bool { return strings.Contains(fault, part) })
	})
}

// expects allows errors that contain one of the strings, for example of a refused request. The
// browser may log them before or after the call.
func (tb *tab) expects(parts ...string) {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	tb.allowed = append(tb.allowed, parts...)
}
