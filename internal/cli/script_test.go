package cli_test

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"linnet/internal/backend"
	"linnet/internal/cli"
	"linnet/internal/config"
	"linnet/internal/kv/redistest"
	"linnet/internal/linnet"
)

// The scripts in testdata run the program. They have the commands of testscript, and
// these commands:
//
//	run CODE [<FILE] ARG...   runs linnet, which must end with CODE; writes the
//	                          files out and err
//	fill DIR USERS POSTS      creates users u0, u1 and so on, with follows and the given
//	                          number of posts each, in an embedded store
//	serve NAME [ARG...]       starts a server on a free port and waits until it
//	                          is ready; sets URL, ADDR, PID and SETUP
//	end NAME SIGNAL CODE      ends it; -1 is the code of one that was killed
//	http CODE METHOD PATH [KEY=VALUE...]
//	                          asks the server, with TOKEN if it is set; writes
//	                          the file response; CODE is a pattern
//	await CODE PATH           asks until the answer has the code
//	submit CODE PATH [KEY=VALUE...]
//	                          fills in the form of a page, as a browser does
//	field NAME FILE PATH      sets NAME to a part of a JSON file
//	signal NAME SIGNAL        sends a signal and does not wait
//	redis start|stop          starts a Redis of the script's own; sets REDIS
//	acme start|stop           starts a certificate authority; sets ACME (its
//	                          directory), ACME_HTTP and ACME_TLS (where it
//	                          looks for challenges) and SSL_CERT_FILE
//	tls CODE NAME PATH        asks the server at ACME_TLS by https; writes the
//	                          header of the answer to response

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"linnet": func() { os.Exit(cli.Main()) }})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
			env.Values[serversKey{}] = &servers{byName: map[string]*running{}, tb: env.T().(testing.TB)}
			env.Defer(env.Values[serversKey{}].(*servers).killAll)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"run": cmdRun, "fill": cmdFill, "serve": cmdServe, "end": cmdEnd, "http": cmdHTTP, "await": cmdAwait, "submit": cmdSubmit,
			"field": cmdField, "value": cmdValue, "redis": cmdRedis, "signal": cmdSignal, "acme": cmdACME, "tls": cmdTLS,
		},
	})
}

type serversKey struct{}

// servers contains the processes of one script.
type servers struct {
	byName map[string]*running
	redis  *redistest.Server
	acme   *authority
	roots  *x509.CertPool
	tb     testing.TB
}

type running struct {
	cmd  *exec.Cmd
	done chan error
}

func serversOf(ts *testscript.TestScript) *servers { return ts.Value(serversKey{}).(*servers) }

func (s *servers) killAll() {
	for _, r := range s.byName {
		r.cmd.Process.Kill()
		<-r.done
	}
}

// linnetCommand returns a linnet command in the environment of the script.
func linnetCommand(ts *testscript.TestScript, args ...string) *exec.Cmd {
	path, err := exec.LookPath("linnet")
	ts.Check(err)
	cmd := exec.Command(path, args...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = []string{"HOME=" + ts.Getenv("HOME"), "PATH=" + ts.Getenv("PATH"), "TMPDIR=" + ts.Getenv("TMPDIR")}
	for _, name := range append(config.Variables(), "LINNET_CONFIG", "LINNET_PASSWORD", "LINNET_PASSWORD_FILE", "LINNET_ADRR", "SSL_CERT_FILE") {
		if v := ts.Getenv(name); v != "" {
			cmd.Env = append(cmd.Env, name+"="+v)
		}
	}
	return cmd
}

func cmdRun(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: run CODE [<FILE] ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	args = args[1:]
	var stdin string
	if len(args) > 0 && strings.HasPrefix(args[0], "<") {
		stdin, args = ts.ReadFile(args[0][1:]), args[1:]
	}
	cmd := linnetCommand(ts, args...)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &errs
	timer := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	err = cmd.Run()
	timer.Stop()
	ts.Logf("%s%s", out.String(), errs.String())
	ts.Check(os.WriteFile(ts.MkAbs("out"), out.Bytes(), 0o600))
	ts.Check(os.WriteFile(ts.MkAbs("err"), errs.Bytes(), 0o600))
	if got := codeOf(err); got != want {
		ts.Fatalf("linnet %s: exit code %d, want %d", strings.Join(args, " "), got, want)
	}
}

func cmdFill(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: fill DIR USERS POSTS")
	}
	users, err := strconv.Atoi(args[1])
	ts.Check(err)
	posts, err := strconv.Atoi(args[2])
	ts.Check(err)
	cfg, err := config.Resolve(map[string]string{"data": ts.MkAbs(args[0])}, config.Environment{})
	ts.Check(err)
	ctx := context.Background()
	b, err := backend.Open(ctx, cfg, backend.Options{PublicURL: cfg.BaseURL(), Log: slog.New(slog.DiscardHandler)})
	ts.Check(err)
	defer func() { ts.Check(b.Close()) }()
	var before linnet.ID
	for i := range users {
		u, err := b.App.Identity.SignUp(ctx, linnet.SignUp{Login: fmt.Sprint("u", i), Password: "correct horse", Agreed: true})
		ts.Check(err)
		if i > 0 {
			_, err := b.App.Social.Follow(ctx, u.ID, before, linnet.FollowOptions{})
			ts.Check(err)
		}
		before = u.ID
		for n := range posts {
			_, err := b.App.Posting.Post(ctx, u.ID, linnet.Draft{Text: fmt.Sprintf("Note %d about #birds", n)})
			ts.Check(err)
		}
	}
	b.WaitIdle(ctx)
}

