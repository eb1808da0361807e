package torture_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestFullDisk checks that writes fail at once with 507 when free space falls below the reserve,
// while reads succeed. Writes succeed again without a restart when space is free. A file that only
// reserves its blocks fills the disk.
func TestFullDisk(t *testing.T) {
	free := func(dir string) int64 {
		var st syscall.Statfs_t
		if err := syscall.Statfs(dir, &st); err != nil {
			t.Fatal(err)
		}
		return int64(st.Bavail) * st.Bsize
	}
	room := min(free(os.TempDir())/4, 1<<30)
	s := serve(t, 3, "--reserve", fmt.Sprint(free(os.TempDir())-room))
	if code, body := s.post(0, "before"); code != http.StatusOK {
		t.Fatal(code, body)
	}
	filler, err := os.Create(filepath.Join(s.dir, "filler"))
	s.must(err)
	defer filler.Close()
	if err := syscall.Fallocate(int(filler.Fd()), 0, 0, 2*room); err != nil {
		t.Skip("the file system cannot reserve space for a file: ", err)
	}
	full := func() bool { code, _ := s.post(0, "not there"); return code == http.StatusInsufficientStorage }
	if !within(time.Minute, full) {
		t.Fatal("writes are not refused with 507")
	}
	refused := 0
	for i := range 100 {
		began := time.Now()
		code, body := s.post(i%3, "refused")
		if took := time.Since(began); code != http.StatusInsufficientStorage || took > time.Second {
			t.Errorf("a write to a full disk: %d after %v: %s", code, took, body)
		}
		if code, body := s.ask("GET", "/api/v1/timelines/home", s.tokens[1], nil); code != http.StatusOK || !strings.Contains(body, "before") {
			t.Errorf("a read with a full disk: %d %s", code, body)
		}
		refused++
	}
	if code, _ := s.ask("GET", "/readyz", "", nil); code != http.StatusServiceUnavailable {
		t.Errorf("/readyz answers %d", code)
	}
	s.must(filler.Truncate(0))
	began := time.Now()
	if !within(time.Minute, func() bool { code, _ := s.post(0, "after"); return code == http.StatusOK }) {
		t.Fatal("writes are not accepted again")
	}
	t.Logf("%d writes refused; accepted again after %v", refused, time.Since(began))
	_, body := s.ask("GET", "/api/v1/timelines/home", s.tokens[1], nil)
	if strings.Contains(body, "refused") || !strings.Contains(body, "after") {
		t.Errorf("home after it all: %s", body)
	}
	s.mustBeClean()
	s.stop()
}
