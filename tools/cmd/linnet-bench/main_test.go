package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBadLines checks that each invalid option is reported with its value and a remedy, and that
// the exit code is 2. Refusals of the server result in 1. No output contains a token.
func TestBadLines(t *testing.T) {
	unkind := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, `{"error":"The access token is invalid"}`, http.StatusUnauthorized)
	}))
	defer unkind.Close()
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	good, bad := write("good", "u1:abcdef\n"), write("bad", "u1 abcdef\n")
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"http://127.0.0.1:1", 2, "linnet-bench: no accounts: create a file with linnet user tokens --out FILE, then pass --accounts FILE\n"},
		{"--accounts " + bad + " http://127.0.0.1:1", 2, "linnet-bench: cannot use the accounts in " + bad + ": line 1 does not have the form login:token\n"},
		{"--accounts " + dir + "/none http://127.0.0.1:1", 2, "linnet-bench: cannot read the accounts: open "},
		{"--accounts " + good, 2, "linnet-bench: expected one server, got 0: pass it as http://HOST:PORT after all options\n"},
		{"http://127.0.0.1:1 --accounts " + good, 2, "linnet-bench: expected one server, got 3:"},
		{"--rate fast http://127.0.0.1:1", 2, `invalid value "fast" for flag -rate: not a number greater than 0 and at most 100000`},
		{"--rate 0 http://127.0.0.1:1", 2, `invalid value "0" for flag -rate`},
		{"--limit -1 http://127.0.0.1:1", 2, `invalid value "-1" for flag -limit: not a number from 1 to 10000`},
		{"--duration 2h http://127.0.0.1:1", 2, `invalid value "2h" for flag -duration: not a duration such as 30s or 2m, at most 1h`},
		{"--accounts " + good + " nonsense", 1, `linnet-bench: cannot measure: "nonsense" is not the address of a server: use http://host or https://host:port.`},
		{"--accounts " + good + " --measure post " + unkind.URL, 1,
			"as u1: 401 Unauthorized: {\"error\":\"The access token is invalid\"}. Check that the tokens are from this server and have the scopes read, write and follow.\n"},
		{"--help", 0, "usage: linnet-bench --accounts FILE [OPTION…] URL\n"},
	} {
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), strings.Fields(c.args), &stdout, &stderr)
		if code != c.code || !strings.Contains(stderr.String(), c.want) || stdout.Len() > 0 || strings.Contains(stderr.String(), "abcdef") {
			t.Errorf("%s: code %d, want %d with %q\n%s%s", c.args, code, c.code, c.want, &stdout, &stderr)
		}
	}
}

// TestOptions checks that the options are passed to package bench, which sets the defaults.
func TestOptions(t *testing.T) {
	accounts := filepath.Join(t.TempDir(), "accounts")
	if err := os.WriteFile(accounts, []byte("u1:a\nu2:b\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	o, asJSON, err := options(strings.Fields("--accounts "+accounts+" http://h"), &stderr)
	if err != nil || asJSON || o.Mix != "read-mostly" || o.Rate != usualRate || o.URL != "http://h" || len(o.Accounts) != 2 {
		t.Errorf("%+v, %v, %v", o, asJSON, err)
	}
	o, asJSON, err = options(strings.Fields("--accounts "+accounts+" --measure fanout --author a,b --followers 3 --poll 5ms --seed 7 --gzip --json http://h"), &stderr)
	if err != nil || !asJSON || o.Mix != "" || o.Measure != "fanout" || o.Rate != 0 || len(o.Authors) != 2 || o.Followers != 3 || o.Poll.Milliseconds() != 5 || o.Seed != 7 || !o.Gzip {
		t.Errorf("%+v, %v, %v", o, asJSON, err)
	}
}
