package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestLogIn(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("Ann")
	b := w.browser()
	want(t, b.get("/login"), http.StatusOK, `<h1>Log in</h1>`, `autocomplete="current-password"`)
	before := b.jar["linnet-form"]
	if before == "" || b.jar["linnet"] != "" {
		t.Fatalf("cookies before login: %v", b.jar)
	}

	a := b.post("/login", "login", " @ann ", "password", "wrong "+password)
	want(t, a, http.StatusUnprocessableEntity, `value="ann"`, `role="alert"`, `aria-invalid="true"`)
	if strings.Contains(a.body, "wrong "+password) {
		t.Error("the page repeats the password")
	}
	unknown := b.post("/login", "login", "nobody", "password", password)
	want(t, unknown, http.StatusUnprocessableEntity)
	if got, want := strings.ReplaceAll(unknown.body, "nobody", "ann"), a.body; got != want {
		t.Errorf("unknown name and wrong password differ:\n%s\n%s", got, want)
	}

	a = b.post("/login", "login", "ann", "password", password)
	wantTo(t, a, "/")
	if b.jar["linnet"] == "" || b.jar["linnet-form"] != "" {
		t.Errorf("cookies after login: %v", b.jar)
	}
	want(t, b.get("/"), http.StatusOK, `@Ann</bdi></a>`, "Log out")
}

// TestLogInRenewsSession checks that a login creates a new session and ends the previous one,
// which prevents session fixation.
func TestLogInRenewsSession(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	b := w.browser().logIn("ann")
	first := b.jar["linnet"]
	b.get("/login")
	want(t, b.post("/login", "login", "ann", "password", password), http.StatusSeeOther)
	if b.jar["linnet"] == first {
		t.Error("the session is the same after another login")
	}
	old := w.browser()
	old.jar["linnet"] = first
	if a := old.get("/"); strings.Contains(a.body, "Log out") {
		t.Error("the earlier session still counts")
	} else if old.jar["linnet"] != "" {
		t.Error("a cookie that speaks for nobody is not taken back")
	}
}

func logOutEnds(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	b := w.browser().logIn("ann")
	token := b.jar["linnet"]
	want(t, b.get("/logout"), http.StatusMethodNotAllowed)
	b.get("/")
	wantTo(t, b.post("/logout"), "/")
	if b.jar["linnet"] != "" {
		t.Error("the cookie stays")
	}
	b.jar["linnet"] = token
	if a := b.get("/"); strings.Contains(a.body, "Log out") {
		t.Error("the session works after log-out")
	}
}

func TestLogInLeadsOn(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	for next, want := range map[string]string{
		"/@ann?max_id=1":                "/@ann?max_id=1",
		"/oauth/authorize?a=%2F&b=%20+": "/oauth/authorize?a=%2F&b=%20+",
		"https://evil.example/":         "/",
		"//evil.example/":               "/",
		"/\\evil.example":               "/",
		"javascript:alert(1)":           "/",
	} {
		b := w.browser()
		path := "/login?next=" + url.QueryEscape(next)
		b.get(path)
		action := formAction(t, b.page)
		wantTo(t, b.post(action, "login", "ann", "password", password), want)
	}
}

// formAction returns the action of the page's main form.
func formAction(t *testing.T, page string) string {
	t.Helper()
	_, rest, ok := strings.Cut(page, `<form class="card" method="post" action="`)
	action, _, _ := strings.Cut(rest, `"`)
	if !ok {
		t.Fatalf("no form in\n%s", page)
	}
	return unescape(action)
}

func TestLogInThrottled(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	b := w.browser()
	b.get("/login")
	for range 50 {
		a := b.post("/login", "login", "ann", "password", "not the one")
		if a.StatusCode == http.StatusUnprocessableEntity {
			continue
		}
		want(t, a, http.StatusTooManyRequests, `value="ann"`, "Too many login attempts.", "Please wait", "<form")
		if s := a.Header.Get("Retry-After"); s == "" || s == "0" {
			t.Errorf("Retry-After is %q", s)
		}
		want(t, b.post("/login", "login", "ann", "password", password), http.StatusTooManyRequests)
		return
	}
	t.Fatal("50 wrong passwords were tried")
}
