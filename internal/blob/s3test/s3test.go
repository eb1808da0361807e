// Package s3test starts a private S3 server for tests: Versity's gateway over a directory. The
// module test/s3 pins its version. It is built once, which takes minutes, and then found in Go's
// cache.
package s3test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// Region, AccessKey and SecretKey are the credentials of the server.
const (
	Region    = "us-east-1"
	AccessKey = "tester"
	SecretKey = "a-secret-of-tests"
)

// program returns the path of the server program, or an error.
var program = sync.OnceValues(func() (string, error) {
	module, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return "", fmt.Errorf("find the module: %w", err)
	}
	cmd := exec.Command("go", "tool", "-n", "versitygw")
	cmd.Dir = filepath.Join(strings.TrimSpace(string(module)), "test", "s3")
	cmd.Env = append(cmd.Environ(), "GOWORK=off") // the workspace of the tests does not include it
	var why strings.Builder
	cmd.Stderr = &why
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, why.String())
	}
	return strings.TrimSpace(string(out)), nil
})

// Server is a running server.
type Server struct {
	Endpoint string // http://127.0.0.1:PORT
	cmd      *exec.Cmd
	stop     sync.Once
	client   *minio.Client
}

// Start starts a server, which ends with the test. It skips the test if the server
// cannot be built, or fails it if the environment variable LINNET_REQUIRE names s3.
func Start(t testing.TB) *Server {
	t.Helper()
	path, err := program()
	if err != nil {
		if slices.Contains(strings.Split(os.Getenv("LINNET_REQUIRE"), ","), "s3") {
			t.Fatalf("LINNET_REQUIRE names s3, but its server cannot be built: %v", err)
		}
		t.Skipf("the server of S3 cannot be built: %v", err)
	}
	for range 5 { // another process can have taken the port meanwhile
		if s := start(t, path, freeAddr(t)); s != nil {
			t.Cleanup(s.Stop)
			return s
		}
	}
	t.Fatal("the server of S3 does not answer")
	return nil
}

func start(t testing.TB, path, addr string) *Server {
	t.Helper()
	s := &Server{Endpoint: "http://" + addr}
	var err error
	s.client, err = minio.New(addr, &minio.Options{Creds: credentials.NewStaticV4(AccessKey, SecretKey, ""), Region: Region, MaxRetries: 1})
	if err != nil {
		t.Fatal(err)
	}
	s.cmd = exec.Command(path, "--access", AccessKey, "--secret", SecretKey, "--port", addr, "--quiet", "posix", t.TempDir())
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = s.cmd.Wait(); close(ended) }()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for range 1500 {
		if _, err := s.client.ListBuckets(t.Context()); err == nil {
			return s
		}
		select {
		case <-ended:
			return nil
		case <-tick.C:
		}
	}
	s.Stop()
	return nil
}

// freeAddr returns an unused local address.
func freeAddr(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// Bucket creates a bucket and returns its name.
func (s *Server) Bucket(t testing.TB) string {
	t.Helper()
	name := fmt.Sprintf("bucket-%d", time.Now().UnixNano())
	if err := s.client.MakeBucket(t.Context(), name, minio.MakeBucketOptions{Region: Region}); err != nil {
		t.Fatal(err)
	}
	return name
}

// Stop ends the server.
func (s *Server) Stop() { s.stop.Do(func() { _ = s.cmd.Process.Kill() }) }
