package diskkv

import (
	"bytes"
	"testing"
	"time"

	"linnet/internal/kv"
)

// valid reports whether the port accepts a key.
func valid(k kv.Key) bool {
	_, err := kv.ParseKey(k.String())
	return err == nil && kv.CheckRead([]kv.Query{&kv.Get{Key: k}}) == nil
}

// FuzzKey checks that the key can be read from an entry, and that the entries of one key are
// contiguous.
func FuzzKey(f *testing.F) {
	f.Add("v", uint16(3), "a", "v", uint16(3), "ab", "m", int64(1))
	f.Add("v", uint16(3), "", "v.x", uint16(3), " ", "\x00", int64(-1))
	f.Add("home", uint16(1023), "ü", "home", uint16(0), "ü!", "\xff\xff", int64(kv.MaxScore))
	f.Fuzz(func(t *testing.T, kind string, shard uint16, id, kind2 string, shard2 uint16, id2, member string, score int64) {
		a, b := kv.Key{Kind: kind, Shard: shard, ID: id}, kv.Key{Kind: kind2, Shard: shard2, ID: id2}
		if !valid(a) || !valid(b) {
			t.Skip()
		}
		lower, upper := appendShape(nil, a, 0), appendShape(nil, a, shapeEnd)
		entries := [][]byte{
			appendShape(nil, b, shapeValue), append(appendShape(nil, b, shapeCounter), member...),
			append(appendShape(nil, b, shapeScore), member...),
			appendRank(appendShape(nil, b, shapeRank), score, member),
		}
		for i, entry := range entries {
			k, rest, err := splitRecord(entry)
			if err != nil || k != b || len(rest) == 0 || int(rest[0]) != i+1 {
				t.Fatalf("%v became %v, %x, %v", b, k, rest, err)
			}
			inside := bytes.Compare(entry, lower) >= 0 && bytes.Compare(entry, upper) < 0
			if inside != (a == b) {
				t.Fatalf("an entry of %v lies in %v: %v", b, a, inside)
			}
			if bytes.Compare(entry, []byte{0xff, 0xff}) >= 0 {
				t.Fatalf("an entry of %v lies in the index of what expires", b)
			}
		}
		hint := appendExpiry(nil, 5, b)
		if k, rest, err := splitRecord(hint[expiryStart:]); err != nil || k != b || len(rest) > 0 {
			t.Fatalf("hint of %v became %v, %x, %v", b, k, rest, err)
		}
	})
}

// FuzzRank checks that bytewise order equals the order of (score, member).
func FuzzRank(f *testing.F) {
	f.Add(int64(0), "a", int64(-1), "b")
	f.Add(int64(kv.MaxScore), "", int64(-kv.MaxScore), "\xff")
	f.Add(int64(256), "a", int64(256), "a\x00")
	f.Fuzz(func(t *testing.T, s1 int64, m1 string, s2 int64, m2 string) {
		a, b := kv.Member{Score: s1, Member: m1}, kv.Member{Score: s2, Member: m2}
		ea, eb := appendRank(nil, s1, m1), appendRank(nil, s2, m2)
		if sign(bytes.Compare(ea, eb)) != sign(a.Compare(b)) {
			t.Fatalf("%v and %v are in another order as %x and %x", a, b, ea, eb)
		}
		score, member, err := splitRank(ea)
		if m1 == "" {
			return // no member is empty
		}
		if err != nil || score != s1 || string(member) != m1 {
			t.Fatalf("%v became %d, %q, %v", a, score, member, err)
		}
	})
}

func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}

// FuzzStored checks that arbitrary stored bytes are decoded or refused.
func FuzzStored(f *testing.F) {
	f.Add(appendValue(nil, value{version: 7, until: 1 << 40, data: []byte("x")}), int64(-5))
	f.Add([]byte{}, int64(0))
	f.Add(bytes.Repeat([]byte{0xff}, 30), int64(1)<<62)
	f.Fuzz(func(t *testing.T, b []byte, n int64) {
		if v, err := readValue(b); err == nil {
			again, err := readValue(appendValue(nil, v))
			if err != nil || again.version != v.version || again.until != v.until || !bytes.Equal(again.data, v.data) {
				t.Fatalf("%v became %v, %v", v, again, err)
			}
		}
		if got, err := readNumber(appendNumber(nil, n)); err != nil || got != n {
			t.Fatalf("%d became %d, %v", n, got, err)
		}
		readNumber(b)
		splitRecord(b)
		splitRank(b)
	})
}

func TestExpiryRoundsUp(t *testing.T) {
	now := time.UnixMilli(1000).Add(300 * time.Microsecond)
	until := expiry(now, time.Millisecond)
	v := value{version: 1, until: until}
	if v.expired(now.Add(999 * time.Microsecond)) {
		t.Error("expired before its lifetime")
	}
	if !v.expired(now.Add(2 * time.Millisecond)) {
		t.Error("alive a millisecond after its end")
	}
	if expiry(now, 0) != 0 {
		t.Error("a value without a lifetime expires")
	}
	if early := expiry(time.Unix(-100, 0), time.Second); early < 1 {
		t.Errorf("the year 1969 ends at %d, which is never", early)
	}
}
