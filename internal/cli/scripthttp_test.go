package cli_test

import (
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func cmdHTTP(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: http CODE METHOD PATH [KEY=VALUE...]")
	}
	client := &http.Client{Timeout: 30 * time.Second, CheckRedirect: noRedirect}
	ask(ts, client, args[0], args[1], args[2], formOf(ts, args[3:]))
}

// cmdAwait sends requests until the response has the code.
func cmdAwait(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: await CODE PATH")
	}
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		resp, err := http.Get(ts.Getenv("URL") + args[1])
		ts.Check(err)
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		ts.Check(err)
		if strconv.Itoa(resp.StatusCode) == args[0] {
			ts.Check(os.WriteFile(ts.MkAbs("response"), body, 0o600))
			return
		}
	}
	ts.Fatalf("%s did not answer %s in time", args[1], args[0])
}

func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

func formOf(ts *testscript.TestScript, pairs []string) url.Values {
	form := url.Values{}
	for _, p := range pairs {
		key, value, ok := strings.Cut(p, "=")
		if !ok {
			ts.Fatalf("%q does not have the form KEY=VALUE", p)
		}
		form.Add(key, value)
	}
	return form
}

// ask sends a request to the server and stores the response body.
func ask(ts *testscript.TestScript, client *http.Client, code, method, path string, form url.Values) string {
	req, err := http.NewRequest(method, ts.Getenv("URL")+path, strings.NewReader(form.Encode()))
	ts.Check(err)
	if method != http.MethodGet {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Origin", ts.Getenv("URL"))
	}
	if token := ts.Getenv("TOKEN"); token != "" && client.Jar == nil {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := client.Do(req)
	ts.Check(err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	ts.Check(err)
	ts.Logf("%s %s: %d\n%.400s", method, path, resp.StatusCode, body)
	ts.Check(os.WriteFile(ts.MkAbs("response"), body, 0o600))
	if !regexp.MustCompile("^" + code + "$").MatchString(strconv.Itoa(resp.StatusCode)) {
		ts.Fatalf("%s %s: code %d, want %s", method, path, resp.StatusCode, code)
	}
	return string(body)
}

var (
	inputPattern = regexp.MustCompile(`<input[^>]*>`)
	attrPattern  = regexp.MustCompile(`(\w+)="([^"]*)"`)
)

// cmdSubmit opens a page and submits its form with its hidden fields.
func cmdSubmit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: submit CODE PATH [KEY=VALUE...]")
	}
	jar, err := cookiejar.New(nil)
	ts.Check(err)
	client := &http.Client{Timeout: 30 * time.Second, CheckRedirect: noRedirect, Jar: jar}
	page := ask(ts, client, "200", http.MethodGet, args[1], nil)
	form := formOf(ts, args[2:])
	for _, input := range inputPattern.FindAllString(page, -1) {
		attr := map[string]string{}
		for _, m := range attrPattern.FindAllStringSubmatch(input, -1) {
			attr[m[1]] = html.UnescapeString(m[2])
		}
		if attr["type"] == "hidden" {
			form.Set(attr["name"], attr["value"])
		}
	}
	ask(ts, client, args[0], http.MethodPost, args[1], form)
}
