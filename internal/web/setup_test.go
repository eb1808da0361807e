package web_test

import (
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/moderation"
)

func setUpOnce(t *testing.T) {
	w := newWorld(t, loopbackURL)
	path := "/setup/" + w.setupToken()
	b := w.browser()
	want(t, b.get(path), http.StatusOK, "<h1>Set up your server</h1>", `autocomplete="new-password"`)

	a := b.post(path, "login", "ann", "password", password, "again", "something else")
	want(t, a, http.StatusUnprocessableEntity, `id="again-wrong"`, `value="ann"`)
	a = b.post(path, "login", "ann lee", "password", "short", "again", "short")
	want(t, a, http.StatusUnprocessableEntity, `id="login-wrong"`, `id="password-wrong"`, "The password is too short")

	wantTo(t, b.post(path, "login", "ann", "password", password, "again", password), "/admin/start")
	want(t, b.get("/admin/start"), http.StatusOK, "Name your server", "Back up")
	want(t, b.get("/"), http.StatusOK, "Welcome, <bdi>ann</bdi>")
	if me, err := w.svc.View.UserByLogin(t.Context(), 0, "ann"); err != nil || me.Role != linnet.Admin {
		t.Errorf("role %v, %v", me.Role, err)
	}

	late := w.browser()
	want(t, late.get(path), http.StatusGone, "already set up", `href="/login"`)
	late.get("/login")
	want(t, late.post(path, "login", "eve", "password", password, "again", password), http.StatusGone)
	want(t, late.get("/setup/AAAA-BBBB"), http.StatusGone)
}

// setUpLate checks that a setup link expires after 30 minutes.
func setUpLate(t *testing.T) {
	var later atomic.Int64
	w := newWorldAt(t, loopbackURL, func() time.Time { return time.Now().Add(time.Duration(later.Load())) })
	path := "/setup/" + w.setupToken()
	later.Store(int64(moderation.SetupTTL - 10*time.Second))
	b := w.browser()
	want(t, b.get(path), http.StatusOK, "<h1>Set up your server</h1>")
	later.Store(int64(moderation.SetupTTL + time.Second))
	want(t, b.post(path, "login", "ann", "password", password, "again", password), http.StatusGone, "no longer valid")
	want(t, w.browser().get(path), http.StatusGone, "no longer valid")
	if _, err := w.svc.View.UserByLogin(t.Context(), 0, "ann"); linnet.KindOf(err) != linnet.NotFound || moderation.SetupTTL != 30*time.Minute {
		t.Errorf("ann: %v", err)
	}
}

// setUpAtOnce checks that only one of ten concurrent setups creates an administrator.
func setUpAtOnce(t *testing.T) {
	w := newWorld(t, loopbackURL)
	path := "/setup/" + w.setupToken()
	const n = 10
	browsers := make([]*browser, n)
	for i := range browsers {
		browsers[i] = w.browser()
		want(t, browsers[i].get(path), http.StatusOK)
	}
	codes := make([]int, n)
	var wg sync.WaitGroup
	for i, b := range browsers {
		wg.Go(func() {
			codes[i] = b.post(path, "login", "ann"+string(rune('a'+i)), "password", password, "again", password).StatusCode
		})
	}
	wg.Wait()
	won := 0
	for i, code := range codes {
		u, err := w.svc.View.UserByLogin(t.Context(), 0, "ann"+string(rune('a'+i)))
		switch {
		case code == http.StatusSeeOther && err == nil && u.Role == linnet.Admin:
			won++
			continue
		case code != http.StatusGone && code != http.StatusUnprocessableEntity || linnet.KindOf(err) != linnet.NotFound:
			t.Errorf("browser %d: code %d, then %v\n%s", i, code, err, browsers[i].page)
		}
		want(t, browsers[i].get(path), http.StatusGone)
	}
	if won != 1 {
		t.Errorf("%d administrators: %v", won, codes)
	}
}

// TestFirstStepsAreTrue checks that the first steps describe the current registration mode and mark
// completed steps.
func TestFirstStepsAreTrue(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	w.role("ann", linnet.Admin)
	b := w.browser().logIn("ann")
	done := func() int { return strings.Count(b.get("/admin/start").body, ">done<") }
	set := func(c linnet.InstanceChange) {
		t.Helper()
		if _, err := w.svc.Settings.ChangeInstance(t.Context(), linnet.Operator(), c); err != nil {
			t.Fatal(err)
		}
	}
	if n := done(); n != 0 {
		t.Errorf("%d steps are done at first", n)
	}
	for r, says := range map[linnet.Registrations]string{linnet.RegisterClosed: "Sign-up is closed. ", linnet.RegisterInvite: "Sign-up is by invitation only. ",
		linnet.RegisterApproval: "Anyone can request an account, and you approve or reject it. ", linnet.RegisterOpen: "Sign-up is open. "} {
		set(linnet.InstanceChange{Registrations: &r})
		want(t, b.get("/admin/start"), http.StatusOK, says)
		if want, n := map[bool]int{true: 1}[r.Anybody()], done(); n != want {
			t.Errorf("%s: %d steps are done, want %d", r, n, want)
		}
	}
	closed, name, rules := linnet.RegisterClosed, "Birds", []string{"Be kind."}
	for i, c := range []linnet.InstanceChange{{Registrations: &closed}, {Title: &name}, {Description: &name}, {Rules: &rules}} {
		set(c)
		if want, n := []int{0, 0, 1, 2}[i], done(); n != want {
			t.Errorf("change %d: %d steps are done, want %d", i, n, want)
		}
	}
}
