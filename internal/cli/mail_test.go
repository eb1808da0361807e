package cli_test

import (
	"io"
	"strings"
	"testing"

	"linnet/internal/cli"
	"linnet/internal/exit"
	"linnet/internal/mail/mailtest"
)

// mailTested runs "mail test" with options, and returns its exit code and output.
func mailTested(t *testing.T, to string, options ...string) (code int, out string) {
	t.Helper()
	var b strings.Builder
	args := append([]string{"mail", "test", to, "--data", t.TempDir(), "--public-url", "https://birds.example"}, options...)
	code = cli.Run(t.Context(), cli.Process{Args: args, Stdin: strings.NewReader(""), Stdout: &b, Stderr: &b})
	return code, b.String()
}

// TestMailTest sends an e-mail, and expects advice for each kind of failure.
func TestMailTest(t *testing.T) {
	at := mailtest.New(t, mailtest.Options{NoTLS: true, Auth: true})
	good := []string{"--smtp.addr", at.Addr, "--smtp.tls", "none", "--smtp.from", "linnet@birds.example", "--smtp.user", mailtest.User, "--smtp.password", mailtest.Password}
	code, out := mailTested(t, "ann@example.com", good...)
	if code != exit.OK || !strings.Contains(out, "accepted the e-mail to ann@example.com") {
		t.Fatalf("%d: %s", code, out)
	}
	m := at.Mails()[0]
	if m.To != "ann@example.com" || m.From != "linnet@birds.example" || !strings.Contains(m.Text(), "https://birds.example") || !strings.HasSuffix(m.Header.Get("Message-Id"), "@birds.example>") {
		t.Errorf("it was sent as %s", m.Raw)
	}
	secret := mailtest.New(t, mailtest.Options{})
	for name, c := range map[string]struct {
		to, want string
		code     int
		Options  []string
	}{
		"nothing set":     {"ann@example.com", "smtp.addr is not set", exit.Usage, nil},
		"no sender":       {"ann@example.com", "smtp.addr needs smtp.from", exit.Usage, []string{"--smtp.addr", at.Addr}},
		"no address":      {"ann", "must be a valid e-mail address", exit.Usage, good},
		"in plain":        {"ann@example.com", "use starttls or implicit", exit.Usage, []string{"--smtp.addr", "mail.example:25", "--smtp.tls", "none", "--smtp.from", "a@b.example"}},
		"wrong password":  {"ann@example.com", "Check smtp.user and smtp.password", exit.Failed, append(good[:len(good)-1:len(good)-1], "nonsense")},
		"no STARTTLS":     {"ann@example.com", "smtp.tls is starttls", exit.Failed, []string{"--smtp.addr", at.Addr, "--smtp.from", "a@b.example"}},
		"certificate":     {"ann@example.com", "certificate", exit.Failed, []string{"--smtp.addr", secret.Addr, "--smtp.from", "a@b.example"}},
		"nobody is there": {"ann@example.com", "Check the host name", exit.Failed, []string{"--smtp.addr", "127.0.0.1:1", "--smtp.from", "a@b.example"}},
	} {
		code, out := mailTested(t, c.to, c.Options...)
		if code != c.code || !strings.Contains(out, c.want) || strings.Contains(out, mailtest.Password) || strings.Contains(out, "nonsense") {
			t.Errorf("%s: %d: %s", name, code, out)
		}
	}
	if n := len(at.Mails()) + len(secret.Mails()); n != 1 {
		t.Errorf("%d mails were sent", n)
	}
}

func TestMailOptionsAreChecked(t *testing.T) {
	for option, values := range map[string]map[string]bool{
		"smtp.addr": {"mail.example:587": true, "mail.example": false, ":25": false, "mail.example:0": false},
		"smtp.from": {"a@b.example": true, "a@localhost": true, "a": false, "Ann <a@b.example>": false},
		"smtp.tls":  {"starttls": true, "none": true, "on": false},
	} {
		for value, good := range values {
			code := cli.Run(t.Context(), cli.Process{Args: []string{"config", "show", "--data", t.TempDir(), "--" + option, value}, Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard})
			if (code == exit.OK) != good {
				t.Errorf("%s=%s: %d", option, value, code)
			}
		}
	}
}
