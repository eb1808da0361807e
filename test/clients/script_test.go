package clients_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/mattn/go-mastodon"
)

// authorizeLine matches the address that a client asks its user to visit.
var authorizeLine = regexp.MustCompile(`https?://\S+/oauth/authorize\S*`)

// session is a client that runs as a separate process. It prints the address for its authorization,
// and reads the code from standard input.
type session struct {
	command []string
	env     []string
	user    string
	first   string // input before the first question
}

// testScript runs one of the JavaScript sessions.
func testScript(t *testing.T, s *server, name string) {
	needNode(t)
	friend, staff := name+"_friend", name+"_staff"
	for _, u := range []string{name, friend, staff} {
		s.addUser(t, u)
	}
	s.command(t, "", "user", "role", staff, "moderator")
	if err := s.awaitTrends(t.Context()); err != nil {
		t.Fatal(err)
	}
	run(t, session{command: []string{"node", name + ".mjs"}, user: name,
		env: []string{"LINNET_URL=" + s.url, "LINNET_USER=" + name, "LINNET_OTHER=" + friend,
			"LINNET_OTHER_TOKEN=" + s.token(t, friend), "LINNET_STAFF_TOKEN=" + s.token(t, staff, "admin:read admin:write"),
			"LINNET_TREND=" + string(s.talk.status), "LINNET_TALKER=" + talkers[0], "LINNET_PAGE=" + s.page}})
}

func needNode(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		skipWithout(t, "node", "node is not on PATH")
	}
	if _, err := os.Stat(filepath.Join("node_modules", "masto")); err != nil {
		skipWithout(t, "node", "the clients are not installed; run test/clients/install.sh")
	}
}

// testToot runs a session with toot, if it is installed. The script only runs the command and
// checks its output.
func testToot(t *testing.T, s *server) {
	if _, err := exec.LookPath("toot"); err != nil {
		skipWithout(t, "toot", "toot is not on PATH")
	}
	s.addUser(t, "toot")
	s.addUser(t, "toot_friend")
	friend := mastodon.NewClient(&mastodon.Config{Server: s.url, AccessToken: s.token(t, "toot_friend")})
	if _, err := friend.PostStatus(t.Context(), &mastodon.Toot{Status: "good morning @toot"}); err != nil {
		t.Fatalf("post as the friend: %v", err)
	}
	run(t, session{command: []string{"sh", "toot.sh"}, user: "toot", first: "n\n",
		env: []string{"LINNET_URL=" + s.url, "LINNET_USER=toot", "LINNET_OTHER=toot_friend",
			"XDG_CONFIG_HOME=" + t.TempDir(), "PYTHONUNBUFFERED=1", "NO_COLOR=1"}})
}

// testMastodonPy runs a session with Mastodon.py, if it is installed. Its user is an administrator.
func testMastodonPy(t *testing.T, s *server) {
	const name, friend = "mastodonpy", "mastodonpy_friend"
	python := findPython()
	if python == "" {
		skipWithout(t, "mastodon.py", "no Python has Mastodon.py; run scripts/install-test-deps.sh")
	}
	s.addUser(t, name)
	s.addUser(t, friend)
	s.command(t, "", "user", "role", name, "admin")
	run(t, session{command: []string{python, "mastodonpy.py"}, user: name,
		env: []string{"LINNET_URL=" + s.url, "LINNET_USER=" + name, "LINNET_OTHER=" + friend,
			"LINNET_OTHER_TOKEN=" + s.token(t, friend), "PYTHONUNBUFFERED=1"}})
}

// findPython returns a Python that has Mastodon.py, or "". The second one is Debian's, which has
// Debian's packages even if another Python is first on PATH.
func findPython() string {
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(python, "-c", "import mastodon").Run() == nil {
			return python
		}
	}
	return ""
}

// run runs a session to its end and answers as its user.
func run(t *testing.T, c session) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.command[0], c.command[1:]...)
	cmd.Env = append(cleanEnv(), c.env...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	said := &output{}
	cmd.Stderr = said
	if err := cmd.Start(); err != nil {
		t.Fatalf("start %v: %v", c.command, err)
	}
	_, _ = io.WriteString(in, c.first)
	answerErr := c.answer(t, bufio.NewScanner(io.TeeReader(out, said)), in)
	err = cmd.Wait()
	t.Logf("%v:\n%s", c.command, said)
	if answerErr != nil {
		t.Error(answerErr)
	}
	if err != nil {
		t.Errorf("%v: %v", c.command, err)
	}
}

// answer reads the output of the client to its end, and authorizes it on request.
func (c session) answer(t *testing.T, lines *bufio.Scanner, in io.WriteCloser) error {
	defer func() { _ = in.Close() }()
	var failed error
	for lines.Scan() {
		address := authorizeLine.FindString(lines.Text())
		if address == "" || failed != nil {
			continue
		}
		got, err := authorize(newBrowser(t), address, c.user)
		if err == nil {
			_, err = io.WriteString(in, got.code+"\n")
		}
		if err != nil {
			failed = fmt.Errorf("let %s in: %w", c.user, err)
			_ = in.Close() // ends the client's wait
		}
	}
	return failed
}
