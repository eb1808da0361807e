package bench

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"linnet/tools/seed"
)

// TestPagesOnARealServer checks that each account reads each page with its session cookie,
// including threads and notifications.
func TestPagesOnARealServer(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and starts the program")
	}
	path, err := program()
	if err != nil {
		t.Fatal("build the program: ", err)
	}
	data := filepath.Join(t.TempDir(), "data")
	linnet := func(args ...string) *exec.Cmd {
		cmd := exec.Command(path, append(args, "--data", data)...)
		cmd.Env = []string{"HOME=" + filepath.Dir(data)}
		return cmd
	}
	fill(t, data, seed.Options{Generated: true, Users: 40, PerUser: 2, Password: "a password of the test"})
	tokens, err := linnet("user", "tokens", "--count", "3").Output()
	if err != nil {
		t.Fatal(err)
	}
	accounts, err := ReadAccounts(strings.NewReader(string(tokens)))
	if err != nil {
		t.Fatal(err)
	}
	opts := Options{URL: serve(t, linnet("serve", "--addr", "127.0.0.1:0", "--metrics-addr", "off", "--sync", "interval", "--rate-limits", "off")),
		Accounts: accounts, Measure: "pages", Password: "a password of the test", Rate: 60, Duration: time.Second, Connections: 2}
	r, err := Run(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Operations) != len(Pages()) || r.Total.Failed != 0 {
		t.Errorf("%d failed; operations: %+v", r.Total.Failed, r.Operations)
	}
	for _, l := range r.Operations {
		if l.Requests < 9 || l.Bytes/int64(l.Requests) < 10_000 {
			t.Errorf("%s: %d requests of %d bytes", l.Name, l.Requests, l.Bytes)
		}
	}
	opts.Password = "another"
	if _, err := Run(t.Context(), opts); err == nil || !strings.Contains(err.Error(), "log in as") {
		t.Errorf("a wrong password: %v", err)
	}
}

func TestPageOptions(t *testing.T) {
	two := []Account{{"a", "t"}, {"b", "t"}}
	for name, c := range map[string]struct {
		opts Options
		want string
	}{
		"no password": {Options{Measure: "pages", Accounts: two}, "their password"},
		"one account": {Options{Measure: "pages", Accounts: two[:1], Password: "p"}, "two accounts"},
		"no such one": {Options{Measure: "pages", Accounts: two, Password: "p", Page: "x"}, `no page "x"`},
		"of a mix":    {Options{Mix: "timeline", Rate: 1, Accounts: two, Page: "home"}, "only for the measure pages"},
	} {
		c.opts.URL = "http://127.0.0.1"
		if _, err := c.opts.checked(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