func codeOf(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	if err != nil {
		return -2
	}
	return 0
}

func cmdServe(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: serve NAME [ARG...]")
	}
	name := args[0]
	cmd := linnetCommand(ts, append([]string{"--addr", "127.0.0.1:0", "--metrics-addr", "off"}, args[1:]...)...)
	out, err := os.Create(ts.MkAbs(name + ".out"))
	ts.Check(err)
	defer out.Close()
	log, err := os.Create(ts.MkAbs(name + ".err"))
	ts.Check(err)
	defer log.Close()
	cmd.Stdout, cmd.Stderr = out, log
	ts.Check(cmd.Start())
	r := &running{cmd: cmd, done: make(chan error, 1)}
	go func() { r.done <- cmd.Wait() }()
	serversOf(ts).byName[name] = r
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		text := ts.ReadFile(name + ".out")
		if strings.Contains(text, "\nStop ") {
			setFromBanner(ts, text, cmd.Process.Pid)
			return
		}
		if len(r.done) > 0 || time.Now().After(deadline) {
			ts.Fatalf("the server did not start:\n%s%s", text, ts.ReadFile(name+".err"))
		}
	}
}

// setFromBanner sets variables from the start-up output of a server.
func setFromBanner(ts *testscript.TestScript, text string, pid int) {
	for name, pattern := range map[string]string{"URL": `(?m)^(?:Web|Worker) +(\S+)$`, "SETUP": `(?m)^Set up +\S+?(/setup/\S+)`, "ADDR": `(?m)^(?:Web|Worker) +\w+://(\S+)$`} {
		value := ""
		if m := regexp.MustCompile(pattern).FindStringSubmatch(text); m != nil {
			value = m[1]
		}
		ts.Setenv(name, value)
	}
	ts.Setenv("PID", strconv.Itoa(pid))
}

func cmdEnd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: end NAME SIGNAL|- CODE")
	}
	r := send(ts, args[0], args[1])
	delete(serversOf(ts).byName, args[0])
	select {
	case err := <-r.done:
		if got := strconv.Itoa(codeOf(err)); got != args[2] {
			ts.Fatalf("the server ended with code %s, want %s:\n%s", got, args[2], ts.ReadFile(args[0]+".err"))
		}
	case <-time.After(time.Minute):
		r.cmd.Process.Kill()
		<-r.done
		ts.Fatalf("the server did not end:\n%s", ts.ReadFile(args[0]+".err"))
	}
}

func cmdSignal(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: signal NAME SIGNAL")
	}
	send(ts, args[0], args[1])
}

// send sends a signal to a server.
func send(ts *testscript.TestScript, name, signal string) *running {
	r := serversOf(ts).byName[name]
	if r == nil {
		ts.Fatalf("no server %s", name)
	}
	if signal == "-" { // the server stops without a signal
		return r
	}
	sig := map[string]os.Signal{"TERM": syscall.SIGTERM, "INT": syscall.SIGINT, "KILL": syscall.SIGKILL, "HUP": syscall.SIGHUP}[signal]
	ts.Check(r.cmd.Process.Signal(sig))
	return r
}

func cmdField(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: field NAME FILE PATH")
	}
	var v any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[1])), &v))
	for _, key := range strings.Split(args[2], ".") {
		switch x := v.(type) {
		case map[string]any:
			v = x[key]
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i >= len(x) {
				ts.Fatalf("no %s in %s", args[2], args[1])
			}
			v = x[i]
		}
	}
	text, ok := v.(string)
	if !ok {
		ts.Fatalf("%s in %s is %v", args[2], args[1], v)
	}
	ts.Setenv(args[0], text)
}

// cmdValue sets a variable to the text after a name and a colon in a line.
func cmdValue(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: value VARIABLE FILE NAME")
	}
	for line := range strings.Lines(ts.ReadFile(args[1])) {
		if text, ok := strings.CutPrefix(strings.TrimSpace(line), args[2]+":"); ok {
			ts.Setenv(args[0], text)
			return
		}
	}
	ts.Fatalf("no line %s: in %s", args[2], args[1])
}

func cmdRedis(ts *testscript.TestScript, neg bool, args []string) {
	s := serversOf(ts)
	switch {
	case neg || len(args) == 0 || len(args) > 2:
		ts.Fatalf("usage: redis start|stop|empty|load|keys N")
	case args[0] == "empty":
		s.redis.Do("FLUSHALL")
	case args[0] == "keys":
		if got := s.redis.Do("DBSIZE"); got != ":"+args[1] {
			ts.Fatalf("the Redis has %s keys, want %s", got, args[1])
		}
	case args[0] == "load": // makes the next restart take seconds
		for i := range 1500 {
			s.redis.Do("SET", fmt.Sprint("filler:", i), strings.Repeat("x", 1000))
		}
		s.redis.Do("SAVE")
		s.redis.Begin()
		for answer := ""; !strings.HasPrefix(answer, "-LOADING"); time.Sleep(time.Millisecond) {
			answer, _ = redistest.Command(s.redis.Addr(), "GET", "filler:1")
		}
	case args[0] == "start":
		s.redis = redistest.Start(s.tb, "--key-load-delay", "2000", "--loading-process-events-interval-bytes", "1024", "--rdbcompression", "no")
		ts.Setenv("REDIS", s.redis.URL())
	default:
		s.redis.Kill()
	}
}
