package cluster_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"
)

// both calls f for two servers concurrently.
func both[T any](f func(name string) T) (out [2]T) {
	var wg sync.WaitGroup
	for i, name := range []string{serverA, serverB} {
		wg.Go(func() { out[i] = f(name) })
	}
	wg.Wait()
	return out
}

// setUp uses the link printed by B at both servers concurrently.
func setUp(w *world) {
	link := "/setup/" + w.servers[serverB].setupToken()
	codes := both(func(name string) int {
		c := w.client()
		return c.at(name).submit(w, link, link, url.Values{"login": {"admin" + name}, "password": {password}, "again": {password}}).code
	})
	if n := count(codes, http.StatusSeeOther); n != 1 {
		w.Fatalf("%d of two set-ups succeeded: %v", n, codes)
	}
	for _, name := range []string{serverA, serverB} {
		if a, err := w.client().at(name).try(http.MethodGet, link, nil); err != nil || a.code != http.StatusGone {
			w.Errorf("the used link at %s: %d, %v", name, a.code, err)
		}
	}
}

func count(codes [2]int, code int) (n int) {
	for _, c := range codes {
		if c == code {
			n++
		}
	}
	return n
}

// signUp performs each step of a sign-up at another server.
func signUp(w *world) {
	w.command("", "instance", "set", "open=true", "new-account-days=0")
	c := w.client()
	until(w, soon, "servers know that one may sign up", func() bool {
		return both(func(name string) bool {
			a, err := c.at(name).try(http.MethodGet, "/signup", nil)
			return err == nil && a.code == http.StatusOK
		}) == [2]bool{true, true}
	})
	a := c.submit(w, "/signup", "/signup", url.Values{"login": {"carol"}, "password": {password}, "again": {password}, "agreed": {"1"}})
	if a.code != http.StatusSeeOther {
		w.Fatalf("sign-up: %d\n%s", a.code, a.body)
	}
	for _, name := range []string{serverA, serverB} { // by the cookie alone
		if a := c.at(name).do(w, http.MethodGet, "/", nil); !bytes.Contains(a.body, []byte("/logout")) {
			w.Errorf("%s does not know who is logged in", name)
		}
	}
	app := w.client()
	app.logIn(w, "carol")
	if one, two := app.at(serverA).id(w), app.at(serverB).id(w); one == "" || one != two {
		w.Errorf("the token speaks for %q and %q", one, two)
	}
}

func idempotency(w *world) {
	c := w.person("idem")
	for i := range 10 {
		key, form := fmt.Sprint("key ", i), url.Values{"status": {fmt.Sprint("once ", i)}}
		ids := both(func(name string) string {
			for range 50 { // 409 while the other request is in progress
				a, err := c.at(name).try(http.MethodPost, "/api/v1/statuses", form, "Idempotency-Key", key)
				if err != nil || a.code == http.StatusOK {
					return a.get("id")
				}
				time.Sleep(20 * time.Millisecond)
			}
			return ""
		})
		if ids[0] == "" || ids[0] != ids[1] {
			w.Errorf("one key made %v", ids)
		}
	}
	until(w, soon, "ten statuses are counted", func() bool {
		return c.do(w, http.MethodGet, "/api/v1/accounts/verify_credentials", nil).get("statuses_count") == "10"
	})
}

// rateLimit checks that an address without a token can make 300 calls in five minutes, plus a few.
// Servers report their counts with a delay.
func rateLimit(w *world) {
	inOneWindow(w.T, 5*time.Minute, func() error {
		c := w.client()
		codes := both(func(name string) (n int) {
			for range 200 {
				if a, err := c.at(name).try(http.MethodGet, "/api/v1/instance", nil); err == nil && a.code == http.StatusOK {
					n++
				}
			}
			return n
		})
		if sum := codes[0] + codes[1]; sum < 300 || sum > 340 {
			return fmt.Errorf("%d and %d calls were answered, want 300 in all and few more", codes[0], codes[1])
		}
		return nil
	})
}

// loginLimit checks that a login can fail ten times in fifteen minutes from one address.
func loginLimit(w *world) {
	w.command(password+"\n", "user", "create", "locked")
	attempt := func(c *client, name, pass string) int {
		return c.at(name).submit(w, "/login", "/login", url.Values{"login": {"locked"}, "password": {pass}}).code
	}
	inOneWindow(w.T, 15*time.Minute, func() error {
		c := w.client()
		for i := range 10 {
			if code := attempt(c, []string{serverA, serverB}[i%2], "wrong "+strconv.Itoa(i)); code != http.StatusUnprocessableEntity {
				return fmt.Errorf("wrong password %d: %d", i, code)
			}
		}
		for _, name := range []string{serverA, serverB} {
			if code := attempt(c, name, password); code != http.StatusTooManyRequests {
				return fmt.Errorf("after ten failures %s answers %d to the right password", name, code)
			}
		}
		if code := attempt(w.client(), serverA, password); code != http.StatusSeeOther {
			return fmt.Errorf("from another address: %d", code)
		}
		return nil
	})
}
