package diskkv

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"path"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"linnet/internal/kv"
	"linnet/internal/kv/diskkv/walcheck"
)

// TestDamagedTableIsTold checks that Ping reports a damaged table with the remedy, even if other
// data can still be read and written.
func TestDamagedTableIsTold(t *testing.T) {
	fs := image(t, 1, false, true)
	names, err := fs.List("db")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if path.Ext(name) != ".sst" || len(fileOf(t, fs, name)) < 4<<10 {
			continue
		}
		damaged := copyOf(t, fs, name, func(b []byte) []byte {
			for i := 100; i < len(b)/2; i++ {
				b[i] ^= 0x55
			}
			return b
		})
		e := open(t, "db", Options{FS: damaged, Reserve: -1})
		for i := 0; i < imageWrites && err == nil; i++ {
			err = e.Read(t.Context(), &kv.Get{Key: imageKey(i)})
		}
		if err == nil {
			t.Fatal("everything was read")
		}
		var told *kv.Trouble
		if err := e.Ping(t.Context()); !errors.As(err, &told) || !strings.Contains(told.Reason.String(), name) ||
			!strings.Contains(told.Reason.String(), "restore a backup") || strings.Contains(told.Reason.String(), "db/") {
			t.Errorf("ping: %v", err)
		}
		return
	}
	t.Fatal("no table is large enough")
}

// TestCutLogIsTold checks that a store whose log has no clean end opens, and logs where it ends and
// what may be missing. After a clean end it logs nothing.
func TestCutLogIsTold(t *testing.T) {
	end := func(fs vfs.FS) walcheck.End {
		end, err := walcheck.Check(fs, "db")
		if err != nil {
			t.Fatal(err)
		}
		return end
	}
	crashed, clean := image(t, 1, true, false), vfs.NewMem()
	e := open(t, "db", Options{FS: clean, Reserve: -1})
	txn(t, e, 0)
	txn(t, e, 1)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	cut := func(fs *vfs.MemFS, n int) *vfs.MemFS {
		return copyOf(t, fs, end(fs).File, func(b []byte) []byte { return b[:max(0, int(end(fs).At)-n)] })
	}
	for name, tc := range map[string]struct {
		fs   *vfs.MemFS
		mode SyncMode
		told string
	}{
		"clean":                {clean, SyncAlways, ""},
		"clean, then cut":      {cut(clean, 0), SyncAlways, "the last writes before the stop"},
		"crashed":              {copyOf(t, crashed, end(crashed).File, nil), SyncAlways, "no acknowledged writes, if only the process ended"},
		"crashed, then cut":    {cut(crashed, 300), SyncAlways, "the last writes before the stop"},
		"crashed, then halved": {cut(crashed, int(end(crashed).At)/2), SyncInterval, "about the last second"},
	} {
		t.Run(name, func(t *testing.T) {
			var said bytes.Buffer
			file := end(tc.fs).File
			e, err := Open("db", Options{FS: tc.fs, Sync: tc.mode, Reserve: -1, Logger: slog.New(slog.NewTextHandler(&said, nil))})
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			text := said.String()
			if tc.told == "" && strings.Contains(text, "end cleanly") ||
				tc.told != "" && !(strings.Contains(text, tc.told) && strings.Contains(text, file) && strings.Contains(text, "level=WARN")) {
				t.Errorf("said: %s", text)
			}
		})
	}
}

// TestFullAtStart opens a store with less free space than the reserve. Reads succeed, writes are
// refused, and Ping returns the reason.
func TestFullAtStart(t *testing.T) {
	fs := image(t, 1, true, false)
	const reserve = 64 << 20
	e := open(t, "db", Options{FS: fs, Reserve: reserve, Free: func() (uint64, error) { return reserve - 1, nil }})
	q := &kv.Get{Key: imageKey(imageWrites - 1)}
	if err := e.Read(t.Context(), q); err != nil || string(q.Data) != imageData(imageWrites-1) {
		t.Errorf("read: %v", err)
	}
	if _, err := e.Txn(context.Background(), nil, kv.Delete{Key: imageKey(0)}); !errors.Is(err, kv.ErrFull) {
		t.Errorf("transaction: %v", err)
	}
	var told *kv.Trouble
	if err := e.Ping(t.Context()); !errors.As(err, &told) || !strings.Contains(told.Reason.String(), "free disk space is below") {
		t.Errorf("ping: %v", err)
	}
}
