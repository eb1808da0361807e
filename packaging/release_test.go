package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

// here is the target of the tests, which run the program.
var here = target{"linux", runtime.GOARCH}

// TestRelease builds a release for this machine and uses each part like its users do.
func TestRelease(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("what is packed here runs on Linux")
	}
	if testing.Short() {
		t.Skip("compiles the whole program once more, without C")
	}
	out := filepath.Join(t.TempDir(), "dist")
	changed, err := output(t.Context(), "..", nil, "git", "status", "--porcelain")
	clean := err == nil && len(changed) == 0
	args := []string{"--root", "..", "--out", out, "--targets", here.String()}
	if !clean {
		t.Logf("the tree is built as it lies here, not a commit: %v\n%s", err, changed)
		t.Setenv("SOURCE_DATE_EPOCH", "1700000000")
		args = append(args, "--dirty")
	}
	if err := run(t.Context(), args); err != nil {
		t.Fatal(err)
	}
	version := versionIn(t, out)
	in := func(ending string) string {
		return filepath.Join(out, fmt.Sprintf("linnet_%s_%s_%s%s", version, here.os, here.arch, ending))
	}
	t.Run("checksums", func(t *testing.T) {
		if text, err := output(t.Context(), out, nil, "sha256sum", "--check", "--strict", "SHA256SUMS"); err != nil || bytes.Count(text, []byte(": OK")) != 6 {
			t.Errorf("%v\n%s", err, text)
		}
	})
	t.Run("archive", func(t *testing.T) { testArchive(t, in(".tar.gz"), version) })
	t.Run("deb", func(t *testing.T) { testDeb(t, in(".deb"), version) })
	t.Run("rpm", func(t *testing.T) { testRPM(t, in(".rpm"), version) })
	t.Run("image", func(t *testing.T) { testImage(t, in(".image.tar")) })
	t.Run("materials", func(t *testing.T) { testMaterials(t, in(".cdx.json")) })
	t.Run("again", func(t *testing.T) {
		if !clean && os.Getenv("CI") != "" {
			t.Fatalf("the tree has changes, so that nothing shows that a release is built again the same: %s", changed)
		}
		if !clean {
			t.Skip("a clone would have other files")
		}
		testAgain(t, out)
	})
	t.Run("not over another", func(t *testing.T) {
		err := run(t.Context(), args)
		if err == nil || !strings.Contains(err.Error(), "already exists") {
			t.Errorf("a second release into the same directory: %v", err)
		}
	})
}

