package cluster_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// read reads a file of the project.
func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", path))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestDeploy compares the files for operators with the program.
func TestDeploy(t *testing.T) {
	bin := build(t)
	t.Run("options", func(t *testing.T) { testOptions(t, bin) })
	t.Run("systemd unit", func(t *testing.T) { testUnit(t, bin) })
}

// testOptions checks that the files for operators set existing options to valid values.
func testOptions(t *testing.T, bin string) {
	example, err := exec.Command(bin, "config", "example").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"compose.yaml", "Dockerfile", "contrib/systemd/linnet.service"} {
		var env []string
		for _, m := range regexp.MustCompile(`(LINNET_[A-Z_]+)[:=] *"?([^\s"]+)`).FindAllStringSubmatch(read(t, path), -1) {
			if m[1] == "LINNET_DOMAIN" || m[1] == "LINNET_NAME" {
				continue // of the proxy and in a comment
			}
			if !strings.Contains(string(example), "#"+m[1]+"=") {
				t.Errorf("%s: there is no option %s", path, m[1])
			}
			if !strings.Contains(m[2], "$") {
				env = append(env, m[1]+"="+m[2])
			}
		}
		if len(env) == 0 {
			t.Errorf("%s sets nothing", path)
		}
		cmd := exec.Command(bin, "config", "check")
		cmd.Env = append(cleanEnv(), env...)
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.HasPrefix(string(out), "The configuration is valid") {
			t.Errorf("%s with %v: %v\n%s", path, env, err, out)
		}
	}
}

// blocks parses the subset of YAML in compose.yaml: the lines of each entry below a top-level key.
func blocks(t *testing.T, text, key string) map[string]string {
	t.Helper()
	out, at, in := map[string]string{}, "", false
	for i, line := range strings.Split(text, "\n") {
		if strings.Contains(line, "\t") {
			t.Errorf("line %d: YAML has no tabs", i+1)
		}
		indent := len(line) - len(strings.TrimLeft(line, " "))
		switch {
		case line == "" || strings.HasPrefix(strings.TrimSpace(line), "#"):
		case indent%2 != 0:
			t.Errorf("line %d is indented by %d", i+1, indent)
		case indent == 0:
			in = line == key+":"
		case in && indent == 2:
			at = strings.TrimSuffix(strings.TrimSpace(line), ":")
			out[at] = ""
		case in:
			out[at] += line + "\n"
		}
	}
	return out
}

// TestCompose checks that compose.yaml defines the servers of docs/admin/scale.md, each with the
// settings for a replacement without losses.
func TestCompose(t *testing.T) {
	text := read(t, "compose.yaml")
	services, volumes := blocks(t, text, "services"), blocks(t, text, "volumes")
	for name, role := range map[string]string{"web1": "web", "web2": "web", "worker": "worker"} {
		s := services[name]
		for _, want := range []string{"<<: *linnet", "<<: *settings", "LINNET_ROLE: " + role, fmt.Sprintf(`volumes: ["%s:/data", "media:/media"]`, name)} {
			if !strings.Contains(s, want) {
				t.Errorf("%s lacks %s", name, want)
			}
		}
	}
	if !strings.Contains(text, "\n  LINNET_MEDIA: /media\n") {
		t.Error("the servers keep pictures in places of their own, and do not see those of the others")
	}
	for _, want := range []string{"appendfsync\n      - always", "maxmemory-policy\n      - noeviction", "healthcheck:"} {
		if !strings.Contains(services["valkey"], want) {
			t.Errorf("valkey lacks %s", want)
		}
	}
	if !strings.Contains(text, `test: ["CMD", "/linnet", "status"]`) || !strings.Contains(text, "health_uri /readyz") {
		t.Error("nobody asks how the servers are")
	}
	for name, s := range services {
		for _, m := range regexp.MustCompile(`(?m)(?:volumes: \[|, |- )"?(\w+):/`).FindAllStringSubmatch(s, -1) {
			if _, ok := volumes[m[1]]; !ok {
				t.Errorf("%s uses the volume %s, which there is not", name, m[1])
			}
		}
	}
	grace := regexp.MustCompile(`stop_grace_period: (\d+)s`).FindStringSubmatch(text)
	if n, err := strconv.Atoi(grace[1]); err != nil || n < 3+30+5 {
		t.Errorf("a server is killed after %s s, before it can have stopped", grace[1])
	}
}

// TestDockerfile checks that the image contains the program only, does not run as root, and uses
// the right stop signal.
func TestDockerfile(t *testing.T) {
	var last []string
	for line := range strings.Lines(read(t, "Dockerfile")) {
		if word, rest, _ := strings.Cut(strings.TrimSpace(line), " "); word == "FROM" {
			last = []string{line}
		} else {
			last = append(last, word+" "+rest)
		}
	}
	for _, want := range []string{"FROM scratch\n", "USER 65532:65532", "STOPSIGNAL SIGTERM", `ENTRYPOINT ["/linnet"]`} {
		if !slices.Contains(last, want) {
			t.Errorf("the image lacks %q: %q", want, last)
		}
	}
}

// testUnit checks the unit with systemd, if it is installed.
func testUnit(t *testing.T, bin string) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not on PATH")
	}
	unit := filepath.Join(t.TempDir(), "linnet.service")
	text := strings.ReplaceAll(read(t, "contrib/systemd/linnet.service"), "/usr/local/bin/linnet", bin)
	if err := os.WriteFile(unit, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(analyze, "verify", unit).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("verify: %v\n%s", err, out)
	}
	out, err := exec.Command(analyze, "security", "--offline=true", "--threshold=20", unit).CombinedOutput()
	if err != nil {
		t.Errorf("security: %v\n%s", err, out)
	}
	if lines := strings.Split(strings.TrimSpace(string(out)), "\n"); len(lines) > 0 {
		t.Log(lines[len(lines)-1])
	}
}
