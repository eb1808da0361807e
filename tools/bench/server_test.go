package bench

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"linnet/tools/seed"
)

// built is the directory of the compiled program.
var built string

// program returns the path of Linnet, compiled once for all tests.
var program = sync.OnceValues(func() (string, error) {
	path := filepath.Join(built, "linnet")
	build := exec.Command("go", "build", "-C", "../..", "-o", path, "./cmd/linnet")
	build.Env = append(build.Environ(), "CGO_ENABLED=0") // like releases, whatever flags the tests have
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == StillArg { // started by startStill
		size, _ := strconv.Atoi(os.Args[2])
		panic(ServeStill(size, os.Stdout))
	}
	var err error
	if built, err = os.MkdirTemp("", "linnet-bench-"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(built)
	os.Exit(code)
}

// installation starts a server with n users, u0, u1 and so on. They all follow each other. It
// returns its URL and their tokens.
func installation(t *testing.T, n int) (url string, accounts []Account) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds and starts the program")
	}
	path, err := program()
	if err != nil {
		t.Fatal("build the program: ", err)
	}
	data, graph := filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "follows")
	linnet := func(args ...string) *exec.Cmd {
		cmd := exec.Command(path, append(args, "--data", data)...)
		cmd.Env = []string{"HOME=" + filepath.Dir(data)}
		return cmd
	}
	var follows strings.Builder
	for a := range n {
		for b := range n {
			if a != b {
				fmt.Fprintf(&follows, "%d\t%d\n", a, b)
			}
		}
	}
	if err := os.WriteFile(graph, []byte(follows.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	fill(t, data, seed.Options{Follows: graph})
	if out, err := linnet("instance", "set", "registrations=open").CombinedOutput(); err != nil {
		t.Fatalf("open the registrations: %v\n%s", err, out)
	}
	tokens, err := linnet("user", "tokens").Output()
	if err != nil {
		t.Fatal("user tokens: ", err)
	}
	if accounts, err = ReadAccounts(bytes.NewReader(tokens)); err != nil {
		t.Fatal(err)
	}
	return serve(t, linnet("serve", "--addr", "127.0.0.1:0", "--metrics-addr", "off", "--sync", "interval", "--rate-limits", "off")), accounts
}

// fill fills an embedded store.
func fill(t *testing.T, data string, opt seed.Options) {
	t.Helper()
	if _, err := seed.FillStore(t.Context(), map[string]string{"data": data}, nil, opt); err != nil {
		t.Fatal("fill the store: ", err)
	}
}

// serve starts a server that ends with the test, and returns its URL.
func serve(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	told := &banner{web: make(chan string, 1)}
	cmd.Stdout = told
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	select {
	case url := <-told.web:
		return url
	case <-time.After(time.Minute):
		t.Fatal("the server does not start: ", told.text.String())
		return ""
	}
}

// banner waits for the output of a ready server.
type banner struct {
	mu   sync.Mutex
	text strings.Builder
	web  chan string
}

// address matches the line of the output with the server's URL.
var address = regexp.MustCompile(`(?m)^Web +(\S+)$`)

// Write implements io.Writer.
func (b *banner) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.text.Write(p)
	if m := address.FindStringSubmatch(b.text.String()); m != nil {
		select {
		case b.web <- m[1]:
		default:
		}
	}
	return len(p), nil
}