// versionIn returns the version in the file names.
func versionIn(t *testing.T, out string) string {
	t.Helper()
	sums, err := os.ReadFile(filepath.Join(out, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`linnet_([^_]+)_linux_`).FindSubmatch(sums)
	if m == nil {
		t.Fatalf("no version in the names of\n%s", sums)
	}
	return string(m[1])
}

// unpack extracts a tar to a directory and returns the file names.
func unpack(t *testing.T, r io.Reader, dir string) []string {
	t.Helper()
	var names []string
	for in := tar.NewReader(r); ; {
		h, err := in.Next()
		if err == io.EOF {
			return names
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, h.Name)
		to := filepath.Join(dir, filepath.FromSlash(h.Name))
		if h.Typeflag == tar.TypeDir {
			if err := os.MkdirAll(to, h.FileInfo().Mode()); err != nil {
				t.Fatal(err)
			}
		} else {
			data, err := io.ReadAll(in)
			if err == nil {
				err = writeFile(to, data)
			}
			if err == nil {
				err = os.Chmod(to, h.FileInfo().Mode())
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if os.Geteuid() == 0 {
			if err := os.Chown(to, h.Uid, h.Gid); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func testArchive(t *testing.T, path, version string) {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	plain, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	unpack(t, plain, dir)
	top := filepath.Join(dir, fmt.Sprintf("linnet_%s_%s_%s", version, here.os, here.arch))
	text, err := output(t.Context(), dir, nil, filepath.Join(top, "linnet"), "version")
	if err != nil || !strings.HasPrefix(string(text), "linnet "+version+" (go") {
		t.Errorf("version: %v %s", err, text)
	}
	licences, err := os.ReadFile(filepath.Join(top, "LICENSES.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\nGo 1.", "github.com/cockroachdb/pebble/v2 v", "github.com/redis/rueidis v", "golang.org/x/crypto v", "Copyright (c) 2009 The Go Authors"} {
		if !bytes.Contains(licences, []byte(want)) {
			t.Errorf("LICENSES.txt lacks %q", want)
		}
	}
	for name, want := range map[string]string{
		"linnet.1": ".TH LINNET 1", "linnet.conf.example": "LINNET_DATA=", "linnet.service": "ExecStart=", "LICENSE": "Apache License", "NOTICE": "Linnet",
		"completions/linnet.bash": "_linnet()", "completions/_linnet": "#compdef linnet", "completions/linnet.fish": "complete",
	} {
		if text, err := os.ReadFile(filepath.Join(top, name)); err != nil || !bytes.Contains(text, []byte(want)) {
			t.Errorf("%s: %v, or without %q", name, err, want)
		}
	}
}

// need skips the test if a program is missing or root is required. It fails the test if
// LINNET_REQUIRE contains the program.
func need(t *testing.T, program string) {
	t.Helper()
	_, err := exec.LookPath(program)
	if err == nil && os.Geteuid() == 0 {
		return
	}
	text := program + " is not on PATH, or may not be used so: only root installs packages, and gives a process another root"
	if slices.Contains(strings.Split(os.Getenv("LINNET_REQUIRE"), ","), program) {
		t.Fatal(text)
	}
	t.Skip(text)
}

// testDeb installs the package into a separate root, starts it like its service does, and removes
// it.
func testDeb(t *testing.T, path, version string) {
	need(t, "dpkg")
	root := t.TempDir()
	dpkg(t, root, "--install", path)
	if text, err := os.ReadFile(filepath.Join(root, "etc/passwd")); err != nil || !bytes.Contains(text, []byte("linnet:")) {
		t.Errorf("the user of the service: %v\n%s", err, text)
	}
	testInstalled(t, root, version)
	// An upgrade keeps the operator's settings.
	settings := filepath.Join(root, "etc/linnet.conf")
	if err := os.WriteFile(settings, []byte("LINNET_LOG_FORMAT=json\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	dpkg(t, root, "--install", path)
	dpkg(t, root, "--remove", "linnet")
	if text, err := os.ReadFile(settings); err != nil || string(text) != "LINNET_LOG_FORMAT=json\n" {
		t.Errorf("settings after another install and the removal: %v %q", err, text)
	}
	dpkg(t, root, "--purge", "linnet")
	for name, want := range map[string]bool{"usr/bin/linnet": false, "etc/linnet.conf": false, "var/lib/linnet/linnet.sock": false, "var/lib/linnet": true} {
		if _, err := os.Stat(filepath.Join(root, name)); (err == nil) != want {
			t.Errorf("after the purge %s: %v", name, err)
		}
	}
}

func dpkg(t *testing.T, root string, args ...string) {
	t.Helper()
	for _, dir := range []string{"updates", "info", "triggers"} {
		if err := os.MkdirAll(filepath.Join(root, "var/lib/dpkg", dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"status", "available"} {
		f, err := os.OpenFile(filepath.Join(root, "var/lib/dpkg", name), os.O_CREATE, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	args = append([]string{"--root=" + root, "--force-script-chrootless", "--log=/dev/null"}, args...)
	if out, err := exec.Command("dpkg", args...).CombinedOutput(); err != nil {
		t.Fatalf("dpkg %v: %v\n%s", args, err, out)
	}
}

// testRPM installs the package without its scripts, which look for systemd in the real root.
func testRPM(t *testing.T, path, version string) {
	need(t, "rpm")
	root := t.TempDir()
	for _, args := range [][]string{{"--initdb"}, {"--install", "--noscripts", "--nodeps", "--ignorearch", path}} {
		if out, err := exec.Command("rpm", append([]string{"--root", root}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("rpm %v: %v\n%s", args, err, out)
		}
	}
	testInstalled(t, root, version)
}

// testInstalled starts the program in a root like the unit there.
func testInstalled(t *testing.T, root, version string) {
	t.Helper()
	unit, err := os.ReadFile(filepath.Join(root, "usr/lib/systemd/system/linnet.service"))
	if err != nil {
		t.Fatal(err)
	}
	start := regexp.MustCompile(`(?m)^ExecStart=(\S+) (.*)$`).FindSubmatch(unit)
	data := regexp.MustCompile(`(?m)^Environment=LINNET_DATA=(.*)$`).FindSubmatch(unit)
	if start == nil || data == nil {
		t.Fatalf("no start in\n%s", unit)
	}
	bin := filepath.Join(root, string(start[1]))
	cmd := exec.Command(bin, strings.Fields(string(start[2]))...)
	dir := filepath.Join(root, string(data[1]))
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd.Env = []string{"LINNET_DATA=" + dir}
	serve(t, cmd, dir)
	page, err := output(t.Context(), root, nil, "gzip", "-dc", "usr/share/man/man1/linnet.1.gz")
	if err != nil || !bytes.Contains(page, []byte("linnet "+version)) {
		t.Errorf("the manual page: %v", err)
	}
	info, err := os.Stat(filepath.Join(root, "etc/linnet.conf"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("settings, which may hold a password: %v %v", err, info)
	}
	if _, err := os.Stat(filepath.Join(root, "usr/share/bash-completion/completions/linnet")); err != nil {
		t.Error(err)
	}
}

// serve starts a server, waits until it reports readiness to systemd, checks its health, and stops
// it.
func serve(t *testing.T, cmd *exec.Cmd, dir string) {
	t.Helper()
	notices, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: "@linnet-packaging-" + fmt.Sprint(os.Getpid()) + t.Name(), Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer notices.Close()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := free.Addr().String()
	free.Close()
	var log bytes.Buffer
	cmd.Env = append(cmd.Env, "NOTIFY_SOCKET="+notices.LocalAddr().String(), "LINNET_ADDR="+addr, "LINNET_METRICS_ADDR=off")
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait(); notices.Close() }()
	defer cmd.Process.Kill()
	for text := make([]byte, 4096); ; {
		n, err := notices.Read(text)
		if err != nil {
			t.Fatalf("it ended before it was ready: %v\n%s", <-ended, &log)
		}
		if bytes.Contains(text[:n], []byte("READY=1")) {
			break
		}
	}
	resp, err := http.Get("http://" + addr + "/readyz")
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Errorf("/readyz: %d %s", resp.StatusCode, body)
	}
	cmd.Process.Signal(syscall.SIGTERM)
	if err := <-ended; err != nil {
		t.Errorf("stopped: %v\n%s", err, &log)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("its data: %v %v", err, info)
	}
}

// testImage reads the image in both of its formats, and runs it as its user without other files.
func testImage(t *testing.T, path string) {
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > 30e6 {
		t.Errorf("the image has %d bytes, more than 30 MB", info.Size())
	}
	img, err := tarball.ImageFromPath(path, nil) // like docker load
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Image(img); err != nil {
		t.Error(err)
	}
	dir := t.TempDir()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unpack(t, f, dir)
	index, err := layout.ImageIndexFromPath(dir) // as an OCI layout
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Index(index); err != nil {
		t.Error(err)
	}
	cf, err := img.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	if cf.Architecture != here.arch || cf.Config.User != "65532:65532" || !slices.Equal(cf.Config.Entrypoint, []string{"/linnet"}) || cf.Config.StopSignal != "SIGTERM" {
		t.Errorf("configuration %+v", cf)
	}
	need(t, "dpkg") // and root
	root := t.TempDir()
	files := mutate.Extract(img)
	defer files.Close()
	unpack(t, files, root)
	for at := root; at != os.TempDir() && at != "/"; at = filepath.Dir(at) {
		if err := os.Chmod(at, 0o755); err != nil { // for access by the user of the image
			t.Fatal(err)
		}
	}
	cmd := exec.Command(cf.Config.Entrypoint[0])
	cmd.Env = cf.Config.Env
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Credential: &syscall.Credential{Uid: 65532, Gid: 65532}}
	serve(t, cmd, filepath.Join(root, "data"))
}

func testMaterials(t *testing.T, path string) {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var bom cdx.BOM
	if err := cdx.NewBOMDecoder(f, cdx.BOMFileFormatJSON).Decode(&bom); err != nil {
		t.Fatal(err)
	}
	text, err := output(context.Background(), "..", []string{"CGO_ENABLED=0"}, "go", "list", "-deps", "-json=Module", "./cmd/linnet")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{}
	for in := json.NewDecoder(bytes.NewReader(text)); in.More(); {
		var p struct {
			Module *struct {
				Path, Version string
				Main          bool
			}
		}
		if err := in.Decode(&p); err != nil {
			t.Fatal(err)
		}
		if p.Module != nil && !p.Module.Main {
			want[p.Module.Path+"@"+p.Module.Version] = true
		}
	}
	got := map[string]bool{}
	for _, c := range *bom.Components {
		if c.Name != "std" {
			got[c.Name+"@"+c.Version] = true
			if c.Hashes == nil {
				t.Errorf("%s has no hash", c.Name)
			}
		}
	}
	for name := range want {
		if !got[name] {
			t.Errorf("the bill of materials lacks %s", name)
		}
	}
	if len(got) != len(want) {
		t.Errorf("it names %d modules, the program has %d", len(got), len(want))
	}
}

// testAgain builds the same commit in a clone at another path and compares all bytes.
func testAgain(t *testing.T, out string) {
	clone := filepath.Join(t.TempDir(), "elsewhere")
	if _, err := output(t.Context(), "..", nil, "git", "clone", "--quiet", "--no-hardlinks", ".", clone); err != nil {
		t.Fatal(err)
	}
	second := filepath.Join(t.TempDir(), "second")
	if err := run(t.Context(), []string{"--root", clone, "--out", second, "--targets", here.String()}); err != nil {
		t.Fatal(err)
	}
	sums := func(dir string) string {
		text, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if a, b := sums(out), sums(second); a != b {
		t.Errorf("two builds of a commit differ:\n%s\n%s", a, b)
	}
}

// TestTargets checks that an unknown target is refused with the list of targets.
func TestTargets(t *testing.T) {
	for list, ok := range map[string]bool{every: true, "linux/arm64": true, "linux/amd64, windows/arm64": true, "": false, "linux": false, "plan9/amd64": false, "linux/": false, "linux/amd": false} {
		got, err := parseTargets(list)
		if (err == nil) != ok {
			t.Errorf("%q: %v, %v", list, got, err)
		}
	}
}

// TestDates checks that an invalid date is refused before the build.
func TestDates(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "yesterday")
	if _, err := dateOf(t.Context(), ".."); err == nil || !strings.Contains(err.Error(), `"yesterday"`) {
		t.Errorf("%v", err)
	}
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000")
	if at, err := dateOf(t.Context(), ".."); err != nil || !at.Equal(time.Unix(1700000000, 0)) {
		t.Errorf("%v %v", at, err)
	}
}
