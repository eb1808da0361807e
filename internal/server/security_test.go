package server_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"linnet/internal/cli/clitest"
)

// book is a log that can be read while it is written.
type book struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *book) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *book) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// raw sends bytes over a new connection. It returns the first line of the response and how long the
// connection stayed open.
func raw(t *testing.T, base, request string) (status string, kept time.Duration) {
	t.Helper()
	begin := time.Now()
	c, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(begin.Add(time.Minute))
	go io.WriteString(c, request) // the server can stop reading
	r := bufio.NewReader(c)
	status, _ = r.ReadString('\n')
	_, err = io.Copy(io.Discard, r)
	if err != nil && strings.Contains(err.Error(), "timeout") {
		t.Errorf("the connection is still open: %.80q", request)
	}
	return strings.TrimSpace(status), time.Since(begin)
}

// TestRudeClients expects that slow, large and invalid requests neither block the server nor make
// it fail.
func TestRudeClients(t *testing.T) {
	t.Parallel()
	base := clitest.StartEmpty(t, t.Output(), "--log-level", "error").URL
	var slow sync.WaitGroup
	for _, start := range []string{"", "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ", "GET /api/v1/inst"} {
		slow.Go(func() { raw(t, base, start) })
	}
	const end = " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
	form := "Content-Type: application/x-www-form-urlencoded\r\n"
	for _, c := range []struct{ name, request, want string }{
		{"large header", "GET /" + end + "X-Large: " + strings.Repeat("a", 100<<10) + "\r\n\r\n", "431"},
		{"many headers", "GET /" + end + strings.Repeat("X-Many: a\r\n", 10_000) + "\r\n", "431"},
		{"long path", "GET /" + strings.Repeat("a", 100<<10) + end + "\r\n", "431"},
		{"announced body", "POST /api/v1/apps" + end + form + "Content-Length: 99999999999\r\n\r\na=b", "413"},
		{"chunked body", "POST /api/v1/apps" + end + form + "Transfer-Encoding: chunked\r\n\r\n" + strings.Repeat("10000\r\n"+strings.Repeat("a", 1<<16)+"\r\n", 40), "413"},
		{"large form", "POST /login" + end + form + "Content-Length: 400000\r\n\r\n" + strings.Repeat("a", 400_000), "413"},
		{"two lengths", "POST /login" + end + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab", "400"},
		{"length and coding", "POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400"},
		{"no host", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", "400"},
		{"NUL in a header", "GET /" + end + "X-A: a\x00b\r\n\r\n", "400"},
		{"odd method", "GE{}T /" + end + "\r\n", "400"},
		{"absolute path", "GET http://evil.example/nowhere" + end + "\r\n", "404"},
		{"dots", "GET /assets/../../etc/passwd" + end + "\r\n", "4"},
		{"encoded dots", "GET /assets/%2e%2e/%2e%2e/etc/passwd" + end + "\r\n", "4"},
		{"CONNECT", "CONNECT evil.example:443" + end + "\r\n", "4"},
		{"not HTTP", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", ""},
	} {
		status, kept := raw(t, base, c.request)
		if code := strings.TrimPrefix(status, "HTTP/1.1 "); !strings.HasPrefix(code, c.want) && !(c.want == "4" && strings.HasPrefix(code, "3")) || strings.HasPrefix(code, "5") || kept > 20*time.Second && c.want != "" {
			t.Errorf("%s: %q after %v, want %s", c.name, status, kept, c.want)
		}
	}
	slow.Wait()
	if resp, err := http.Get(base + "/readyz"); err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("afterwards: %v %v", resp, err)
	}
}

// TestSecretsAreNotLogged expects no token, code or password in the debug log, wherever a client
// sends it.
func TestSecretsAreNotLogged(t *testing.T) {
	log := &book{}
	linnet := clitest.StartEmpty(t, log, "--metrics-addr", "off", "--log-level", "debug")
	base, setup := linnet.URL, linnet.SetupToken
	if setup == "" {
		t.Fatal("there is no setup link")
	}
	const secret = "sEcReT0123456789"
	for _, path := range []string{"/setup/" + setup, "/setup/" + setup + "?a=" + secret, "/setup/" + secret, "/reset/" + secret, "/confirm/" + secret, "/unsubscribe/" + secret, "/invite/" + secret, "/api/v1/streaming/user?access_token=" + secret,
		"/api/v1/timelines/home?access_token=" + secret, "/oauth/authorize?code_challenge=" + secret, "/login?next=" + secret, "/nowhere?token=" + secret} {
		req, _ := http.NewRequest("GET", base+path, nil)
		req.Header.Set("Authorization", "Bearer "+secret)
		req.Header.Set("Cookie", "linnet="+secret)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	form := url.Values{"client_id": {secret}, "client_secret": {secret}, "code": {secret}, "token": {secret}, "grant_type": {"authorization_code"}, "login": {secret}, "password": {secret}}
	for _, path := range []string{"/oauth/token", "/oauth/revoke", "/login", "/setup/" + setup, "/api/v1/accounts"} {
		resp, err := http.PostForm(base+path+"?token="+secret, form)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	text := log.String()
	if n := strings.Count(text, "msg=\"handled request\""); n < 12 {
		t.Fatalf("only %d requests are logged:\n%s", n, text)
	}
	for _, s := range []string{secret, setup, strings.ToLower(setup)} {
		if strings.Contains(text, s) {
			t.Errorf("%s stands in the log:\n%s", s, text)
		}
	}
}

// TestForwardedHeadersAndLimits expects that only clients of a configured proxy have their own
// limits. Other clients cannot evade a limit with forwarded headers.
func TestForwardedHeadersAndLimits(t *testing.T) {
	for _, trusted := range []bool{false, true} {
		args := []string{"--metrics-addr", "off"}
		if trusted {
			args = append(args, "--trusted-proxies", netip.MustParsePrefix("127.0.0.0/8").String())
		}
		base := clitest.StartEmpty(t, io.Discard, args...).URL
		refused := 0
		for i := range 70 {
			req, _ := http.NewRequest("POST", base+"/api/v1/apps", strings.NewReader("client_name=x"))
			req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			for _, h := range []string{"X-Forwarded-For", "X-Real-IP", "Forwarded"} {
				req.Header.Set(h, fmt.Sprintf("203.0.113.%d", i))
			}
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if resp.StatusCode == http.StatusTooManyRequests {
				refused++
			}
		}
		if trusted != (refused == 0) {
			t.Errorf("trusted %v: %d of 70 refused, the limit is 60", trusted, refused)
		}
	}
}
