package diskkv

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/atomicfs"

	"linnet/internal/kv"
	"linnet/internal/kv/diskkv/walcheck"
)

const imageWrites = 4200

func imageKey(i int) kv.Key {
	return kv.Key{Kind: "v", Shard: uint16(i % kv.Shards), ID: fmt.Sprint(i)}
}

func imageData(i int) string { return strings.Repeat(fmt.Sprint("value ", i, " "), 20) }

// image returns a file system with a store of imageWrites acknowledged values, as after a crash or
// a clean end. With flush set, some of them are in a table. The newest log has at least 10 kB: the
// library can begin another log at any time, also just before the end.
func image(t *testing.T, writers int, crash, flush bool) *vfs.MemFS {
	t.Helper()
	for range 10 {
		fs := imageOnce(t, writers, crash, flush)
		if end, err := walcheck.Check(fs, "db"); err != nil || end.At >= 10_000 {
			return fs
		}
	}
	t.Fatal("the newest log is always small")
	return nil
}

func imageOnce(t *testing.T, writers int, crash, flush bool) *vfs.MemFS {
	t.Helper()
	fs := vfs.NewCrashableMem()
	e := open(t, "db", Options{FS: fs, Reserve: -1})
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := w; i < imageWrites; i += writers {
				if flush && i == imageWrites/3 {
					if err := e.db.Flush(); err != nil {
						t.Error(err)
					}
				}
				put := kv.Put{Key: imageKey(i), Data: []byte(imageData(i)), Version: 1}
				if _, err := e.Txn(context.Background(), nil, put); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if !crash {
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return fs.CrashClone(vfs.CrashCloneCfg{})
}

// copyOf returns a copy of a file system, with one file changed.
func copyOf(t *testing.T, from *vfs.MemFS, name string, change func([]byte) []byte) *vfs.MemFS {
	t.Helper()
	to := vfs.NewMem()
	if _, err := vfs.Clone(from, to, "db", "db"); err != nil {
		t.Fatal(err)
	}
	if change == nil {
		return to
	}
	b := change(fileOf(t, to, name))
	f, err := to.Create("db/"+name, vfs.WriteCategoryUnspecified)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return to
}

func fileOf(t *testing.T, fs vfs.FS, name string) []byte {
	t.Helper()
	f, err := fs.Open("db/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// survey opens a store and returns the values that are missing or wrong, or the error of opening or
// reading it.
func survey(t *testing.T, fs vfs.FS) (missing []int, refusal error) {
	t.Helper()
	e, err := Open("db", Options{FS: fs, Reserve: -1})
	if err != nil {
		return nil, err
	}
	defer e.Close()
	for i := range imageWrites {
		q := &kv.Get{Key: imageKey(i)}
		if err := e.Read(context.Background(), q); err != nil {
			return nil, err
		}
		if string(q.Data) != imageData(i) {
			missing = append(missing, i)
		}
	}
	return missing, nil
}

// TestFlippedBit flips one bit in any file. The store must either refuse to open, with the file and
// the remedy, or return every acknowledged value.
func TestFlippedBit(t *testing.T) {
	rounds := 150
	if testing.Short() {
		rounds = 25
	}
	for _, crash := range []bool{true, false} {
		fs := image(t, 16, crash, true)
		names, err := fs.List("db")
		if err != nil {
			t.Fatal(err)
		}
		log, end := liveEnd(t, fs)
		seed := rand.Uint64()
		rng := rand.New(rand.NewPCG(seed, 0))
		refused := map[string]int{}
		for round := range rounds {
			name := names[rng.IntN(len(names))]
			if round%2 == 0 { // the newest log, more often near its end
				name = log
			}
			size := len(fileOf(t, fs, name))
			if size == 0 {
				continue
			}
			at := rng.IntN(size)
			if round%4 == 0 {
				at = end - 1 - rng.IntN(2000)
			}
			bit := byte(1) << rng.IntN(8)
			flipped := copyOf(t, fs, name, func(b []byte) []byte { b[at] ^= bit; return b })
			missing, refusal := survey(t, flipped)
			if len(missing) > 0 && !mayBeTorn(fileOf(t, flipped, name), at) {
				t.Fatalf("seed %d, crash %v: bit %#x at %d of %s (%d bytes): %d writes are missing, the first %d",
					seed, crash, bit, at, name, size, len(missing), missing[0])
			}
			if refusal != nil {
				refused[name]++
				if !strings.Contains(refusal.Error(), "this version reads formats") {
					wantNamed(t, refusal, name)
				}
			}
		}
		t.Logf("crash %v: refused by file: %v", crash, refused)
	}
}

// mayBeTorn reports whether a file looks as if a crash had cut it off at an offset: only zeros
// follow, up to the end of the sector at least.
func mayBeTorn(b []byte, at int) bool {
	const sector = 512
	return len(bytes.Trim(b[at:min(len(b), (at/sector+1)*sector)], "\x00")) == 0
}

// TestZeroedLastByte clears the last byte of each of the newest records, which differs from zero in
// one bit. A store that was not closed may lose its very last record, because a crash could have cut
// it off there. In all other cases the store refuses to open.
func TestZeroedLastByte(t *testing.T) {
	for _, crash := range []bool{true, false} {
		fs := image(t, 1, crash, true)
		log, end := liveEnd(t, fs)
		written, found := fileOf(t, fs, log)[:end], 0
		for i := imageWrites - 1; i >= imageWrites-10; i-- {
			start := bytes.LastIndex(written, []byte(imageData(i)))
			if start < 0 {
				continue // it spans two blocks
			}
			found++
			last := start + len(imageData(i)) - 1
			cleared := copyOf(t, fs, log, func(b []byte) []byte { b[last] = 0; return b })
			missing, refusal := survey(t, cleared)
			if lost := crash && i == imageWrites-1; (refusal == nil) != lost || (len(missing) > 0) != lost {
				t.Errorf("crash %v: write %d, which ends at %d of %d: %d writes are missing, refused with %v", crash, i, last+1, end, len(missing), refusal)
			}
		}
		if found < 8 {
			t.Errorf("crash %v: %d records were found", crash, found)
		}
	}
}

// wantNamed checks that an error contains the damaged file and the remedy.
func wantNamed(t *testing.T, err error, name string) {
	t.Helper()
	text := err.Error()
	if !strings.Contains(text, "restore") || !strings.Contains(text, "backup") {
		t.Errorf("damage of %s: no remedy in %q", name, text)
	}
	if !regexp.MustCompile(`\d{6}\.(log|sst)|MANIFEST-\d+|OPTIONS-\d+|marker|LINNET-FORMAT|LINNET-LOGS`).MatchString(text) {
		t.Errorf("damage of %s: no file in %q", name, text)
	}
}

// liveEnd returns the newest log and the end of its records. The file may be much longer.
func liveEnd(t *testing.T, fs vfs.FS) (string, int) {
	t.Helper()
	end, err := walcheck.Check(fs, "db")
	if err != nil || end.At < 10_000 {
		t.Fatalf("%s holds %d bytes only: %v", end.File, end.At, err)
	}
	return end.File, int(end.At)
}

// TestTornLog cuts off the end of the log, as a crash may. The store opens, and exactly the last
// writes are missing.
func TestTornLog(t *testing.T) {
	fs := image(t, 1, true, false)
	log, end := liveEnd(t, fs)
	for _, cut := range []int{1, 2, 7, 18, 19, 20, 100, 300, 511, 512, 1000, 4095, 4096} {
		for _, zeros := range []int{0, 1 << 16} {
			torn := copyOf(t, fs, log, func(b []byte) []byte { return append(b[:end-cut:end-cut], make([]byte, zeros)...) })
			missing, refusal := survey(t, torn)
			if refusal != nil {
				t.Fatalf("%d bytes cut, %d zeros behind: %v", cut, zeros, refusal)
			}
			if len(missing) == 0 || len(missing) > 2+cut/200 {
				t.Errorf("%d bytes cut: %d writes are missing", cut, len(missing))
			}
			if missing[0] != imageWrites-len(missing) {
				t.Errorf("%d bytes cut: a gap, beginning with %d", cut, missing[0])
			}
		}
	}
}

// TestDamagedSector overwrites 512 bytes of the log more than 64 KiB before its end, which is more
// than a flipped bit.
func TestDamagedSector(t *testing.T) {
	for _, writers := range []int{1, 16} {
		fs := image(t, writers, true, false)
		log, end := liveEnd(t, fs)
		for _, back := range []int{64<<10 + 512, 100_000, 200_000} {
			if end < back {
				t.Fatalf("the log holds %d bytes only", end)
			}
			for _, fill := range []byte{0, 0xa5} {
				broken := copyOf(t, fs, log, func(b []byte) []byte {
					for i := range 512 {
						b[end-back+i] = fill
					}
					return b
				})
				_, refusal := survey(t, broken)
				if refusal == nil {
					t.Fatalf("%d writers: %d bytes before the end of the log: opened", writers, back)
				}
				wantNamed(t, refusal, log)
			}
		}
	}
}

// TestDamagedManifest overwrites some bytes in the middle of the manifest. The library would treat
// them as its end.
func TestDamagedManifest(t *testing.T) {
	fs := vfs.NewMem()
	e := open(t, "db", Options{FS: fs})
	for i := range 12 {
		apply(t, e, kv.Put{Key: imageKey(i), Version: 1})
		if err := e.db.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	name, err := atomicfs.ReadMarker(fs, "db", "manifest")
	if err != nil {
		t.Fatal(err)
	}
	broken := copyOf(t, fs, name, func(b []byte) []byte {
		clear(b[len(b)/2 : len(b)/2+20])
		return b
	})
	_, err = Open("db", Options{FS: broken})
	if err == nil {
		t.Fatalf("%s, damaged in the middle: opened", name)
	}
	wantNamed(t, err, name)
}

func TestUnknownFormat(t *testing.T) {
	fs := vfs.NewMem()
	open(t, "db", Options{FS: fs}).Close()
	newer := copyOf(t, fs, formatFile, func([]byte) []byte { return []byte(formatTitle + "7\n") })
	_, err := Open("db", Options{FS: newer})
	if err == nil {
		t.Fatal("a newer format was opened")
	}
	for _, want := range []string{"db", "format 7", fmt.Sprint("1 to ", Format)} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q does not say %q", err, want)
		}
	}
	if err := newer.Remove("db/" + formatFile); err != nil {
		t.Fatal(err)
	}
	if _, err := Open("db", Options{FS: newer}); err == nil {
		t.Error("a store without its format was opened")
	}
}

func TestDamageIsSeparateFromOtherErrors(t *testing.T) {
	e := &Engine{dir: "db"}
	other := errors.New("other")
	if got := e.damaged(other); got != other {
		t.Errorf("got %v", got)
	}
	if got := e.damaged(fmt.Errorf("reading: %w", errMalformed)); !errors.Is(got, errMalformed) {
		t.Errorf("got %v", got)
	}
}
