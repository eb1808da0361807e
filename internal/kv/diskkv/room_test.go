package diskkv

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"linnet/internal/kv"
)

// TestOpenNeedsRoom checks that Open fails at once, without writing, if there is no space for its
// writes. With enough space it succeeds with all data.
func TestOpenNeedsRoom(t *testing.T) {
	var free atomic.Uint64
	free.Store(1 << 40)
	fs := vfs.NewMem()
	open := func() (*Engine, error) {
		return Open("store", Options{FS: fs, Free: func() (uint64, error) { return free.Load(), nil }})
	}
	e, err := open()
	if err != nil {
		t.Fatal(err)
	}
	key := kv.Key{Kind: "v", Shard: 1, ID: "a"}
	if err := e.Apply(t.Context(), kv.Put{Key: key, Version: 1, Data: make([]byte, 100_000)}); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	for _, left := range []uint64{0, LeastFree - 1, LeastFree + 50_000} { // the log is larger than these
		free.Store(left)
		before, _ := fs.List("store")
		if e, err := open(); !errors.Is(err, ErrNoRoom) || !errors.Is(err, kv.ErrFull) {
			if err == nil {
				e.Close()
			}
			t.Fatalf("%d bytes free: opened with %v", left, err)
		}
		if after, _ := fs.List("store"); len(after) != len(before) {
			t.Errorf("files were made: %v, then %v", before, after)
		}
	}
	free.Store(1 << 40)
	if e, err = open(); err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	get := &kv.Get{Key: key}
	if err := e.Read(t.Context(), get); err != nil || len(get.Data) != 100_000 {
		t.Errorf("read %d bytes, %v", len(get.Data), err)
	}
}

// TestFailuresAreLoggedSeldom checks that a disk that fills up during background work causes one
// log line a minute, without a stack.
func TestFailuresAreLoggedSeldom(t *testing.T) {
	var full atomic.Bool
	fs := errorfs.Wrap(vfs.NewMem(), errorfs.InjectorFunc(func(op errorfs.Op) error {
		if full.Load() && op.Kind == errorfs.OpCreate && strings.HasSuffix(filepath.Base(op.Path), ".sst") {
			return syscall.ENOSPC
		}
		return nil
	}))
	var lines, stacks atomic.Int64
	log := slog.New(slog.NewTextHandler(writerFunc(func(p []byte) (int, error) {
		if strings.Contains(string(p), "background task failed") {
			lines.Add(1)
		}
		if strings.Contains(string(p), "runtime.goexit") {
			stacks.Add(1)
		}
		return len(p), nil
	}), nil))
	e, err := Open("store", Options{FS: fs, Logger: log, Reserve: -1})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Apply(t.Context(), kv.Put{Key: kv.Key{Kind: "v"}, Version: 1}); err != nil {
		t.Fatal(err)
	}
	full.Store(true)
	done, err := e.db.AsyncFlush()
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond) // the library retries many times
	full.Store(false)
	<-done
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if lines.Load() != 1 || stacks.Load() != 0 {
		t.Errorf("%d lines, %d stacks", lines.Load(), stacks.Load())
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestSeldom(t *testing.T) {
	s, now := seldom{every: time.Minute}, time.Unix(0, 0)
	var got []string
	for range 4 {
		skipped, ok := s.next(now)
		got = append(got, fmt.Sprint(skipped, ok))
		now = now.Add(25 * time.Second)
	}
	if want := "0 true, 0 false, 0 false, 2 true"; strings.Join(got, ", ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

// TestDeletedLog checks that a store with any deleted log is refused with the name of the log. A
// store without a list of logs, as earlier releases write it, opens.
func TestDeletedLog(t *testing.T) {
	for _, writes := range []int{1, 400} { // 400 writes fill logs, so that they are reused
		dir := filepath.Join(t.TempDir(), "db")
		e := open(t, dir, Options{Reserve: 1 << 20})
		for i := range writes {
			if err := e.Apply(t.Context(), kv.Put{Key: kv.Key{Kind: "v", ID: fmt.Sprint(i)}, Version: 1, Data: make([]byte, 20_000)}); err != nil {
				t.Fatal(err)
			}
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		logs, err := filepath.Glob(filepath.Join(dir, "*.log"))
		if err != nil || len(logs) == 0 {
			t.Fatal("there is no log", err)
		}
		for _, log := range logs {
			if err := os.Rename(log, log+".away"); err != nil {
				t.Fatal(err)
			}
			if e, err := Open(dir, Options{}); err == nil || !strings.Contains(err.Error(), filepath.Base(log)+": ") {
				if err == nil {
					e.Close()
				}
				t.Fatalf("without %s the store opens with %v", log, err)
			}
			if err := os.Rename(log+".away", log); err != nil {
				t.Fatal(err)
			}
		}
		for _, file := range []string{"", filepath.Join(dir, logsFile)} {
			if file != "" {
				if err := os.Remove(file); err != nil {
					t.Fatal(err)
				}
			}
			e := open(t, dir, Options{})
			if err := e.Read(t.Context(), &kv.Get{Key: kv.Key{Kind: "v", ID: "0"}}); err != nil {
				t.Fatal(err)
			}
			if err := e.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestLockFileRemoved checks that a store cannot be opened twice after its lock file was deleted.
func TestLockFileRemoved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	e := open(t, dir, Options{})
	if err := os.Remove(filepath.Join(dir, "LOCK")); err != nil {
		t.Fatal(err)
	}
	if second, err := Open(dir, Options{}); !errors.Is(err, ErrInUse) {
		if err == nil {
			second.Close()
		}
		t.Errorf("opened again with %v", err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	open(t, dir, Options{})
}
