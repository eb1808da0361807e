package feeds

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"
	"testing"
	"time"

	"linnet/internal/kv"
)

func (fs *Feeds) read(k kv.Key) string {
	q := &kv.Feed{Key: k, Limit: kv.FeedMax}
	fs.Page(q)
	return fmt.Sprint(q.State, q.Floor, q.IDs)
}

func saveOf(t testing.TB, fs *Feeds, stamp string, limit int) []byte {
	t.Helper()
	var w bytes.Buffer
	if err := fs.Save(&w, stamp, limit); err != nil {
		t.Fatal(err)
	}
	if w.Len() > limit {
		t.Fatalf("%d bytes were saved, the limit is %d", w.Len(), limit)
	}
	return w.Bytes()
}

// TestSave checks that saved feeds are restored with their floors and late ids, even if they are
// empty. A feed that is being filled becomes cold.
func TestSave(t *testing.T) {
	fs := New(1<<30, 0, time.Now)
	long, short, empty, odd, filling := keyOf(1), keyOf(2), keyOf(3), kv.Key{Kind: "tag", Shard: 5, ID: "a:b:ü"}, keyOf(4)
	fs.warm(long, full())
	fs.Change([]kv.Op{&kv.Push{Key: long, ID: 5000}, &kv.Push{Key: long, ID: 6000}})
	fs.Change([]kv.Op{kv.Fill{Key: short, Token: "t", TTL: time.Hour}, kv.Filled{Key: short, Token: "t", IDs: []uint64{1 << 60, 7, 1<<63 + 1}, Floor: 6}})
	fs.Change([]kv.Op{kv.Fill{Key: empty, Token: "t", TTL: time.Hour}, kv.Filled{Key: empty, Token: "t", Floor: 1 << 62}})
	fs.warm(odd, []uint64{3})
	fs.Change([]kv.Op{kv.Fill{Key: filling, Token: "t", TTL: time.Hour}})
	text := saveOf(t, fs, "stamp", 1<<20)

	again := New(1<<30, 0, time.Now)
	if err := again.Load(text, "stamp"); err != nil {
		t.Fatal(err)
	}
	for _, k := range []kv.Key{long, short, empty, odd} {
		if got, want := again.read(k), fs.read(k); got != want {
			t.Errorf("%v is %s, was %s", k, got, want)
		}
	}
	if got := again.state(filling); got != kv.Cold {
		t.Errorf("what was being filled is %v", got)
	}
	again.Change([]kv.Op{&kv.Push{Key: empty, ID: 9}, &kv.Push{Key: empty, ID: 1<<62 + 1}, kv.Pull{Key: odd, ID: 3}})
	if got := again.read(empty); got != fmt.Sprint(kv.Warm, uint64(1)<<62, []uint64{1<<62 + 1}) {
		t.Errorf("after two pushes: %s", got)
	}
	for _, k := range []kv.Key{long, short, empty, odd} {
		again.Change([]kv.Op{kv.Delete{Key: k}})
	}
	if n := again.Bytes(); n != 0 {
		t.Errorf("%d bytes are counted where no feed is", n)
	}
}

// TestSaveOfMany checks that the most recently read feeds stay if the file or the memory is too
// small, and that expired feeds are not saved.
func TestSaveOfMany(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	clock := func() time.Time { return now }
	fs := New(1<<30, time.Hour, clock)
	for i := range 300 {
		fs.warm(keyOf(i), full())
		if i == 99 {
			now = now.Add(2 * time.Hour)
		}
	}
	for _, i := range []int{150, 100} {
		if fs.state(keyOf(i)) != kv.Warm {
			t.Fatal(i)
		}
	}
	order := []int{100, 150}
	for i := 299; i > 100; i-- {
		if i != 150 {
			order = append(order, i)
		}
	}
	warm := func(fs *Feeds) (at []int) {
		for i := range 300 {
			if fs.Has(keyOf(i)) {
				at = append(at, i)
			}
		}
		return at
	}
	for _, c := range []struct {
		limit  int   // of the file
		memory int64 // limit of the loading Feeds
		want   int
	}{{1 << 20, 1 << 30, 200}, {100_000, 1 << 30, 97}, {1 << 20, 500_000, 51}, {60, 1 << 30, 0}} {
		again := New(c.memory, time.Hour, clock)
		if err := again.Load(saveOf(t, fs, "stamp", c.limit), "stamp"); err != nil {
			t.Fatal(err)
		}
		got := warm(again)
		want := slices.Sorted(slices.Values(order[:min(len(got), len(order))]))
		if !slices.Equal(got, want) || len(got) < c.want*9/10 || len(got) > c.want*11/10 {
			t.Errorf("%+v: %d are warm: %v", c, len(got), got)
		}
		if again.Bytes() > c.memory {
			t.Errorf("%+v: %d bytes", c, again.Bytes())
		}
	}
}

// TestLoadOfOthers checks that Load refuses data that is damaged, truncated or has another stamp.
func TestLoadOfOthers(t *testing.T) {
	fs := New(1<<30, 0, time.Now)
	fs.warm(keyOf(1), []uint64{5, 900, 70_000})
	text := saveOf(t, fs, "stamp", 1<<20)
	refused := func(what string, text []byte, stamp string) {
		again := New(1<<30, 0, time.Now)
		if err := again.Load(text, stamp); err == nil || again.Bytes() != 0 {
			t.Errorf("%s: %v, %d bytes", what, err, again.Bytes())
		}
	}
	refused("another stamp", text, "stamp2")
	for i := range text {
		refused(fmt.Sprint("cut at ", i), text[:i], "stamp")
		bad := slices.Clone(text)
		bad[i] ^= 0x10
		refused(fmt.Sprint("damaged at ", i), bad, "stamp")
	}
}

// FuzzLoad checks that Load neither panics nor takes more memory than its input, with a valid
// checksum.
func FuzzLoad(f *testing.F) {
	fs := New(1<<30, 0, time.Now)
	fs.warm(keyOf(1), []uint64{5, 900, 70_000})
	fs.warm(keyOf(2), full())
	text := saveOf(f, fs, "stamp", 1<<20)
	f.Add(text[len(savedTitle)+6 : len(text)-4])
	f.Add([]byte{1, 1, 'a', 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1})
	f.Add([]byte{0})
	f.Fuzz(func(t *testing.T, rest []byte) {
		text := append(appendText([]byte(savedTitle), "stamp"), rest...)
		text = binary.LittleEndian.AppendUint32(text, crc32.Checksum(text, castagnoli))
		fs := New(1<<30, 0, time.Now)
		if err := fs.Load(text, "stamp"); err != nil {
			return
		}
		if n := fs.Bytes(); n > int64(len(text))*(overhead+10)+10_000 {
			t.Errorf("%d bytes after %d", n, len(text))
		}
		if err := New(1<<30, 0, time.Now).Load(saveOf(t, fs, "stamp", 1<<30), "stamp"); err != nil {
			t.Error(err)
		}
	})
}
