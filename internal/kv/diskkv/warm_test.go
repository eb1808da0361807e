package diskkv

import (
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"linnet/internal/kv"
)

var warmKey = kv.Key{Kind: "home", Shard: 3, ID: "7"}

// warmed opens a store in which one feed is warm.
func warmed(t *testing.T, fs vfs.FS, opts Options) *Engine {
	t.Helper()
	opts.FS = fs
	e := open(t, "db", opts)
	apply(t, e, kv.Fill{Key: warmKey, Token: "t", TTL: time.Hour}, kv.Filled{Key: warmKey, Token: "t", IDs: []uint64{4, 9}, Floor: 2})
	return e
}

func feedOf(t *testing.T, e *Engine) *kv.Feed {
	t.Helper()
	q := &kv.Feed{Key: warmKey, Limit: 10}
	if err := e.Read(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	return q
}

func exists(fs vfs.FS, name string) bool {
	_, err := fs.Stat(fs.PathJoin("db", name))
	return err == nil
}

// TestFeedsOverARestart checks that a clean stop saves the feeds for the next start only.
func TestFeedsOverARestart(t *testing.T) {
	fs := vfs.NewCrashableMem()
	e := warmed(t, fs, Options{})
	for n := range uint64(3) {
		apply(t, e, &kv.Push{Key: warmKey, ID: 10 + n}, kv.Put{Key: kv.Key{Kind: "x", ID: "a"}, Data: []byte("x"), Version: 1 + n})
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		e = open(t, "db", Options{FS: fs})
		q := feedOf(t, e)
		if want := []uint64{12, 11, 10, 9, 4}[2-n:]; q.State != kv.Warm || q.Floor != 2 || !slices.Equal(q.IDs, want) {
			t.Errorf("after stop %d: %v above %d, %v", n+1, q.State, q.Floor, q.IDs)
		}
		if exists(fs, feedsFile) {
			t.Error("the file is there while the store is open")
		}
	}
	crashed := fs.CrashClone(vfs.CrashCloneCfg{})
	if q := feedOf(t, open(t, "db", Options{FS: crashed})); q.State != kv.Cold {
		t.Errorf("after a crash the feed is %v", q.State)
	}
}

// TestFeedsOfAnotherState checks that feeds of an outdated state are not loaded, after a run of a
// program without this file or in a copy.
func TestFeedsOfAnotherState(t *testing.T) {
	for name, between := range map[string]func(t *testing.T, fs vfs.FS){
		"opened": func(t *testing.T, fs vfs.FS) {
			if err := open(t, "db", Options{FS: fs}).Close(); err != nil {
				t.Fatal(err)
			}
		},
		"written": func(t *testing.T, fs vfs.FS) {
			e := open(t, "db", Options{FS: fs})
			apply(t, e, kv.Put{Key: kv.Key{Kind: "x", ID: "a"}, Data: []byte("y"), Version: 9})
			if err := e.Close(); err != nil {
				t.Fatal(err)
			}
		},
		"damaged": nil,
	} {
		t.Run(name, func(t *testing.T) {
			fs := vfs.NewMem()
			e := warmed(t, fs, Options{})
			if err := e.Close(); err != nil {
				t.Fatal(err)
			}
			path, aside := fs.PathJoin("db", feedsFile), fs.PathJoin("db", "aside")
			if between != nil {
				if err := fs.Rename(path, aside); err != nil {
					t.Fatal(err)
				}
				between(t, fs)
				if err := fs.Rename(aside, path); err != nil {
					t.Fatal(err)
				}
			} else if err := writeFile(fs, "db", feedsFile, "no feeds"); err != nil {
				t.Fatal(err)
			}
			var said strings.Builder
			e = open(t, "db", Options{FS: fs, Logger: slog.New(slog.NewTextHandler(&said, nil))})
			if q := feedOf(t, e); q.State != kv.Cold || exists(fs, feedsFile) {
				t.Errorf("the feed is %v, the file there: %v", q.State, exists(fs, feedsFile))
			}
			if !strings.Contains(said.String(), "rebuilding them") {
				t.Errorf("the log says %q", said.String())
			}
		})
	}
}

// TestFeedsAreNotSaved checks that no file is left if the disk is full or no feed is warm.
func TestFeedsAreNotSaved(t *testing.T) {
	free := uint64(1 << 40)
	fs := vfs.NewMem()
	now := time.Now()
	e := warmed(t, fs, Options{Reserve: 1 << 30, Free: func() (uint64, error) { return free, nil }, Now: func() time.Time { return now }})
	free, now = 0, now.Add(time.Minute)
	if err := e.Close(); err != nil || exists(fs, feedsFile) {
		t.Errorf("on a full disk: %v, file %v", err, exists(fs, feedsFile))
	}
	e = open(t, "db", Options{FS: fs})
	if err := e.Close(); err != nil || exists(fs, feedsFile) {
		t.Errorf("without feeds: %v, file %v", err, exists(fs, feedsFile))
	}
}

// TestFeedsOfLargerMemory checks that saved feeds are not loaded if they need more than half of the
// memory for feeds.
func TestFeedsOfLargerMemory(t *testing.T) {
	fs := vfs.NewMem()
	if err := warmed(t, fs, Options{}).Close(); err != nil {
		t.Fatal(err)
	}
	info, err := fs.Stat(fs.PathJoin("db", feedsFile))
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	e := open(t, "db", Options{FS: fs, FeedMemory: 2*info.Size() - 2, Logger: slog.New(slog.NewTextHandler(&said, nil))})
	if q := feedOf(t, e); q.State != kv.Cold || exists(fs, feedsFile) || !strings.Contains(said.String(), "more than the feed memory") {
		t.Errorf("the feed is %v, the log says %q", q.State, said.String())
	}
}
