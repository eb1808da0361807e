package identity

import "testing"

func TestRegisteredRedirects(t *testing.T) {
	for _, c := range []struct {
		registered, asked string
		ok                bool
	}{
		{"http://127.0.0.1/cb", "http://127.0.0.1:43117/cb", true}, {"http://127.0.0.1:80/cb", "http://127.0.0.1:43117/cb", true}, {"http://127.0.0.1:5000/cb", "http://127.0.0.1/cb", true},
		{"http://[::1]/cb", "http://[::1]:43117/cb", true}, {"http://127.0.0.1/cb?x=1", "http://127.0.0.1:9/cb?x=1", true}, {"https://a.test/cb", "https://a.test/cb", true},
		{"http://127.0.0.1/cb", "http://127.0.0.1:43117/other", false}, {"http://127.0.0.1/cb", "http://[::1]:1/cb", false}, {"http://127.0.0.1/cb", "https://127.0.0.1:1/cb", false},
		{"http://127.0.0.1/cb?x=1", "http://127.0.0.1:9/cb?x=2", false}, {"http://127.0.0.1/cb", "http://u@127.0.0.1:9/cb", false}, {"http://127.0.0.1/cb", "http://127.0.0.1.a.test:9/cb", false},
		{"http://localhost/cb", "http://localhost:9/cb", false}, {"https://a.test/cb", "https://a.test:9/cb", false}, {"http://10.0.0.1/cb", "http://10.0.0.1:9/cb", false}, {"app://cb", "app://cb:9", false},
	} {
		if registered([]string{"app:x", c.registered}, c.asked) != c.ok {
			t.Errorf("registered %s, asked for %s: not %v", c.registered, c.asked, c.ok)
		}
	}
}
