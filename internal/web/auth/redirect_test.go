package auth

import (
	"net/url"
	"strings"
	"testing"

	"linnet/internal/web/ui"
)

func TestParseTarget(t *testing.T) {
	for _, tc := range []struct {
		uri, source, shown string
		ok                 bool
	}{
		{"https://app.example/cb", "https://app.example", "app.example", true},
		{"https://App.Example:8443/cb?x=1", "https://app.example:8443", "App.Example:8443", true},
		{"http://127.0.0.1:9999/", "http://127.0.0.1:9999", "127.0.0.1:9999", true},
		{"http://[::1]:9999/", "http:", "[::1]:9999", true},
		{"https://bücher.example/cb", "https:", "bücher.example", true},
		{"https://a;script-src *.example/", "", "", false},
		{"https://a'none'.example/", "https:", "a'none'.example", true},
		{"tusky://oauth", "tusky:", "tusky://", true},
		{"com.tapbots.Ivory:/request_token", "com.tapbots.ivory:", "com.tapbots.ivory://", true},
		{"app:callback", "app:", "app://", true},
		{outOfBand, "", "", true},
		{"", "", "", false},
		{"/relative", "", "", false},
		{"//host/x", "", "", false},
		{"https:///nohost", "", "", false},
		{"https://u:p@app.example/", "", "", false},
		{"https://app.example/#part", "", "", false},
		{"https://app.example/\r\nSet-Cookie: x=y", "", "", false},
		{"javascript:alert(1)", "", "", false},
		{"JavaScript:alert(1)", "", "", false},
		{"data:text/html,x", "", "", false},
		{"file:///etc/passwd", "", "", false},
		{"feed:javascript:alert(1)", "", "", false},
		{"feed:https://app.example/", "", "", false},
		{"app:javascript:alert(1)", "", "", false},
		{"view-source:feed:data:text/html,x", "", "", false},
		{"app:%6aavascript:alert(1)", "", "", false},
		{"app://javascript:alert(1)", "", "", false},
		{"app:\u202ekcabllac", "", "", false},
		{"urn:example:app:callback", "urn:", "urn://", true},
		{"app://callback?next=data:x", "app:", "app://", true},
	} {
		got, ok := parseTarget(tc.uri)
		want := target{Oob: tc.uri == outOfBand, Source: tc.source, Shown: tc.shown}
		if ok != tc.ok || ok && got != want {
			t.Errorf("parseTarget(%q) = %+v, %v, want %+v, %v", tc.uri, got, ok, want, tc.ok)
		}
	}
}

func TestWithQuery(t *testing.T) {
	q := url.Values{"code": {"a b"}, "state": {"&="}}
	for uri, want := range map[string]string{
		"https://a.example/cb":       "https://a.example/cb?code=a+b&state=%26%3D",
		"https://a.example/cb?x=%7e": "https://a.example/cb?x=%7e&code=a+b&state=%26%3D",
		"https://a.example/cb?":      "https://a.example/cb?code=a+b&state=%26%3D",
		"Tusky://oauth":              "Tusky://oauth?code=a+b&state=%26%3D",
		"app:callback":               "app:callback?code=a+b&state=%26%3D",
	} {
		if got := withQuery(uri, q); got != want {
			t.Errorf("withQuery(%q) = %q, want %q", uri, got, want)
		}
	}
}

func TestWebLink(t *testing.T) {
	for in, want := range map[string]string{"https://a.example/x": "https://a.example/x", "http://a.example": "http://a.example",
		"javascript:alert(1)": "", "a.example": "", "": "", "https://": "", "ftp://a.example": ""} {
		if got := webLink(in); got != want {
			t.Errorf("webLink(%q) = %q, want %q", in, got, want)
		}
	}
}

// FuzzTargets checks that redirects never run a script, lead to another host or split a header.
func FuzzTargets(f *testing.F) {
	for _, s := range []string{"/a?b=c", "//evil.example", "/\\evil.example", "/\t/evil.example", "https://a.example/", "javascript:x", "Tusky://x", "https://[::1]:1/", "https://a;b/", "x:y#z", "A://#"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if ui.IsLocalPath(s) {
			u, err := url.Parse("https://here.example" + s)
			if err != nil || u.Host != "here.example" || strings.ContainsAny(s, "\r\n\t\\") || !strings.HasPrefix(s, "/") || strings.HasPrefix(s, "//") {
				t.Fatalf("%q counts as ours", s)
			}
		}
		target, ok := parseTarget(s)
		if !ok || target.Oob {
			return
		}
		u, err := url.Parse(withQuery(s, url.Values{"code": {"x"}}))
		if err != nil || u.Scheme == "" || u.Fragment != "" || strings.ContainsAny(s, "\r\n \t") || strings.ContainsAny(target.Source, " ;,'\"\r\n") {
			t.Fatalf("%q is a target: %+v", s, target)
		}
		switch u.Scheme {
		case "javascript", "data", "vbscript", "blob", "file", "about":
			t.Fatalf("%q is a target", s)
		}
	})
}
