package cluster_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
)

// client is an app or a browser of a user. It is safe for concurrent use.
type client struct {
	base  string // URL of the instance
	to    string // name of the server to use, "" for all in turn
	from  string // IP address of the client
	token string
	app   answer // registered by logIn
	http  *http.Client
}

func (w *world) client() *client {
	jar, err := cookiejar.New(nil)
	if err != nil {
		w.Fatal(err)
	}
	return &client{base: w.url, from: fmt.Sprintf("10.%d.%d.%d", rand.IntN(256), rand.IntN(256), rand.IntN(256)),
		http: &http.Client{Jar: jar, Timeout: 20 * time.Second,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// at returns the same client with requests to one server.
func (c *client) at(name string) *client {
	to := *c
	to.to = name
	return &to
}

// answer is a response.
type answer struct {
	code   int
	header http.Header
	body   []byte
}

// get returns a field of a JSON response, or "".
func (a answer) get(name string) string {
	var m map[string]any
	if json.Unmarshal(a.body, &m) != nil {
		return ""
	}
	switch v := m[name].(type) {
	case nil:
		return ""
	case float64:
		return fmt.Sprint(int64(v))
	default:
		return fmt.Sprint(v)
	}
}

// try sends a request. form is the query of a GET and otherwise the body. header contains pairs of
// names and values.
func (c *client) try(method, path string, form url.Values, header ...string) (answer, error) {
	body := io.Reader(nil)
	if method == http.MethodGet && len(form) > 0 {
		path += "?" + form.Encode()
	} else {
		body = strings.NewReader(form.Encode())
	}
	req, err := http.NewRequest(method, c.base+path, body)
	if err != nil {
		return answer{}, err
	}
	if method != http.MethodGet {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	c.sign(req)
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	return answer{resp.StatusCode, resp.Header, b}, err
}

func (c *client) sign(req *http.Request) {
	req.Header.Set(fromHeader, c.from)
	if c.to != "" {
		req.Header.Set(toHeader, c.to)
	}
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
}

// do is try for requests that must succeed.
func (c *client) do(t testing.TB, method, path string, form url.Values, header ...string) answer {
	t.Helper()
	a, err := c.try(method, path, form, header...)
	if err != nil || a.code != http.StatusOK {
		t.Fatalf("%s %s at %q: %d %s, %v", method, path, c.to, a.code, a.body, err)
	}
	return a
}

// submit opens a page and posts its form to action, possibly at different servers.
func (c *client) submit(t testing.TB, page, action string, fields url.Values) answer {
	t.Helper()
	shown := c.do(t, http.MethodGet, page, nil)
	m := regexp.MustCompile(`name="form_token" value="([^"]+)"`).FindSubmatch(shown.body)
	if m == nil {
		t.Fatalf("%s has no form:\n%s", page, shown.body)
	}
	fields.Set("form_token", string(m[1]))
	a, err := c.try(http.MethodPost, action, fields, "Origin", c.base, "Sec-Fetch-Site", "same-origin")
	if err != nil {
		t.Fatalf("send the form of %s: %v", page, err)
	}
	return a
}

const password = "correct horse battery staple"

// oob is the redirect of apps without an address, for which the code is shown.
const oob = "urn:ietf:wg:oauth:2.0:oob"

// logIn logs a user in, authorizes an app and exchanges the code. Consecutive steps go to different
// servers.
func (c *client) logIn(t testing.TB, name string) {
	t.Helper()
	app := c.do(t, http.MethodPost, "/api/v1/apps", url.Values{"client_name": {"tests"}, "redirect_uris": {oob}, "scopes": {"read write follow"}})
	a := c.submit(t, "/login", "/login", url.Values{"login": {name}, "password": {password}})
	if a.code != http.StatusSeeOther {
		t.Fatalf("log in as %s: %d\n%s", name, a.code, a.body)
	}
	page := "/oauth/authorize?" + url.Values{"client_id": {app.get("client_id")}, "redirect_uri": {oob}, "response_type": {"code"}, "scope": {"read write follow"}}.Encode()
	a = c.submit(t, page, page, url.Values{"decision": {"approve"}})
	code := regexp.MustCompile(`id="code">([^<]+)<`).FindSubmatch(a.body)
	if code == nil {
		t.Fatalf("no code for %s: %d\n%s", name, a.code, a.body)
	}
	a = c.do(t, http.MethodPost, "/oauth/token", url.Values{"grant_type": {"authorization_code"}, "client_id": {app.get("client_id")},
		"client_secret": {app.get("client_secret")}, "redirect_uri": {oob}, "code": {string(code[1])}})
	c.token, c.app = a.get("access_token"), app
}

// listen opens the user stream. It sends each event as "name data" and closes the channel when the
// stream ends.
func (c *client) listen(t testing.TB) <-chan string {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+"/api/v1/streaming/user", nil)
	if err != nil {
		t.Fatal(err)
	}
	c.sign(req)
	resp, err := (&http.Client{}).Do(req)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("open a stream: %v, %v", resp, err)
	}
	events := make(chan string, 100)
	go func() {
		defer close(events)
		defer func() { _ = resp.Body.Close() }()
		name := ""
		for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
			if what, ok := bytes.CutPrefix(lines.Bytes(), []byte("event: ")); ok {
				name = string(what)
			} else if data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data: ")); ok {
				events <- name + " " + string(data)
			}
		}
	}()
	return events
}
